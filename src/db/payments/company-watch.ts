/** What the alarms about the companies outside watch. Operators read the same facts. */
import type { Kobo } from '../../domain/money';
import { FOLLOWED, type UntakenTransfer } from '../../domain/payouts';
import { endedByProvider } from '../ledger/kinds-in-sql';
import { firstIdSince } from '../pg/ids';
import type { Cell } from '../pg/postgres';
import type { Directory } from './inbound-credits';
import { IS_UNKNOWN } from './provider-health';

/** The transfers of a cell that no company has, the oldest first. Only transfers that are processing are read. */
export async function listUntaken({ pool, schema }: Cell, limit: number): Promise<UntakenTransfer[]> {
  const { rows } = await pool.query<UntakenTransfer>(
    `SELECT t.partner_id AS "partnerId", t.id AS "transactionId", t.amount_kobo AS "amountKobo",
            t.created_at AS "createdAt", a.provider, a.cause
       FROM ${schema}.transactions t
       LEFT JOIN LATERAL (SELECT provider, state, open_posts, declined_at, cause FROM ${schema}.transfer_attempts
                           WHERE transaction_id = t.id ORDER BY n DESC LIMIT 1) a ON true
      WHERE t.status = 'processing' AND t.type IN (${endedByProvider()})
        AND (a.state IS NULL OR a.state IN (${FOLLOWED.map((state) => `'${state}'`).join(', ')}) OR a.state = 'sending' AND NOT ${IS_UNKNOWN})
      ORDER BY t.created_at, t.id LIMIT $1`,
    [limit],
  );
  return rows;
}

/** What was ordered from each company for transfers of the last so many hours, without what came to nothing. */
export async function findOrderedLately({ pool, schema }: Cell, hours: number): Promise<Map<string, Kobo>> {
  // Ids begin with their time, so the primary key finds the newest ones.
  const { rows } = await pool.query<{ provider: string; kobo: number }>(
    `SELECT a.provider, sum(t.amount_kobo)::bigint AS kobo
       FROM ${schema}.transfer_attempts a JOIN ${schema}.transactions t ON t.id = a.transaction_id
      WHERE a.transaction_id >= $1 AND a.state IN ('sending', 'accepted', 'succeeded') GROUP BY a.provider`,
    [firstIdSince(Date.now() - hours * 3_600_000)],
  );
  return new Map(rows.map(({ provider, kobo }) => [provider, kobo]));
}

/** So far back a payment that came in is looked for. */
const CREDITS_HOURS = 26;

/**
 * When a payment from outside was last known through a company, in any cell.
 * @returns `never` where none has ever come; null where none has come for a day.
 */
export async function findLastCredit(
  { pool, directory }: Directory,
  cells: readonly Cell[],
  provider: string,
): Promise<Date | 'never' | null> {
  const { rows: ever } = await pool.query(
    `SELECT FROM ${directory}.inbound_claims WHERE provider = $1 LIMIT 1`,
    [provider],
  );
  if (ever.length === 0) return 'never';
  const found = await Promise.all(
    cells.map(async (cell) => {
      const { rows } = await cell.pool.query<{ at: Date | null }>(
        `SELECT max(created_at) AS at FROM ${cell.schema}.inbound_credits WHERE id >= $1 AND provider = $2`,
        [firstIdSince(Date.now() - CREDITS_HOURS * 3_600_000), provider],
      );
      return rows[0]?.at ?? null;
    }),
  );
  return found.reduce((last, at) => (at && (!last || at > last) ? at : last), null);
}

/** So many payments in a week are enough for silence to mean something. */
const ENOUGH_CREDITS = 20;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Whether so much comes in through a company that hours without a payment are strange. */
export async function bringsEnough(cells: readonly Cell[], provider: string): Promise<boolean> {
  const counted = await Promise.all(
    cells.map(async ({ pool, schema }) => {
      const { rows } = await pool.query(
        `SELECT FROM ${schema}.inbound_credits WHERE id >= $1 AND provider = $2 LIMIT ${String(ENOUGH_CREDITS)}`,
        [firstIdSince(Date.now() - WEEK_MS), provider],
      );
      return rows.length;
    }),
  );
  return counted.reduce((sum, one) => sum + one, 0) >= ENOUGH_CREDITS;
}

/** When the oldest callback came of which no workflow was told, about payouts or about payments; null without any. */
export async function findOldestUntold(
  { pool, directory }: Directory,
  cells: readonly Cell[],
): Promise<Date | null> {
  const oldest = async (from: Cell['pool'], table: string): Promise<Date | null> => {
    const { rows } = await from.query<{ at: Date | null }>(
      `SELECT min(received_at) AS at FROM ${table} WHERE told_at IS NULL`,
    );
    return rows[0]?.at ?? null;
  };
  const found = await Promise.all([
    oldest(pool, `${directory}.provider_notices`),
    ...cells.map((cell) => oldest(cell.pool, `${cell.schema}.provider_callbacks`)),
  ]);
  return found.reduce((first, at) => (at && (!first || at < first) ? at : first), null);
}
