/** What is to be done with a scheduled transfer at a moment, and what its results mean (D205). */
import {
  endBy,
  goneOver,
  LATE_MAX_MS,
  nextDue,
  reallyAt,
  resultOfRefusal,
  retryAt,
  tooMuchDue,
  RETRY_EVERY_MS,
  turnOf,
  workUntil,
  type OnInsufficientFunds,
  type RunResult,
  type RunStatus,
  type ScheduledTransfer,
} from '../../../src/domain/scheduled-transfers';
import type { RefusalCode } from '../../../src/domain/refusals';

const NOW = new Date('2026-11-30T08:00:00Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const ENDED = { nextDueAt: null, lookAt: null, endedAt: NOW };

const schedule = (more: Partial<ScheduledTransfer>) =>
  ({ status: 'active', nextDueAt: NOW, lookAt: NOW, endedAt: null, ...more }) as ScheduledTransfer;
const run = (status: RunStatus, dueAt: Date) => ({
  status,
  dueAt,
  reason: status === 'waiting' ? ('INSUFFICIENT_FUNDS' as const) : null,
});

test.each<[string, Partial<ScheduledTransfer>, ReturnType<typeof run> | null, object]>([
  ['before its time', { nextDueAt: ago(-1) }, null, { kind: 'wait', until: ago(-1) }],
  ['at its time', {}, null, { kind: 'begin' }],
  ['long after it', { nextDueAt: ago(LATE_MAX_MS * 9) }, null, { kind: 'begin' }],
  ['a run that was begun', {}, run('running', ago(LATE_MAX_MS - 1)), { kind: 'try' }],
  ['a run that is too late', {}, run('running', ago(LATE_MAX_MS)), { kind: 'give_up', reason: 'TOO_LATE' }],
  ['one that wants money', { lookAt: ago(-1) }, run('waiting', NOW), { kind: 'wait', until: ago(-1) }],
  ['one that wants money, in time', { lookAt: NOW }, run('waiting', NOW), { kind: 'try' }],
  [
    'one that wanted money for a day',
    {},
    run('waiting', ago(LATE_MAX_MS)),
    { kind: 'give_up', reason: 'INSUFFICIENT_FUNDS' },
  ],
  [
    'cancelled while it waits',
    { status: 'cancelled' },
    run('waiting', NOW),
    { kind: 'give_up', reason: 'CANCELLED' },
  ],
  [
    'cancelled in the middle',
    { status: 'cancelled' },
    run('running', NOW),
    { kind: 'give_up', reason: 'CANCELLED' },
  ],
  ['at its end', ENDED, null, { kind: 'over' }],
])('%s', (_name, more, open, turn) => {
  expect(turnOf(schedule(more), open, { now: NOW, forwards: [] })).toEqual(turn);
});

test.each<[RefusalCode, OnInsufficientFunds, RunResult]>([
  ['INSUFFICIENT_FUNDS', 'skip', { status: 'skipped', reason: 'INSUFFICIENT_FUNDS' }],
  ['INSUFFICIENT_FUNDS', 'retry', { retry: true, reason: 'INSUFFICIENT_FUNDS' }],
  ['LIMIT_EXCEEDED', 'retry', { status: 'failed', reason: 'LIMIT_EXCEEDED' }],
  ['PARTNER_NOT_ACTIVE', 'retry', { status: 'skipped', reason: 'PARTNER_NOT_ACTIVE' }],
  ['WALLET_FROZEN', 'retry', { status: 'failed', reason: 'WALLET_FROZEN' }],
])('a transfer refused with %s, on %s', (code, policy, result) => {
  expect(resultOfRefusal({ code }, policy)).toEqual(result);
});

test.each<[string, OnInsufficientFunds, RunResult]>([
  ['daily_debit', 'retry', { retry: true, reason: 'LIMIT_EXCEEDED' }],
  ['daily_ussd', 'retry', { retry: true, reason: 'LIMIT_EXCEEDED' }],
  ['daily_debit', 'skip', { status: 'failed', reason: 'LIMIT_EXCEEDED' }],
  ['single_debit', 'retry', { status: 'failed', reason: 'LIMIT_EXCEEDED' }],
  ['largest_balance', 'retry', { status: 'failed', reason: 'LIMIT_EXCEEDED' }],
])('a transfer refused by the limit %s, on %s', (limit, policy, result) => {
  expect(resultOfRefusal({ code: 'LIMIT_EXCEEDED', detail: { limit } }, policy)).toEqual(result);
});

test.each<[string, RefusalCode | null, Date | null, string | null]>([
  ['paid, with a next time', null, NOW, null],
  ['paid, as the last', null, null, 'finish'],
  ['frozen, with a next time', 'WALLET_FROZEN', NOW, null],
  ['closed, with a next time', 'WALLET_CLOSED', NOW, 'fail'],
  ['closed, as the last', 'WALLET_CLOSED', null, 'fail'],
])('what ends with a due time that is %s', (_name, reason, nextDueAt, trigger) => {
  expect(endBy(reason, nextDueAt)).toBe(trigger);
});

test('money is looked for every half hour, and for the last time at the end of the day', () => {
  const clock = { now: NOW, forwards: [] };
  expect(retryAt(NOW, NOW, clock)).toEqual(ago(-RETRY_EVERY_MS));
  // It looks again from now on, however late it was tried.
  expect(retryAt(ago(60_000), ago(60_000), clock)).toEqual(ago(-RETRY_EVERY_MS));
  expect(retryAt(ago(LATE_MAX_MS - 1), NOW, clock)).toEqual(ago(-1));
  expect(retryAt(ago(LATE_MAX_MS), NOW, clock)).toBeNull();
});

describe('in a sandbox whose time was forwarded by two hours an hour ago, and by a week now', () => {
  const HOUR_MS = 3_600_000;
  const DAY_MS = 24 * HOUR_MS;
  const WEEK_MS = 7 * DAY_MS;
  const forwards = [
    { at: ago(HOUR_MS), forwardedMs: 2 * HOUR_MS },
    { at: NOW, forwardedMs: WEEK_MS },
  ];
  const clock = { now: NOW, forwards };
  const dueIn = (ms: number): Date => ago(-ms);

  test.each<[string, number, number]>([
    ['a time before both', -2 * HOUR_MS, -2 * HOUR_MS],
    ['the moment of the first', -HOUR_MS, -HOUR_MS],
    ['a time that the first one went over', 0, -HOUR_MS],
    ['the end of the first', HOUR_MS, -HOUR_MS],
    ['a time between the two', HOUR_MS * 1.5, -HOUR_MS / 2],
    ['a time that the second one went over', DAY_MS, 0],
    ['the end of the second', 2 * HOUR_MS + WEEK_MS, 0],
    ['a time after both', 3 * HOUR_MS + WEEK_MS, HOUR_MS],
  ])('%s is really at', (_name, calendarMs, realMs) => {
    expect(reallyAt(dueIn(calendarMs), forwards)).toEqual(dueIn(realMs));
  });

  test.each<[string, Partial<ScheduledTransfer>, ReturnType<typeof run> | null, object]>([
    ['what it went over is due', { nextDueAt: dueIn(DAY_MS) }, null, { kind: 'begin' }],
    [
      'what comes later waits for so much less',
      { nextDueAt: dueIn(WEEK_MS + 3 * HOUR_MS) },
      null,
      { kind: 'wait', until: dueIn(HOUR_MS) },
    ],
    ['what it went over by days is not too late', {}, run('running', dueIn(DAY_MS)), { kind: 'try' }],
    ['what wants money is tried once more', {}, run('waiting', dueIn(HOUR_MS)), { kind: 'try' }],
    [
      'what was due a day ago is too late',
      {},
      run('running', ago(DAY_MS)),
      { kind: 'give_up', reason: 'TOO_LATE' },
    ],
  ])('%s', (_name, more, open, turn) => {
    expect(turnOf(schedule(more), open, clock)).toEqual(turn);
  });

  const AHEAD_MS = 2 * HOUR_MS + WEEK_MS;
  test.each<[string, number, number | null]>([
    ['half an hour after the due time', DAY_MS, DAY_MS + RETRY_EVERY_MS],
    ['and every half hour that was gone over', DAY_MS + 5 * RETRY_EVERY_MS, DAY_MS + 6 * RETRY_EVERY_MS],
    ['until its day is over', 2 * DAY_MS - 1, 2 * DAY_MS],
    ['and not after it', 2 * DAY_MS, null],
  ])('money that was missing is looked for %s', (_name, triedMs, againMs) => {
    const again = againMs === null ? null : dueIn(againMs - AHEAD_MS);
    expect(retryAt(dueIn(DAY_MS), dueIn(triedMs - AHEAD_MS), clock)).toEqual(again);
  });
  test('what is missing at the end of what was gone over is looked for from now on', () => {
    expect(retryAt(dueIn(AHEAD_MS - HOUR_MS), NOW, clock)).toEqual(dueIn(RETRY_EVERY_MS));
  });

  test.each<[string, number, boolean]>([
    ['a time that the first one went over', 0, true],
    ['a time between the two', HOUR_MS * 1.5, false],
    ['a time that the second one went over', DAY_MS, true],
    ['a time after both', AHEAD_MS + HOUR_MS, false],
  ])('%s is decided as of then: %p', (_name, calendarMs, isGoneOver) => {
    const movedAt = dueIn(calendarMs - AHEAD_MS);
    const earlier = { at: ago(DAY_MS), forwardedMs: DAY_MS };
    expect(goneOver(movedAt, forwards, [])).toEqual(isGoneOver ? { movedAt, at: dueIn(calendarMs) } : null);
    expect(goneOver(movedAt, forwards, [earlier])?.at).toEqual(
      isGoneOver ? dueIn(calendarMs + DAY_MS) : undefined,
    );
  });
});

test('a count of due times ends them, and one time comes once', () => {
  const rule = { every: 'day', at: '09:00', startsOn: null, endsOn: null } as const;
  const times = { dueAt: null, rule, count: 2 };
  expect(nextDue(times, 2, ago(1))).toEqual(NOW);
  expect(nextDue(times, 3, ago(1))).toBeNull();
  const once = { dueAt: NOW, rule: null, count: null };
  expect(nextDue(once, 1, ago(1))).toEqual(NOW);
  expect(nextDue(once, 1, NOW)).toBeNull();
  expect(nextDue(once, 2, ago(1))).toBeNull();
});

describe('what is to be done until a moment', () => {
  const daily = { every: 'day', at: '09:00', startsOn: null, endsOn: null } as const;
  const days = (count: number): Date => ago(-count * 86_400_000);
  const plan = (more: Partial<ScheduledTransfer>) =>
    schedule({
      times: { dueAt: null, rule: daily, count: null },
      nextNumber: 1,
      onInsufficientFunds: 'skip',
      ...more,
    });

  test.each<[string, Partial<ScheduledTransfer>, Date | null, Date, object]>([
    ['before the first due time', {}, null, ago(1), { runs: 0, tries: 0 }],
    ['at the first due time', {}, null, NOW, { runs: 1, tries: 0 }],
    ['just before the third', {}, null, ago(1 - 2 * 86_400_000), { runs: 2, tries: 0 }],
    ['with a run that has no result', {}, ago(86_400_000), days(1), { runs: 3, tries: 0 }],
    ['once', { times: { dueAt: NOW, rule: null, count: null } }, null, days(30), { runs: 1, tries: 0 }],
    [
      'a number of due times',
      { times: { dueAt: null, rule: daily, count: 4 } },
      null,
      days(30),
      { runs: 4, tries: 0 },
    ],
    ['at its end', { nextDueAt: null }, null, days(30), { runs: 0, tries: 0 }],
    ['that tries again, at once', { onInsufficientFunds: 'retry' }, null, NOW, { runs: 1, tries: 0 }],
    [
      'that tries again, a day later',
      { onInsufficientFunds: 'retry' },
      null,
      days(1),
      { runs: 2, tries: 48 },
    ],
    [
      'that tries again, two days later',
      { onInsufficientFunds: 'retry' },
      null,
      days(2),
      { runs: 3, tries: 96 },
    ],
  ])('%s', (_name, more, openDueAt, until, work) => {
    expect(workUntil(plan(more), openDueAt, until)).toEqual(work);
  });

  test.each<[number, number, object | null]>([
    [1_000, 10_000, null],
    [1_001, 0, { limit: 'forwarded_runs', used: 1_001, allowed: 1_000 }],
    [0, 10_001, { limit: 'forwarded_tries', used: 10_001, allowed: 10_000 }],
  ])('%d runs and %d tries', (runs, tries, detail) => {
    expect(tooMuchDue({ runs, tries })?.refusal.detail ?? null).toEqual(detail);
  });
});
