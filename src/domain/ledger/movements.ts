/**
 * What can be asked of the ledger. A movement either begins transactions (an opening), ends a bank transfer
 * (a settlement), or carries out a USSD payment that its payer has confirmed.
 */
import type { VerdictOf } from '../hand-orders';
import type { Kobo } from '../money';
import type { CompanyCharge, CompanyReceipt } from '../postings';
import type { Posting } from '../postings';
import type { SuspenseAccount, SuspenseClass, SuspenseFinding } from '../suspense';
import type { BankAccount, BankTransferTrigger, ProviderFacts, SplitShare } from '../transactions';
import type { Metadata } from '../wallets';

/** The first use of an Idempotency-Key within its window (D44). */
export interface UsedKey {
  operation: string;
  key: string;
  /** Of the body after aliases are folded, path ids included (D44, D167), with what of it was not read (`same-request`). */
  fingerprint: string;
}

/** The key of an opening. Its first answer is made again from the transaction, in the same form (D44). */
export interface OpeningKey extends UsedKey {
  /** The name of the published form of the first answer. */
  form: string;
  /** The request that was answered first: its id stands in the answer. */
  requestId: string;
}

/** What every opening says. */
export interface OpeningCommon {
  kind: 'open';
  transactionId: string;
  partnerId: string;
  reference: string;
  /** Of all its legs together. */
  amountKobo: Kobo;
  description: string;
  metadata: Metadata;
  key: OpeningKey | null;
  /**
   * The hold that this payment captures: its reference is the hold's own, and its source may spend what the hold has set
   * aside. Absent where a payment captures none.
   */
  holdId?: string;
  /**
   * The moment on whose day the payment counts, in the calendar of its partner's sandbox: that of a due time which a forward
   * went over (D214). Absent where that is now.
   */
  countsOn?: Date;
  /** Stamp duty that its source bears beside it, as a transaction of its own (R46). Absent where none is charged. */
  duty?: ChargedDuty;
}

/** Stamp duty that is charged with a transfer, under an id that is made from the transfer's, so that it is charged once. */
interface ChargedDuty {
  transactionId: string;
  amountKobo: Kobo;
}

/** What the opening of each kind says in addition. */
interface OpeningFields {
  p2p_transfer: { sourceWalletId: string; destWalletId: string };
  bank_transfer: {
    sourceWalletId: string;
    destAccount: BankAccount;
    paused: boolean;
    scenario: string | null;
  };
  wallet_funding: { destWalletId: string; from: FundingSource };
  qr_payment: { sourceWalletId: string; destWalletId: string; qrRequestId: string };
  split_payment: { sourceWalletId: string; shares: readonly SplitLeg[] };
  /**
   * An operator's correction: its transaction id is the adjustment's, so that it is posted once (D14). `settles` is the
   * finding whose money it moves; absent where it explains none.
   */
  wallet_credit: { destWalletId: string; settles?: SettledFinding };
  /** `returnedBy`: the company that has taken a payment back with which the wallet was credited. */
  wallet_debit: { sourceWalletId: string; returnedBy?: string; settles?: SettledFinding };
  /** A returned transfer whose money waited in suspense until people decided which wallet has it. */
  reversal: { destWalletId: string; originalId: string; onceBy: string };
  /** What a company has paid after all; its transaction id is made from the attempt, so that it is posted once. */
  late_payout: { by: CompanyCharge; originalId: string; attempt: number };
  /** A payment that came in and that no wallet takes: people decide whose it is. `told` is what they need to know. */
  unallocated_credit: { creditId: string; by: CompanyReceipt; told: Record<string, unknown> };
  /** Such a payment went back to its payer; its transaction id is the refund's. */
  credit_refund: { company: string; creditId: string };
  /** What a company has taken back and the wallet did not have any more; its transaction id is made from the return. */
  return_shortfall: { company: string; creditId: string; told: Record<string, unknown> };
  /** What two operators have booked of our money with a company; its transaction id is the proposal's. */
  treasury_entry: { postings: readonly Posting[]; finding: SuspenseFinding | null };
  /** Money of a finding that leaves suspense: it is written off, or a wallet of another cell has it. */
  suspense_move: { from: SettledFinding; holds: 'credit' | 'debit'; to: '1990' | '5900' };
}

/** The finding whose money a movement takes out of suspense, and the account that it is in. */
export type SettledFinding = { class: SuspenseClass; account: SuspenseAccount } & Pick<
  SuspenseFinding,
  'resource'
>;

/** The types of transactions that a movement opens. */
export type OpeningType = keyof OpeningFields;

export type OpeningOf<Type extends OpeningType> = {
  [One in Type]: OpeningCommon & { type: One } & OpeningFields[One];
}[Type];

/** A movement that begins a transaction, or one for each leg of a split. */
export type Opening = OpeningOf<OpeningType>;

/**
 * Sandbox money; a bank transfer to our own MFB, which credits a wallet once and for all (D60, R8); or a payment that a
 * company has received for us, which is booked once by the id of its credit; or such a payment that waited in suspense
 * until people decided whose it is, in the same cell or in another one.
 */
export type FundingSource =
  | { kind: 'sandbox' }
  | { kind: 'own_mfb'; bankTransferId: string }
  | { kind: 'inbound'; creditId: string; by: CompanyReceipt }
  | { kind: 'suspense'; onceBy: string; creditId: string }
  | { kind: 'other_cell'; onceBy: string };

/** One destination of a split, with the id of its transaction. The first of these ids is the id of the split. */
interface SplitLeg extends SplitShare {
  transactionId: string;
}

/** A movement that ends a bank transfer, or takes a completed one back. */
export interface Settlement {
  kind: 'settle';
  transactionId: string;
  partnerId: string;
  /** It never changes, so it is known before the transfer is locked. Accounts are always locked first. */
  sourceWalletId: string;
  trigger: BankTransferTrigger;
  /** The id of the reversal, if this settlement needs one. */
  reversalId: string;
  /** The stamp duty that may have been charged with the transfer, and the id of its reversal, if it needs one. */
  duty: { transactionId: string; reversalId: string };
  failedReason: string | null;
  facts: ProviderFacts | null;
  /**
   * The hand order that this settlement carries out and uses up, with the verdict that was read in it; null for an
   * answer of the provider.
   */
  handOrder: { id: string; verdict: VerdictOf<'settle_transfer'> } | null;
}

/** A USSD payment whose PIN was accepted: it completes, or fails with the code of its refusal. */
export interface UssdPayment {
  kind: 'pay_ussd';
  transactionId: string;
  partnerId: string;
  sourceWalletId: string;
  destWalletId: string;
}

export type Movement = Opening | Settlement | UssdPayment;

/** One debit with its credit, as its own transaction: a split has several, every other opening one. */
export interface Leg {
  transactionId: string;
  sourceWalletId: string | null;
  destWalletId: string | null;
  amountKobo: Kobo;
}
