/** Hand orders as rows: written by the API before a workflow is told, and read by the step that carries one out. */
import { resetTerms, type HandOrder, type HandOrderTerms } from '../../domain/hand-orders';
import { newId } from '../pg/ids';
import type { Cell } from '../pg/postgres';

export interface HandOrderRow {
  id: string;
  partner_id: string;
  kind: HandOrder['kind'];
  resource_id: string;
  verdict: HandOrder['verdict'];
  reason: string | null;
  ordered_at: Date;
  used_at: Date | null;
  withdrawn_at: Date | null;
}

export const toHandOrder = (row: HandOrderRow): HandOrder => ({
  id: row.id,
  partnerId: row.partner_id,
  kind: row.kind,
  resourceId: row.resource_id,
  verdict: row.verdict,
  reason: row.reason,
  orderedAt: row.ordered_at,
  usedAt: row.used_at,
  withdrawnAt: row.withdrawn_at,
});

/**
 * Writes an order. An order that is never carried out has no effect, so a second one beside it is harmless.
 * @param asked `actor` is who ordered it: `sandbox`, or the id of an operator.
 * @returns the id of the order.
 * @throws an outage while the partner's sandbox is being reset.
 */
export const insertHandOrder = (
  cell: Cell,
  asked: HandOrderTerms<Exclude<HandOrder['kind'], 'reset_sandbox'>> & Because,
): Promise<string> => insert(cell, asked, `${cell.schema}.refuse_while_resetting($1) IS NOT NULL`);

/**
 * Writes the order to reset the sandbox of a partner, also while it is being reset: the request then joins that
 * reset, and its order is not used. So a second one is harmless.
 * @returns the id of the order.
 */
export const insertResetOrder = (cell: Cell, partnerId: string): Promise<string> =>
  insert(cell, { ...resetTerms(partnerId), reason: null, actor: 'sandbox' }, 'true');

interface Because {
  reason: string | null;
  actor: string;
}

async function insert(
  { pool, schema }: Cell,
  asked: HandOrderTerms & Because,
  condition: string,
): Promise<string> {
  const id = newId();
  await pool.query(
    `INSERT INTO ${schema}.hand_orders (id, partner_id, kind, resource_id, verdict, reason, actor)
     SELECT $2, $1, $3, $4, $5, $6, $7 WHERE ${condition}`,
    [asked.partnerId, id, asked.kind, asked.resourceId, asked.verdict, asked.reason, asked.actor],
  );
  return id;
}

/**
 * Withdraws an order, so that nobody carries it out after its caller was told that nothing has happened. A commit that is
 * carrying it out now is waited for. A second call finds it withdrawn.
 * @returns false where it was carried out, or is gone.
 */
export async function withdrawOrder({ pool, schema }: Cell, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE ${schema}.hand_orders SET withdrawn_at = now()
      WHERE id = $1 AND used_at IS NULL AND withdrawn_at IS NULL`,
    [id],
  );
  return rowCount === 1;
}

/** An order of this environment, or null. */
export async function findHandOrder({ pool, schema }: Cell, id: string): Promise<HandOrder | null> {
  const { rows } = await pool.query<HandOrderRow>(`SELECT * FROM ${schema}.hand_orders WHERE id = $1`, [id]);
  return rows[0] ? toHandOrder(rows[0]) : null;
}
