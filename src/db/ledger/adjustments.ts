/** Adjustments and their approvals. Each move is guarded by the machine's rows under the adjustment's lock. */
import {
  ADJUSTMENT_MACHINE,
  approval,
  type Adjustment,
  type AdjustmentDirection,
  type AdjustmentStatus,
  type AdjustmentTrigger,
  type Person,
} from '../../domain/adjustments';
import { present } from '../../domain/assert';
import { next, sources } from '../../domain/machine';
import type { EnvironmentName } from '../../domain/partners';
import { inTransaction, type Queryable } from '../pg/postgres';
import type pg from 'pg';
import type { Place } from './transactions';

interface AdjustmentRow {
  id: string;
  partner_id: string;
  wallet_id: string;
  direction: AdjustmentDirection;
  amount_kobo: number;
  reason: string;
  status: AdjustmentStatus;
  refusal: string | null;
  proposer: Person;
  approvers: Person[];
  created_at: Date;
  updated_at: Date;
}

const toAdjustment = (row: AdjustmentRow): Adjustment => ({
  id: row.id,
  partnerId: row.partner_id,
  walletId: row.wallet_id,
  direction: row.direction,
  amountKobo: row.amount_kobo,
  reason: row.reason,
  status: row.status,
  refusal: row.refusal,
  proposedBy: row.proposer,
  approvedBy: row.approvers,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const SELECT = `SELECT a.*, jsonb_build_object('id', p.id, 'name', p.name) AS proposer,
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) ORDER BY v.approved_at, o.id)
                FROM platform.adjustment_approvals v JOIN platform.operators o ON o.id = v.operator_id
               WHERE v.adjustment_id = a.id), '[]') AS approvers
  FROM platform.adjustments a JOIN platform.operators p ON p.id = a.proposed_by`;

export async function insertAdjustment(
  db: Queryable,
  environment: EnvironmentName,
  asked: Pick<Adjustment, 'id' | 'partnerId' | 'walletId' | 'direction' | 'amountKobo' | 'reason'>,
  proposedBy: string,
): Promise<void> {
  await db.query(
    `INSERT INTO platform.adjustments
       (id, environment, partner_id, wallet_id, direction, amount_kobo, reason, proposed_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      asked.id,
      environment,
      asked.partnerId,
      asked.walletId,
      asked.direction,
      asked.amountKobo,
      asked.reason,
      proposedBy,
    ],
  );
}

export async function findAdjustment(
  db: Queryable,
  environment: EnvironmentName,
  partnerId: string,
  id: string,
): Promise<Adjustment | null> {
  const { rows } = await db.query<AdjustmentRow>(
    `${SELECT} WHERE a.id = $1 AND a.environment = $2 AND a.partner_id = $3`,
    [id, environment, partnerId],
  );
  return rows[0] ? toAdjustment(rows[0]) : null;
}

/** One page of an environment's adjustments, newest first. */
export async function listAdjustments(
  db: Queryable,
  environment: EnvironmentName,
  page: { status: AdjustmentStatus | null; after: Place | null; limit: number },
): Promise<Adjustment[]> {
  const { rows } = await db.query<AdjustmentRow>(
    `${SELECT} WHERE a.environment = $1 AND ($2::text IS NULL OR a.status = $2)
        AND ($3::timestamptz IS NULL OR (a.created_at, a.id) < ($3, $4))
      ORDER BY a.created_at DESC, a.id DESC LIMIT $5`,
    [environment, page.status, page.after?.createdAt ?? null, page.after?.id ?? null, page.limit],
  );
  return rows.map(toAdjustment);
}

/**
 * Adds one person's approval. Parallel approvals wait for each other at the row, so each is counted once, and the
 * second one makes it `approved` exactly once. The same approval again changes nothing.
 */
export function approveAdjustment(
  pool: pg.Pool,
  id: string,
  operatorId: string,
): Promise<{ answer: ReturnType<typeof approval>; adjustment: Adjustment }> {
  return inTransaction(pool, async (trx) => {
    const adjustment = await locked(trx, id);
    const answer = approval(adjustment, operatorId);
    if (answer !== 'counts') return { answer, adjustment };
    const status = present(next(ADJUSTMENT_MACHINE, adjustment.status, 'approve'), 'the status after');
    await trx.query(
      `INSERT INTO platform.adjustment_approvals (adjustment_id, proposed_by, operator_id, approved_at)
       VALUES ($1, $2, $3, clock_timestamp())`,
      [id, adjustment.proposedBy.id, operatorId],
    );
    await trx.query('UPDATE platform.adjustments SET status = $2, updated_at = now() WHERE id = $1', [
      id,
      status,
    ]);
    return { answer, adjustment: await locked(trx, id) };
  });
}

async function locked(trx: Queryable, id: string): Promise<Adjustment> {
  // The row is locked first by itself: a join would show approvals from before the wait.
  await trx.query('SELECT FROM platform.adjustments WHERE id = $1 FOR UPDATE', [id]);
  const { rows } = await trx.query<AdjustmentRow>(`${SELECT} WHERE a.id = $1`, [id]);
  return toAdjustment(present(rows[0], 'the adjustment'));
}

/**
 * Moves an adjustment along its machine; a move that its state does not allow changes nothing.
 * @param refusal the ledger's code, with the trigger `refuse` alone.
 * @returns whether it moved.
 */
export async function moveAdjustment(
  db: Queryable,
  id: string,
  trigger: Exclude<AdjustmentTrigger, 'approve'>,
  refusal: string | null = null,
): Promise<boolean> {
  const from = sources(ADJUSTMENT_MACHINE, trigger);
  const to = present(next(ADJUSTMENT_MACHINE, present(from[0], 'a source'), trigger), 'a target');
  const { rowCount } = await db.query(
    `UPDATE platform.adjustments SET status = $2, refusal = $3, updated_at = now()
      WHERE id = $1 AND status = ANY($4)`,
    [id, to, refusal, from],
  );
  return rowCount === 1;
}
