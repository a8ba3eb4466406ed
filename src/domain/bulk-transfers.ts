/**
 * A bulk transfer: up to ten thousand transfers that a partner sends as one request. Each line is a transfer of its own,
 * with its own reference and its own result; one that is refused stops no other.
 */
import type { Kobo } from './money';
import type { Row } from './machine';
import { done, refuse, type Outcome } from './outcome';
import type { Refusal } from './refusals';
import type { TransactionStatus } from './transactions';
import type { PayoutInstructions } from './payout-instructions';
import type { Metadata } from './wallets';

/** How many lines one bulk transfer may have, and how many bulk transfers of a partner may be unfinished at once. */
export const BULK_LINES_MAX = 10_000;
export const OPEN_BULKS_MAX = 10;

export const BULK_STATUSES = ['running', 'paused', 'completed', 'cancelled'] as const;
export type BulkStatus = (typeof BULK_STATUSES)[number];

/** What a partner may order while there are lines that have not begun. */
export type BulkOrder = 'pause' | 'resume' | 'cancel';

/** `finish` is the end of the last line. */
export const BULK_MACHINE: readonly Row<BulkStatus, BulkOrder | 'finish'>[] = [
  ['running', 'pause', 'paused'],
  ['paused', 'resume', 'running'],
  ['running', 'cancel', 'cancelled'],
  ['paused', 'cancel', 'cancelled'],
  ['running', 'finish', 'completed'],
  ['paused', 'finish', 'completed'],
];

/**
 * The status after an order. The same order once more changes nothing, so that it may be repeated after a lost answer.
 * @returns it, or refused: INVALID_BULK_STATE.
 */
export function afterOrder(status: BulkStatus, order: BulkOrder): Outcome<BulkStatus> {
  const rows = BULK_MACHINE.filter(([, trigger]) => trigger === order);
  const row = rows.find(([from]) => from === status) ?? rows.find(([, , to]) => to === status);
  if (row) return done(row[2]);
  return refuse('INVALID_BULK_STATE', { message: `The bulk transfer is ${status}` });
}

/** A line is `running` from before its transfer is posted until its result is noted, so that no crash can forget it. */
export const LINE_STATUSES = ['waiting', 'running', 'accepted', 'refused', 'cancelled'] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

/** The account at a bank that a transfer is to pay, as a partner asks for it. */
export interface AskedAccount extends PayoutInstructions {
  bankCode: string;
  accountNumber: string;
  accountName: string;
}

/** What one line asks for: a transfer to a wallet, or to a bank account. */
export interface LineRequest {
  sourceWalletId: string;
  to: { destWalletId: string } | AskedAccount;
  amountKobo: Kobo;
  reference: string;
  description: string;
  metadata: Metadata;
}

export interface BulkTransfer {
  id: string;
  partnerId: string;
  reference: string;
  status: BulkStatus;
  lines: number;
  /** Of all lines together, without fees. */
  amountKobo: Kobo;
  acceptedLines: number;
  refusedLines: number;
  createdAt: Date;
  /** When the last line had its result; null before. */
  endedAt: Date | null;
}

/** A line as its partner may see it. */
export interface BulkLine {
  /** From 0, in the order of the request. */
  place: number;
  reference: string;
  amountKobo: Kobo;
  status: LineStatus;
  transactionId: string | null;
  /** As the transaction is now. */
  transactionStatus: TransactionStatus | null;
  refusal: Refusal | null;
}

/** A line that was taken out of the list to be posted. */
export interface BegunLine {
  place: number;
  asked: LineRequest;
}

/** What became of a line. */
export type LineResult = { place: number } & ({ transactionId: string } | { refusal: Refusal });

/** What makes two bulk transfers with one reference the same one (D45). @param digest of all their lines. */
export const bulkTerms = (lines: number, amountKobo: Kobo, digest: string): string =>
  JSON.stringify(['bulk_transfer', lines, amountKobo, digest]);
