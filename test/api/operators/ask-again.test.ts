/**
 * An operator asks the companies of a transfer again. What they say is booked, with the API's own login; nobody approves it,
 * because nobody decides anything. And what an API does about a company that gets no orders any more, or has lost its keys.
 */
import { openWorld, type TestApi, type World } from '../../support/api';
import { saying, withFake } from '../../support/fakes';
import { forgetLog, logLines } from '../../support/log';
import { approvedBy, type TestOperator } from '../../support/operators';
import type { TestPartner } from '../../support/partners';
import { REHEARSAL } from '../../support/settings';
import { until } from '../../support/until';
import { newId } from '../../../src/db/pg/ids';
import type { QueryOutcome } from '../../../src/domain/payouts';
import { LIVE_CELL } from '../../setup/cells';

let world: World;
let api: TestApi;
let live: TestPartner;
let ada: TestOperator;
let bola: TestOperator;
let says: QueryOutcome;

beforeAll(async () => {
  world = await openWorld(REHEARSAL);
  api = await world.startApi({}, (environment) =>
    withFake(environment, ({ name, payouts }) => ({
      name,
      payouts: {
        ...payouts,
        query: () => Promise.resolve(saying(says, { saidCode: 'a_code', reason: 'In our words' })),
      },
    })),
  );
  live = await api.partner({ environment: 'live', status: 'active' });
  ada = await api.operator();
  bola = await api.operator();
});
afterAll(() => world.close());

const pathOf = (id: string) => `/ops/live/partners/${live.id}/bank-transfers/${id}`;
const ask = (id: string, by = ada) => by.post(`${pathOf(id)}/ask`, {});

/** A live transfer with one attempt; two people have ended it, as after an outage. */
async function transfer(to: 'completed' | 'failed' | null, state: string, provider = 'simulator') {
  const walletId = await live.wallet({ fundKobo: 100_000 });
  const { body } = await live.post('/v1/transfers/bank', {
    source_wallet: walletId,
    dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA' },
    amount: 10_000,
    reference: newId(),
  });
  const id = body.data.id as string;
  await world.sql(
    `INSERT INTO ${LIVE_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts)
     VALUES ($1, 1, $2, $3, 1)`,
    [id, provider, state],
  );
  if (to) {
    says = 'unknown';
    const evidence = { to, note: 'Seen on the statement', evidence_ref: 'NIBSS-1' };
    expect((await approvedBy(await ada.post(`${pathOf(id)}/resolve`, evidence), bola)).status).toBe(200);
  }
  const balance = async () => {
    const [row] = await world.sql(`SELECT balance_kobo FROM ${LIVE_CELL}.accounts WHERE id = $1`, [walletId]);
    return Number(row?.['balance_kobo']);
  };
  const status = async () => (await live.get(`/v1/transactions/${id}`)).body.data.status as string;
  return { id, balance, status };
}

test('a return after success is given back by one operator, once', async () => {
  const sent = await transfer('completed', 'succeeded');
  const before = await sent.balance();
  says = 'reversed';
  const said = { n: 1, provider: 'simulator', says: 'reversed', code: 'a_code', reason: 'In our words' };
  expect(await ask(sent.id)).toMatchObject({
    status: 200,
    body: { data: { status: 'reversed', said: [{ ...said, followed_by: 'taken_back' }] } },
  });
  expect(await sent.status()).toBe('reversed');
  const after = await sent.balance();
  expect(after - before).toBe(10_000 + 5_000);
  await ask(sent.id);
  expect(await sent.balance()).toBe(after);
});

test('a payment after failure is booked without a debit of the wallet, once', async () => {
  const sent = await transfer('failed', 'failed');
  const before = await sent.balance();
  says = 'success';
  for (let times = 0; times < 2; times++) {
    expect(await ask(sent.id)).toMatchObject({
      status: 200,
      body: { data: { status: 'failed', said: [{ says: 'success', followed_by: 'booked_late' }] } },
    });
  }
  expect(await sent.balance()).toBe(before);
  const booked = await world.sql(
    `SELECT amount_kobo FROM ${LIVE_CELL}.transactions
      WHERE type = 'late_payout' AND metadata->>'original_transaction_id' = $1`,
    [sent.id],
  );
  expect(booked).toHaveLength(1);
  const { body } = await ada.get('/ops/live/findings');
  expect(body.data).toContainEqual(expect.objectContaining({ class: 'paid_after_all', resource: sent.id }));
});

test('a company that says nothing new changes nothing, and the trail has what it said', async () => {
  const sent = await transfer('completed', 'succeeded');
  says = 'not_found';
  const asked = await ask(sent.id);
  expect(asked).toMatchObject({ status: 200, body: { data: { said: [{ followed_by: 'nothing' }] } } });
  const rows = await world.sql('SELECT phase, detail FROM platform.audit WHERE request_id = $1', [
    asked.headers.get('x-request-id'),
  ]);
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).toContain('not_found');
});

test('only a transfer to a bank can be asked about, with its own partner', async () => {
  expect(await ask(newId())).toMatchObject({ status: 404 });
  const sent = await transfer(null, 'accepted');
  const other = await api.partner({ environment: 'live', status: 'active' });
  const path = `/ops/live/partners/${other.id}/bank-transfers/${sent.id}/ask`;
  expect(await ada.post(path, {})).toMatchObject({ status: 404 });
});

describe('a company that gets no orders any more', () => {
  const ready = async ({ operatorPort }: TestApi) => {
    const answer = await fetch(`http://127.0.0.1:${String(operatorPort)}/ready`);
    return { status: answer.status, body: (await answer.json()) as { why: string[]; checks: object } };
  };
  const KEYS = { PAYSTACK_SECRET_KEY: 'sk_test_fake', PAYSTACK_BASE_URL: 'http://127.0.0.1:9' };

  test('and has lost its keys: the start says so with the company and the number, and is not ready', async () => {
    for (let sent = 0; sent < 2; sent++) await transfer(null, 'accepted', 'paystack');
    forgetLog();
    const without = await world.startApi();
    await until('the line in the log', () =>
      Promise.resolve(logLines().find((line) => line['provider'] === 'paystack' && line['open'] === 2)),
    );
    expect(await ready(without)).toMatchObject({
      status: 503,
      body: {
        why: ['2 orders are open in live with paystack, which cannot be asked: its keys are missing'],
        checks: { companies: false, postgres: true, cells: true },
      },
    });
    // An order that provably nobody has waits for no company.
    await world.sql(
      `UPDATE ${LIVE_CELL}.transfer_attempts SET state = 'sending', open_posts = 0 WHERE provider = 'paystack'`,
    );
    expect(await ready(without)).toMatchObject({ status: 200, body: { checks: { companies: true } } });
  });

  test('and has its keys: it is asked, and nothing else', async () => {
    const sent = await transfer(null, 'accepted', 'paystack');
    const former = await world.startApi(KEYS);
    expect(await ready(former)).toMatchObject({ status: 200 });
    const operator = await former.operator();
    // Nobody answers at its address.
    expect(await operator.post(`${pathOf(sent.id)}/ask`, {})).toMatchObject({
      status: 200,
      body: { data: { said: [{ provider: 'paystack', says: 'unknown', followed_by: 'workflow_told' }] } },
    });
    const { body } = await operator.get('/ops/live/providers');
    expect(body.data).toContainEqual(expect.objectContaining({ name: 'paystack', serves: ['former'] }));
  });
});
