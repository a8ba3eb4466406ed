/** Checks the books after a load: nothing was lost, and everything that was acknowledged is there. */
import { present } from '../../src/domain/assert';
import { CELL } from './cell';
import type { BenchPlatform } from './platform';

/** Checks the books after a load. @throws unless money is conserved and each balance is the sum of its entries. */
export async function checkBooks(platform: BenchPlatform, cell = CELL): Promise<void> {
  const { rows } = await platform.sql<{ imbalance: string; wrong: string }>(`
    WITH sums AS (SELECT account, sum(amount_kobo) AS kobo FROM ${cell}.entries GROUP BY account)
    SELECT (SELECT coalesce(sum(kobo), 0) FROM sums)::text AS imbalance,
           (SELECT count(*) FROM ${cell}.accounts a LEFT JOIN sums s ON s.account = a.id
             WHERE a.balance_kobo <> coalesce(s.kobo, 0))::text AS wrong`);
  const { imbalance, wrong } = present(rows[0], 'a row of sums');
  if (imbalance !== '0' || wrong !== '0') {
    throw new Error(`the books do not agree: entries sum to ${imbalance}, ${wrong} wrong balances`);
  }
}

/** @throws unless every reference that was answered with a 2xx has its transaction, completed and with entries. */
export async function checkAcknowledged(
  platform: BenchPlatform,
  partnerId: string,
  references: readonly string[],
  cell = CELL,
): Promise<void> {
  const { rows } = await platform.sql<{ missing: number }>(
    `SELECT count(*)::int AS missing FROM unnest($2::text[]) AS acknowledged(reference)
      WHERE NOT EXISTS (
        SELECT FROM ${cell}.used_references r
          JOIN ${cell}.transactions t ON t.id = r.transaction_id AND t.status = 'completed'
          JOIN ${cell}.entries e ON e.transaction_id = t.id
         WHERE r.partner_id = $1 AND r.reference = acknowledged.reference)`,
    [partnerId, references],
  );
  const { missing } = present(rows[0], 'a count');
  if (missing > 0)
    throw new Error(`${missing} of ${references.length} acknowledged transfers are not in the ledger`);
}
