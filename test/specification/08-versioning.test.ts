/** The published interface (interface: Versioning), line by line. */
import { randomUUID } from 'node:crypto';
import { openService, type Answer, type Client, type Headers, type Service } from './client';
import { PREFIXED, withId } from './operations';

let service: Service;
let partner: Client;
beforeAll(async () => {
  service = await openService();
  partner = await service.partner();
});
afterAll(() => service.close());

describe('the interface version is 1.0.0', () => {
  test.each<[what: string, status: number, ask: () => Promise<Answer>]>([
    ['a success', 200, () => partner.get('/v1/webhooks')],
    ['a creation', 202, () => partner.post('/v1/wallets', { user_ref: randomUUID() })],
    ['health', 200, () => partner.get('/health')],
    ['a validation error', 422, () => partner.post('/v1/wallets', {})],
    ['a call without a token', 401, () => service.as(null).get('/v1/webhooks')],
    ['an unknown path', 404, () => partner.get('/v1/nothing')],
    ['a wrong method', 405, () => partner.ask('DELETE', '/v1/wallets')],
  ])('%s says so in X-API-Version, and is not deprecated', async (_what, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('X-API-Version')).toBe('1.0.0');
    expect(answer.headers.get('Deprecation')).toBeNull();
    expect(answer.headers.get('Sunset')).toBeNull();
  });

  test('the OpenAPI document says so', async () => {
    expect((await service.as(null).get('/openapi.json')).body.info.version).toBe('1.0.0');
  });

  test('it is a header of answers: a request that names another version is answered normally', async () => {
    const asked: Headers = { 'X-API-Version': '2.0.0' };
    const answer = await partner.get('/v1/webhooks', asked);
    expect([answer.status, answer.headers.get('X-API-Version')]).toEqual([200, '1.0.0']);
  });
});

describe('operation paths carry the prefix `/v1`', () => {
  test.each(PREFIXED)('%s %s', async (method, path) => {
    const address = withId(path);
    const body = method === 'POST' ? {} : undefined;
    const options = await partner.ask('OPTIONS', `/v1${address}`);
    expect(options.status).toBe(204);
    expect(options.headers.get('Allow')?.split(', ')).toContain(method);
    for (const prefix of ['', '/v2']) {
      expect(await partner.ask(method, prefix + address, body)).toMatchObject({
        status: 404,
        body: { error: 'NOT_FOUND' },
      });
    }
  });
});

describe('some sandbox and health paths appear without the prefix', () => {
  test.each(['/health', '/v1/health'])('GET %s', async (path) => {
    const answer = await service.as(null).get(path);
    expect([answer.status, answer.body.status]).toEqual([200, 'ok']);
  });

  test.each(['/sandbox', '/v1/sandbox'])('POST %s/wallets/{wallet_id}/fund', async (prefix) => {
    const walletId = await partner.wallet();
    const answer = await partner.post(`${prefix}/wallets/${walletId}/fund`, { amount_kobo: 5 });
    expect([answer.status, answer.body.balance_kobo]).toEqual([200, 5]);
  });
});
