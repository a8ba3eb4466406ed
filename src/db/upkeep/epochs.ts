/** The epochs of a partner's sandbox, and the fence that stands while a reset is under way (R11, R13). */
import type pg from 'pg';
import type { Cell, Queryable } from '../pg/postgres';

/** Of the partner $1. */
export const fence = (schema: string): string => `SELECT ${schema}.refuse_while_resetting($1) AS epoch`;

/**
 * Prevents writes for a partner while its sandbox is being reset. It may be called anywhere in the database
 * transaction of the write: a reset that begins later waits for the commit. The ledger looks at the fence by
 * itself, after it has its locks.
 * @returns the epoch, 0 until the first reset.
 * @throws an outage (503, or a retry) while a reset is under way.
 */
export async function assertNotResetting(trx: Queryable, schema: string, partnerId: string): Promise<number> {
  const { rows } = await trx.query<{ epoch: number }>(fence(schema), [partnerId]);
  return (rows[0] as { epoch: number }).epoch;
}

/** The epoch of the partner, whether a reset is under way or not. */
export async function epochOf(cell: Cell, partnerId: string): Promise<number> {
  const { rows } = await cell.pool.query<{ epoch: number }>(
    `SELECT epoch FROM ${cell.schema}.partner_epochs WHERE partner_id = $1`,
    [partnerId],
  );
  return rows[0]?.epoch ?? 0;
}

/**
 * Raises the fence and begins another epoch, after all writes under way have committed. A second call, while the
 * fence is up, changes nothing.
 */
export async function beginReset(pool: pg.Pool, schema: string, partnerId: string): Promise<void> {
  await pool.query(`SELECT ${schema}.begin_reset($1)`, [partnerId]);
}

/** Takes the fence down. A second call only returns again when that was. */
export async function finishReset(pool: pg.Pool, schema: string, partnerId: string): Promise<Date> {
  await pool.query(
    `UPDATE ${schema}.partner_epochs SET resetting = false, updated_at = now() WHERE partner_id = $1 AND resetting`,
    [partnerId],
  );
  const { rows } = await pool.query<{ updated_at: Date }>(
    `SELECT updated_at FROM ${schema}.partner_epochs WHERE partner_id = $1`,
    [partnerId],
  );
  return (rows[0] as { updated_at: Date }).updated_at;
}

/** Postgres' clock. */
export async function databaseNow(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('SELECT now()::timestamptz(3) AS now');
  return (rows[0] as { now: Date }).now;
}
