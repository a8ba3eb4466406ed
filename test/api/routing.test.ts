/**
 * Routes, methods and headers that every answer has (interface: Conventions, Versioning; D5, D117, D125, D141,
 * D151).
 */
import { apiForFile, partnerForFile } from '../support/scene';

const { api } = apiForFile();
const partner = partnerForFile(api);
let walletId: string;
beforeAll(async () => {
  walletId = await partner.wallet();
});

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  api.call(method, path, { key: partner.key, headers });

test.each([
  ['/v1/nothing'],
  ['/v1'],
  ['/sandbox/nothing'],
  ['/v2/wallets'],
  ['/'],
  ['/V1/wallets'],
  ['/v1/Wallets'],
  ['/v1/wallets/%E0%A4%A'],
  ['/v1/transfers/p2p/more'],
])('GET %s does not exist: 404 NOT_FOUND', async (path) => {
  const answer = await call('GET', path);
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: 'NOT_FOUND',
    message: expect.any(String),
    meta: { request_id: answer.headers.get('X-Request-Id') },
  });
});

describe('a method that a path does not have: 405 with Allow', () => {
  test.each([
    ['DELETE', '/v1/wallets', 'POST, GET, HEAD, OPTIONS'],
    ['PUT', '/v1/wallets', 'POST, GET, HEAD, OPTIONS'],
    ['POST', '/v1/transactions/:id', 'GET, HEAD, OPTIONS'],
    ['GET', '/v1/webhooks/:id/test', 'POST, OPTIONS'],
    ['PUT', '/v1/wallets/:id', 'GET, PATCH, HEAD, OPTIONS'],
    ['DELETE', '/v1/wallets/:id', 'GET, PATCH, HEAD, OPTIONS'],
    ['POST', '/v1/wallets/:id/transactions', 'GET, HEAD, OPTIONS'],
    ['GET', '/v1/transfers/p2p', 'POST, OPTIONS'],
    ['HEAD', '/v1/transfers/bank', 'POST, OPTIONS'],
    ['POST', '/v1/banks', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v1/webhooks', 'GET, POST, HEAD, OPTIONS'],
    ['PUT', '/v1/webhooks/:id', 'GET, PATCH, DELETE, HEAD, OPTIONS'],
    ['GET', '/v1/kyc/bvn', 'POST, OPTIONS'],
    ['DELETE', '/v1/kyc/ada/status', 'GET, HEAD, OPTIONS'],
    ['GET', '/sandbox/wallets/:id/fund', 'POST, OPTIONS'],
    ['GET', '/v1/sandbox/bank-transfer/complete', 'POST, OPTIONS'],
  ])('%s %s', async (method, path, allowed) => {
    const { status, headers, body } = await call(method, path.replace(':id', walletId));
    expect(status).toBe(405);
    expect(headers.get('Allow')).toBe(allowed);
    expect(body?.error).toBe(method === 'HEAD' ? undefined : 'METHOD_NOT_ALLOWED');
  });

  test.each(['/v1/wallets', '/v1/wallets/:id', '/v1/banks', '/sandbox/wallets/:id/fund'])(
    'OPTIONS %s: 204 with Allow and no body',
    async (path) => {
      const { status, headers, text } = await call('OPTIONS', path.replace(':id', walletId));
      expect(status).toBe(204);
      expect(headers.get('Allow')).toMatch(/OPTIONS$/);
      expect(text).toBe('');
    },
  );
});

test.each(['/health', '/v1/banks', '/v1/wallets/:id', '/v1/webhooks'])(
  'HEAD %s is a GET without its body',
  async (path) => {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => call(method, path.replace(':id', walletId))),
    );
    expect(head!.status).toBe(200);
    expect(head!.text).toBe('');
    for (const name of ['Content-Type', 'Content-Length', 'X-API-Version']) {
      expect(head!.headers.get(name)).toBe(get!.headers.get(name));
    }
  },
);

test('a body on a GET and a query on a POST are ignored', async () => {
  const wallet = await partner.post(`/v1/wallets?user_ref=other&user_ref=more`, {
    user_ref: 'ignored-query',
  });
  expect(wallet.body.data.user_ref).toBe('ignored-query');
  const list = await call('GET', '/v1/webhooks', { 'Content-Type': 'text/plain' });
  expect(list.status).toBe(200);
});

describe('every answer', () => {
  test.each([
    ['GET', '/health', 200],
    ['GET', '/v1/banks', 200],
    ['GET', '/v1/nothing', 404],
    ['PUT', '/v1/banks', 405],
    ['OPTIONS', '/v1/banks', 204],
  ])('has a request id and the version: %s %s', async (method, path, status) => {
    const answer = await call(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('X-Request-Id')).toMatch(/^req_[0-9a-f]{32}$/);
    expect(answer.headers.get('X-API-Version')).toBe('1.0.0');
  });

  test('has an id of its own, whatever id the client sends', async () => {
    const ids = [];
    for (let count = 0; count < 2; count += 1) {
      const { headers, body } = await call('GET', '/v1/webhooks', { 'X-Request-Id': 'req_mine' });
      expect(body.meta.request_id).toBe(headers.get('X-Request-Id'));
      ids.push(headers.get('X-Request-Id'));
    }
    expect(new Set([...ids, 'req_mine']).size).toBe(3);
  });

  test('is JSON, forbids a browser to guess its type, and does not name the server software', async () => {
    const { headers } = await call('GET', '/v1/banks');
    expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Powered-By')).toBeNull();
  });
});
