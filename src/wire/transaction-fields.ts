/**
 * What the forms of a transaction share: its fields in the published order, and the plain spelling of them, which
 * reference and quickstart have in common (D3, D7, D134).
 */
import { z } from 'zod';
import type { FeeBreakdown } from '../domain/fees';
import type { Sender } from '../domain/inbound';
import { CURRENCY } from '../domain/money';
import { NAME_DECISIONS, ON_NAME_MISMATCH, PURPOSE_NAMES } from '../domain/payout-instructions';
import type { BankAccount, SplitShare, Transaction } from '../domain/transactions';
import { kobo, timestamp, transactionStatus, transactionType, uuid } from './answers';
import { currency, PERSONAL } from './fields';

export const feeBreakdown = z
  .object({
    customerFee: kobo.meta({ description: 'Charged to the source on top of the amount' }),
    merchantFee: kobo.meta({ description: 'Charged to the partner' }),
    platformFee: kobo.meta({ description: 'Both fees: our gross revenue' }),
    mfbCost: kobo.meta({ description: 'What the bank charges us; it never changes the debit' }),
    netAmount: kobo.meta({ description: 'What the destination receives' }),
  })
  .meta({ id: 'FeeBreakdown', description: 'All in kobo' });

const bankAccount = z
  .object({
    bank_code: z.string(),
    bank_name: z.string(),
    account_number: z.string().meta(PERSONAL),
    account_name: z.string().meta({ ...PERSONAL, description: 'As it was sent' }),
    resolved_name: z
      .string()
      .nullable()
      .meta({ ...PERSONAL, description: "What the bank's name enquiry answered" }),
    name_matches: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether that is the holder who was sent; null before the bank has told a name' }),
    on_name_mismatch: z.enum(ON_NAME_MISMATCH),
    name_decision: z.enum(NAME_DECISIONS).nullable().meta({
      description: 'What you have decided about a name that differs; null where nothing is decided',
    }),
    purpose: z.enum(PURPOSE_NAMES),
  })
  .meta({ id: 'DestinationAccount' });

const pspMeta = z
  .object({ provider: z.string(), session_id: z.string().nullable(), response_code: z.string().nullable() })
  .meta({ id: 'PspMeta' });

const told = z.string().nullable().meta(PERSONAL);
const inboundSender = z
  .object({ sender_name: told, sender_bank: told, sender_account_number: told, narration: told })
  .meta({
    id: 'InboundSender',
    description:
      'Who has paid money that came in from a bank, as that bank tells it; null what it does not tell. Most of the ' +
      'account number is hidden',
  });

/** Who has paid, as partners read it. */
export const writeSender = (sender: Sender): z.infer<typeof inboundSender> => ({
  sender_name: sender.name,
  sender_bank: sender.bankName,
  sender_account_number: sender.accountNumber,
  narration: sender.narration,
});

const metadata = z
  .object({ inbound: inboundSender.optional() })
  .catchall(z.unknown())
  .meta({ ...PERSONAL, description: 'As it was sent; `inbound` on money that came in from a bank' });

export const head = {
  id: uuid,
  partner_id: uuid,
  reference: z.string(),
  type: transactionType,
  status: transactionStatus,
};
export const tail = {
  mfb_reference: z.string().nullable(),
  psp_reference: z.string().nullable().meta({ description: 'null until the provider has accepted' }),
  psp_meta: pspMeta.nullable(),
  idempotency_key: z.string().nullable(),
  description: z.string().meta(PERSONAL),
  metadata,
  failed_reason: z.string().nullable(),
  completed_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
};
const splitConfig = z
  .object({
    splits: z.array(
      z
        .object({ wallet_id: uuid, amount: kobo, percentage: z.number().optional() })
        .meta({ id: 'SplitEntry' }),
    ),
  })
  .meta({ id: 'SplitConfig', description: 'All shares of the split that this transaction is a leg of' });
export const accounts = {
  source_account: z.null(),
  dest_account: bankAccount.nullable(),
  split_config: splitConfig.nullable(),
};

export const plainTransaction = z
  .object({
    ...head,
    amount: kobo,
    currency,
    source_wallet: uuid.nullable(),
    dest_wallet: uuid.nullable(),
    ...accounts,
    fee_breakdown: feeBreakdown,
    ...tail,
  })
  .meta({ id: 'Transaction' });

/** Balances right after the transaction; present in the guide's answers to a transfer only. */
export interface BalancesAfter {
  sourceKobo: number | null;
  destKobo: number | null;
}

/** What each form spells in its own way. */
interface Spelling {
  /** The amount under the form's names. */
  amount: object;
  sourceWallet: unknown;
  destWallet: unknown;
  fees: object;
  /** What is written if there is no reason of a failure (D8). */
  noReason: '' | null;
}

/** All fields of a transaction in their published order. */
export const transactionFields = (transaction: Transaction, spelling: Spelling) => ({
  id: transaction.id,
  partner_id: transaction.partnerId,
  reference: transaction.reference,
  type: transaction.type,
  status: transaction.status,
  ...spelling.amount,
  currency: CURRENCY,
  source_wallet: spelling.sourceWallet,
  dest_wallet: spelling.destWallet,
  source_account: null,
  dest_account: transaction.destAccount && writeBankAccount(transaction.destAccount),
  split_config: transaction.splitConfig && { splits: transaction.splitConfig.map(writeShare) },
  fee_breakdown: spelling.fees,
  // The NIP session is the bank's own posting id of a transfer (D15).
  mfb_reference: transaction.pspMeta?.sessionId ?? null,
  psp_reference: transaction.pspReference,
  psp_meta: transaction.pspMeta && {
    provider: transaction.pspMeta.provider,
    session_id: transaction.pspMeta.sessionId,
    response_code: transaction.pspMeta.responseCode,
  },
  idempotency_key: transaction.idempotencyKey,
  description: transaction.description,
  metadata: transaction.metadata,
  failed_reason: transaction.failedReason ?? spelling.noReason,
  completed_at: transaction.completedAt?.toISOString() ?? null,
  created_at: transaction.createdAt.toISOString(),
  updated_at: transaction.updatedAt.toISOString(),
});

/** The plain spelling: kobo without a unit in the names, wallets as ids. */
export const writePlainTransaction = (transaction: Transaction, noReason: '' | null): object =>
  transactionFields(transaction, {
    amount: { amount: transaction.amountKobo },
    sourceWallet: transaction.sourceWalletId,
    destWallet: transaction.destWalletId,
    fees: writeFees(transaction.fees),
    noReason,
  });

/** What a transaction costs, in the plain spelling. */
export const writeFees = (fees: FeeBreakdown) => ({
  customerFee: fees.customerFeeKobo,
  merchantFee: fees.merchantFeeKobo,
  platformFee: fees.platformFeeKobo,
  mfbCost: fees.mfbCostKobo,
  netAmount: fees.netAmountKobo,
});

const writeShare = ({ walletId, amountKobo, percentage }: SplitShare) => ({
  wallet_id: walletId,
  amount: amountKobo,
  ...(percentage !== null && { percentage }),
});

const writeBankAccount = (account: BankAccount) => ({
  bank_code: account.bankCode,
  bank_name: account.bankName,
  account_number: account.accountNumber,
  account_name: account.accountName,
  resolved_name: account.resolvedName,
  name_matches: account.nameMatches ?? null,
  on_name_mismatch: account.onNameMismatch ?? 'continue',
  name_decision: account.nameDecision ?? null,
  purpose: account.purpose ?? 'other',
});
