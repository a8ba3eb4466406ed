/** The epochs of a partner's sandbox, and the fence that stands while a reset is under way (R11, R13). */
import type pg from 'pg';
import { handOrderRefusal, NOT_ORDERED, resetTerms } from '../../domain/hand-orders';
import type { Refused } from '../../domain/outcome';
import { toHandOrder, type HandOrderRow } from '../payments/hand-orders';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';

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

/** Whose sandbox is reset, and by which hand order. */
export interface Reset {
  partnerId: string;
  orderId: string;
}

/** The fence is not up by this order: nobody gave it, its reset has ended, or another order has taken the reset over. */
export class NoSuchResetError extends Error {}

/**
 * Uses the order up, raises the fence and begins another epoch, after all writes under way have committed: one
 * commit. A second call with the same order changes nothing. Where an earlier reset stopped in the middle, the new
 * order takes it over, in its epoch.
 * @returns FORBIDDEN where no order allows it; null where the reset has begun.
 */
export const beginReset = (
  pool: pg.Pool,
  schema: string,
  { partnerId, orderId }: Reset,
): Promise<Refused | null> =>
  inTransaction(pool, async (trx) => {
    // Of two tries at once the second waits here, and then sees what the first one did.
    const { rows: orders } = await trx.query<HandOrderRow & { now: Date }>(
      `SELECT *, now()::timestamptz(3) AS now FROM ${schema}.hand_orders WHERE id = $1 FOR UPDATE`,
      [orderId],
    );
    const { rows: begun } = await trx.query(
      `SELECT FROM ${schema}.partner_epochs WHERE partner_id = $1 AND order_id = $2`,
      [partnerId, orderId],
    );
    if (begun.length > 0) return null;
    const [order] = orders;
    if (!order) return NOT_ORDERED;
    const refusal = handOrderRefusal(toHandOrder(order), resetTerms(partnerId), order.now);
    if (refusal) return refusal;
    await trx.query(`UPDATE ${schema}.hand_orders SET used_at = now() WHERE id = $1`, [orderId]);
    await trx.query(`SELECT ${schema}.begin_reset($1, $2)`, [partnerId, orderId]);
    return null;
  });

/**
 * Makes sure that this reset is under way until the end of the database transaction: the end of the reset waits.
 * @throws NoSuchResetError.
 */
export async function assertResetting(
  trx: Queryable,
  schema: string,
  { partnerId, orderId }: Reset,
): Promise<void> {
  const { rows } = await trx.query(
    `SELECT FROM ${schema}.partner_epochs WHERE partner_id = $1 AND order_id = $2 AND resetting FOR SHARE`,
    [partnerId, orderId],
  );
  if (rows.length === 0) throw new NoSuchResetError();
}

/** Whether the partner's sandbox is being emptied now. */
export async function isBeingReset({ pool, schema }: Cell, partnerId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM ${schema}.partner_epochs WHERE partner_id = $1 AND resetting`,
    [partnerId],
  );
  return rowCount === 1;
}

/**
 * Takes the fence down. A second call only returns again when that was.
 * @throws NoSuchResetError.
 */
export async function finishReset(
  pool: pg.Pool,
  schema: string,
  { partnerId, orderId }: Reset,
): Promise<Date> {
  await pool.query(
    `UPDATE ${schema}.partner_epochs SET resetting = false, updated_at = now()
      WHERE partner_id = $1 AND order_id = $2 AND resetting`,
    [partnerId, orderId],
  );
  const { rows } = await pool.query<{ updated_at: Date }>(
    `SELECT updated_at FROM ${schema}.partner_epochs WHERE partner_id = $1 AND order_id = $2`,
    [partnerId, orderId],
  );
  if (!rows[0]) throw new NoSuchResetError();
  return rows[0].updated_at;
}

/** Postgres' clock. */
export async function databaseNow(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('SELECT now()::timestamptz(3) AS now');
  return (rows[0] as { now: Date }).now;
}
