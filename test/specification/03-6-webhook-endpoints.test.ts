/** The published interface (interface: Webhook endpoints), with the resource of that name, line by line. */
import { randomUUID } from 'node:crypto';
import { until } from '../support/until';
import { KINDS, openService, type Client, type Json, type Service } from './client';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const URL = 'https://shop.example/hooks/wallets';

let service: Service;
let partner: Client;
beforeAll(async () => {
  service = await openService();
  partner = await service.partner();
});
afterAll(() => service.close());

const register = (body: unknown, by = partner) => by.post('/v1/webhooks', body);
let made = 0;
const registered = async (by = partner, events = ['kyc.failed']): Promise<Json> =>
  (await register({ url: `${URL}/${String(++made)}`, events }, by)).body.data;
const listOf = async (by: Client): Promise<Json> => (await by.get('/v1/webhooks')).body.data;

describe('POST /v1/webhooks', () => {
  test('response 201: { data: WebhookEndpoint } including `secret`, `failure_count`, `last_success_at`', async () => {
    const answer = await register({ url: URL, events: ['transaction.completed', 'kyc.verified'] });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(UUID),
        partner_id: partner.partnerId,
        url: URL,
        events: ['transaction.completed', 'kyc.verified'],
        is_active: true,
        created_at: expect.stringMatching(TIMESTAMP),
        failure_count: 0,
        last_success_at: null,
        secret: expect.any(String),
      },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });

  test('`secret` begins with `sk_wh_` and is followed by opaque text: 24 to 32 bytes in base64, different for each endpoint', async () => {
    const secrets: string[] = [(await registered()).secret, (await registered()).secret];
    for (const secret of secrets) {
      const [, opaque = ''] = /^sk_wh_(.+)$/.exec(secret) ?? [];
      const bytes = Buffer.from(opaque, 'base64');
      expect(bytes.toString('base64')).toBe(opaque);
      expect(bytes.length).toBeGreaterThanOrEqual(24);
      expect(bytes.length).toBeLessThanOrEqual(32);
    }
    expect(new Set(secrets).size).toBe(2);
  });

  test.each([
    ...KINDS,
    'transfer.completed',
    'transfer.failed',
    'transaction.reversed',
    'transaction.expired',
  ])('the event kind %s can be subscribed to', async (kind) => {
    const client = await service.partner();
    expect(await register({ url: URL, events: [kind] }, client)).toMatchObject({
      status: 201,
      body: { data: { events: [kind] } },
    });
  });

  test.each<[line: string, body: unknown, names: string]>([
    ['`url` required', { events: ['kyc.failed'] }, 'url'],
    ['`url` null', { url: null, events: ['kyc.failed'] }, 'url'],
    ['`url` a string', { url: 7, events: ['kyc.failed'] }, 'url'],
    ['`url` empty', { url: '', events: ['kyc.failed'] }, 'url'],
    ['`url` a uri: a word', { url: 'shop', events: ['kyc.failed'] }, 'url'],
    ['`url` a uri: a path', { url: '/hooks', events: ['kyc.failed'] }, 'url'],
    ['`url` of another scheme', { url: 'ftp://shop.example/', events: ['kyc.failed'] }, 'url'],
    ['`url` of 2,049 characters', { url: URL.padEnd(2_049, 'x'), events: ['kyc.failed'] }, 'url'],
    ['`events` required', { url: URL }, 'events'],
    ['`events` null', { url: URL, events: null }, 'events'],
    ['`events` an array', { url: URL, events: 'kyc.failed' }, 'events'],
    ['`events` at least 1', { url: URL, events: [] }, 'events'],
    ['`events` of strings', { url: URL, events: [1] }, 'events'],
    ['another kind', { url: URL, events: ['wallet.created'] }, 'events'],
    ['a kind in capitals', { url: URL, events: ['KYC.FAILED'] }, 'events'],
    ['one published kind and one that does not exist', { url: URL, events: ['kyc.failed', '*'] }, 'events'],
  ])('422 VALIDATION_ERROR: %s', async (_line, body, names) => {
    const client = await service.partner();
    const answer = await register(body, client);
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toContain(names);
    expect(await listOf(client)).toEqual([]);
  });

  test('`url` of 2,048 characters is accepted', async () => {
    expect((await register({ url: URL.padEnd(2_048, 'x'), events: ['kyc.failed'] })).status).toBe(201);
  });

  test.each<[where: 'sandbox' | 'live', url: string, status: number]>([
    ['sandbox', 'https://shop.example/hook', 201],
    ['sandbox', 'http://shop.example/hook', 201],
    ['sandbox', 'http://localhost:4000/hook', 201],
    ['sandbox', 'http://127.0.0.1:4000/hook', 201],
    ['sandbox', 'http://169.254.169.254/latest/meta-data', 422],
    ['sandbox', 'http://0.0.0.0:4000/hook', 422],
    ['live', 'https://shop.example/hook', 201],
    ['live', 'http://shop.example/hook', 422],
    ['live', 'https://localhost/hook', 422],
    ['live', 'https://127.0.0.1/hook', 422],
    ['live', 'https://10.0.0.7/hook', 422],
    ['live', 'https://[::1]/hook', 422],
    ['live', 'https://169.254.169.254/hook', 422],
  ])('in %s, %s: %d', async (where, url, status) => {
    const client = await service.partner();
    const caller = where === 'live' ? await service.inLive(client) : client;
    expect((await register({ url, events: ['kyc.failed'] }, caller)).status).toBe(status);
  });

  test('the same URL twice: 422 VALIDATION_ERROR that names the endpoint', async () => {
    const client = await service.partner();
    const { data } = (await register({ url: URL, events: ['kyc.failed'] }, client)).body;
    const again = await register({ url: URL, events: ['kyc.verified'] }, client);
    expect(again).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(again.body.message).toContain(data.id);
    expect(await listOf(client)).toHaveLength(1);
  });

  test('20 endpoints; the 21st: 422 LIMIT_EXCEEDED with the limit, until one is deleted', async () => {
    const client = await service.partner();
    const endpoints = await Promise.all(Array.from({ length: 20 }, () => registered(client)));
    expect(await listOf(client)).toHaveLength(20);
    expect(await register({ url: URL, events: ['kyc.failed'] }, client)).toMatchObject({
      status: 422,
      body: { error: 'LIMIT_EXCEEDED', detail: { limit: 20 } },
    });
    await client.delete(`/v1/webhooks/${endpoints[0].id}`);
    expect((await register({ url: URL, events: ['kyc.failed'] }, client)).status).toBe(201);
  });

  test('no token: 401 INVALID_TOKEN', async () => {
    const answer = await register({ url: URL, events: ['kyc.failed'] }, service.as(null));
    expect(answer).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
  });
});

describe('GET /v1/webhooks', () => {
  test('response 200: { data: [WebhookEndpoint] }; the secret was returned at registration alone', async () => {
    const client = await service.partner();
    const { secret, ...endpoint } = await registered(client);
    const answer = await client.get('/v1/webhooks');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: [endpoint],
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    expect(answer.text).not.toContain(secret);
  });

  test('a partner without endpoints: an empty list', async () => {
    expect(await listOf(await service.partner())).toEqual([]);
  });

  test('endpoints belong to the partner and to the environment of the key', async () => {
    const client = await service.partner();
    const live = await service.inLive(client);
    const [inSandbox, inLive] = [await registered(client), await registered(live)];
    const ids = async (by: Client) => (await listOf(by)).map(({ id }: Json) => id);
    expect(await ids(client)).toEqual([inSandbox.id]);
    expect(await ids(live)).toEqual([inLive.id]);
    expect(await ids(await service.partner())).toEqual([]);
  });

  test('`failure_count` counts failures; a success sets it to 0 and fills `last_success_at`', async () => {
    const client = await service.partner();
    let isWell = false;
    await client.listen(['wallet.activated'], () => (isWell ? 204 : 500));
    const shown = async () => (await listOf(client))[0];
    await client.wallet();
    // The schedule of this platform has four attempts.
    await until('the last failure', async () => (await shown()).failure_count === 4);
    expect(await shown()).toMatchObject({ is_active: true, last_success_at: null });
    isWell = true;
    await client.wallet();
    await until('the success', async () => (await shown()).failure_count === 0);
    expect((await shown()).last_success_at).toMatch(TIMESTAMP);
  });

  test('no token: 401 INVALID_TOKEN', async () => {
    expect(await service.as(null).get('/v1/webhooks')).toMatchObject({
      status: 401,
      body: { error: 'INVALID_TOKEN' },
    });
  });
});

describe('DELETE /v1/webhooks/{id}', () => {
  test('response 204, no body; the endpoint is gone, and gets nothing more', async () => {
    const client = await service.partner();
    const [deleted, kept] = [await client.listen(['wallet.activated']), await client.listen()];
    const answer = await client.delete(`/v1/webhooks/${deleted.endpointId}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await listOf(client)).map(({ id }: Json) => id)).toEqual([kept.endpointId]);
    const walletId = await client.wallet();
    await kept.heard('wallet.activated', { id: walletId });
    expect(deleted.deliveries).toEqual([]);
  });

  test.each<[what: string, path: () => Promise<string>]>([
    ['an id that nobody has', () => Promise.resolve(randomUUID())],
    ['an id that is no uuid', () => Promise.resolve('first')],
    ['one that was deleted already', deletedId],
    ['another partner’s', async () => (await registered(await service.partner())).id],
    ['one of live', async () => (await registered(await service.inLive(partner))).id],
  ])('%s: 404 NOT_FOUND', async (_what, path) => {
    expect(await partner.delete(`/v1/webhooks/${await path()}`)).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND' },
    });
  });

  test('no token: 401 INVALID_TOKEN, and the endpoint stays', async () => {
    const client = await service.partner();
    const { id } = await registered(client);
    expect(await service.as(null).delete(`/v1/webhooks/${id}`)).toMatchObject({
      status: 401,
      body: { error: 'INVALID_TOKEN' },
    });
    expect(await listOf(client)).toHaveLength(1);
  });
});

async function deletedId(): Promise<string> {
  const { id } = await registered();
  await partner.delete(`/v1/webhooks/${id}`);
  return id;
}

test('only list, create, delete are defined: PUT of a single endpoint is 405', async () => {
  const answer = await partner.ask('PUT', `/v1/webhooks/${(await registered()).id}`);
  expect(answer).toMatchObject({ status: 405, body: { error: 'METHOD_NOT_ALLOWED' } });
  expect(answer.headers.get('Allow')).toContain('DELETE');
});

describe('POST /v1/webhooks/{id}/test', () => {
  test('response 202: { data: { webhook_id } }; sends kind `webhook.test`', async () => {
    const hook = await partner.listen(['kyc.failed']);
    const answer = await partner.post(`/v1/webhooks/${hook.endpointId}/test`, {});
    expect(answer.status).toBe(202);
    expect(answer.body.data).toEqual({ webhook_id: expect.stringMatching(/^wh_/) });
    expect(await hook.heard('webhook.test', {})).toMatchObject({ webhook_id: answer.body.data.webhook_id });
  });

  test('with `event` it sends a sample of the named kind', async () => {
    const hook = await partner.listen(['kyc.failed']);
    const { body } = await partner.post(`/v1/webhooks/${hook.endpointId}/test`, {
      event: 'transaction.completed',
    });
    expect(await hook.heard('transaction.completed', {})).toMatchObject({ webhook_id: body.data.webhook_id });
  });

  test('404 NOT_FOUND and 422 VALIDATION_ERROR', async () => {
    expect(await partner.post(`/v1/webhooks/${randomUUID()}/test`, {})).toMatchObject({ status: 404 });
    const { id } = await registered(await service.partner());
    expect(await partner.post(`/v1/webhooks/${id}/test`, {})).toMatchObject({ status: 404 });
    const { id: own } = await registered();
    expect(await partner.post(`/v1/webhooks/${own}/test`, { event: 'wallet.created' })).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR' },
    });
  });
});
