/** What happened to a transaction, from wherever it is kept (D194). */
import type { Pool } from 'pg';
import { claimDue, recordAttempts, type AttemptResult } from '../../src/db/events/deliveries';
import { FAILED_DELIVERIES_MAX } from '../../src/db/ledger/timeline';
import { openPool } from '../../src/db/pg/postgres';
import type { Json } from '../support/api';
import { asLogin } from '../support/logins';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';
import { TEST_SEALING } from '../support/sealing';

const { world, api } = apiForFile();
const ABSENT = '01980000-0000-7000-8000-00000000dead';
const NOTHING = {
  what: null,
  actor: null,
  status: null,
  error: null,
  duration_ms: null,
  request_id: null,
  event_id: null,
  endpoint_id: null,
  transaction_id: null,
  entry_ids: [],
};

let worker: Pool;
let partner: TestPartner;
let endpoint: string;
let wallet: string;
beforeAll(async () => {
  worker = openPool(asLogin(world.databaseUrl, 'sandbox_worker'), 2, 10_000, () => undefined);
  partner = await api.partner();
  const asked = { url: 'https://partner.example/webhooks', events: ['transaction.completed'] };
  endpoint = (await partner.post('/v1/webhooks', asked)).body.data.id;
  wallet = await partner.wallet({ fundKobo: 1_000_000 });
});
afterAll(() => worker.end());

/** Requests come a moment later: api/requests. */
const timeline = async (id: string): Promise<Json[]> =>
  (await partner.get(`/v1/transactions/${id}/timeline`)).body.data.filter(
    ({ kind }: Json) => kind !== 'request',
  );
const fund = async (): Promise<string> =>
  (await partner.post(`/v1/sandbox/wallets/${wallet}/fund`, { amount_kobo: 100 })).body.transaction_id;

/** Plays the dispatcher: takes what is due and notes how each attempt ended. */
async function attempt(end: Partial<AttemptResult>): Promise<void> {
  const cell = { pool: worker, schema: SANDBOX_CELL, sealing: TEST_SEALING };
  const due = await claimDue(cell, endpoint, { limit: 100, forMs: 60_000 });
  const results = due.map(({ eventId, attempts }) => ({
    ...{ eventId, attempts, delivered: false, status: null, error: null, durationMs: 12, retryAfterMs: 0 },
    ...end,
  }));
  await recordAttempts(cell, endpoint, results, { now: false, afterMs: 1e9 }, 0);
}

test('a payment shows its entries on both wallets, its event, and every attempt to deliver it', async () => {
  const dest = await partner.wallet();
  await attempt({ delivered: true, status: 200 });
  const body = { source_wallet: wallet, dest_wallet: dest, amount: 1_000, reference: 'seen' };
  const { id } = (await partner.post('/v1/transfers/p2p', body)).body.data;
  await attempt({ error: 'connection refused' });
  await world.sql(`UPDATE ${SANDBOX_CELL}.deliveries SET next_attempt_at = now() WHERE endpoint_id = $1`, [
    endpoint,
  ]);
  await attempt({ delivered: true, status: 204, durationMs: 34 });

  const items = await timeline(id);
  const [event] = (await partner.get(`/v1/events?resource_id=${id}`)).body.data;
  const entries = await Promise.all(
    [wallet, dest].map(
      async (one) => (await partner.get(`/v1/wallets/${one}/ledger?limit=1`)).body.data[0].id,
    ),
  );
  const delivery = { ...NOTHING, what: 'transaction.completed', event_id: event.id, endpoint_id: endpoint };
  expect(items.map(({ at: _at, title: _title, ...item }) => item)).toEqual([
    { ...NOTHING, kind: 'ledger', what: 'accept', entry_ids: entries },
    { ...NOTHING, kind: 'event', what: 'transaction.completed', event_id: event.id },
    { ...delivery, kind: 'delivery', error: 'connection refused', duration_ms: 12 },
    { ...delivery, kind: 'delivery', status: '204', duration_ms: 34 },
  ]);
  expect(items.every(({ title }) => /^[A-Z].* /.test(title))).toBe(true);
  const times = items.map(({ at }) => at);
  expect(times).toEqual([...times].sort());
});

test('a payout shows its attempts, what the company reported, and its reversal; the reversal shows the payout', async () => {
  const account = { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' };
  const body = { source_wallet: wallet, dest_account: account, amount: 100, reference: 'back' };
  const { id } = (await partner.post('/v1/transfers/bank', body)).body.data;
  const back = await fund();
  await world.sql(
    `WITH sent AS (
       INSERT INTO ${SANDBOX_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts)
       VALUES ($1, 1, 'paystack', 'failed', 0)),
     told AS (
       INSERT INTO ${SANDBOX_CELL}.provider_callbacks
         (id, provider, event_id, partner_id, transaction_id, provider_reference, outcome, amount_kobo, currency, occurred_at)
       VALUES (uuidv7(), 'paystack', $1, $3, $1, 'ref', 'failed', 100, 'NGN', now()))
     INSERT INTO ${SANDBOX_CELL}.reversals (original_id, reversal_id) VALUES ($1, $2)`,
    [id, back, partner.id],
  );
  const seen = (await timeline(id)).map(({ kind, what, status, transaction_id: other }) => [
    kind,
    what,
    status,
    other,
  ]);
  expect(seen).toEqual(
    expect.arrayContaining([
      ['ledger', 'accept', null, null],
      ['provider', null, 'failed', null],
      ['callback', null, 'failed', null],
      ['reversal', null, null, back],
    ]),
  );
  expect(seen).toHaveLength(4);
  expect(await timeline(back)).toContainEqual(
    expect.objectContaining({ kind: 'reversal', transaction_id: id }),
  );
});

test('a USSD payment shows its session, every PIN of the payer, and an order to pay it', async () => {
  const asked = {
    wallet_id: wallet,
    merchant_wallet_id: await partner.wallet(),
    amount: 100,
    reference: 'dialled',
    phone: '+2348012345678',
  };
  const opened = (await partner.post('/v1/payments/ussd/initiate', asked)).body.data;
  const { transaction_id: id, created_at: openedAt } = (
    await partner.get(`/v1/payments/ussd/${opened.session_id}`)
  ).body.data;
  expect((await timeline(id)).filter(({ kind }) => kind === 'ussd')).toMatchObject([
    { ...NOTHING, at: openedAt, what: 'opened' },
  ]);
  await world.sql(
    `WITH ended AS (
       UPDATE ${SANDBOX_CELL}.ussd_sessions SET status = 'completed', updated_at = now() + interval '9 s'
        WHERE transaction_id = $1 RETURNING id),
     guessed AS (
       INSERT INTO ${SANDBOX_CELL}.ussd_pin_attempts
         (id, partner_id, session_id, gateway_session, hop, number, outcome, counted_at, decided_at)
       SELECT uuidv7(), $2, ended.id, 'g', n, n, outcome, now() + n * interval '1 s',
              CASE WHEN outcome IS NOT NULL THEN now() END
         FROM ended, (VALUES (1, 'pin_rejected'), (2, NULL)) AS given(n, outcome))
     INSERT INTO ${SANDBOX_CELL}.hand_orders (id, partner_id, kind, resource_id, verdict, actor, ordered_at, used_at)
     SELECT uuidv7(), $2, 'pay_ussd', ended.id, 'confirmed', 'sandbox', now() + interval '5 s', now() FROM ended`,
    [id, partner.id],
  );
  const seen = (await timeline(id)).map(({ kind, what, actor, status }) => [kind, what, actor, status]);
  expect(seen).toEqual([
    ['ussd', 'opened', null, null],
    ['ussd', 'pin', 'payer', 'pin_rejected'],
    ['ussd', 'pin', 'payer', null],
    ['operator', 'confirmed', 'sandbox', 'carried_out'],
    ['ussd', 'ended', null, 'completed'],
  ]);
});

test('an order of an operator does not say whose it was', async () => {
  const id = await fund();
  await world.sql(
    `INSERT INTO ${SANDBOX_CELL}.hand_orders (id, partner_id, kind, resource_id, verdict, reason, actor)
     SELECT uuidv7(), partner, 'settle_transfer', $1, 'failed', 'checked', 'op-17'
       FROM (VALUES ($2::uuid), (uuidv7())) AS given(partner)`,
    [id, partner.id],
  );
  const found = (await timeline(id)).filter(({ kind }) => kind === 'operator');
  expect(found).toMatchObject([{ ...NOTHING, what: 'failed', actor: 'operator', status: 'ordered' }]);
  expect(JSON.stringify(found)).not.toMatch(/op-17|checked/);
});

test('of failed deliveries the newest are shown, and no more than the page says', async () => {
  const id = await fund();
  const [event] = (await partner.get(`/v1/events?resource_id=${id}`)).body.data;
  await world.sql(
    `INSERT INTO ${SANDBOX_CELL}.delivery_tries (id, event_id, endpoint_id, at, status, duration_ms)
     SELECT uuidv7(), $1, $2, now() + n * interval '1 second', 500, n FROM generate_series(1, 250) AS n`,
    [event.id, endpoint],
  );
  const failed = (await timeline(id)).filter(({ kind }) => kind === 'delivery');
  expect(failed).toHaveLength(FAILED_DELIVERIES_MAX);
  expect([failed[0]!.duration_ms, failed.at(-1)!.duration_ms]).toEqual([51, 250]);
});

test.each([ABSENT, 'x'])('of transaction %s: 404', async (id) => {
  expect(await partner.get(`/v1/transactions/${id}/timeline`)).toMatchObject({
    status: 404,
    body: { error: 'NOT_FOUND' },
  });
});
