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
  const nothing = { waiting: 0, unknown: 0, accepted: 0, oldest_at: null };
  expect(await shown()).toEqual([
    {
      name: 'paystack',
      serves: ['names', 'payouts', 'treasury'],
      asks_before_it_pays: true,
      open_attempts: nothing,
      last_callback_at: null,
    },
  ]);
  const [oldest, later] = ['2026-01-01T10:00:00.000Z', '2026-01-02T10:00:00.000Z'];
  await attempt('sending', 0, later);
  await attempt('sending', 2, oldest);
  await attempt('sending', 1, later);
  await attempt('accepted', 1, later);
  await attempt('refused', 0, '2025-01-01T10:00:00.000Z');
  await world.sql(
    `INSERT INTO ${LIVE_CELL}.provider_callbacks (id, provider, event_id, provider_reference, outcome, amount_kobo,
       currency, occurred_at, received_at, body_sealed) VALUES (gen_random_uuid(), 'paystack', 'e', 'x', 'success', 1,
       'NGN', now(), $1, 'sealed')`,
    [later],
  );
  expect(await shown()).toMatchObject([
    { open_attempts: { waiting: 1, unknown: 2, accepted: 1, oldest_at: oldest }, last_callback_at: later },
  ]);
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
