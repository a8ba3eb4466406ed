/**
 * What follows from the answers of payment companies: every answer in every state of an attempt. That no history loses
 * money is proved in `test/unit/payouts-proof.test.ts`.
 */
import { NOTHING_TOLD } from '../../../src/providers/port';
import {
  afterQuery,
  afterSubmit,
  declined,
  isQuiet,
  ATTEMPT_CAUSES,
  isSomewhere,
  isUnsent,
  maySendAgain,
  needsPeople,
  nextCompany,
  nextStep,
  payoutReference,
  ATTEMPT_STATES,
  mayBeFollowed,
  mayBeReleased,
  released,
  RELEASED_AFTER_MS,
  QUERY_OUTCOMES,
  REFUSAL_CAUSES,
  SUBMIT_OUTCOMES,
  attemptOfPayout,
  transferOfPayout,
  withFacts,
  withOpenPost,
  withoutOrder,
  type Attempt,
  type QueryOutcome,
  type SubmitAnswer,
} from '../../../src/domain/payouts';

const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  n: 1,
  provider: 'first',
  state: 'sending',
  begunAt: ago(RELEASED_AFTER_MS),
  openPosts: 1,
  sentAt: ago(RELEASED_AFTER_MS),
  declinedAt: null,
  cause: null,
  failedAt: null,
  needsAuthorization: false,
  providerRef: null,
  sessionId: null,
  code: null,
  feeKobo: null,
  dutyKobo: null,
  said: null,
  saidCode: null,
  saidReason: null,
  ...more,
});
const inWords = ({ state, openPosts }: Attempt): string => `${state}, ${String(openPosts)} open`;

const ANSWERS: readonly SubmitAnswer[] = SUBMIT_OUTCOMES.flatMap((outcome): SubmitAnswer[] =>
  outcome === 'refused' ? REFUSAL_CAUSES.map((cause) => ({ outcome, cause })) : [{ outcome }],
);
const named = (answer: SubmitAnswer): string =>
  answer.outcome === 'refused' ? `refused for ${answer.cause}` : answer.outcome;

const SUBMIT_TABLE: [answer: string, alone: string, besideALostOrder: string][] = [
  ['accepted', 'accepted, 1 open', 'accepted, 2 open'],
  ['exists', 'accepted, 1 open', 'accepted, 2 open'],
  ['not_sent', 'sending, 0 open', 'sending, 1 open'],
  ['refused for beneficiary', 'refused, 0 open', 'sending, 1 open'],
  ['refused for float', 'sending, 0 open', 'sending, 1 open'],
  ['refused for limit', 'sending, 0 open', 'sending, 1 open'],
  ['refused for access', 'sending, 0 open', 'sending, 1 open'],
  ['unknown', 'sending, 1 open', 'sending, 2 open'],
];

test.each(SUBMIT_TABLE)('an order that is %s: %s; after a lost one: %s', (name, alone, beside) => {
  const answer = ANSWERS.find((each) => named(each) === name)!;
  expect(inWords(afterSubmit(attempt(), answer, false, { now: NOW }))).toBe(alone);
  expect(inWords(afterSubmit(attempt({ openPosts: 2 }), answer, false, { now: NOW }))).toBe(beside);
  // After a restore there may have been an order that nobody knows of.
  expect(afterSubmit(attempt(), answer, true, { now: NOW }).state).not.toBe('refused');
});

const QUERY_TABLE: [outcome: QueryOutcome, sending: string, accepted: string, again: boolean][] = [
  ['success', 'succeeded, 1 open', 'succeeded, 1 open', false],
  ['failed', 'failed, 1 open', 'failed, 1 open', false],
  ['reversed', 'failed, 1 open', 'failed, 1 open', false],
  ['pending', 'accepted, 1 open', 'accepted, 1 open', false],
  ['not_found', 'sending, 1 open', 'accepted, 1 open', true],
  ['unknown', 'sending, 1 open', 'accepted, 1 open', false],
];
const BOTH_KEYS = { at: NOW, now: NOW, hasSecondKey: true, failsOver: false };
const ONE_KEY = { ...BOTH_KEYS, hasSecondKey: false };

test.each(QUERY_TABLE)(
  'a lost order that is %s: %s; an accepted one: %s; sent again: %s',
  (outcome, sending, accepted, again) => {
    expect(inWords(afterQuery(attempt(), outcome, BOTH_KEYS))).toBe(sending);
    expect(inWords(afterQuery(attempt({ state: 'accepted' }), outcome, BOTH_KEYS))).toBe(accepted);
    expect(maySendAgain(attempt(), outcome)).toBe(again);
    expect(maySendAgain(attempt({ state: 'accepted' }), outcome)).toBe(false);
  },
);

test('the tables have every answer', () => {
  expect(SUBMIT_TABLE.map(([name]) => name)).toEqual(ANSWERS.map(named));
  expect(QUERY_TABLE.map(([outcome]) => outcome)).toEqual([...QUERY_OUTCOMES]);
});

describe('a failure has two keys', () => {
  const accepted = attempt({ state: 'accepted' });

  test('the first answer is only noted', () => {
    expect(afterQuery(accepted, 'failed', ONE_KEY)).toEqual({ ...accepted, failedAt: NOW });
    expect(afterQuery(attempt(), 'failed', ONE_KEY)).toEqual({ ...accepted, failedAt: NOW });
  });
  test.each([
    ['59 seconds later', 59_000, 'accepted'],
    ['a minute later', 60_000, 'failed'],
  ])('the same answer %s leaves it %s', (_when, ms, state) => {
    const failedAt = ago(ms);
    expect(afterQuery({ ...accepted, failedAt }, 'failed', ONE_KEY)).toEqual({
      ...accepted,
      failedAt,
      state,
    });
  });
  test('where another company is to try, it is final by the same two keys, and is followed', () => {
    const [one, both] = [
      { ...ONE_KEY, failsOver: true },
      { ...BOTH_KEYS, failsOver: true },
    ];
    expect(afterQuery(accepted, 'failed', one)).toEqual({ ...accepted, failedAt: NOW });
    const over = afterQuery(accepted, 'failed', both);
    expect(over.state).toBe('failed_over');
    expect(nextStep([over], false)).toEqual({ next: 'open', n: 2 });
    expect(afterQuery(over, 'success', both)).toBe(over);
    // A later restore may have forgotten who followed.
    expect(mayBeFollowed([over], true)).toBe(true);
  });
  test('an answer that is heard a minute later, but was asked for before, is no second key', () => {
    const late = { ...ONE_KEY, at: ago(60_000) };
    expect(afterQuery({ ...accepted, failedAt: ago(61_000) }, 'failed', late).state).toBe('accepted');
  });
  test.each(['pending', 'success'] as const)(
    'an answer of %s between them takes the first one back',
    (outcome) => {
      const between = afterQuery({ ...accepted, failedAt: ago(70_000) }, outcome, ONE_KEY);
      expect(between.state).toBe(outcome === 'success' ? 'succeeded' : 'accepted');
      if (outcome === 'pending') expect(between.failedAt).toBeNull();
    },
  );
});

test.each(['refused', 'failed', 'succeeded'] as const)('an attempt that has %s never changes', (state) => {
  const ended = attempt({ state, openPosts: state === 'refused' ? 0 : 1 });
  for (const answer of ANSWERS) expect(afterSubmit(ended, answer, false, { now: NOW })).toBe(ended);
  for (const outcome of QUERY_OUTCOMES) expect(afterQuery(ended, outcome, BOTH_KEYS)).toBe(ended);
  expect(withoutOrder(ended, false, 'hold')).toBe(ended);
  expect(withFacts(ended, { ...NOTHING_TOLD, outcome: 'unknown', code: '00' })).toBe(ended);
});

test.each([
  ['no order is open', attempt({ openPosts: 0 }), false, true],
  ['an order is open', attempt(), false, false],
  ['the database may have forgotten an order', attempt({ openPosts: 0 }), true, false],
  ['the company has the order', attempt({ state: 'accepted', openPosts: 0 }), false, false],
])(
  'an attempt is given up only where its company provably has no order: %s',
  (_what, one, isDoubtful, is) => {
    expect(isUnsent(one, isDoubtful)).toBe(is);
    expect(withoutOrder(one, isDoubtful).state).toBe(is ? 'refused' : one.state);
  },
);

test.each<[what: string, attempts: Attempt[], isDoubtful: boolean, next: string]>([
  ['that is new', [], false, 'open 1'],
  ['whose order was not taken', [attempt({ openPosts: 0 })], false, 'send'],
  ['whose order may be lost', [attempt()], false, 'ask'],
  ['of which an order may be forgotten', [attempt({ openPosts: 0 })], true, 'ask'],
  ['that was accepted', [attempt({ state: 'accepted' })], false, 'ask'],
  ['that was paid', [attempt({ state: 'succeeded' })], false, 'complete'],
  ['that has failed', [attempt({ state: 'failed' })], false, 'fail'],
  ...ATTEMPT_CAUSES.map((cause): [string, Attempt[], boolean, string] => [
    `that was refused for ${cause}`,
    [attempt({ state: 'refused', openPosts: 0, cause })],
    false,
    cause === 'beneficiary' || cause === 'hold' || cause === 'declined' ? 'fail' : 'open 2',
  ]),
  ['that could not be sent', [attempt({ state: 'refused', openPosts: 0 })], false, 'open 2'],
])('a transfer %s: %s', (_what, attempts, isDoubtful, next) => {
  const step = nextStep(attempts, isDoubtful);
  expect('n' in step ? `${step.next} ${String(step.n)}` : step.next).toBe(next);
});

test.each<[companies: string[], last: string | null, next: string | null]>([
  [[], null, null],
  [[], 'first', null],
  [['first'], null, 'first'],
  [['first'], 'first', 'first'],
  [['first', 'second'], null, 'first'],
  [['first', 'second'], 'first', 'second'],
  [['first', 'second'], 'second', 'first'],
  [['second'], 'first', 'second'],
])('of %j after %s the next company is %s', (companies, last, next) => {
  expect(nextCompany(companies, last === null ? [] : [attempt({ provider: last })])).toBe(next);
});

test.each<[configured: string[], isDoubtful: boolean, is: boolean]>([
  [['first'], true, false],
  [['first', 'second'], false, false],
  [['first', 'second'], true, true],
])('with %j configured (doubtful: %s) people must find the order: %s', (configured, isDoubtful, is) => {
  expect(isSomewhere(configured, isDoubtful)).toBe(is);
});

test('the first id of a payout stays, and other facts are the latest', () => {
  const told = { ...NOTHING_TOLD, outcome: 'pending', providerRef: 'one', code: '09' } as const;
  const first = withFacts(attempt(), told);
  const more = { sessionId: 's', code: '00', feeKobo: 1_000, dutyKobo: 5_000, needsAuthorization: true };
  const later = withFacts(first, { ...told, ...more, providerRef: 'two' });
  expect(later).toEqual({ ...first, ...more, said: 'pending', saidCode: '00' });
  expect(withFacts(later, { ...told, code: null })).toEqual({ ...later, saidCode: null });
  const last = { ...NOTHING_TOLD, outcome: 'pending', needsAuthorization: false } as const;
  expect(withFacts(later, last).needsAuthorization).toBe(false);
});

test('the last answer stays with its code and our words for it', () => {
  const no = { ...NOTHING_TOLD, outcome: 'unknown', saidCode: 'new_code', reason: 'HTTP 400' } as const;
  const said = { said: 'unknown', saidCode: 'new_code', saidReason: 'HTTP 400' };
  const kept = withFacts(attempt(), no);
  expect(kept).toMatchObject(said);
  const missing = {
    ...NOTHING_TOLD,
    outcome: 'not_found',
    saidCode: 'http_404',
    reason: 'HTTP 404',
  } as const;
  expect(withFacts(kept, missing)).toMatchObject({ said: 'not_found', saidCode: 'http_404' });
  // Why an order was declined says more than that it is not there.
  expect(withFacts({ ...kept, declinedAt: NOW }, missing)).toMatchObject(said);
});

describe('an answer that says no for a reason that is in no table', () => {
  const no = { outcome: 'unknown', saysNo: true } as const;
  const answered = afterSubmit(attempt(), no, false, { now: NOW });
  const asked = { outcome: 'not_found', at: NOW, isDoubtful: false, isFollowed: false } as const;

  test('is no order of unknown fate, and proves nothing alone', () => {
    expect(answered).toEqual({ ...attempt(), openPosts: 0, declinedAt: NOW });
    expect(isUnsent(answered, false)).toBe(false);
    expect(withoutOrder(answered, false, 'hold')).toBe(answered);
    expect(nextStep([answered], false)).toEqual({ next: 'ask', attempt: answered });
  });

  test.each<[what: string, was: Attempt, change: Partial<Parameters<typeof declined>[1]>, isOver: boolean]>([
    ['and then "not found"', answered, {}, true],
    ['and then another answer', answered, { outcome: 'unknown' }, false],
    ['and then "pending"', answered, { outcome: 'pending' }, false],
    ['and "not found" that was asked for before', answered, { at: ago(1) }, false],
    ['beside a lost order', { ...answered, openPosts: 1 }, {}, false],
    ['after a restore', answered, { isDoubtful: true }, false],
    ['although the company has accepted it', { ...answered, state: 'accepted' }, {}, false],
    ['that was never said', attempt({ openPosts: 0 }), {}, false],
  ])('%s', (_what, was, change, isOver) => {
    const over = declined(was, { ...asked, ...change });
    if (!isOver) {
      expect(over).toBe(was);
      return;
    }
    expect(over).toEqual({ ...was, state: 'refused', cause: 'declined' });
    expect(nextStep([over], false).next).toBe('fail');
    const followed = declined(was, { ...asked, isFollowed: true });
    expect(nextStep([followed], false)).toEqual({ next: 'open', n: 2 });
  });
});

describe('the quiet time before a release', () => {
  const later = (ms: number): Date => new Date(NOW.getTime() + ms);
  const lost = attempt({ sentAt: NOW });
  const again = withOpenPost(lost, later(60_000));
  const order = { at: later(60_000), before: NOW };

  test('begins when the last order was sent whose answer is not known', () => {
    expect(isQuiet(lost, later(RELEASED_AFTER_MS - 1))).toBe(false);
    expect(isQuiet(lost, later(RELEASED_AFTER_MS))).toBe(true);
    expect(isQuiet(again, later(RELEASED_AFTER_MS))).toBe(false);
    const unanswered = afterSubmit(again, { outcome: 'unknown' }, false, { order, now: later(61_000) });
    expect(unanswered).toEqual(again);
  });

  test.each<[what: string, answer: SubmitAnswer]>([
    ['that says no', { outcome: 'unknown', saysNo: true }],
    ['that refuses the beneficiary', { outcome: 'refused', cause: 'beneficiary' }],
    ['that it was not taken', { outcome: 'not_sent' }],
  ])('does not begin anew with an order that got an answer %s', (_what, answer) => {
    const answered = afterSubmit(again, answer, false, { order, now: later(61_000) });
    expect(answered).toMatchObject({ sentAt: NOW, openPosts: 1, state: 'sending' });
    // Another order was sent meanwhile, and counts.
    const third = withOpenPost(again, later(120_000));
    const beside = afterSubmit(third, answer, false, { order, now: later(121_000) });
    expect(beside).toMatchObject({ sentAt: later(120_000), openPosts: 2 });
  });
});

test.each(ANSWERS.map((answer) => [named(answer), answer] as const))(
  '%s calls operators, or does not',
  (name, answer) => {
    expect(needsPeople(answer)).toBe(['float', 'limit', 'access'].some((cause) => name.endsWith(cause)));
  },
);

test('a payout reference gives its transfer, and any other text gives none', () => {
  const id = '01980000-0000-7000-8000-000000000001';
  expect(payoutReference(id, 12)).toMatch(/^[a-z0-9-]{16,50}$/);
  expect(transferOfPayout(payoutReference(id, 12))).toBe(id);
  expect(attemptOfPayout(payoutReference(id, 12))).toEqual({ transactionId: id, n: 12 });
  expect(transferOfPayout(id)).toBeNull();
  expect(transferOfPayout(`tx-${id}`)).toBeNull();
});

describe('a release', () => {
  test.each<[Partial<Attempt>, isDoubtful: boolean, may: boolean]>([
    [{}, false, true],
    [{ begunAt: ago(RELEASED_AFTER_MS - 1) }, false, false],
    [{}, true, false],
    [{ state: 'accepted' }, false, false],
    [{ state: 'refused' }, false, false],
  ])('%j, restored: %s: %s', (more, isDoubtful, may) => {
    expect(mayBeReleased(attempt(more), isDoubtful, NOW)).toBe(may);
  });

  test.each(ATTEMPT_STATES.map((state) => [state, state === 'sending' ? 'released' : state] as const))(
    'of an attempt that is %s leaves it %s',
    (state, left) => {
      expect(released(attempt({ state })).state).toBe(left);
    },
  );

  test('is followed by another attempt, also with an open POST', () => {
    const given = attempt({ state: 'released', openPosts: 3 });
    expect(nextStep([given], false)).toEqual({ next: 'open', n: 2 });
    expect(afterSubmit(given, { outcome: 'accepted' }, false, { now: NOW })).toBe(given);
    expect(afterQuery(given, 'success', BOTH_KEYS)).toBe(given);
  });
});
