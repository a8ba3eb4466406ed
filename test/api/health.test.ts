/** Health over HTTP (interface: Health; D47). */
import { apiForFile } from '../support/scene';

const { world, api } = apiForFile();

describe.each(['/health', '/v1/health'])('GET %s', (path) => {
  test('says ok and the time, to a caller without credentials', async () => {
    const before = Date.now();
    const { status, body } = await api.call('GET', path);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status', 'timestamp']);
    expect(body.status).toBe('ok');
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
    expect(Date.parse(body.timestamp)).toBeGreaterThanOrEqual(before);
  });

  test('names the request and the version, and counts towards no limit', async () => {
    const { headers } = await api.call('GET', path);
    expect(headers.get('X-Request-Id')).toMatch(/^req_[0-9a-f]{32}$/);
    expect(headers.get('X-API-Version')).toBe('1.0.0');
    expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  test('has no other method', async () => {
    const { status, headers, body } = await api.call('POST', path, { body: {} });
    expect(status).toBe(405);
    expect(headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect(body.error).toBe('METHOD_NOT_ALLOWED');
  });
});

test('while Postgres is away, health is degraded with 503 and creating a wallet is 503 with Retry-After', async () => {
  const lost = await world.startApi({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  const health = await lost.call('GET', '/health');
  expect(health.status).toBe(503);
  expect(health.body).toEqual({ status: 'degraded', timestamp: expect.any(String) });

  const { key } = await api.partner();
  const wallet = await lost.call('POST', '/v1/wallets', { key, body: { user_ref: 'ada' } });
  expect(wallet.status).toBe(503);
  expect(wallet.body).toEqual({
    error: 'SERVICE_UNAVAILABLE',
    message: expect.any(String),
    meta: { request_id: wallet.headers.get('X-Request-Id') },
  });
  expect(wallet.headers.get('Retry-After')).toBe('1');
});
