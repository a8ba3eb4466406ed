/**
 * The results of due times (D205): a payment that was under way when a due time was given up is found, or comes too late for
 * good. What a sandbox's time goes over is run in its order (D214).
 */
import { newId } from '../../src/db/pg/ids';
import { forwardDeadlines } from '../../src/db/upkeep/forwards';
import { noteResult, type Noted } from '../../src/db/payments/scheduled-runs';
import type { LedgerWriter } from '../../src/db/ledger/writer';
import { insertSchedule, takeTurn, type NewSchedule } from '../../src/db/payments/scheduled-transfers';
import { scheduleIntention } from '../../src/contract/intentions';
import { present } from '../../src/domain/assert';
import { nextDue, type RunResult } from '../../src/domain/scheduled-transfers';
import { nameOf } from '../../src/domain/outcome';
import { scheduledEnded, scheduledRunEnded } from '../../src/wire/webhooks';
import { auditCell } from '../support/audit';
import { openTestCell, type TestCell } from '../support/cell';
import { p2p, transactionIdOf } from '../support/movements';
import { valueAs, valueOf } from '../support/outcomes';
import { SANDBOX_CELL } from '../setup/cells';

const AMOUNT_KOBO = 1_000;
const DAY_MS = 86_400_000;
const SKIPPED: RunResult = { status: 'skipped', reason: 'INSUFFICIENT_FUNDS' };
const partnerId = newId();
let cell: TestCell;
let writer: LedgerWriter;
let [source, dest] = ['', ''];

beforeAll(async () => {
  cell = await openTestCell();
  writer = cell.openWriter();
  source = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  dest = await cell.wallet({ partnerId });
});
afterAll(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
  await cell.close();
});

/** One that is due, with its run begun. @returns its id. */
async function begun(more: Partial<NewSchedule> = {}): Promise<string> {
  const id = await begin(more);
  expect(await takeTurn(cell.cell, { partnerId, id, canForward: true })).toMatchObject({
    kind: 'try',
    run: { number: 1 },
  });
  return id;
}

async function begin(more: Partial<NewSchedule>): Promise<string> {
  const id = newId();
  const now = new Date();
  const asked: NewSchedule = {
    id,
    partnerId,
    reference: id,
    payment: {
      sourceWalletId: source,
      to: { destWalletId: dest },
      amountKobo: AMOUNT_KOBO,
      description: '',
      metadata: {},
    },
    times: { dueAt: now, rule: null, count: null },
    onInsufficientFunds: 'skip',
    firstDueAt: now,
    digest: '',
    key: null,
    answer: () => ({ status: 201, body: '{}' }),
    intend: scheduleIntention,
    activeMax: 100,
    canForward: true,
    ...more,
  };
  valueAs(await insertSchedule(cell.forApi, asked, 1_000), 'accepted');
  return id;
}
const post = (id: string) =>
  writer.post(p2p({ partnerId, from: source, to: dest, amountKobo: AMOUNT_KOBO, reference: `${id}-1` }));
const note = (id: string, result: RunResult): Promise<Noted> =>
  noteResult(cell.cell, { partnerId, id, canForward: true, number: 1 }, result, {
    run: scheduledRunEnded,
    end: scheduledEnded,
  });
const runOf = async (id: string) =>
  (
    await cell.sql(
      `SELECT status, reason, transaction_id FROM ${SANDBOX_CELL}.scheduled_transfer_runs WHERE scheduled_transfer_id = $1`,
      [id],
    )
  )[0];

test('what was given up is never paid afterwards', async () => {
  const id = await begun();
  expect((await note(id, SKIPPED)).kind).toBe('noted');
  const before = await cell.balanceKobo(source);
  expect(nameOf(await post(id))).toBe('DUPLICATE_REFERENCE');
  expect(await cell.balanceKobo(source)).toBe(before);
  expect(await runOf(id)).toEqual({ status: 'skipped', reason: 'INSUFFICIENT_FUNDS', transaction_id: null });
});

test('what was paid is never given up', async () => {
  const id = await begun();
  const transactionId = transactionIdOf(await post(id));
  expect(await note(id, SKIPPED)).toEqual({ kind: 'reference_used' });
  expect((await note(id, { transactionId })).kind).toBe('noted');
  expect(await runOf(id)).toEqual({ status: 'paid', reason: null, transaction_id: transactionId });
});

test('a payment and its end at the same moment: one of them wins', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await begun();
    const [posted, noted] = await Promise.all([post(id), note(id, SKIPPED)]);
    const isPaid = nameOf(posted) === 'posted';
    expect([nameOf(posted), noted.kind]).toEqual(
      isPaid ? ['posted', 'reference_used'] : ['DUPLICATE_REFERENCE', 'noted'],
    );
    if (isPaid) await note(id, { transactionId: transactionIdOf(posted) });
  }
});

test('the first result stays, and is told once', async () => {
  const id = await begun();
  await note(id, SKIPPED);
  await note(id, { transactionId: newId() });
  await note(id, { retry: true, reason: 'INSUFFICIENT_FUNDS' });
  expect(await runOf(id)).toMatchObject({ status: 'skipped' });
  const events = await cell.sql(
    `SELECT kind FROM ${SANDBOX_CELL}.events WHERE resource_id = $1 ORDER BY kind`,
    [id],
  );
  expect(events.map(({ kind }) => kind)).toEqual(['scheduled_transfer.ended', 'scheduled_transfer.skipped']);
  expect(await takeTurn(cell.cell, { partnerId, id, canForward: true })).toMatchObject({ kind: 'over' });
});

test('two workflows begin one run', async () => {
  const rule = { every: 'day', at: '09:00', startsOn: null, endsOn: null } as const;
  const id = await begun({ times: { dueAt: null, rule, count: 1 } });
  const turns = await Promise.all(
    [1, 2, 3].map(() => takeTurn(cell.cell, { partnerId, id, canForward: true })),
  );
  expect(turns.map((turn) => turn?.kind)).toEqual(['try', 'try', 'try']);
  expect(
    await cell.sql(`SELECT next_due_at FROM ${SANDBOX_CELL}.scheduled_transfers WHERE id = $1`, [id]),
  ).toEqual([{ next_due_at: null }]);
  await note(id, { status: 'failed', reason: 'WALLET_CLOSED' });
  expect(
    await cell.sql(`SELECT status FROM ${SANDBOX_CELL}.scheduled_transfers WHERE id = $1`, [id]),
  ).toEqual([{ status: 'failed' }]);
});

test('what a forward goes over is run in its order, once and under its own date', async () => {
  const rule = { every: 'day', at: '09:00', startsOn: null, endsOn: null } as const;
  const own = newId();
  const [from, to] = await Promise.all([
    cell.wallet({ partnerId: own, fundKobo: 100_000 }),
    cell.wallet({ partnerId: own }),
  ]);
  const payment = {
    sourceWalletId: from,
    to: { destWalletId: to },
    amountKobo: AMOUNT_KOBO,
    description: '',
    metadata: {},
  };
  const times = { dueAt: null, rule, count: null };
  const firstDueAt = present(nextDue(times, 1, new Date()), 'tomorrow');
  const id = await begin({ partnerId: own, payment, times, firstDueAt, onInsufficientFunds: 'retry' });
  const at = { partnerId: own, id, canForward: true };
  const turn = () => takeTurn(cell.cell, at);
  const end = (number: number, result: RunResult) =>
    noteResult(cell.cell, { ...at, number }, result, { run: scheduledRunEnded, end: scheduledEnded });
  const later = (days: number): Date => new Date(firstDueAt.getTime() + days * DAY_MS);
  expect(await turn()).toMatchObject({ kind: 'wait', until: firstDueAt });

  const forward = { seconds: 2 * 86_400, windowMs: 1_000, refusalOf: () => null };
  expect(valueOf(await forwardDeadlines(cell.forApi, own, forward))).toMatchObject({
    scheduledTransfers: 1,
    dueSchedules: [{ workflowId: `scheduled-transfer/${id}` }],
  });
  expect(await turn()).toMatchObject({ kind: 'try', run: { number: 1, dueAt: firstDueAt } });
  // Its money is looked for at each half hour of its day, which was gone over.
  for (let tries = 1; tries <= 48; tries++) {
    await end(1, { retry: true, reason: 'INSUFFICIENT_FUNDS' });
    expect(await turn()).toMatchObject({ kind: 'try', run: { number: 1, status: 'waiting' } });
  }
  await end(1, { retry: true, reason: 'INSUFFICIENT_FUNDS' });
  expect(await turn()).toMatchObject({ kind: 'try', run: { number: 2, dueAt: later(1) } });
  await end(2, { transactionId: newId() });
  // The third is two days nearer than its date says, for whoever looks at what was neglected, too.
  const third = { until: later(0) };
  expect(await turn()).toMatchObject({ kind: 'wait', ...third, schedule: { nextDueAt: later(2) } });
  const rows = await cell.sql(
    `SELECT r.status, r.reason, s.look_at FROM ${SANDBOX_CELL}.scheduled_transfer_runs r
       JOIN ${SANDBOX_CELL}.scheduled_transfers s ON s.id = r.scheduled_transfer_id WHERE s.id = $1 ORDER BY number`,
    [id],
  );
  expect(rows).toEqual([
    { status: 'skipped', reason: 'INSUFFICIENT_FUNDS', look_at: third.until },
    { status: 'paid', reason: null, look_at: third.until },
  ]);
});

test.each([
  ['what is paid', `UPDATE $t.scheduled_transfers SET asked = '{}' WHERE id = $1`],
  ['a result', `UPDATE $t.scheduled_transfer_runs SET reason = 'x' WHERE scheduled_transfer_id = $1`],
])('nobody changes %s', async (_what, statement) => {
  const id = await begun();
  if (statement.includes('runs')) await note(id, SKIPPED);
  await expect(cell.sql(statement.replace('$t', SANDBOX_CELL), [id])).rejects.toThrow(/never changes/);
});
