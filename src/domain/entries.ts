/** The ledger as a wallet's owner reads it (interface: LedgerEntry). */
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
