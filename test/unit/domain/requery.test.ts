/**
 * The schedule of status queries: 10 s to an hour, hourly to a day, every six hours to three days, then none
 * (D58).
 */
import { readConfig } from '../../../src/runtime/config';
import { waitBeforeAsking } from '../../../src/domain/requery';
import { TEST_SECRETS } from '../../support/settings';

const S = 1_000;
const M = 60 * S;
const H = 60 * M;
const config = readConfig({ DATABASE_URL: 'postgres://127.0.0.1', ...TEST_SECRETS });
const PUBLISHED = {
  waitsMs: config.TRANSFER_REQUERY_MS,
  lateAfterMs: config.TRANSFER_ALERT_AFTER_MS,
  lateEveryMs: config.TRANSFER_LATE_REQUERY_MS,
  untilMs: config.TRANSFER_REQUERY_UNTIL_MS,
};

/** All waits when the provider answers at once and never knows the outcome. */
function waits(): number[] {
  const all: number[] = [];
  for (let ageMs = 0, asked = 0; ; asked++) {
    const wait = waitBeforeAsking(PUBLISHED, asked, ageMs);
    if (wait === null) return all;
    all.push(wait);
    ageMs += wait;
  }
}

test('the waits one after the other', () => {
  const all = waits();
  expect(all.slice(0, 8)).toEqual([10 * S, 30 * S, 60 * S, 2 * M, 5 * M, 15 * M, 30 * M, H]);
  const hourly = all.slice(8).filter((wait) => wait === H);
  const late = all.slice(8 + hourly.length);
  expect(all[8 + hourly.length - 1]).toBe(H);
  expect(new Set(late)).toEqual(new Set([6 * H]));
  expect(all.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(72 * H);
});

test.each([
  ['the first question', 0, 0, 10 * S],
  ['the eighth', 7, H, H],
  ['the hundredth, within the day', 99, 24 * H - 1, H],
  ['at a day', 3, 24 * H, 6 * H],
  ['just before three days', 99, 72 * H - 1, 6 * H],
  ['at three days', 99, 72 * H, null],
])('%s', (_what, asked, ageMs, expected) => {
  expect(waitBeforeAsking(PUBLISHED, asked, ageMs)).toBe(expected);
});
