/**
 * The rate limits' counters: fixed windows of 60 seconds by Postgres' clock, one row per partner shared by all
 * processes of an environment (D122, R26), and one per caller without a credential (D150).
 */
import { writeArray } from '../pg/bulk';
import type { Cell, Queryable } from '../pg/postgres';

export interface Window {
  /** Requests of this window before the ones just added. */
  usedBefore: number;
  resetSeconds: number;
}

/**
 * The window of a partner, with its end to the millisecond, because places that a process has taken ahead must not
 * be used after it, and with its beginning, because they are given back only in it.
 */
interface ExactWindow {
  /** Requests of this window before the ones just added. */
  usedBefore: number;
  resetMs: number;
  /** The minute with which it began, since 1970. */
  minute: number;
}

/** Places of a window that nobody has used. */
export interface Unused {
  partnerId: string;
  minute: number;
  places: number;
}

/**
 * Adds requests of partners of one cell to their current windows, in one statement however many they are. A
 * statement that is repeated counts the requests twice, so a partner may be refused too early, and never too late.
 * @param requests how many, by partner.
 * @returns the window of each.
 */
export async function addToWindows(
  { schema, pool }: Cell,
  requests: ReadonlyMap<string, number>,
): Promise<Map<string, ExactWindow>> {
  const { rows } = await pool.query<{ partner_id: string; used: number; reset_ms: number; minute: number }>({
    name: `${schema}:rate`,
    // Sorted, so that two processes lock the rows in the same order and cannot deadlock.
    text: `WITH clock AS (SELECT date_trunc('minute', clock_timestamp()) AS start)
      INSERT INTO ${schema}.rate_windows AS w (partner_id, window_start, used)
      SELECT asked.partner_id, clock.start, asked.requests
        FROM clock, unnest($1::uuid[], $2::int[]) AS asked(partner_id, requests) ORDER BY asked.partner_id
      ON CONFLICT (partner_id) DO UPDATE SET
        used = CASE WHEN w.window_start < excluded.window_start THEN excluded.used ELSE w.used + excluded.used END,
        window_start = greatest(w.window_start, excluded.window_start)
      RETURNING partner_id, used,
        floor(60000 - 1000 * date_part('epoch', clock_timestamp() - window_start))::int AS reset_ms,
        (date_part('epoch', window_start) / 60)::int AS minute`,
    values: [writeArray('uuid', [...requests.keys()]), writeArray('integer', [...requests.values()])],
  });
  return new Map(
    rows.map(({ partner_id: partnerId, used, reset_ms: resetMs, minute }) => {
      const usedBefore = used - (requests.get(partnerId) ?? 0);
      return [partnerId, { usedBefore, resetMs, minute }];
    }),
  );
}

/**
 * Gives places back that were taken ahead and are not needed. A window that has ended since is left alone. It must not be
 * repeated when its outcome is unknown, because then a partner could make more requests than its limit.
 */
export async function giveBack({ schema, pool }: Cell, unused: readonly Unused[]): Promise<void> {
  await pool.query({
    name: `${schema}:rate-unused`,
    // Sorted and locked one by one, as above.
    text: `WITH unused AS (
        SELECT u.partner_id, u.places FROM unnest($1::uuid[], $2::int[], $3::int[]) AS u(partner_id, minute, places)
          JOIN ${schema}.rate_windows w USING (partner_id)
         WHERE w.window_start = to_timestamp(60.0 * u.minute) ORDER BY u.partner_id FOR UPDATE OF w)
      UPDATE ${schema}.rate_windows w SET used = w.used - u.places FROM unused u WHERE w.partner_id = u.partner_id`,
    values: [
      writeArray(
        'uuid',
        unused.map(({ partnerId }) => partnerId),
      ),
      writeArray(
        'integer',
        unused.map(({ minute }) => minute),
      ),
      writeArray(
        'integer',
        unused.map(({ places }) => places),
      ),
    ],
  });
}

/**
 * Adds calls of strangers to their windows, all of them in one statement.
 * @param calls how many, by the 16 bytes in hex that stand for the caller.
 * @returns the window of each.
 */
export async function addToStrangerWindows(
  db: Queryable,
  calls: ReadonlyMap<string, number>,
): Promise<Map<string, Window>> {
  const { rows } = await db.query<{ who: string; used: number; reset_seconds: number }>({
    name: 'stranger-windows',
    // Sorted, so that two processes lock the rows in the same order and cannot deadlock.
    text: `WITH clock AS (SELECT date_trunc('minute', clock_timestamp()) AS start)
      INSERT INTO platform.stranger_windows AS w (who, window_start, used)
      SELECT decode(asked.who, 'hex'), clock.start, asked.calls
        FROM clock, unnest($1::text[], $2::int[]) AS asked(who, calls) ORDER BY asked.who
      ON CONFLICT (who) DO UPDATE SET
        used = CASE WHEN w.window_start < excluded.window_start THEN excluded.used ELSE w.used + excluded.used END,
        window_start = greatest(w.window_start, excluded.window_start)
      RETURNING encode(who, 'hex') AS who, used,
        ceil(60 - extract(epoch FROM clock_timestamp() - window_start))::int AS reset_seconds`,
    values: [[...calls.keys()], [...calls.values()]],
  });
  return new Map(
    rows.map((row) => [
      row.who,
      { usedBefore: row.used - (calls.get(row.who) ?? 0), resetSeconds: Math.max(1, row.reset_seconds) },
    ]),
  );
}

/** Deletes windows that have ended. Every process may do so at any time. */
export async function forgetStrangerWindows(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM platform.stranger_windows WHERE window_start < date_trunc('minute', clock_timestamp())`,
  );
}
