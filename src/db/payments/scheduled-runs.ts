/**
 * The results of the runs of scheduled transfers. Only a due time that was paid leaves its reference to its transaction; one
 * that was not uses it up in the commit that says so. So a payment that is still under way somewhere, in a process that was
 * given up for dead, can never come after a result that says that nothing was paid.
 */
import type { EventDraft } from '../../domain/events';
import { next } from '../../domain/machine';
import {
  endBy,
  movedBy,
  retryAt,
  SCHEDULED_TRANSFER_MACHINE,
  unpaidTerms,
  type NotPaidReason,
  type RunResult,
  type ScheduledRun,
  type ScheduledTransfer,
} from '../../domain/scheduled-transfers';
import { insertEvent } from '../events/events';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';
import { assertNotResetting } from '../upkeep/epochs';
import {
  lockSchedule,
  toRun,
  toSchedule,
  type Locked,
  type OfSchedule,
  type RunRow,
  type ScheduleRow,
} from './scheduled-transfers';

/** What is told of a result: the run, and the end of the whole where it is the last one. */
export interface Announcements {
  run: (schedule: ScheduledTransfer, run: ScheduledRun) => EventDraft;
  end: (schedule: ScheduledTransfer) => EventDraft;
}

type RunEnd = Exclude<RunResult, { retry: true }>;

/** `reference_used`: something was posted under the reference of a run that was to end unpaid, and nothing was noted. */
export type Noted = { kind: 'noted'; endpointIds: string[] } | { kind: 'reference_used' };

/**
 * Notes the result of a run with its events, in one commit; the last result ends the scheduled transfer. A run that has its
 * result keeps it.
 */
export const noteResult = (
  { pool, schema }: Cell,
  { number, ...at }: OfSchedule & { number: number },
  result: RunResult,
  announce: Announcements,
): Promise<Noted> =>
  inTransaction(pool, async (trx): Promise<Noted> => {
    const { partnerId } = at;
    await assertNotResetting(trx, schema, partnerId);
    const locked = await lockSchedule(trx, schema, at);
    const open = locked?.open;
    if (!locked || open?.number !== number) return { kind: 'noted', endpointIds: [] };
    const triedAt = locked.schedule.lookAt ?? locked.clock.now;
    const waitsUntil = 'retry' in result ? retryAt(open.dueAt, triedAt, locked.clock) : null;
    if (waitsUntil !== null) {
      await wait(trx, schema, open, waitsUntil, 'retry' in result ? result.reason : null);
      return { kind: 'noted', endpointIds: [] };
    }
    const end: RunEnd = 'retry' in result ? { status: 'skipped', reason: result.reason } : result;
    if ('reason' in end && !(await useUp(trx, schema, partnerId, open, end.reason))) {
      return { kind: 'reference_used' };
    }
    const run = await endRun(trx, schema, open, end);
    const schedule = await count(trx, schema, locked, run);
    const endpointIds = await insertEvent(trx, schema, partnerId, announce.run(schedule, run));
    if (schedule.endedAt !== null) {
      endpointIds.push(...(await insertEvent(trx, schema, partnerId, announce.end(schedule))));
    }
    return { kind: 'noted', endpointIds: [...new Set(endpointIds)] };
  });

async function wait(
  trx: Queryable,
  schema: string,
  { scheduledTransferId: id, number }: ScheduledRun,
  until: Date,
  reason: NotPaidReason | null,
): Promise<void> {
  await trx.query(
    `UPDATE ${schema}.scheduled_transfer_runs SET status = 'waiting', reason = $3
      WHERE scheduled_transfer_id = $1 AND number = $2`,
    [id, number, reason],
  );
  await trx.query(`UPDATE ${schema}.scheduled_transfers SET look_at = $2 WHERE id = $1`, [id, until]);
}

/** @returns false where the reference is taken, unless that is why the run was refused. */
async function useUp(
  trx: Queryable,
  schema: string,
  partnerId: string,
  run: ScheduledRun,
  reason: string,
): Promise<boolean> {
  if (reason === 'DUPLICATE_REFERENCE') return true;
  const { rowCount } = await trx.query(
    `INSERT INTO ${schema}.used_references (partner_id, reference, resource_id, transaction_id, terms)
     VALUES ($1, $2, $3, NULL, $4) ON CONFLICT DO NOTHING`,
    [partnerId, run.reference, run.scheduledTransferId, unpaidTerms(run)],
  );
  return rowCount === 1;
}

async function endRun(
  trx: Queryable,
  schema: string,
  { scheduledTransferId, number }: ScheduledRun,
  result: RunEnd,
): Promise<ScheduledRun> {
  const status = 'transactionId' in result ? 'paid' : result.status;
  const { rows } = await trx.query<RunRow>(
    `UPDATE ${schema}.scheduled_transfer_runs SET status = $3, transaction_id = $4, reason = $5, ended_at = now()
      WHERE scheduled_transfer_id = $1 AND number = $2 RETURNING *`,
    [
      scheduledTransferId,
      number,
      status,
      'transactionId' in result ? result.transactionId : null,
      'reason' in result ? result.reason : null,
    ],
  );
  return toRun(rows[0] as RunRow);
}

/** Counts a result, and ends the scheduled transfer where no due time is left that could be paid. */
async function count(
  trx: Queryable,
  schema: string,
  { schedule: { id, status, nextDueAt }, clock }: Locked,
  run: ScheduledRun,
): Promise<ScheduledTransfer> {
  const trigger = endBy(run.reason, nextDueAt);
  const after = trigger ? (next(SCHEDULED_TRANSFER_MACHINE, status, trigger) ?? status) : status;
  const lookAt = trigger || nextDueAt === null ? null : movedBy(nextDueAt, clock.forwards);
  const { rows } = await trx.query<ScheduleRow>(
    `UPDATE ${schema}.scheduled_transfers SET ${run.status} = ${run.status} + 1, status = $2, ${
      trigger ? 'next_due_at = NULL, asked = NULL, account_name_sealed = NULL, ended_at = now(),' : ''
    } look_at = $3 WHERE id = $1 RETURNING *`,
    [id, after, lookAt],
  );
  return toSchedule(rows[0] as ScheduleRow);
}
