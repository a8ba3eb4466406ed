/**
 * What all processes know together about the calls to companies that pay out: the breakers, and how many calls of this
 * minute are used. A statement that is repeated counts a call twice, so that we are too careful and never too bold.
 */
import type pg from 'pg';
import { present } from '../../domain/assert';
import type { Breaker, KeptBreaker } from '../../domain/breakers';
import { LINE_MINUTES_MAX, turnMs, type CallWork } from '../../domain/call-limits';
import { inTransaction } from '../pg/postgres';

interface BreakerRow {
  provider: string;
  bank_code: string;
  window_from: Date;
  calls: number;
  unknown: number;
  opened_at: Date | null;
  open_until: Date | null;
  is_probing: boolean;
}

const toBreaker = (row: BreakerRow): KeptBreaker => ({
  provider: row.provider,
  bankCode: row.bank_code === EVERY_BANK ? null : row.bank_code,
  windowFrom: row.window_from,
  calls: row.calls,
  unknown: row.unknown,
  openedAt: row.opened_at,
  openUntil: row.open_until,
  isProbing: row.is_probing,
});

const EVERY_BANK = '';

/** The breakers that are open, the oldest first. */
export async function listOpenBreakers(pool: pg.Pool, directory: string): Promise<KeptBreaker[]> {
  const { rows } = await pool.query<BreakerRow>(
    `SELECT * FROM ${directory}.provider_breakers WHERE open_until IS NOT NULL ORDER BY opened_at, bank_code`,
  );
  return rows.map(toBreaker);
}

/**
 * Changes the two breakers of a call by a rule of `domain/breakers.ts`: that of the company, and that of the company with
 * the bank. Their rows are locked meanwhile, always in the same order.
 * @param decide gives the breakers as they are from now on, or null where nothing changes.
 * @returns what they were.
 */
export async function changeBreakers(
  pool: pg.Pool,
  directory: string,
  of: { provider: string; bankCode: string },
  decide: (breakers: readonly Breaker[], now: Date) => readonly Breaker[] | null,
): Promise<{ was: readonly Breaker[]; now: Date }> {
  return inTransaction(pool, async (client) => {
    const keys = [EVERY_BANK, of.bankCode];
    await client.query(
      `INSERT INTO ${directory}.provider_breakers (provider, bank_code, window_from, calls, unknown, is_probing)
       SELECT $1, bank, now(), 0, 0, false FROM unnest($2::text[]) AS bank ON CONFLICT DO NOTHING`,
      [of.provider, keys],
    );
    const { rows } = await client.query<BreakerRow & { now: Date }>(
      `SELECT *, clock_timestamp()::timestamptz(3) AS now FROM ${directory}.provider_breakers
        WHERE provider = $1 AND bank_code = ANY ($2) ORDER BY bank_code FOR UPDATE`,
      [of.provider, keys],
    );
    const now = rows.at(-1)?.now ?? new Date();
    const was = rows.map(toBreaker);
    const next = decide(was, now);
    for (const [place, one] of (next ?? []).entries()) {
      const row = present(rows[place], 'the row of a breaker');
      await client.query(
        `UPDATE ${directory}.provider_breakers
            SET window_from = $3, calls = $4, unknown = $5, opened_at = $6, open_until = $7, is_probing = $8
          WHERE provider = $1 AND bank_code = $2`,
        [
          row.provider,
          row.bank_code,
          one.windowFrom,
          one.calls,
          one.unknown,
          one.openedAt,
          one.openUntil,
          one.isProbing,
        ],
      );
    }
    return { was, now };
  });
}

/** Those of the line whose turn has not come yet, in an upsert of this minute; $3 is how many come in a minute. */
const STILL_WAITING = `greatest(0, c.waiting
         - $3 * (extract(epoch FROM greatest(excluded.window_start - c.window_start, interval '0')) / 60)::int)`;

/**
 * Takes a place for one call in the current minute.
 * @param places how many the minute has for this work.
 * @returns null where the place is taken; else how long until there may be one, in milliseconds.
 */
export async function takePlace(
  pool: pg.Pool,
  directory: string,
  of: { provider: string; work: CallWork },
  places: number,
): Promise<number | null> {
  const { provider, work } = of;
  const taken = await pool.query(
    `INSERT INTO ${directory}.provider_calls AS c (provider, work, window_start, used)
     VALUES ($1, $2, date_trunc('minute', clock_timestamp()), 1)
     ON CONFLICT (provider, work) DO UPDATE SET
       used = CASE WHEN c.window_start < excluded.window_start THEN 1 ELSE c.used + 1 END,
       waiting = ${STILL_WAITING},
       window_start = greatest(c.window_start, excluded.window_start), closed_until = NULL
     WHERE coalesce(c.closed_until, '-infinity') <= clock_timestamp()
       AND (c.window_start < excluded.window_start OR c.used < $3)`,
    [provider, work, places],
  );
  if (taken.rowCount === 1) return null;
  const { rows } = await pool.query<{ wait_ms: number }>(
    `SELECT ceil(1000 * extract(epoch FROM
              coalesce(nullif(greatest(closed_until, clock_timestamp()), clock_timestamp()),
                window_start + interval '1 minute') - clock_timestamp()))::int AS wait_ms
       FROM ${directory}.provider_calls WHERE provider = $1 AND work = $2`,
    [provider, work],
  );
  return Math.max(1, rows[0]?.wait_ms ?? 1);
}

/**
 * Takes a place in the line of those who wait for a call. Whoever takes a place twice makes the line look longer than it is,
 * which each minute puts right by as many places as it has.
 * @param places how many calls the minute has for this work.
 * @returns how long until it is the caller's turn once calls leave again, in milliseconds.
 */
export async function waitInLine(
  pool: pg.Pool,
  directory: string,
  of: { provider: string; work: CallWork },
  places: number,
): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `INSERT INTO ${directory}.provider_calls AS c (provider, work, window_start, used, waiting)
     VALUES ($1, $2, date_trunc('minute', clock_timestamp()), 0, 1)
     ON CONFLICT (provider, work) DO UPDATE SET
       used = CASE WHEN c.window_start < excluded.window_start THEN 0 ELSE c.used END,
       waiting = least(${STILL_WAITING} + 1, $3 * $4::int),
       window_start = greatest(c.window_start, excluded.window_start)
     RETURNING waiting`,
    [of.provider, of.work, places, LINE_MINUTES_MAX],
  );
  return turnMs(present(rows[0], 'the place in the line').waiting, places);
}

/** Notes that a company takes no calls for a while, as it has said. A longer pause that is known stays. */
export async function pauseCalls(
  pool: pg.Pool,
  directory: string,
  provider: string,
  works: readonly CallWork[],
  forMs: number,
): Promise<void> {
  await pool.query(
    `INSERT INTO ${directory}.provider_calls AS c (provider, work, window_start, used, closed_until)
     SELECT $1, work, date_trunc('minute', clock_timestamp()), 0, clock_timestamp() + $3 * interval '1 millisecond'
       FROM unnest($2::text[]) AS work ORDER BY work
     ON CONFLICT (provider, work) DO UPDATE SET closed_until = greatest(c.closed_until, excluded.closed_until)`,
    [provider, works, forMs],
  );
}
