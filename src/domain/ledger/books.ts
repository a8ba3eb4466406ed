/** The books from which a decision is made, and the answer of a decision. */
import type { HandOrder } from '../hand-orders';
import type { Hold } from '../holds';
import type { UnderLimits } from '../limits';
import type { Kobo } from '../money';
import type { PostingStep } from '../postings';
import type { Outcome } from '../outcome';
import type { PayableQr } from '../qr-requests';
import type { SuspensePosting } from '../suspense';
import type { Transaction, TransactionStatus } from '../transactions';
import type { WalletStatus } from '../wallets';
import type { UsedKey } from './movements';

/** The money side of a wallet, as locked. `sequence` is the running number of its last entry (D147). */
export interface Account {
  id: string;
  partnerId: string;
  status: WalletStatus;
  balanceKobo: Kobo;
  /** What was debited for bank transfers whose outcome is not known. It may come back, so room for it is kept. */
  inFlightKobo: Kobo;
  /** The part of the balance that open holds set aside: their sum, and never more than the balance. */
  heldKobo: Kobo;
  sequence: number;
  /** What the regulator's limits know of it; null where it is under none. */
  limits: UnderLimits | null;
}

/** What was read before deciding. The decision updates the maps after each movement of the batch. */
export interface Books {
  now: Date;
  accounts: Map<string, Account>;
  /** By `referenceName`: what used the reference, and on which terms (D45); an unpaid QR has no transaction. */
  references: Map<string, { transactionId: string | null; terms: string }>;
  /** By `keyName`: what the first request with the key began, before or in this batch. */
  keys: Map<string, { fingerprint: string; first: FirstAnswer }>;
  /** Transactions to move on, and adjustments that were posted before; locked after their accounts. */
  transactions: Map<string, Transaction>;
  /** Bank transfers whose credit to one of our own wallets was posted before: transfer id -> funding id. */
  creditedTransfers: Map<string, string>;
  /** QR requests to pay, locked after their accounts. */
  qrRequests: Map<string, PayableQr>;
  /** Holds to capture, locked after their accounts. */
  holds: Map<string, Hold>;
  /**
   * The hand orders that settlements carry out. They need no lock of their own: an order is used up only under the
   * lock of its transfer, and they are read after that lock.
   */
  handOrders: Map<string, HandOrder>;
  /**
   * Stamp duties of the transfers to settle. They need no lock of their own either: only the settlement of its transfer
   * moves a duty, under the lock of the transfer.
   */
  duties: Map<string, Transaction>;
  /**
   * By partner: how often its sandbox was reset, and whether it is being emptied now. While it is, nothing of the
   * partner is written (R11). A partner whose sandbox was never reset is not in the map.
   */
  epochs: Map<string, { epoch: number; resetting: boolean }>;
  /** By partner: by how much the calendar of its sandbox is ahead; a partner that has forwarded nothing is not in the map. */
  aheadMs: Map<string, number>;
}

/** What time it is in the calendar of a partner, whose days the limits count. */
export const calendarOf = ({ now, aheadMs }: Books, partnerId: string): Date =>
  new Date(now.getTime() + (aheadMs.get(partnerId) ?? 0));

/** Books in which there is nothing but these accounts. */
export const booksOfAccounts = (now: Date, accounts: Map<string, Account>): Books => ({
  now,
  accounts,
  references: new Map(),
  keys: new Map(),
  transactions: new Map(),
  creditedTransfers: new Map(),
  qrRequests: new Map(),
  holds: new Map(),
  handOrders: new Map(),
  duties: new Map(),
  epochs: new Map(),
  aheadMs: new Map(),
});

/** From what the first answer to a key is made again, byte for byte (D44). */
export interface FirstAnswer {
  transactionId: string;
  /** The name of its published form. */
  form: string;
  requestId: string;
  /** The fields of the first request that had no effect, by their paths, where there are any. */
  ignored?: readonly string[];
}

/** The bytes of an answer, kept to be repeated exactly. */
export interface StoredAnswer {
  status: number;
  body: string;
}

export interface Entry {
  transactionId: string;
  step: PostingStep;
  account: string;
  amountKobo: Kobo;
  /** Both null for the platform's own accounts, which keep no running balance. */
  sequence: number | null;
  balanceAfterKobo: Kobo | null;
}

/** A transaction with the balances right after it. */
export interface PostedLeg {
  transaction: Transaction;
  balances: { sourceKobo: Kobo | null; destKobo: Kobo | null };
}

export interface Posted {
  kind: 'posted';
  /** The transactions of the movement: one, or one for each leg of a split. */
  legs: readonly PostedLeg[];
  /** The first of them: the one that a reference or a key leads to. */
  transaction: Transaction;
  balances: PostedLeg['balances'];
  /** The status that the transaction had before; null when this movement began it. */
  was: TransactionStatus | null;
  reversal: Transaction | null;
  /** Stamp duty that was charged with it, or is given back with it by a reversal of its own; null where neither is so. */
  duty: { transaction: Transaction; reversal: Transaction | null } | null;
  entries: Entry[];
  /** What it has put into suspense or taken out, with its finding; null where it has not touched any (R54). */
  suspense: SuspensePosting | null;
}

/** Posted now, or how the ledger knows the movement already. */
export type Decision = Outcome<
  | Posted
  | { kind: 'same_key'; first: FirstAnswer }
  | { kind: 'same_reference'; transactionId: string }
  | { kind: 'settled_before'; transaction: Transaction }
>;

export const referenceName = (partnerId: string, reference: string): string => `${partnerId}/${reference}`;
export const keyName = (partnerId: string, key: UsedKey): string =>
  `${partnerId}/${key.operation}/${key.key}`;

/** True while the partner's sandbox is being emptied. */
export const isResetting = ({ epochs }: Books, partnerId: string): boolean =>
  epochs.get(partnerId)?.resetting === true;

/** How often the partner's sandbox was reset. */
export const epochIn = ({ epochs }: Books, partnerId: string): number => epochs.get(partnerId)?.epoch ?? 0;
