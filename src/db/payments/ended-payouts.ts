/** The bank transfers that have ended, about which their companies are asked once more. */
import { endedByProvider } from '../ledger/kinds-in-sql';
import { firstIdSince } from '../pg/ids';
import type { Cell } from '../pg/postgres';

const DAY_MS = 86_400_000;

/**
 * Transfers of the last days that have ended and of which a company may have an order, in the order of their ids. Ids begin
 * with their time, so the primary keys find them.
 * @param asked.after the last transfer of the page before; null for the first page.
 */
export async function listEndedPayouts(
  { pool, schema }: Cell,
  asked: { provider: string; days: number; after: string | null; limit: number },
): Promise<{ partnerId: string; transactionId: string }[]> {
  const { rows } = await pool.query<{ partnerId: string; transactionId: string }>(
    `SELECT t.partner_id AS "partnerId", t.id AS "transactionId" FROM ${schema}.transactions t
      WHERE t.id >= $1 AND ($2::uuid IS NULL OR t.id > $2) AND t.type IN (${endedByProvider()})
        AND t.status IN ('completed', 'failed', 'reversed')
        AND EXISTS (SELECT FROM ${schema}.transfer_attempts a
                     WHERE a.transaction_id = t.id AND a.provider = $3 AND a.state <> 'refused')
      ORDER BY t.id LIMIT $4`,
    [firstIdSince(Date.now() - asked.days * DAY_MS), asked.after, asked.provider, asked.limit],
  );
  return rows;
}
