/** How long somebody waits after wrong sign-ins in a row, and when the count begins anew. */
import { ATTEMPT_RULES, waitOf, withOneMore, type AttemptRule } from '../../../src/domain/sign-in-attempts';

const START = new Date('2026-11-23T10:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const later = (ms: number): Date => new Date(START.getTime() + ms);

/** The minutes of waiting after so many wrong ones in a row and one more. */
const minutesAfter = (inARow: number, rule: AttemptRule): number => {
  const after = withOneMore({ inARow, lastAt: START, waitUntil: null }, rule, START);
  return (waitOf(after, START) ?? 0) / MINUTE_MS;
};

test.each([
  [0, 0],
  [8, 0],
  [9, 1],
  [10, 2],
  [11, 4],
  [12, 8],
  [13, 15],
  [99, 15],
])('an account with %d wrong ones waits %d minutes after one more', (inARow, minutes) => {
  expect(minutesAfter(inARow, ATTEMPT_RULES.account)).toBe(minutes);
});

test.each([
  [48, 0],
  [49, 1],
  [53, 15],
])('a network with %d wrong ones waits %d minutes after one more', (inARow, minutes) => {
  expect(minutesAfter(inARow, ATTEMPT_RULES.network)).toBe(minutes);
});

test.each<[who: keyof typeof ATTEMPT_RULES, forgottenAfterMs: number]>([
  ['account', 24 * HOUR_MS],
  ['network', HOUR_MS],
])('the count of an %s begins anew after its time, and not at its end', (who, forgottenAfterMs) => {
  const before = { inARow: 7, lastAt: START, waitUntil: null };
  const inARowAfter = (ms: number): number => withOneMore(before, ATTEMPT_RULES[who], later(ms)).inARow;
  expect(inARowAfter(forgottenAfterMs)).toBe(8);
  expect(inARowAfter(forgottenAfterMs + 1)).toBe(1);
});

test('a wait is over at its end', () => {
  const waitUntil = later(MINUTE_MS);
  expect(waitOf({ waitUntil }, later(MINUTE_MS - 1))).toBe(1);
  expect(waitOf({ waitUntil }, waitUntil)).toBeNull();
});
