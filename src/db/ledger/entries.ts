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

/**
 * How far the time of an entry may be behind that of an earlier one: each process writes its own time, which the
 * database accepts up to a second late.
 */
const CLOCKS_APART = "interval '2 seconds'";

/**
 * A wallet's balance in kobo after the last entry that was written until `at`; 0 before its first one. The entry is found
 * by halving the running numbers, which have no gaps: first the last one that may count, and from there downwards the
 * first one that does. So an old balance costs what the newest costs (D193).
 */
export async function findBalanceAt({ pool, schema }: Cell, walletId: string, at: Date): Promise<number> {
  const { rows } = await pool.query<{ balance_after_kobo: number }>(
    `WITH RECURSIVE halved (low, high) AS (
       SELECT 0::bigint, sequence + 1 FROM ${schema}.accounts WHERE id = $1
       UNION ALL
       SELECT CASE WHEN middle.counts THEN middle.sequence ELSE low END,
              CASE WHEN middle.counts THEN high ELSE middle.sequence END
         FROM halved CROSS JOIN LATERAL (
           SELECT sequence, created_at <= $2::timestamptz + ${CLOCKS_APART} AS counts
             FROM ${schema}.entries WHERE account = $1 AND sequence = (low + high) / 2) AS middle
        WHERE high - low > 1)
     SELECT balance_after_kobo FROM ${schema}.entries
      WHERE account = $1 AND sequence IS NOT NULL AND created_at <= $2
        AND sequence <= (SELECT low FROM halved WHERE high - low = 1)
      ORDER BY sequence DESC LIMIT 1`,
    [walletId, at],
  );
  return rows[0]?.balance_after_kobo ?? 0;
}
