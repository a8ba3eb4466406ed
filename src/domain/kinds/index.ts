/**
 * The kinds of transactions, one row each. The rest of the code reads everything about a kind from its row. No
 * other code compares a transaction's type with a name. `kind.ts` explains the columns.
 */
import { feesBy, type FeeBreakdown } from '../fees';
import type { OpeningOf, OpeningType } from '../ledger/movements';
import type { Kobo } from '../money';
import type { TransactionType } from '../transaction-types';
import type { TransactionStatus } from '../transactions';
import { bankTransfer } from './bank-transfer';
import { walletCredit, walletDebit } from './corrections';
import type { OpeningKind, TransactionKind } from './kind';
import { creditRefund } from './credit-refund';
import { latePayout } from './late-payout';
import { feeDeduction } from './fee-deduction';
import { settlementPayout } from './not-in-use';
import { p2pTransfer } from './p2p-transfer';
import { qrPayment } from './qr-payment';
import { returnShortfall } from './return-shortfall';
import { reversal } from './reversal';
import { splitPayment } from './split-payment';
import { suspenseMove } from './suspense-move';
import { treasuryEntry } from './treasury-entry';
import { unallocatedCredit } from './unallocated-credit';
import { ussdPayment } from './ussd-payment';
import { walletFunding } from './wallet-funding';

export type { OpeningKind, TransactionKind } from './kind';

/** Total over the types: a type without its row, or a row that leaves a column out, does not compile. */
export type TransactionKinds = {
  readonly [Type in TransactionType]: Type extends OpeningType
    ? OpeningKind<OpeningOf<Type>>
    : TransactionKind;
};

export const TRANSACTION_KINDS = {
  wallet_funding: walletFunding,
  wallet_credit: walletCredit,
  wallet_debit: walletDebit,
  p2p_transfer: p2pTransfer,
  bank_transfer: bankTransfer,
  ussd_payment: ussdPayment,
  qr_payment: qrPayment,
  split_payment: splitPayment,
  fee_deduction: feeDeduction,
  reversal,
  settlement_payout: settlementPayout,
  late_payout: latePayout,
  unallocated_credit: unallocatedCredit,
  credit_refund: creditRefund,
  return_shortfall: returnShortfall,
  treasury_entry: treasuryEntry,
  suspense_move: suspenseMove,
} satisfies TransactionKinds;

/** The row of a type. */
export const kindOf = (type: TransactionType): TransactionKind => TRANSACTION_KINDS[type];

const OPENING_KINDS: { readonly [Type in OpeningType]: OpeningKind<OpeningOf<Type>> } = TRANSACTION_KINDS;

/** The row of an opening's own type, which takes that opening. */
export const openingKindOf = <Type extends OpeningType>(
  opening: OpeningOf<Type>,
): OpeningKind<OpeningOf<Type>> => OPENING_KINDS[opening.type];

/** The types whose row meets a condition, for queries that look for them. */
export const typesWhere = (isSo: (kind: TransactionKind) => boolean): TransactionType[] =>
  (Object.keys(TRANSACTION_KINDS) as TransactionType[]).filter((type) => isSo(TRANSACTION_KINDS[type]));

/** Every status that a transaction of a kind may have, from its first one on. */
export const statusesOf = ({ life: { bornAs, machine } }: TransactionKind): readonly TransactionStatus[] => [
  ...new Set([bornAs, ...machine.flatMap(([from, , to]) => [from, to])]),
];

/**
 * The fees of a transaction: of one type, moving `amountKobo` (at least 1) to its destination.
 * @throws RangeError for an amount that is not a positive safe integer: a bug of the caller.
 */
export const feesFor = (type: TransactionType, amountKobo: Kobo): FeeBreakdown =>
  feesBy(TRANSACTION_KINDS[type].fees, amountKobo);
