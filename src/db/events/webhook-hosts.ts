/** How many posts a receiver gets in a second: counted for all partners and processes of an environment together. */
import type pg from 'pg';

/** A pace: so many in a second, and at once as many as in three seconds, but two at least. */
export interface Pace {
  host: string;
  /** Of endpoints that have never answered. */
  trials: boolean;
  perSecond: number;
}

/** How many posts may be made now, and after how long the next ones may; 0 where all were granted. */
export interface Grant {
  posts: number;
  waitMs: number;
}

const AT_ONCE_SECONDS = 3;

/**
 * Takes posts to a host. A second call takes more: nobody gives posts back, and whoever dies with some has only waited for
 * nothing.
 * @returns how many of `wanted` were granted.
 */
export async function takePosts(
  { pool, directory }: { pool: pg.Pool; directory: string },
  { host, trials, perSecond }: Pace,
  wanted: number,
): Promise<Grant> {
  const everyMs = 1_000 / perSecond;
  const atOnce = Math.max(2, AT_ONCE_SECONDS * perSecond);
  const grant = (busyUntil: string): string =>
    `least($4::int, greatest(0, floor($5::float8 - extract(epoch FROM greatest(${busyUntil}, now()) - now()) * 1000 / $3)))::int`;
  const moved = (busyUntil: string): string =>
    `greatest(${busyUntil}, now()) + ${grant(busyUntil)} * $3::float8 * interval '1 millisecond'`;
  const { rows } = await pool.query<{ granted: number; busy_ms: number }>({
    name: `${directory}:webhook-hosts`,
    text: `INSERT INTO ${directory}.webhook_hosts AS h (host, trials, busy_until, granted)
      VALUES ($1, $2, ${moved('now()')}, ${grant('now()')})
      ON CONFLICT (host, trials) DO UPDATE SET busy_until = ${moved('h.busy_until')}, granted = ${grant('h.busy_until')}
      RETURNING granted, (extract(epoch FROM busy_until - now()) * 1000)::float8 AS busy_ms`,
    values: [host, trials, everyMs, wanted, atOnce],
  });
  const { granted = 0, busy_ms: busyMs = 0 } = rows[0] ?? {};
  if (granted === wanted) return { posts: granted, waitMs: 0 };
  // When half of what goes at once is free again.
  return { posts: granted, waitMs: Math.ceil(Math.max(everyMs, busyMs - (atOnce * everyMs) / 2)) };
}
