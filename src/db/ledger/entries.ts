/** Reading the ledger: a wallet's entries, and sums over everything. */
import type { WalletEntry } from '../../domain/entries';
import type { Cell } from '../pg/postgres';

/** One page of a wallet's entries, newest first by their running number (D147). */
export async function listEntries(
  cell: Cell,
  walletId: string,
  page: { beforeSequence: number | null; limit: number },
): Promise<WalletEntry[]> {
  const { rows } = await cell.pool.query<{
    id: string;
    account: string;
    transaction_id: string;
    amount_kobo: number;
    balance_after_kobo: number;
    sequence: number;
    description: string;
    created_at: Date;
  }>(
    `SELECT e.id, e.account, e.transaction_id, e.amount_kobo, e.balance_after_kobo, e.sequence, t.description,
            e.created_at
       FROM ${cell.schema}.entries e JOIN ${cell.schema}.transactions t ON t.id = e.transaction_id
      WHERE e.account = $1 AND e.sequence IS NOT NULL AND e.sequence < $2 ORDER BY e.sequence DESC LIMIT $3`,
    [walletId, page.beforeSequence ?? Number.MAX_SAFE_INTEGER, page.limit],
  );
  return rows.map((row) => ({
    id: row.id,
    walletId: row.account,
    transactionId: row.transaction_id,
    amountKobo: row.amount_kobo,
    balanceAfterKobo: row.balance_after_kobo,
    sequence: row.sequence,
    description: row.description,
    createdAt: row.created_at,
  }));
}
