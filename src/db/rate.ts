/**
 * The rate limit's counters: fixed windows of 60 seconds by Postgres' clock, one row per partner, shared by
 * all processes of an environment (D122, R26).
 */
import type { Cell } from './postgres';

export interface Window {
  /** Requests of this window before the ones just added. */
  usedBefore: number;
  resetSeconds: number;
}

/** Adds `requests` to the partner's current window, in one statement however many they are. */
export async function addToWindow(cell: Cell, partnerId: string, requests: number): Promise<Window> {
  const { rows } = await cell.pool.query<{ used: number; reset_seconds: number }>({
    name: `${cell.schema}:rate`,
    text: `WITH clock AS (SELECT date_trunc('minute', clock_timestamp()) AS start)
      INSERT INTO ${cell.schema}.rate_windows AS w (partner_id, window_start, used)
      SELECT $1, clock.start, $2 FROM clock
      ON CONFLICT (partner_id) DO UPDATE SET
        used = CASE WHEN w.window_start < excluded.window_start THEN excluded.used ELSE w.used + excluded.used END,
        window_start = greatest(w.window_start, excluded.window_start)
      RETURNING used, ceil(60 - extract(epoch FROM clock_timestamp() - window_start))::int AS reset_seconds`,
    values: [partnerId, requests],
  });
  const row = rows[0] as { used: number; reset_seconds: number };
  return { usedBefore: row.used - requests, resetSeconds: Math.max(1, row.reset_seconds) };
}
