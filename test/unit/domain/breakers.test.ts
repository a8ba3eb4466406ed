/** When the breaker before a company opens, and when it closes again; and how the calls of a minute are shared. */
import {
  afterCall,
  BREAKER_CALLS,
  BREAKER_OPEN_MS,
  BREAKER_WINDOW_MS,
  closedForMs,
  newBreaker,
  openForMs,
  withCall,
  type Breaker,
} from '../../../src/domain/breakers';
import { placesOf } from '../../../src/domain/call-limits';

const START = new Date('2026-03-01T12:00:00Z');
const at = (ms: number): Date => new Date(START.getTime() + ms);

/** A breaker after these answers: `?` is unknown, `.` anything else; each comes a second after the one before. */
const after = (answers: string, everyMs = 1_000): Breaker =>
  answers
    .split('')
    .reduce(
      (breaker, answer, place) => afterCall(breaker, answer === '?', at(place * everyMs)),
      newBreaker(START),
    );

const HALF = BREAKER_CALLS / 2;

describe('whether a breaker is open', () => {
  test.each<[what: string, breaker: Breaker, isOpen: boolean]>([
    ['no call', newBreaker(START), false],
    ['half of the calls unknown', after('.?'.repeat(HALF)), true],
    ['one unknown less', after(`${'.?'.repeat(HALF - 1)}..`), false],
    ['the unknown ones first', after('?'.repeat(HALF)), true],
    ['one less of them', after('?'.repeat(HALF - 1)), false],
    [
      'half of them, the last one in the next window of calls',
      after(`${'.'.repeat(HALF + 1)}${'?'.repeat(HALF)}`),
      false,
    ],
    ['half of them, the last one within the minute', after('?'.repeat(HALF), BREAKER_WINDOW_MS / HALF), true],
    [
      'half of them, the last one a minute after the first',
      after('?'.repeat(HALF), Math.ceil(BREAKER_WINDOW_MS / (HALF - 1))),
      false,
    ],
  ])('after %s', (_what, breaker, isOpen) => {
    expect(breaker.openUntil !== null).toBe(isOpen);
  });
});

describe('an open breaker', () => {
  const open = after('?'.repeat(HALF), 0);

  test('lets nothing through for 30 seconds, and then one probe', () => {
    expect(closedForMs(open, START)).toBe(BREAKER_OPEN_MS);
    expect(withCall(open, at(BREAKER_OPEN_MS - 1))).toBe(open);
    expect(closedForMs(open, at(BREAKER_OPEN_MS))).toBe(0);
    const probing = withCall(open, at(BREAKER_OPEN_MS));
    expect(probing.isProbing).toBe(true);
    expect(closedForMs(probing, at(BREAKER_OPEN_MS))).toBe(BREAKER_OPEN_MS);
  });

  test('does not hear the answers to orders that were sent before it opened', () => {
    expect(afterCall(open, false, at(1))).toBe(open);
  });

  test('closes when the probe is answered, and stays open for 30 seconds more when it is not', () => {
    const probing = withCall(open, at(BREAKER_OPEN_MS));
    const end = at(BREAKER_OPEN_MS + 12_000);
    expect(afterCall(probing, false, end)).toEqual(newBreaker(end));
    const still = afterCall(probing, true, end);
    expect(closedForMs(still, end)).toBe(BREAKER_OPEN_MS);
    expect(still).toMatchObject({ isProbing: false, openedAt: START });
  });

  test('sends another probe when the first one was never heard of', () => {
    const probing = withCall(open, at(BREAKER_OPEN_MS));
    expect(closedForMs(probing, at(2 * BREAKER_OPEN_MS))).toBe(0);
  });
});

test.each([
  [600, 200, 400],
  [100, 33, 67],
  [4, 1, 3],
])('of %d calls a minute questions have %d and orders %d', (all, questions, orders) => {
  expect(placesOf(all)).toEqual({ questions, orders });
});

test.each<[what: string, openUntilMs: number | null, nowMs: number, expected: number]>([
  ['closed', null, 600_000, 0],
  ['open, and a probe was lost just now', 400_000, 390_000, 390_000],
  ['nobody has tried for almost two minutes', 400_000, 519_999, 519_999],
  ['nobody has tried for two minutes', 400_000, 520_000, 0],
])('for how long orders are kept back: %s', (_what, openUntilMs, nowMs, expected) => {
  const openUntil = openUntilMs === null ? null : at(openUntilMs);
  expect(openForMs({ openedAt: openUntil && START, openUntil }, at(nowMs))).toBe(expected);
});
