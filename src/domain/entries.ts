/** The ledger as a wallet's owner reads it (interface: LedgerEntry). */
export const ENTRY_DIRECTIONS = ['credit', 'debit'] as const;
/** Entries are posted at once and never change. The other two states are published, and not used (D41). */
export const ENTRY_STATUSES = ['pending', 'posted', 'reversed'] as const;

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
