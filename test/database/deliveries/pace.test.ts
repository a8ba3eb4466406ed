/** Posts to one host are paced for all partners and processes together (D236). */
import { takePosts, type Grant } from '../../../src/db/events/webhook-hosts';
import { openTestCell, type TestCell } from '../../support/cell';

let cell: TestCell;
let at: { pool: TestCell['cell']['pool']; directory: string };
let host: string;
let made = 0;
beforeAll(async () => {
  cell = await openTestCell();
  at = { pool: cell.cell.pool, directory: 'sandbox_directory' };
});
beforeEach(() => {
  host = `host-${String(++made)}.example`;
});
afterAll(() => cell.close());

/** So slow that none becomes free during a test. */
const SLOW = 1 / 3_600;
const take = (
  wanted: number,
  more: { trials?: boolean; perSecond?: number; host?: string } = {},
): Promise<Grant> => takePosts(at, { host, trials: false, perSecond: SLOW, ...more }, wanted);
/** What was granted is sent at its pace: time passes for the host. */
const pass = (seconds: number) =>
  cell.sql(
    `UPDATE sandbox_directory.webhook_hosts SET busy_until = busy_until - $2 * interval '1 second' WHERE host = $1`,
    [host, seconds],
  );

test('so many go at once as in three seconds, and no more', async () => {
  expect(await take(30, { perSecond: 50 })).toEqual({ posts: 30, waitMs: 0 });
  const { posts, waitMs } = await take(5_000, { perSecond: 50 });
  // The machine may have taken its time between the two.
  expect(posts).toBeGreaterThanOrEqual(120);
  expect(posts).toBeLessThanOrEqual(150);
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(3_000);
});

test('the third is refused at the slowest pace, with the time until half of what goes at once is free', async () => {
  expect(await take(2)).toEqual({ posts: 2, waitMs: 0 });
  const refused = await take(1);
  expect(refused.posts).toBe(0);
  expect(refused.waitMs).toBeGreaterThan(3_590_000);
  expect(refused.waitMs).toBeLessThanOrEqual(3_600_000);
  await pass(3_600);
  expect(await take(2)).toMatchObject({ posts: 1 });
  await pass(100 * 3_600);
  expect(await take(5)).toMatchObject({ posts: 2 });
});

test('of twenty at once no more are granted than one alone would get', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => take(1)));
  expect(all.filter(({ posts }) => posts === 1)).toHaveLength(2);
});

test('another host has a pace of its own, and so have endpoints on trial', async () => {
  await take(2);
  expect((await take(1)).posts).toBe(0);
  expect((await take(1, { host: `other-${host}` })).posts).toBe(1);
  expect((await take(1, { trials: true })).posts).toBe(1);
});
