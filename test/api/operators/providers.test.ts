/** What operators see of the companies outside. */
import { openWorld, type TestApi, type World } from '../../support/api';
import type { TestOperator } from '../../support/operators';
import type { TestPartner } from '../../support/partners';
import { newId } from '../../../src/db/pg/ids';
import { LIVE_CELL } from '../../setup/cells';

let world: World;
let api: TestApi;
let ada: TestOperator;
let live: TestPartner;
beforeAll(async () => {
  world = await openWorld();
  api = await world.startApi({
    LIVE_PAYOUTS: 'paystack',
    PAYSTACK_SECRET_KEY: 'sk_test_fake',
    PAYSTACK_ASKS_FIRST: 'true',
    PAYSTACK_BASE_URL: 'http://127.0.0.1:9',
  });
  ada = await api.operator();
  live = await api.partner({ environment: 'live', status: 'active' });
});
afterAll(() => world.close());

const shown = async (environment = 'live') => (await ada.get(`/ops/${environment}/providers`)).body.data;

/** A live transfer with one attempt. */
async function attempt(state: string, openPosts: number, at: string): Promise<void> {
  const { body } = await live.post('/v1/transfers/bank', {
    source_wallet: await live.wallet({ fundKobo: 100_000 }),
    dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada' },
    amount: 10_000,
    reference: newId(),
  });
  await world.sql(
    `INSERT INTO ${LIVE_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts, created_at)
     VALUES ($1, 1, 'paystack', $2, $3, $4)`,
    [body.data.id, state, openPosts, at],
  );
}

test('each company is shown with what it serves and what is open with it', async () => {
  const nothing = {
    waiting: 0,
    unknown: 0,
    accepted: 0,
    to_authorize: 0,
    oldest_at: null,
    unknown_oldest_at: null,
  };
  expect(await shown()).toEqual([
    {
      name: 'paystack',
      serves: ['inbound', 'names', 'payouts', 'refunds', 'treasury'],
      asks_before_it_pays: true,
      // Nobody answers at the address of Paystack.
      float_kobo: null,
      float_naira: null,
      float_hours: null,
      open_breakers: [],
      open_attempts: nothing,
      last_callback_at: null,
      last_credit_at: null,
    },
  ]);
  const [oldest, later] = ['2026-01-01T10:00:00.000Z', '2026-01-02T10:00:00.000Z'];
  await attempt('sending', 0, later);
  await attempt('sending', 2, oldest);
  await attempt('sending', 1, later);
  await attempt('accepted', 1, later);
  await world.sql(
    `UPDATE ${LIVE_CELL}.transfer_attempts SET needs_authorization = true WHERE state = 'accepted'`,
  );
  await attempt('refused', 0, '2025-01-01T10:00:00.000Z');
  await world.sql(
    `INSERT INTO ${LIVE_CELL}.provider_callbacks (id, provider, event_id, provider_reference, outcome, amount_kobo,
       currency, occurred_at, received_at, body_sealed) VALUES (gen_random_uuid(), 'paystack', 'e', 'x', 'success', 1,
       'NGN', now(), $1, 'sealed')`,
    [later],
  );
  expect(await shown()).toMatchObject([
    {
      open_attempts: {
        waiting: 1,
        unknown: 2,
        accepted: 1,
        to_authorize: 1,
        oldest_at: oldest,
        unknown_oldest_at: oldest,
      },
      last_callback_at: later,
    },
  ]);
  // Those without an order: one that is sent later, and one that another company may take.
  const untaken = (await ada.get('/ops/live/untaken-transfers')).body.data as { amount_kobo: number }[];
  expect(untaken).toHaveLength(2);
  expect(untaken[0]).toEqual({
    partner_id: live.id,
    transaction_id: expect.any(String),
    amount_kobo: 10_000,
    created_at: expect.any(String),
    last_provider: 'paystack',
    last_cause: null,
  });
});

test('a company that paid without asking is shown as one that does not ask', async () => {
  await attempt('succeeded', 1, '2026-01-03T10:00:00.000Z');
  expect(await shown()).toMatchObject([{ asks_before_it_pays: false }]);
});

test('the simulator promises nothing of that; another environment is a 404', async () => {
  expect(await shown('sandbox')).toMatchObject([
    { name: 'simulator', serves: expect.arrayContaining(['accounts', 'payouts']), asks_before_it_pays: null },
  ]);
  expect((await ada.get('/ops/moon/providers')).status).toBe(404);
});

describe('the routes of payouts', () => {
  const PATH = '/ops/live/payout-routes';
  const reason = 'GTBank is slow there';

  test('are added, listed in their order, and removed, each with its rows in the trail', async () => {
    const any = { provider: 'paystack', priority: 2, reason };
    const added = await ada.post(PATH, any);
    expect(added).toMatchObject({
      status: 201,
      body: { data: { bank_code: null, from_kobo: 0, to_kobo: null, provider: 'paystack', priority: 2 } },
    });
    const first = { ...any, priority: 1, bank_code: '058', from_kobo: 100, to_kobo: 100 };
    expect((await ada.post(PATH, first)).status).toBe(201);
    const ids = async () => (await ada.get(PATH)).body.data.map(({ id }: { id: string }) => id);
    const before = await ids();
    expect(before).toEqual([expect.any(String), added.body.data.id]);

    const remove = () => ada.post(`${PATH}/${String(before[0])}/remove`, { reason });
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect(await ids()).toEqual([added.body.data.id]);
    const trail = (await ada.get('/ops/audit')).body.data as {
      action: string;
      phase: string;
      detail: object;
    }[];
    expect(trail.filter(({ phase }) => phase === 'done').map(({ action }) => action)).toEqual(
      expect.arrayContaining(['addPayoutRoute', 'removePayoutRoute']),
    );
    await ada.post(`${PATH}/${added.body.data.id}/remove`, { reason });
  });

  test.each<[what: string, body: object, field: string]>([
    ['a company that does not pay out', { provider: 'smile' }, 'provider'],
    ['a bank that nobody knows', { bank_code: '000' }, 'bank_code'],
    ['a band that ends before it begins', { from_kobo: 2, to_kobo: 1 }, 'to_kobo'],
    ['a priority of 0', { priority: 0 }, 'priority'],
    ['no reason', { reason: ' ' }, 'reason'],
  ])('%s is refused, and nothing is added', async (_what, wrong, field) => {
    const answer = await ada.post(PATH, { provider: 'paystack', priority: 1, reason, ...wrong });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(field);
    expect((await ada.get(PATH)).body.data).toEqual([]);
  });
});

test('the open attempts of all partners are listed, the oldest first', async () => {
  const { data } = (await ada.get('/ops/live/attempts')).body;
  expect(
    data.map(({ state, open_posts: open }: { state: string; open_posts: number }) => [state, open]),
  ).toEqual([
    ['sending', 2],
    ['sending', 0],
    ['sending', 1],
    ['accepted', 1],
  ]);
  expect(data[0]).toMatchObject({ partner_id: live.id, provider: 'paystack', amount_kobo: 10_000 });
});
