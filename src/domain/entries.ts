import type { TransactionType } from './transaction-types';

/** The ledger as a wallet's owner reads it (interface: LedgerEntry). */
export const ENTRY_DIRECTIONS = ['credit', 'debit'] as const;
/** Entries are posted at once and never change. The other two states are published, and not used (D41). */
export const ENTRY_STATUSES = ['pending', 'posted', 'reversed'] as const;

/** The other side, as far as it is known; null where it is not, or was erased. */
export interface Counterparty {
  name: string | null;
  bankName: string | null;
  /** Masked: see `maskedAccount`. */
  accountNumber: string | null;
}

/** An entry as a statement shows it. */
export interface StatementEntry extends WalletEntry {
  type: TransactionType;
  reference: string;
  /** The fee within the amount, VAT included; below 0 where it comes back (`feeWithin`). */
  feeKobo: number;
  /** Who paid, or was paid; null where that is the platform, or not known. */
  counterparty: Counterparty | null;
}

/** How many entries one statement has at most. */
export const STATEMENT_ENTRIES_MAX = 1_000_000;
/** The same of a PDF, which somebody is to read, and which takes twenty times as long to make. */
export const PDF_ENTRIES_MAX = 10_000;

/** A wallet's balance after one of its entries, and the running number of that entry; 0 and 0 before the first one. */
export interface BalanceAfter {
  sequence: number;
  balanceKobo: number;
}

/** One side of a transaction, as a wallet's owner sees it. */
export interface WalletEntry {
  id: string;
  walletId: string;
  transactionId: string;
  /** Positive for a credit, negative for a debit. */
  amountKobo: number;
  balanceAfterKobo: number;
  sequence: number;
  description: string;
  createdAt: Date;
}
