/**
 * What a forward makes due is bounded and paid for before anything is written (D208, D175): a request of sixty bytes is not a way
 * to have everybody wait for twenty thousand transfers. No workflow runs here, so what is due stays due.
 */
import { BYTES_PER_RUN } from '../../src/domain/storage';
import { ACTIVE_SCHEDULES_MAX } from '../../src/domain/scheduled-transfers';
import type { Answer, TestApi } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const STORAGE_BYTES = 3_000_000;
const { world, api } = apiForFile({
  SANDBOX_STORAGE_BYTES: String(STORAGE_BYTES),
  RATE_LIMIT_STARTER: '5000',
});
let roomy: TestApi;
beforeAll(async () => {
  roomy = await world.startApi({ RATE_LIMIT_STARTER: '5000' });
});
let partner: TestPartner;
let source: string;
let dest: string;
beforeEach(async () => {
  partner = (await api.partner()).at(roomy);
  [source, dest] = [await partner.wallet({ fundKobo: 1_000_000 }), await partner.wallet()];
});

const DAY_S = 86_400;
const MAX = ACTIVE_SCHEDULES_MAX.sandbox;
let reference = 0;
/** A transfer every day, an hour ago in the time of Lagos, so that each day has one due time. */
const daily = (more: object = {}, by = partner): Promise<Answer> =>
  by.post('/v1/transfers/scheduled', {
    source_wallet: source,
    dest_wallet: dest,
    amount: 100,
    reference: `plan-${String(reference++)}`,
    rule: { every: 'day', at: new Date().toISOString().slice(11, 16) },
    ...more,
  });
/** A few at once: those of one partner wait for each other. A busy machine may answer 503, which is to be repeated. */
async function many(count: number, more: object = {}, by = partner): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const length = Math.min(5, count - answers.length);
    const some = await Promise.all(Array.from({ length }, () => daily(more, by)));
    answers.push(...some.filter(({ status }) => status !== 503));
  }
  return answers;
}
const forward = (days: number, by = partner): Promise<Answer> =>
  by.post('/v1/sandbox/clock/forward', { seconds: days * DAY_S });
const tooMany = (limit: string, used: number, allowed: number) => ({
  status: 422,
  body: {
    error: 'LIMIT_EXCEEDED',
    message: expect.stringContaining(String(used)),
    detail: { limit, used, allowed },
  },
});
/** All that a forward moves. */
const state = async (): Promise<unknown> =>
  (
    await world.sql(
      `SELECT (SELECT count(*) FROM ${SANDBOX_CELL}.sandbox_forwards WHERE partner_id = $1) AS forwards,
              (SELECT string_agg(look_at::text, ',' ORDER BY id) FROM ${SANDBOX_CELL}.scheduled_transfers
                WHERE partner_id = $1) AS looks`,
      [partner.id],
    )
  )[0];

test('the hundredth scheduled transfer of a sandbox is accepted, and the next one is refused with the number', async () => {
  const made = await many(MAX - 1);
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  const last = await Promise.all([daily(), daily(), daily()]);
  expect(last.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  expect(await daily()).toMatchObject(tooMany('active_scheduled_transfers', MAX, MAX));
  await partner.post(`/v1/transfers/scheduled/${made[0]!.body.data.id}/cancel`);
  expect((await daily()).status).toBe(201);

  const live = await api.partner({ environment: 'live', status: 'active' });
  const [from, to] = [await live.wallet(), await live.wallet()];
  const more = await many(MAX + 1, { source_wallet: from, dest_wallet: to }, live);
  expect(new Set(more.map(({ status }) => status))).toEqual(new Set([201]));
});

test('a thousand runs may be due, and one more is refused with the number before anything has moved', async () => {
  await many(MAX);
  expect((await forward(10)).body.moved.scheduled_transfers).toBe(MAX);
  const before = await state();
  expect(await forward(1)).toMatchObject(tooMany('forwarded_runs', 1_100, 1_000));
  expect(await forward(30)).toMatchObject(tooMany('forwarded_runs', 4_000, 1_000));
  expect(await state()).toEqual(before);
  // An hour makes nothing more due.
  expect((await forward(1 / 24)).status).toBe(200);
});

test('of ten forwards at once no more are carried out than a thousand runs allow', async () => {
  await many(MAX);
  const answers = await Promise.all(Array.from({ length: 10 }, () => forward(3)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
});

test('scheduled transfers that are made beside a forward are in its count, or after it', async () => {
  await many(60);
  await Promise.all([forward(10), many(40), forward(6)]);
  const due = await forward(30);
  const { used } = due.body.detail as { used: number };
  const made = await many(1);
  expect(made[0]!.body.error).toBe('LIMIT_EXCEEDED');
  // Each of the forty was made before both forwards, between them, or after both.
  expect(used).toBeLessThanOrEqual(60 * (30 + 16) + 40 * (30 + 16));
  expect(used).toBeGreaterThanOrEqual(MAX * 30);
});

test('tries of due times that may want money are counted as well', async () => {
  await many(8, { on_insufficient_funds: 'retry' });
  // Each of 8 x 30 due times is tried 48 times more, if money is missing; those of the last day less often.
  const refused = await forward(30);
  const { used } = refused.body.detail as { used: number };
  expect(refused).toMatchObject(tooMany('forwarded_tries', used, 10_000));
  expect(used).toBeGreaterThan(8 * 28 * 48);
  expect((await forward(20)).status).toBe(200);
});

test('a sandbox without room for what the runs write is not forwarded', async () => {
  const poor = partner.at(api);
  await many(40);
  const refused = await forward(10, poor);
  expect(refused).toMatchObject({
    status: 422,
    body: {
      error: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(String(400 * BYTES_PER_RUN)),
      detail: { limit: 'sandbox_storage_bytes', allowed: STORAGE_BYTES },
    },
  });
  expect((await forward(1, poor)).status).toBe(200);
});

test('a forward counts as a write, and so does what workers write later because of a request', async () => {
  const used = async (): Promise<number> => (await partner.get('/v1/sandbox/storage')).body.used_bytes;
  const grown = async (by: () => Promise<Answer>): Promise<number> => {
    const before = await used();
    expect((await by()).status).toBeLessThan(300);
    return (await used()) - before;
  };
  expect(await grown(() => forward(1))).toBeGreaterThan(4_096);
  const line = () => ({
    source_wallet: source,
    dest_wallet: dest,
    amount: 100,
    reference: `line-${String(reference++)}`,
  });
  const transfers = Array.from({ length: 20 }, line);
  expect(
    await grown(() =>
      partner.post('/v1/transfers/bulk', { reference: `bulk-${String(reference++)}`, transfers }),
    ),
  ).toBeGreaterThan(21 * 4_096);
});

test('rows of the log of requests count where they are many', async () => {
  const used = async (): Promise<number> => (await partner.get('/v1/sandbox/storage')).body.used_bytes;
  const look = async (times: number): Promise<void> => {
    for (let done = 0; done < times; done += 50) {
      await Promise.all(Array.from({ length: 50 }, () => partner.get(`/v1/wallets/${source}`)));
    }
  };
  const before = await used();
  await look(900);
  expect(await used()).toBe(before);
  await look(500);
  expect((await used()) - before).toBeGreaterThan(300 * 384);
});
