/** The refunds of payments that no wallet took: what was ordered of which company, and what came of it (R44). */
import type { Intention } from '../../domain/intentions';
import type { Refund, RefundState } from '../../domain/refunds';
import { insertIntention } from '../events/intentions';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';

interface RefundRow {
  id: string;
  credit_id: string;
  provider: string;
  amount_kobo: number;
  state: RefundState;
  is_posted: boolean;
  provider_ref: string | null;
  failed_at: Date | null;
  updated_at: Date;
}

const toRefund = (row: RefundRow): Refund => ({
  id: row.id,
  creditId: row.credit_id,
  provider: row.provider,
  amountKobo: row.amount_kobo,
  state: row.state,
  isPosted: row.is_posted,
  providerRef: row.provider_ref,
  failedAt: row.failed_at,
  updatedAt: row.updated_at,
});

/** A refund, with the names that its company has for the payment. */
export interface RefundOfPayment extends Refund {
  reference: string;
  paymentRef: string;
  receivedAt: Date;
}

/**
 * Writes the order of a refund with its workflow, and takes the payment for it, in one commit.
 * @returns the intended workflow; null where the payment goes another way: to a wallet, or back by another refund.
 */
export function insertRefund(
  cell: Cell,
  refund: Pick<Refund, 'id' | 'creditId'>,
  intention: Intention,
): Promise<Intention | null> {
  return inTransaction(cell.pool, async (trx) => {
    const { rows } = await trx.query<{ is_new: boolean }>(
      `WITH credit AS (
         UPDATE ${cell.schema}.inbound_credits SET refund_id = $2
          WHERE id = $1 AND allocated_to IS NULL AND refund_id IS NULL RETURNING id, provider, amount_kobo)
       INSERT INTO ${cell.schema}.inbound_refunds (id, credit_id, provider, amount_kobo)
       SELECT $2, id, provider, amount_kobo FROM credit RETURNING true AS is_new`,
      [refund.creditId, refund.id],
    );
    return rows.length === 0 ? null : insertIntention(trx, cell.schema, intention);
  });
}

/** A refund of this cell, or null. */
export async function findRefund(cell: Cell, refundId: string): Promise<RefundOfPayment | null> {
  const { rows } = await cell.pool.query<
    RefundRow & { reference: string; payment_ref: string; received_at: Date }
  >(
    `SELECT r.*, c.reference, c.provider_ref AS payment_ref, c.created_at AS received_at
       FROM ${cell.schema}.inbound_refunds r JOIN ${cell.schema}.inbound_credits c ON c.id = r.credit_id
      WHERE r.id = $1`,
    [refundId],
  );
  const [row] = rows;
  return row
    ? { ...toRefund(row), reference: row.reference, paymentRef: row.payment_ref, receivedAt: row.received_at }
    : null;
}

/** The refund for which a payment is taken: one that is under way, or has succeeded. Null where it is not. */
export async function refundOfCredit(cell: Cell, creditId: string): Promise<string | null> {
  const { rows } = await cell.pool.query<{ refund_id: string | null }>(
    `SELECT refund_id FROM ${cell.schema}.inbound_credits WHERE id = $1`,
    [creditId],
  );
  return rows[0]?.refund_id ?? null;
}

/**
 * Notes that an order is about to be sent. Of two callers only one may send it.
 * @returns whether this caller may.
 */
export async function notePost(cell: Cell, refundId: string): Promise<boolean> {
  const { rowCount } = await cell.pool.query(
    `UPDATE ${cell.schema}.inbound_refunds SET is_posted = true, updated_at = now()
      WHERE id = $1 AND state = 'sending' AND NOT is_posted`,
    [refundId],
  );
  return rowCount === 1;
}

/**
 * Changes a refund by a rule, under its lock. One that has failed or is released lets go of its payment in the same commit.
 * @returns the refund as it is now.
 */
export function changeRefund(
  cell: Cell,
  refundId: string,
  rule: (refund: Refund, now: Date) => Refund,
): Promise<Refund> {
  return inTransaction(cell.pool, async (trx) => {
    const { rows } = await trx.query<RefundRow & { db_now: Date }>(
      `SELECT *, now() AS db_now FROM ${cell.schema}.inbound_refunds WHERE id = $1 FOR UPDATE`,
      [refundId],
    );
    const [row] = rows;
    if (!row) throw new Error('bug: a refund that was ordered is not there');
    const was = toRefund(row);
    const is = rule(was, row.db_now);
    if (is === was) return was;
    await trx.query(
      `UPDATE ${cell.schema}.inbound_refunds
          SET state = $2, is_posted = $3, provider_ref = $4, failed_at = $5, updated_at = now() WHERE id = $1`,
      [refundId, is.state, is.isPosted, is.providerRef, is.failedAt],
    );
    if (is.state === 'failed' || is.state === 'released') await letGo(trx, cell.schema, refundId);
    return is;
  });
}

const letGo = (trx: Queryable, schema: string, refundId: string): Promise<unknown> =>
  trx.query(`UPDATE ${schema}.inbound_credits SET refund_id = NULL WHERE refund_id = $1`, [refundId]);

/** Those of these refunds of a company that operators have ordered, by its own ids of them. */
export async function knownRefundRefs(
  cell: Cell,
  provider: string,
  providerRefs: readonly string[],
): Promise<Set<string>> {
  const { rows } = await cell.pool.query<{ provider_ref: string }>(
    `SELECT provider_ref FROM ${cell.schema}.inbound_refunds
      WHERE provider = $1 AND provider_ref = ANY($2) AND state IN ('sending', 'accepted', 'succeeded')`,
    [provider, providerRefs],
  );
  return new Set(rows.map((row) => row.provider_ref));
}
