/** Events and deliveries looked up, sent again and recovered; endpoints changed (D191, D192). */
import type { Pool } from 'pg';
import { claimDue, findTarget, recordAttempts, type AttemptResult } from '../../src/db/events/deliveries';
import { openPool } from '../../src/db/pg/postgres';
import type { Answer, Json } from '../support/api';
import { asLogin } from '../support/logins';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';
import { TEST_SEALING } from '../support/sealing';

const { world, api } = apiForFile();
const ABSENT = '01980000-0000-7000-8000-00000000dead';
const URL = 'https://partner.example/webhooks';

let worker: Pool;
beforeAll(() => {
  worker = openPool(asLogin(world.databaseUrl, 'sandbox_worker'), 2, 10_000, () => undefined);
});
afterAll(() => worker.end());

let partner: TestPartner;
let endpoint: string;
let wallet: string;
beforeEach(async () => {
  partner = await api.partner();
  opened = 0;
  endpoint = await open(['transaction.completed']);
  wallet = await partner.wallet();
});

let opened = 0;
/** The first one of a test has `URL`. */
const open = async (events: string[]): Promise<string> => {
  const url = opened === 0 ? URL : `${URL}/${String(opened)}`;
  opened++;
  return (await partner.post('/v1/webhooks', { url, events })).body.data.id;
};
const fund = async (): Promise<string> =>
  (await partner.post(`/v1/sandbox/wallets/${wallet}/fund`, { amount_kobo: 100 })).body.transaction_id;
const deliveries = (query = ''): Promise<Answer> =>
  partner.get(`/v1/webhooks/${endpoint}/deliveries${query}`);
const eventOf = async (resource: string): Promise<Json> =>
  (await partner.get(`/v1/events?resource_id=${resource}`)).body.data[0];
const detail = async (eventId: string): Promise<Json> =>
  (await partner.get(`/v1/webhooks/${endpoint}/deliveries/${eventId}`)).body.data;
const change = (body: object): Promise<Answer> =>
  api.call('PATCH', `/v1/webhooks/${endpoint}`, { key: partner.key, body });

/** Plays the dispatcher: takes what is due and notes how each attempt ended. */
async function attempt(end: Partial<Omit<AttemptResult, 'eventId' | 'attempts'>>): Promise<number> {
  const cell = { pool: worker, schema: SANDBOX_CELL, sealing: TEST_SEALING };
  const due = await claimDue(cell, endpoint, { limit: 100, forMs: 60_000 });
  const results = due.map(({ eventId, attempts }) => ({
    eventId,
    attempts,
    delivered: false,
    status: null,
    error: null,
    durationMs: 12,
    retryAfterMs: null,
    ...end,
  }));
  await recordAttempts(cell, endpoint, results, { now: false, afterMs: 1e9 }, 0);
  return due.length;
}
const FAILS = { status: 500, retryAfterMs: null };
const ARRIVES = { delivered: true, status: 200 };

describe('the events of a partner', () => {
  test('each is shown with what deliveries carry, and with what became of them', async () => {
    const transaction = await fund();
    const event = await eventOf(transaction);
    expect(event).toEqual({
      id: expect.any(String),
      event: 'transaction.completed',
      resource_id: transaction,
      data: expect.objectContaining({ id: transaction, amount_kobo: 100 }),
      created_at: expect.any(String),
      webhook_id: expect.stringMatching(/^wh_[0-9a-f]{32}$/),
      deliveries: { pending: 1, delivered: 0, failed: 0 },
    });
    expect((await partner.get(`/v1/events/${event.id}`)).body.data).toEqual(event);
  });

  test('are listed newest first, in pages, and by kind', async () => {
    const made = [await fund(), await fund(), await fund()];
    const first = await partner.get('/v1/events?limit=2&event=transaction.completed');
    const rest = await partner.get(
      `/v1/events?limit=2&event=transaction.completed&cursor=${first.body.meta.next_cursor}`,
    );
    const seen = [...first.body.data, ...rest.body.data].map((event: Json) => event.resource_id);
    expect(seen).toEqual(made.reverse());
    expect(rest.body.meta).toMatchObject({ has_more: false, next_cursor: null });
    const activated = await partner.get('/v1/events?event=wallet.activated');
    expect(activated.body.data.map((event: Json) => event.resource_id)).toEqual([wallet]);
  });

  test('undelivered are those that have not arrived everywhere', async () => {
    await fund();
    await attempt(ARRIVES);
    const lost = await fund();
    await attempt(FAILS);
    const waiting = await fund();
    const { body } = await partner.get('/v1/events?undelivered=true');
    expect(body.data.map((event: Json) => event.resource_id)).toEqual([waiting, lost]);
  });

  test('a page with a filter walks past a thousand events at most, and the next one goes on', async () => {
    const oldest = await fund();
    await world.sql(
      `INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
       SELECT uuidv7(), $1, 'kyc.verified', uuidv7(), '{}', now() FROM generate_series(1, 1500)`,
      [partner.id],
    );
    const first = await partner.get('/v1/events?event=transaction.completed');
    expect(first.body).toMatchObject({ data: [], meta: { has_more: true } });
    const second = await partner.get(
      `/v1/events?event=transaction.completed&cursor=${first.body.meta.next_cursor}`,
    );
    expect(second.body).toMatchObject({ data: [{ resource_id: oldest }], meta: { has_more: false } });
  });

  test.each(['event=wallet.sold', 'resource_id=x', 'undelivered=false', 'since=2026-01-01'])(
    '%s: 422',
    async (query) => {
      expect((await partner.get(`/v1/events?${query}`)).body.error).toBe('VALIDATION_ERROR');
    },
  );

  test('another partner sees none of them', async () => {
    const transaction = await fund();
    const { id } = await eventOf(transaction);
    const other = await api.partner();
    expect((await other.get('/v1/events')).body.data).toEqual([]);
    expect((await other.get(`/v1/events?resource_id=${transaction}`)).body.data).toEqual([]);
    const own = (await other.post('/v1/webhooks', { url: URL, events: ['kyc.failed'] })).body.data.id;
    expect((await other.get(`/v1/webhooks/${own}/deliveries/${id}`)).status).toBe(404);
    expect((await other.get(`/v1/webhooks/${endpoint}/deliveries/${id}`)).status).toBe(404);
    expect((await other.get(`/v1/events/${id}`)).status).toBe(404);
    expect((await other.post(`/v1/events/${id}/redeliver`)).status).toBe(404);
  });
});

describe('the deliveries to an endpoint', () => {
  test('are found by what became of them', async () => {
    await fund();
    await attempt(ARRIVES);
    await fund();
    await attempt(FAILS);
    await change({ is_active: false });
    await fund();
    await change({ is_active: true });
    await fund();
    const of = async (status: string) =>
      (await deliveries(`?status=${status}`)).body.data.map((one: Json) => [one.status, one.attempts]);
    expect(await of('delivered')).toEqual([['delivered', 1]]);
    expect(await of('failed')).toEqual([['failed', 1]]);
    expect(await of('parked')).toEqual([['parked', 0]]);
    expect(await of('pending')).toEqual([['pending', 0]]);
    const all = (await deliveries()).body.data;
    expect(all.map((one: Json) => one.status)).toEqual(['pending', 'parked', 'failed', 'delivered']);
  });

  test('pages of one cover everything once', async () => {
    for (let made = 0; made < 3; made++) await fund();
    await attempt(FAILS);
    for (const filter of ['', '&status=failed']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Answer = await deliveries(`?limit=1${filter}${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.body.data.map((one: Json) => one.event_id));
        cursor = page.body.meta.next_cursor;
      }
      expect(new Set(seen).size).toBe(3);
      expect(seen).toHaveLength(3);
    }
  });

  test('each shows what is sent and every attempt', async () => {
    const { id, created_at } = await eventOf(await fund());
    await attempt({ status: null, error: 'connection refused', retryAfterMs: 0 });
    await attempt({ status: 503, retryAfterMs: 0 });
    await attempt(ARRIVES);
    const one = await detail(id);
    expect(one.tries).toEqual([
      { number: 1, at: expect.any(String), status: null, error: 'connection refused', duration_ms: 12 },
      { number: 2, at: expect.any(String), status: 503, error: null, duration_ms: 12 },
      { number: 3, at: one.delivered_at, status: 200, error: null, duration_ms: 12 },
    ]);
    expect(one).toMatchObject({ status: 'delivered', attempts: 3, last_status: 200, last_duration_ms: 12 });
    expect(one.headers).toEqual({
      'content-type': 'application/json',
      'user-agent': expect.any(String),
      'webhook-id': one.webhook_id,
    });
    expect(JSON.parse(one.body)).toMatchObject({
      event: 'transaction.completed',
      timestamp: created_at,
      webhook_id: one.webhook_id,
    });
  });

  test('an event that the endpoint is not sent is a 404', async () => {
    const other = await open(['kyc.failed']);
    const { id } = await eventOf(await fund());
    for (const path of [
      `${other}/deliveries/${id}`,
      `${endpoint}/deliveries/${ABSENT}`,
      `${ABSENT}/deliveries`,
    ])
      expect((await partner.get(`/v1/webhooks/${path}`)).status).toBe(404);
  });
});

describe('sending again', () => {
  test('an event goes to the active endpoints that it was meant for, with the same id', async () => {
    const { id } = await eventOf(await fund());
    await attempt(ARRIVES);
    const before = await detail(id);
    const answer = await partner.post(`/v1/events/${id}/redeliver`);
    expect(answer).toMatchObject({ status: 202, body: { data: { deliveries: 1 } } });
    expect(await detail(id)).toMatchObject({
      status: 'pending',
      attempts: 0,
      webhook_id: before.webhook_id,
      body: before.body,
    });
    expect(await attempt(FAILS)).toBe(1);
    // It has arrived once, whatever becomes of the repeat.
    expect(await detail(id)).toMatchObject({ status: 'delivered', delivered_at: before.delivered_at });
  });

  test('or to the one that the body names, though it has not subscribed', async () => {
    const { id } = await eventOf(await fund());
    endpoint = await open(['kyc.failed']);
    const answer = await partner.post(`/v1/events/${id}/redeliver`, { endpoint_id: endpoint });
    expect(answer.body.data).toEqual({ deliveries: 1 });
    expect(await attempt(ARRIVES)).toBe(1);
  });

  test.each<[string, () => Promise<object>, number]>([
    ['an endpoint that is not there', () => Promise.resolve({ endpoint_id: ABSENT }), 404],
    ['no id of an endpoint', () => Promise.resolve({ endpoint_id: 'x' }), 422],
    [
      'a disabled endpoint',
      async () => {
        await change({ is_active: false });
        return { endpoint_id: endpoint };
      },
      422,
    ],
  ])('to %s: %#', async (_what, body, status) => {
    const { id } = await eventOf(await fund());
    expect((await partner.post(`/v1/events/${id}/redeliver`, await body())).status).toBe(status);
  });

  test('an endpoint that was off gets what it missed since a time', async () => {
    await fund();
    await attempt(FAILS);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const since = new Date().toISOString();
    await change({ is_active: false });
    const missed = [await fund(), await fund()];
    const refused = await partner.post(`/v1/webhooks/${endpoint}/recover`, { since });
    expect(refused.body).toMatchObject({ error: 'VALIDATION_ERROR', message: 'The endpoint is disabled' });
    await change({ is_active: true });
    const answer = await partner.post(`/v1/webhooks/${endpoint}/recover`, { since });
    expect(answer).toMatchObject({ status: 202, body: { data: { deliveries: 2, has_more: false } } });
    const pending = (await deliveries('?status=pending')).body.data;
    const events = await Promise.all(missed.map(eventOf));
    expect(pending.map((one: Json) => one.event_id)).toEqual(events.map(({ id }) => id).reverse());
    expect((await deliveries('?status=failed')).body.data).toHaveLength(1);
    const again = await partner.post(`/v1/webhooks/${endpoint}/recover`, { since });
    expect(again.body.data).toEqual({ deliveries: 0, has_more: false });
  });

  test.each([{}, { since: 'yesterday' }, { since: '2026-01-01' }])('recovering %j: 422', async (body) => {
    const { status } = await partner.post(`/v1/webhooks/${endpoint}/recover`, body);
    expect(status).toBe(422);
  });

  test('recovering an endpoint that is not there: 404', async () => {
    const since = new Date().toISOString();
    expect((await partner.post(`/v1/webhooks/${ABSENT}/recover`, { since })).status).toBe(404);
  });
});

describe('changing an endpoint', () => {
  test('what is left out stays, and the answer is what a look-up then shows', async () => {
    const before = (await partner.get(`/v1/webhooks/${endpoint}`)).body.data;
    expect(before).toMatchObject({ id: endpoint, url: URL, is_active: true });
    const events = ['kyc.failed', 'kyc.verified', 'kyc.failed'];
    const changed = await change({ events });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toEqual({ ...before, events: ['kyc.failed', 'kyc.verified'] });
    expect((await partner.get(`/v1/webhooks/${endpoint}`)).body.data).toEqual(changed.body.data);
    expect((await change({})).body.data).toEqual(changed.body.data);
  });

  test('another address is tried slowly until it answers; the same address is not', async () => {
    const { cell } = await api.environments.sandbox.partner(partner.id);
    await fund();
    await attempt(ARRIVES);
    await change({ url: URL });
    expect(await findTarget(cell, endpoint)).toMatchObject({ isOnTrial: false });
    await change({ url: 'https://other.example/' });
    expect(await findTarget(cell, endpoint)).toMatchObject({
      isOnTrial: true,
      url: 'https://other.example/',
    });
  });

  test('one that was switched off by failures begins without them', async () => {
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.webhook_endpoints SET is_active = false, failure_count = 40,
         failing_since = now() - interval '6 days' WHERE id = $1`,
      [endpoint],
    );
    expect((await change({ is_active: true })).body.data).toMatchObject({
      is_active: true,
      failure_count: 0,
    });
    await fund();
    await attempt({ status: 500, retryAfterMs: 1_000 });
    expect((await partner.get(`/v1/webhooks/${endpoint}`)).body.data).toMatchObject({
      is_active: true,
      failure_count: 1,
    });
  });

  test.each<[object, string[]]>([
    [{ url: 'ftp://partner.example/' }, ['url']],
    [{ url: 'http://169.254.169.254/', events: [], is_active: 'no' }, ['url', 'events', 'is_active']],
    [{ events: ['wallet.sold'] }, ['events']],
  ])('%j: 422', async (body, fields) => {
    const answer = await change(body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail.fields.map(({ field }: Json) => field)).toEqual(fields);
  });

  test('one of another partner is a 404', async () => {
    const other = await api.partner();
    const asked = { key: other.key, body: { is_active: false } };
    expect((await api.call('PATCH', `/v1/webhooks/${endpoint}`, asked)).status).toBe(404);
    expect((await partner.get(`/v1/webhooks/${endpoint}`)).body.data.is_active).toBe(true);
  });
});
