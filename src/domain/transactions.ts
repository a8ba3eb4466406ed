/** The partner's record of a money movement and the machine of its status (interface: States; D30-D32). */
import type { Kobo } from './money';
import type { FeeBreakdown } from './fees';
import type { Row } from './machine';
import type { NameDecided, PayoutInstructions } from './payout-instructions';
import type { TransactionType } from './transaction-types';
import type { Metadata } from './wallets';

export const TRANSACTION_STATUSES = [
  'pending',
  'processing',
  'completed',
  'failed',
  'reversed',
  'expired',
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

export type BankTransferTrigger = 'provider_success' | 'provider_failure' | 'provider_return';

/**
 * A bank transfer is `processing` from its debit on, and only the provider's outcome ends it; it does not expire
 * (D58). A completed one may come back (D30). A failed one stays failed, whatever the provider says later (D57).
 */
export const BANK_TRANSFER_MACHINE: readonly Row<TransactionStatus, BankTransferTrigger>[] = [
  ['processing', 'provider_success', 'completed'],
  ['processing', 'provider_failure', 'failed'],
  ['completed', 'provider_return', 'reversed'],
];

/** Stamp duty that was charged is given back where the transfer fails, and in no other case (R46). */
export const STAMP_DUTY_MACHINE: readonly Row<TransactionStatus, 'transfer_failed'>[] = [
  ['completed', 'transfer_failed', 'reversed'],
];

export type UssdPaymentTrigger = 'pin_accepted' | 'debited' | 'refused' | 'ended' | 'expire';

/** A USSD payment is booked only after the PIN was entered (D31). */
export const USSD_PAYMENT_MACHINE: readonly Row<TransactionStatus, UssdPaymentTrigger>[] = [
  ['pending', 'pin_accepted', 'processing'],
  ['pending', 'ended', 'failed'],
  ['pending', 'expire', 'expired'],
  ['processing', 'debited', 'completed'],
  ['processing', 'refused', 'failed'],
];

/** Where a bank transfer goes, and how. `resolvedName` is what the bank's own name enquiry answered (D145). */
export interface BankAccount extends PayoutInstructions, NameDecided {
  bankCode: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
  resolvedName: string | null;
  /** Whether that is the holder whom the partner has named; absent until the bank has told a name. */
  nameMatches?: boolean;
}

/** What the provider reports about a transfer: the three fields that the interface shows (D7). */
export interface ProviderFacts {
  provider: string;
  sessionId: string | null;
  responseCode: string | null;
  /** What the provider charges us for the payout, and the stamp duty that it took; null where it has not said so. */
  feeKobo: Kobo | null;
  dutyKobo: Kobo | null;
}

/** One destination of a split. The percentage is kept, and nothing is computed from it (D19). */
export interface SplitShare {
  walletId: string;
  amountKobo: Kobo;
  percentage: number | null;
}

export interface Transaction {
  id: string;
  partnerId: string;
  reference: string;
  type: TransactionType;
  status: TransactionStatus;
  amountKobo: Kobo;
  sourceWalletId: string | null;
  destWalletId: string | null;
  destAccount: BankAccount | null;
  /** All shares of the split that this is a leg of. */
  splitConfig: readonly SplitShare[] | null;
  /** In the sandbox: the transfer has no outcome until somebody completes or fails it by hand (D96). */
  paused: boolean;
  /** In the sandbox: the outcome that was asked for (`domain/sandbox-scenarios.ts`); null for the usual one. */
  scenario: string | null;
  fees: FeeBreakdown;
  /** The provider's own id of the transfer (D13); null until it has accepted (D159). */
  pspReference: string | null;
  pspMeta: ProviderFacts | null;
  idempotencyKey: string | null;
  description: string;
  metadata: Metadata;
  failedReason: string | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
}

/** The reference of a reversal: it is made from the reference of the failed transfer (D56, R6). */
export const reversalReference = (transactionId: string): string => `rev_${transactionId}`;
/** The reference of the stamp duty that was charged with a bank transfer. */
export const dutyReference = (transactionId: string): string => `duty_${transactionId}`;
/** A sandbox funding has no reference from the partner, so its reference is made from its own id (D148). */
export const fundingReference = (transactionId: string): string => `fund_${transactionId}`;
