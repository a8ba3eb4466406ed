/**
 * Scheduled transfers as rows. The API writes and cancels them; the step of the workflow of each begins its runs and notes
 * their results. Both lock its row first, so what they do comes one after the other.
 */
import {
  nextDue,
  referenceOfRun,
  SCHEDULED_TRANSFER_MACHINE,
  scheduleTerms,
  goneOver,
  turnOf,
  workUntil,
  type Clock,
  type Forward,
  type GoneOver,
  type ListedRun,
  type NotPaidReason,
  type OnInsufficientFunds,
  type RunStatus,
  type ScheduledPayment,
  type ScheduledRun,
  type ScheduledTransfer,
  type ScheduleStatus,
  type ScheduleTimes,
  type Turn,
  type WorkUntil,
} from '../../domain/scheduled-transfers';
import type { EventDraft } from '../../domain/events';
import type { Intention } from '../../domain/intentions';
import type { CalendarRule } from '../../domain/calendar';
import type { TransactionStatus } from '../../domain/transactions';
import type { StoredAnswer, UsedKey } from '../../domain/ledger';
import { next } from '../../domain/machine';
import { done, refuse, refuseFields, type Outcome, type Refused } from '../../domain/outcome';
import { insertEvent } from '../events/events';
import { insertIntention, intendAgain, toIntention, type IntentionRow } from '../events/intentions';
import { accept, type Accepted } from '../ledger/acceptance';
import { inTransaction, type Cell, type Queryable, type SealedCell } from '../pg/postgres';
import { newestWithStatus, type Place, type Walked } from '../pg/walks';
import { assertNotResetting } from '../upkeep/epochs';
import { openNameOf, sealNameOf, withoutName, type StoredRequest } from './asked-accounts';

interface ScheduleRow {
  id: string;
  partner_id: string;
  reference: string;
  status: ScheduleStatus;
  source_wallet: string;
  dest_wallet: string | null;
  bank_code: string | null;
  account_number: string | null;
  amount_kobo: number;
  asked: StoredRequest<ScheduledPayment> | null;
  account_name_sealed: string | null;
  due_at: Date | null;
  rule: CalendarRule | null;
  count: number | null;
  on_insufficient_funds: OnInsufficientFunds;
  next_number: number;
  next_due_at: Date | null;
  look_at: Date | null;
  paid: number;
  skipped: number;
  failed: number;
  created_at: Date;
  ended_at: Date | null;
}

export const toSchedule = (row: ScheduleRow): ScheduledTransfer => ({
  id: row.id,
  partnerId: row.partner_id,
  reference: row.reference,
  status: row.status,
  sourceWalletId: row.source_wallet,
  to:
    row.dest_wallet === null
      ? { bankCode: row.bank_code ?? '', accountNumber: row.account_number ?? '' }
      : { destWalletId: row.dest_wallet },
  amountKobo: row.amount_kobo,
  times: timesOf(row),
  onInsufficientFunds: row.on_insufficient_funds,
  nextNumber: row.next_number,
  nextDueAt: row.next_due_at,
  lookAt: row.look_at,
  paid: row.paid,
  skipped: row.skipped,
  failed: row.failed,
  createdAt: row.created_at,
  endedAt: row.ended_at,
});

/** A check of the table says that it has one of them. */
function timesOf({ due_at: dueAt, rule, count }: ScheduleRow): ScheduleTimes {
  if (dueAt !== null) return { dueAt, rule: null, count: null };
  if (rule !== null) return { dueAt: null, rule, count };
  throw new Error('bug: a scheduled transfer has no times');
}

export interface NewSchedule {
  id: string;
  partnerId: string;
  reference: string;
  payment: ScheduledPayment;
  times: ScheduleTimes;
  onInsufficientFunds: OnInsufficientFunds;
  /** null where no due time is left. */
  firstDueAt: Date | null;
  /** Of all that was asked, for the terms of the reference. */
  digest: string;
  key: UsedKey | null;
  /** The answer that is repeated for the idempotency key. */
  answer: (schedule: ScheduledTransfer) => StoredAnswer;
  intend: (schedule: ScheduledTransfer) => Intention;
  /** How many of its partner may be active: in a sandbox exactly, and elsewhere two at once may both be the last one. */
  activeMax: number;
  canForward: boolean;
}

/**
 * Writes a scheduled transfer with its reference, the answer of its key and the intention of its Schedule, in one commit. A
 * repeat by key or reference finds them.
 * @returns it; or refused: VALIDATION_ERROR where no due time is left, LIMIT_EXCEEDED, DUPLICATE_REFERENCE, IDEMPOTENCY_KEY_REUSED.
 */
export const insertSchedule = (
  cell: SealedCell,
  asked: NewSchedule,
  idempotencyWindowMs: number,
): Promise<Outcome<Accepted<{ answer: StoredAnswer; intention: Intention }>>> => {
  const { payment, times } = asked;
  return accept(
    cell,
    {
      partnerId: asked.partnerId,
      key: asked.key,
      reference: asked.reference,
      terms: scheduleTerms(payment.amountKobo, asked.digest),
      resourceId: asked.id,
      transactionId: null,
    },
    idempotencyWindowMs,
    async (trx) => {
      if (asked.firstDueAt === null) return NO_DUE_TIME[times.rule === null ? 'once' : 'rule'];
      if (asked.canForward) await schedulesInTurn(trx, cell.schema, asked.partnerId);
      const refused =
        (await tooManyActive(trx, cell.schema, asked)) ?? (await firstTaken(trx, cell.schema, asked));
      if (refused) return refused;
      const toWallet = 'destWalletId' in payment.to ? payment.to : null;
      const toBank = 'bankCode' in payment.to ? payment.to : null;
      const { rows } = await trx.query<ScheduleRow>(
        `INSERT INTO ${cell.schema}.scheduled_transfers (id, partner_id, reference, status, source_wallet, dest_wallet,
           bank_code, account_number, amount_kobo, asked, account_name_sealed, due_at, rule, count, on_insufficient_funds, next_due_at, look_at, created_at)
         VALUES ($1, $2, $3, 'active', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, clock_timestamp()) RETURNING *`,
        [
          asked.id,
          asked.partnerId,
          asked.reference,
          payment.sourceWalletId,
          toWallet?.destWalletId ?? null,
          toBank?.bankCode ?? null,
          toBank?.accountNumber ?? null,
          payment.amountKobo,
          JSON.stringify(withoutName(payment)),
          sealNameOf(cell.sealing, scheduleNamed(asked.id), payment),
          times.dueAt,
          times.rule && JSON.stringify(times.rule),
          times.count,
          asked.onInsufficientFunds,
          asked.firstDueAt,
        ],
      );
      const schedule = toSchedule(rows[0] as ScheduleRow);
      const intention = await insertIntention(trx, cell.schema, asked.intend(schedule));
      const answer = asked.answer(schedule);
      return done({ value: { answer, intention }, answer });
    },
  );
};

const scheduleNamed = (id: string) => ({ table: 'scheduled_transfers', id }) as const;

const NO_DUE_TIME = {
  once: refuseFields({ field: 'due_at', message: 'must be in the future' }),
  rule: refuseFields({ field: 'rule', message: 'is never due in the future' }),
};

/**
 * What makes work of scheduled transfers due comes one after the other for each partner: of two that count at once neither would
 * see what the other adds. It ends with the transaction.
 */
export const schedulesInTurn = (trx: Queryable, schema: string, partnerId: string): Promise<unknown> =>
  trx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${schema}/schedules/${partnerId}`]);

async function tooManyActive(
  trx: Queryable,
  schema: string,
  { partnerId, activeMax }: Pick<NewSchedule, 'partnerId' | 'activeMax'>,
): Promise<Refused | null> {
  const { rows } = await trx.query<{ active: number }>(
    `SELECT count(*)::int AS active FROM ${schema}.scheduled_transfers WHERE partner_id = $1 AND ended_at IS NULL`,
    [partnerId],
  );
  const active = rows[0]?.active ?? 0;
  if (active < activeMax) return null;
  return refuse('LIMIT_EXCEEDED', {
    message: `At most ${String(activeMax)} scheduled transfers may be active at once`,
    detail: { limit: 'active_scheduled_transfers', used: active, allowed: activeMax },
  });
}

/** Its first transfer could never be made under a reference that something else has: the partner learns it now. */
async function firstTaken(
  trx: Queryable,
  schema: string,
  { partnerId, reference }: Pick<NewSchedule, 'partnerId' | 'reference'>,
): Promise<Refused | null> {
  const first = referenceOfRun(reference, 1);
  const { rows } = await trx.query<{ transaction_id: string | null }>(
    `SELECT transaction_id FROM ${schema}.used_references WHERE partner_id = $1 AND reference = $2`,
    [partnerId, first],
  );
  if (!rows[0]) return null;
  return refuse('DUPLICATE_REFERENCE', {
    message: `The reference of its first transfer, ${first}, was used for a different transfer`,
    detail: { transactionId: rows[0].transaction_id },
  });
}

/** A scheduled transfer of this partner, or null. */
export async function findSchedule(
  { pool, schema }: Cell,
  partnerId: string,
  id: string,
): Promise<ScheduledTransfer | null> {
  const { rows } = await pool.query<ScheduleRow>(
    `SELECT * FROM ${schema}.scheduled_transfers WHERE id = $1 AND partner_id = $2`,
    [id, partnerId],
  );
  return rows[0] ? toSchedule(rows[0]) : null;
}

/** One page of a partner's scheduled transfers, newest first. */
export async function listSchedules(
  { pool, schema }: Cell,
  filter: { partnerId: string; status: ScheduleStatus | null },
  page: { after: Place | null; limit: number },
): Promise<Walked<ScheduledTransfer, Place>> {
  const table = `${schema}.scheduled_transfers`;
  const { rows, stoppedAt } = await newestWithStatus<ScheduleRow>(pool, table, filter, page);
  return { rows: rows.map(toSchedule), stoppedAt };
}

interface RunRow {
  scheduled_transfer_id: string;
  number: number;
  due_at: Date;
  reference: string;
  status: RunStatus;
  transaction_id: string | null;
  reason: NotPaidReason | null;
  ended_at: Date | null;
}

export const toRun = (row: RunRow): ScheduledRun => ({
  scheduledTransferId: row.scheduled_transfer_id,
  number: row.number,
  dueAt: row.due_at,
  reference: row.reference,
  status: row.status,
  transactionId: row.transaction_id,
  reason: row.reason,
  endedAt: row.ended_at,
});

/**
 * One page of the runs of a scheduled transfer, the newest due time first, with the statuses of their transfers. With a status
 * the page reads past its other runs.
 */
export async function listRuns(
  { pool, schema }: Cell,
  { id, status }: { id: string; status: RunStatus | null },
  { after, limit }: { after: number | null; limit: number },
): Promise<ListedRun[]> {
  const { rows } = await pool.query<RunRow & { transaction_status: TransactionStatus | null }>(
    `SELECT r.*, t.status AS transaction_status
       FROM ${schema}.scheduled_transfer_runs r LEFT JOIN ${schema}.transactions t ON t.id = r.transaction_id
      WHERE scheduled_transfer_id = $1 AND ($2::int IS NULL OR number < $2) AND ($4::text IS NULL OR r.status = $4)
      ORDER BY number DESC LIMIT $3`,
    [id, after, limit, status],
  );
  return rows.map((row) => ({ ...toRun(row), transactionStatus: row.transaction_status }));
}

/**
 * Cancels, in one commit with the intention of the workflow that does what is left: it gives up a run that is under way and
 * takes the Schedule away. The same once more changes nothing.
 * @param intend the workflow of this scheduled transfer.
 * @param announce the event of the end.
 * @returns it as it is now, with what is to be started and the endpoints that have something due; or refused: NOT_FOUND,
 *   INVALID_SCHEDULE_STATE.
 */
export const cancelSchedule = (
  { pool, schema }: Cell,
  at: OfSchedule,
  intend: (schedule: ScheduledTransfer) => Intention,
  announce: (schedule: ScheduledTransfer) => EventDraft,
): Promise<Outcome<{ schedule: ScheduledTransfer; intentions: Intention[]; endpointIds: string[] }>> =>
  inTransaction(pool, async (trx) => {
    const { partnerId, id } = at;
    await assertNotResetting(trx, schema, partnerId);
    const locked = await lock(trx, schema, at);
    if (!locked) return refuse('NOT_FOUND');
    const { schedule: before, open } = locked;
    if (before.status === 'cancelled') return done({ schedule: before, intentions: [], endpointIds: [] });
    const status = next(SCHEDULED_TRANSFER_MACHINE, before.status, 'cancel');
    if (!status) {
      return refuse('INVALID_SCHEDULE_STATE', { message: `The scheduled transfer is ${before.status}` });
    }
    const { rows } = await trx.query<ScheduleRow>(
      open
        ? `UPDATE ${schema}.scheduled_transfers SET status = $2, next_due_at = NULL, look_at = now()
            WHERE id = $1 RETURNING *`
        : `UPDATE ${schema}.scheduled_transfers SET status = $2, next_due_at = NULL, look_at = NULL, asked = NULL,
             account_name_sealed = NULL, ended_at = now() WHERE id = $1 RETURNING *`,
      [id, status],
    );
    const schedule = toSchedule(rows[0] as ScheduleRow);
    const intention = await intendAgain(trx, schema, intend(before));
    const endpointIds = open ? [] : await insertEvent(trx, schema, partnerId, announce(schedule));
    return done({ schedule, intentions: [intention], endpointIds });
  });

/** A scheduled transfer of a partner, and whether its environment can forward the time. */
export interface OfSchedule {
  partnerId: string;
  id: string;
  canForward: boolean;
}

interface Locked {
  schedule: ScheduledTransfer;
  /** The columns of what it pays. */
  paying: Pick<ScheduleRow, 'asked' | 'account_name_sealed'>;
  open: ScheduledRun | null;
  /** By the clock of the database. */
  clock: Clock;
  /** The forwards before it was made. */
  before: Forward[];
}

async function lock(
  trx: Queryable,
  schema: string,
  { partnerId, id, canForward }: OfSchedule,
): Promise<Locked | null> {
  const { rows } = await trx.query<ScheduleRow>(
    `SELECT * FROM ${schema}.scheduled_transfers WHERE id = $1 AND partner_id = $2 FOR UPDATE`,
    [id, partnerId],
  );
  const [row] = rows;
  if (!row) return null;
  const { rows: open } = await trx.query<RunRow>(
    `SELECT * FROM ${schema}.scheduled_transfer_runs WHERE scheduled_transfer_id = $1 AND ended_at IS NULL`,
    [id],
  );
  const { rows: clock } = await trx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const forwards = canForward ? await findForwards(trx, schema, partnerId) : [];
  return {
    schedule: toSchedule(row),
    paying: row,
    open: open[0] ? toRun(open[0]) : null,
    clock: {
      now: clock[0]?.now ?? new Date(),
      forwards: forwards.filter(({ at }) => at >= row.created_at),
    },
    before: forwards.filter(({ at }) => at < row.created_at),
  };
}

/** The forwards of a sandbox, oldest first. */
async function findForwards(db: Queryable, schema: string, partnerId: string): Promise<Forward[]> {
  const { rows } = await db.query<{ at: Date; forwarded_ms: number }>(
    `SELECT at, forwarded_ms FROM ${schema}.sandbox_forwards WHERE partner_id = $1 ORDER BY at, id`,
    [partnerId],
  );
  return rows.map(({ at, forwarded_ms: forwardedMs }) => ({ at, forwardedMs }));
}

/** A run that is to be tried or given up now, with what it pays. */
export interface RunTurn {
  run: ScheduledRun;
  payment: ScheduledPayment;
  /** The moment of the try, where a forward of the sandbox went over it. */
  goneOver: GoneOver | null;
}

/** What is to be done now. `wait` until the time of a run that wants money, where it has one. */
export type TakenTurn = { schedule: ScheduledTransfer } & (
  | { kind: 'over' }
  | { kind: 'wait'; until: Date; isForRun: boolean }
  | ({ kind: 'try' } & RunTurn)
  | ({ kind: 'give_up'; reason: NotPaidReason } & RunTurn)
);

/**
 * Looks what is to be done, and begins the run of a due time, in one commit before anything is posted. A second look
 * finds the same run, until its result is noted.
 * @returns null where a reset has deleted it.
 */
export const takeTurn = ({ pool, schema, sealing }: SealedCell, at: OfSchedule): Promise<TakenTurn | null> =>
  inTransaction(pool, async (trx): Promise<TakenTurn | null> => {
    const locked = await lock(trx, schema, at);
    if (!locked) return null;
    const { schedule, open, clock } = locked;
    const turn = turnOf(schedule, open, clock);
    if (turn.kind === 'over') return { kind: 'over', schedule };
    if (turn.kind === 'wait') return { ...turn, schedule, isForRun: open !== null };
    await assertNotResetting(trx, schema, at.partnerId);
    const run = open ?? (await beginRun(trx, schema, schedule));
    const { asked, account_name_sealed: nameSealed } = locked.paying;
    if (asked === null) throw new Error('bug: a scheduled transfer has nothing to pay');
    const payment = { ...asked, to: openNameOf(sealing, scheduleNamed(at.id), asked, nameSealed) };
    const after: Turn = turn.kind === 'begin' ? turnOf(schedule, run, clock) : turn;
    const over = goneOver(schedule.lookAt ?? clock.now, clock.forwards, locked.before);
    const what = { schedule, run, payment, goneOver: over };
    return after.kind === 'give_up' ? { ...after, ...what } : { kind: 'try', ...what };
  });

/** The row is locked, and its next due time is over. It keeps its place among those of its partner until it has a result. */
async function beginRun(
  trx: Queryable,
  schema: string,
  { id, reference, times, nextNumber: number, nextDueAt: dueAt }: ScheduledTransfer,
): Promise<ScheduledRun> {
  if (dueAt === null) throw new Error('bug: no due time is left');
  const { rows } = await trx.query<RunRow>(
    `INSERT INTO ${schema}.scheduled_transfer_runs (scheduled_transfer_id, number, due_at, reference, status)
     VALUES ($1, $2, $3, $4, 'running') RETURNING *`,
    [id, number, dueAt, referenceOfRun(reference, number)],
  );
  await trx.query(
    `UPDATE ${schema}.scheduled_transfers SET next_number = $2, next_due_at = $3 WHERE id = $1`,
    [id, number + 1, nextDue(times, number + 1, dueAt)],
  );
  return toRun(rows[0] as RunRow);
}

/**
 * The scheduled transfer of a partner that has something to do before another one has: the first by its due time, or by the
 * time at which its waiting run looks again. One look-up in an index, however many are due.
 * @param before when the other one has. All that comes before it is due as well.
 * @param except those that are not waited for.
 * @returns its id; null where nothing comes first.
 */
export async function findEarlier(
  { pool, schema }: Cell,
  partnerId: string,
  { before, except }: { before: Date; except: readonly string[] },
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ${schema}.scheduled_transfers
      WHERE partner_id = $1 AND ended_at IS NULL AND look_at < $2 AND NOT id = ANY($3)
      ORDER BY look_at LIMIT 1`,
    [partnerId, before, except],
  );
  return rows[0]?.id ?? null;
}

const INTENTION =
  'i.workflow_id, i.workflow_type, i.partner_id, i.resource_id, i.request_id, i.title, i.input';
const joinIntention = (schema: string): string =>
  `JOIN ${schema}.workflow_intentions i ON i.workflow_id = 'scheduled-transfer/' || s.id`;

/** The scheduled transfers at which nobody has looked in time, as their workflows are to be started. */
export async function neglectedSchedules(cell: Cell, lateMs: number, limit: number): Promise<Intention[]> {
  const { schema } = cell;
  const { rows } = await cell.pool.query<IntentionRow>(
    `SELECT ${INTENTION}
       FROM (SELECT id FROM ${schema}.scheduled_transfers
              WHERE look_at < now() - $1 * interval '1 millisecond' ORDER BY look_at LIMIT $2) AS s
       ${joinIntention(schema)}
      WHERE i.started_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM ${schema}.partner_epochs p WHERE p.partner_id = i.partner_id AND p.resetting)`,
    [lateMs, limit],
  );
  return rows.map(toIntention);
}

/** What the scheduled transfers of a sandbox have to do once its time is forwarded by so many seconds, with what waits already. */
export async function workAfterForward(
  trx: Queryable,
  schema: string,
  { partnerId, seconds }: { partnerId: string; seconds: number },
): Promise<WorkUntil> {
  const { rows } = await trx.query<ScheduleRow & { open_due_at: Date | null; until: Date }>(
    `SELECT s.*, r.due_at AS open_due_at, clock_timestamp() + $2 * interval '1 second' + (
              SELECT coalesce(sum(f.forwarded_ms), 0) * interval '1 millisecond' FROM ${schema}.sandbox_forwards f
               WHERE f.partner_id = $1 AND f.at >= s.created_at) AS until
       FROM ${schema}.scheduled_transfers s
       LEFT JOIN ${schema}.scheduled_transfer_runs r ON r.scheduled_transfer_id = s.id AND r.ended_at IS NULL
      WHERE s.partner_id = $1 AND s.ended_at IS NULL`,
    [partnerId, seconds],
  );
  const all = rows.map((row) => workUntil(toSchedule(row), row.open_due_at, row.until));
  return all.reduce((sum, one) => ({ runs: sum.runs + one.runs, tries: sum.tries + one.tries }), {
    runs: 0,
    tries: 0,
  });
}

/**
 * Has the workflows of a sandbox's scheduled transfers look earlier. Their due times stay as they are: a due time has come when the calendar,
 * forwarded by all forwards since the scheduled transfer was made, has reached it (`reallyAt`).
 * @param limit how many workflows are told at once; the sweep begins the others.
 */
export async function forwardSchedules(
  trx: Queryable,
  schema: string,
  { partnerId, seconds, limit }: { partnerId: string; seconds: number; limit: number },
): Promise<{ scheduledTransfers: number; dueSchedules: Intention[] }> {
  const { rows } = await trx.query<{ id: string; is_due: boolean; look_at: Date }>(
    `UPDATE ${schema}.scheduled_transfers SET look_at = look_at - $2 * interval '1 second'
      WHERE partner_id = $1 AND ended_at IS NULL RETURNING id, look_at < now() + interval '1 second' AS is_due, look_at`,
    [partnerId, seconds],
  );
  const due = rows
    .filter(({ is_due: isDue }) => isDue)
    .sort((one, other) => one.look_at.getTime() - other.look_at.getTime())
    .slice(0, limit);
  const { rows: intended } = await trx.query<IntentionRow>(
    `SELECT ${INTENTION} FROM unnest($1::uuid[]) AS s(id) ${joinIntention(schema)}`,
    [due.map(({ id }) => id)],
  );
  return { scheduledTransfers: rows.length, dueSchedules: intended.map(toIntention) };
}

/** The ids of a partner's scheduled transfers that may have a Schedule in Temporal. */
export async function openScheduleIds(db: Queryable, schema: string, partnerId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM ${schema}.scheduled_transfers WHERE partner_id = $1 AND ended_at IS NULL`,
    [partnerId],
  );
  return rows.map(({ id }) => id);
}

export { lock as lockSchedule, type Locked, type RunRow, type ScheduleRow };
