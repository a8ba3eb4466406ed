/** Registering webhook endpoints (interface: Webhook endpoints; D21, D85-D87, D106, D108, D143, D156, D165). */
import type { TestApi } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
let local: TestApi;
let partner: TestPartner;
let live: TestPartner;
beforeAll(async () => {
  local = await world.startApi({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
});
beforeEach(async () => {
  partner = await api.partner();
  live = await api.partner({ id: partner.id, environment: 'live' });
});

const URL_OK = 'https://example.com/hooks?token=1';
const EVENTS = ['transaction.completed', 'transaction.failed'];
const register = (body: unknown, by: TestPartner = partner) => by.post('/v1/webhooks', body);

describe('POST /v1/webhooks', () => {
  test('answers 201 with the endpoint and its secret', async () => {
    const answer = await register({ url: URL_OK, events: EVENTS });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        partner_id: partner.id,
        url: URL_OK,
        events: EVENTS,
        is_active: true,
        created_at: expect.any(String),
        failure_count: 0,
        last_success_at: null,
        secret: expect.stringMatching(/^sk_wh_[A-Za-z0-9+/]+=*$/),
      },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    const bytes = Buffer.from(answer.body.data.secret.slice('sk_wh_'.length), 'base64').length;
    expect(bytes).toBeGreaterThanOrEqual(24);
    expect(bytes).toBeLessThanOrEqual(32);
  });

  test('keeps the secret neither readable in the database nor equal for two endpoints', async () => {
    const secrets = [];
    for (let count = 0; count < 2; count += 1) {
      secrets.push((await register({ url: URL_OK + String(count), events: EVENTS })).body.data.secret);
    }
    expect(new Set(secrets).size).toBe(2);
    const rows = await world.sql(
      `SELECT secret_sealed FROM ${SANDBOX_CELL}.webhook_endpoints WHERE partner_id = $1`,
      [partner.id],
    );
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      for (const secret of secrets) expect(row['secret_sealed']).not.toContain(secret.slice(6));
    }
  });

  test.each([
    'transaction.completed',
    'transaction.failed',
    'wallet.activated',
    'kyc.verified',
    'kyc.failed',
    'transfer.completed',
    'transfer.failed',
    'transaction.reversed',
    'transaction.expired',
  ])('the kind %s can be subscribed to', async (kind) => {
    const { status, body } = await register({ url: URL_OK, events: [kind] });
    expect(status).toBe(201);
    expect(body.data.events).toEqual([kind]);
  });

  test('a kind named twice counts once', async () => {
    const { body } = await register({ url: URL_OK, events: [...EVENTS, ...EVENTS] });
    expect(body.data.events).toEqual(EVENTS);
  });

  test.each<[what: string, events: unknown]>([
    ['missing', undefined],
    ['null', null],
    ['an empty list', []],
    ['a text', 'transaction.completed'],
    ['a kind that does not exist', ['transaction.completed', 'transaction.created']],
    ['a kind in capitals', ['TRANSACTION.COMPLETED']],
    ['a star', ['*']],
    ['a number', [1]],
    ['a list in a list', [['transaction.completed']]],
    ['more than fifty', Array.from({ length: 51 }, () => 'transaction.completed')],
  ])('events %s: 422 VALIDATION_ERROR', async (_what, events) => {
    const answer = await register({ url: URL_OK, events });
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toContain('events');
  });

  const ALWAYS_BAD: [what: string, url: unknown][] = [
    ['missing', undefined],
    ['a number', 7],
    ['empty', ''],
    ['a path', '/hooks'],
    ['without a scheme', 'example.com/hooks'],
    ['ftp', 'ftp://example.com/hooks'],
    ['javascript', 'javascript:alert(1)'],
    ['with a user name', 'https://me:secret@example.com/'],
    ['with a fragment', 'https://example.com/#part'],
    ['with a blank', 'https://example.com/a b'],
    ['with a line break', 'https://example.com/\r\nHost: other'],
    ['longer than 2,048 characters', `https://example.com/${'a'.repeat(2_030)}`],
    ['with a port of a database', 'https://example.com:5432/'],
    ['the unspecified address', 'http://0.0.0.0/'],
    ['link-local', 'http://169.254.1.1/'],
    ['the metadata service', 'http://169.254.169.254/latest/meta-data'],
    ['the metadata service in hexadecimal', 'http://0xa9fea9fe/'],
    ['IPv6 link-local', 'http://[fe80::1]/'],
    ['IPv6 metadata', 'http://[fd00:ec2::254]/'],
    ['multicast', 'http://224.0.0.1/'],
    ['broadcast', 'http://255.255.255.255/'],
  ];
  test.each(ALWAYS_BAD)('a URL that is %s: 422 VALIDATION_ERROR everywhere', async (_what, url) => {
    for (const by of [partner, live, partner.at(local)]) {
      const answer = await register({ url, events: EVENTS }, by);
      expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
      expect(answer.body.message).toContain('url');
    }
  });

  test.each([
    ['https://example.com/', 201, 201, 201],
    ['http://example.com/', 201, 422, 201],
    ['https://localhost/', 422, 422, 201],
    ['http://localhost:3001/hooks', 422, 422, 201],
    ['http://127.0.0.1:3001/', 422, 422, 201],
    ['http://2130706433:3001/', 422, 422, 201],
    ['http://[::1]:3001/', 422, 422, 201],
    ['http://10.0.0.1/', 422, 422, 201],
    ['http://192.168.1.1/', 422, 422, 201],
  ])('%s: %d in sandbox, %d in live, %d in a sandbox that allows private addresses', async (...row) => {
    const [url, ...statuses] = row;
    const answers = await Promise.all(
      [partner, live, (await api.partner()).at(local)].map((by) => register({ url, events: EVENTS }, by)),
    );
    expect(answers.map(({ status }) => status)).toEqual(statuses);
  });

  describe('an address that the partner has registered', () => {
    const taken = (id: string) => ({
      status: 422,
      body: {
        error: 'VALIDATION_ERROR',
        message: `url: is that of the endpoint ${id} already`,
        detail: { fields: [{ field: 'url' }] },
      },
    });

    test.each([
      ['the same', URL_OK],
      ['the host in capitals', 'https://EXAMPLE.com/hooks?token=1'],
      ['the host with a dot at its end', 'https://example.com./hooks?token=1'],
      ['the port that is usual', 'https://example.com:443/hooks?token=1'],
      ['escapes that mean nothing', 'https://example.com/%68ooks?token=%31'],
      ['dots in the path', 'https://example.com/a/../hooks?token=1'],
    ])('is refused a second time: %s', async (_how, url) => {
      const { id } = (await register({ url: URL_OK, events: EVENTS })).body.data;
      expect(await register({ url, events: ['kyc.failed'] })).toMatchObject(taken(id));
      const other = (await register({ url: 'https://example.com/other', events: EVENTS })).body.data;
      expect(await partner.patch(`/v1/webhooks/${other.id}`, { url })).toMatchObject(taken(id));
      expect((await partner.get(`/v1/webhooks/${other.id}`)).body.data.url).toBe(other.url);
    });

    test.each([
      ['another path', 'https://example.com/Hooks?token=1'],
      ['another query', 'https://example.com/hooks?token=2'],
      ['another port', 'https://example.com:8443/hooks?token=1'],
      ['an escape that means something', 'https://example.com/hooks?token%3D1'],
    ])('differs by %s', async (_how, url) => {
      await register({ url: URL_OK, events: EVENTS });
      expect((await register({ url, events: EVENTS })).status).toBe(201);
    });

    test('is free for others, for the endpoint itself, and again after it was deleted', async () => {
      const { id } = (await register({ url: URL_OK, events: EVENTS })).body.data;
      expect((await register({ url: URL_OK, events: EVENTS }, live)).status).toBe(201);
      expect((await register({ url: URL_OK, events: EVENTS }, await api.partner())).status).toBe(201);
      expect((await partner.patch(`/v1/webhooks/${id}`, { url: URL_OK })).status).toBe(200);
      await partner.delete(`/v1/webhooks/${id}`);
      expect((await register({ url: URL_OK, events: EVENTS })).status).toBe(201);
    });

    test('is not told to whoever changes an endpoint that is not there', async () => {
      await register({ url: URL_OK, events: EVENTS });
      const absent = '01980000-0000-7000-8000-00000000dead';
      expect((await partner.patch(`/v1/webhooks/${absent}`, { url: URL_OK })).status).toBe(404);
    });
  });

  test('the 21st endpoint: 422 LIMIT_EXCEEDED, until one is deleted', async () => {
    const ids = [];
    for (let count = 0; count < 20; count += 1) {
      ids.push((await register({ url: URL_OK + String(count), events: EVENTS })).body.data.id);
    }
    expect(await register({ url: URL_OK, events: EVENTS })).toMatchObject({
      status: 422,
      body: { error: 'LIMIT_EXCEEDED', detail: { limit: 20 } },
    });
    expect((await register({ url: URL_OK, events: EVENTS }, live)).status).toBe(201);
    await partner.delete(`/v1/webhooks/${ids[0]}`);
    expect((await register({ url: URL_OK, events: EVENTS })).status).toBe(201);
  });

  test('of thirty at once twenty are created', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, place) => register({ url: URL_OK + String(place), events: EVENTS })),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(20);
  });
});

describe('GET /v1/webhooks', () => {
  test('lists the endpoints of this partner and environment, newest first, without a secret', async () => {
    expect((await partner.get('/v1/webhooks')).body.data).toEqual([]);
    const created = [
      (await register({ url: URL_OK, events: EVENTS })).body.data,
      (await register({ url: `${URL_OK}2`, events: ['wallet.activated'] })).body.data,
    ];
    await register({ url: URL_OK, events: EVENTS }, live);
    await register({ url: URL_OK, events: EVENTS }, await api.partner());
    const answer = await partner.get('/v1/webhooks');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual(created.reverse().map(({ secret: _secret, ...shown }) => shown));
    expect(answer.text).not.toContain('sk_wh_');
  });
});

describe('POST /v1/webhooks/{id}/rotate-secret', () => {
  const rotate = (id: string, body?: unknown, by: TestPartner = partner) =>
    by.post(`/v1/webhooks/${id}/rotate-secret`, body);

  test.each<[string, unknown, number]>([
    ['a day when nothing is said', undefined, 86_400],
    ['as long as is asked for', { previous_secret_valid_seconds: 600 }, 600],
    ['not at all when it has leaked', { previous_secret_valid_seconds: 0 }, 0],
  ])('answers with a new secret, and the one before is valid: %s', async (_what, body, seconds) => {
    const { id, secret } = (await register({ url: URL_OK, events: EVENTS })).body.data;
    const answer = await rotate(id, body);
    expect(answer).toMatchObject({ status: 200, body: { data: { id, url: URL_OK } } });
    const { secret: next, previous_secret_valid_until: until } = answer.body.data;
    expect(next).toMatch(/^sk_wh_[A-Za-z0-9+/]+=*$/);
    expect(next).not.toBe(secret);
    expect(Math.abs(Date.parse(until) - Date.now() - seconds * 1_000)).toBeLessThan(60_000);
  });

  test.each([-1, 604_801, 1.5, '60', true])('refuses %p seconds', async (seconds) => {
    const { id } = (await register({ url: URL_OK, events: EVENTS })).body.data;
    const answer = await rotate(id, { previous_secret_valid_seconds: seconds });
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });

  test('a sixth secret at once is refused, and one is given when the earlier ones are ended', async () => {
    const { id } = (await register({ url: URL_OK, events: EVENTS })).body.data;
    for (let n = 0; n < 4; n++) expect((await rotate(id)).status).toBe(200);
    expect(await rotate(id)).toMatchObject({ status: 422, body: { error: 'LIMIT_EXCEEDED' } });
    expect((await rotate(id, { previous_secret_valid_seconds: 0 })).status).toBe(200);
  });

  test('of another partner’s endpoint, the other environment’s or a deleted one is 404', async () => {
    const { id } = (await register({ url: URL_OK, events: EVENTS })).body.data;
    const others = [live, await api.partner()];
    for (const by of others) expect((await rotate(id, undefined, by)).status).toBe(404);
    await partner.delete(`/v1/webhooks/${id}`);
    expect((await rotate(id)).status).toBe(404);
  });
});

describe('DELETE /v1/webhooks/{id}', () => {
  test('answers 204 without a body, and 404 the second time', async () => {
    const { body } = await register({ url: URL_OK, events: EVENTS });
    const path = `/v1/webhooks/${body.data.id}`;
    expect(await partner.delete(path)).toMatchObject({ status: 204, text: '' });
    expect(await partner.delete(path)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    expect((await partner.get('/v1/webhooks')).body.data).toEqual([]);
  });

  test('an endpoint that is malformed, absent, foreign, or of the other environment: 404', async () => {
    const foreign = await register({ url: URL_OK, events: EVENTS }, await api.partner());
    const ofLive = await register({ url: URL_OK, events: EVENTS }, live);
    const absent = '01980000-0000-7000-8000-00000000dead';
    for (const id of ['x', absent, foreign.body.data.id, ofLive.body.data.id]) {
      expect(await partner.delete(`/v1/webhooks/${id}`)).toMatchObject({
        status: 404,
        body: { error: 'NOT_FOUND' },
      });
    }
    expect((await live.get('/v1/webhooks')).body.data).toHaveLength(1);
  });
});

test('an event is due at the endpoints that subscribed to it, under the name each of them used', async () => {
  const subscriptions = [
    ['transaction.completed'],
    ['transfer.completed'],
    ['transaction.completed', 'transfer.completed'],
    ['transaction.failed', 'wallet.activated'],
  ];
  const ids: string[] = [];
  for (const events of subscriptions) {
    ids.push((await register({ url: URL_OK + String(ids.length), events })).body.data.id);
  }
  const deleted = (await register({ url: URL_OK, events: EVENTS })).body.data.id;
  await partner.delete(`/v1/webhooks/${deleted}`);

  const [source, dest] = [await partner.wallet({ fundKobo: 1_000 }), await partner.wallet()];
  const body = { source_wallet: source, dest_wallet: dest, amount: 100, reference: 'told to endpoints' };
  const transfer = await partner.post('/v1/transfers/p2p', body);
  const due = await world.sql(
    `SELECT d.endpoint_id, d.event_name FROM ${SANDBOX_CELL}.deliveries d JOIN ${SANDBOX_CELL}.events e ON e.id = d.event_id
      WHERE e.resource_id = $1 ORDER BY array_position($2::uuid[], d.endpoint_id)`,
    [transfer.body.data.id, ids],
  );
  expect(due).toEqual([
    { endpoint_id: ids[0], event_name: 'transaction.completed' },
    { endpoint_id: ids[1], event_name: 'transfer.completed' },
    { endpoint_id: ids[2], event_name: 'transaction.completed' },
  ]);
});
