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

const nearest = (method: string, path: string) => ({ nearest: { method, path } });

test.each<[string, string, object?]>([
  ['/v1/nothing', 'no_such_operation'],
  ['/v1', 'no_such_operation'],
  ['/sandbox/nothing', 'no_such_operation'],
  ['/v2/wallets', 'no_such_operation', nearest('GET', '/v1/wallets')],
  ['/', 'no_such_operation'],
  ['/V1/wallets', 'no_such_operation', nearest('GET', '/v1/wallets')],
  ['/v1/Wallets', 'no_such_operation', nearest('GET', '/v1/wallets')],
  ['/v1/wallet', 'no_such_operation', nearest('GET', '/v1/wallets')],
  ['/wallets', 'no_such_operation', nearest('GET', '/v1/wallets')],
  ['/v1//wallets', 'no_such_operation', nearest('GET', '/v1/wallets')],
  ['/v1/wallets/x/transaction', 'no_such_operation', nearest('GET', '/v1/wallets/{id}/transactions')],
  ['/v1/transfers/p2pp', 'no_such_operation', nearest('POST', '/v1/transfers/p2p')],
  ['/v1/webhook', 'no_such_operation', nearest('GET', '/v1/webhooks')],
  [`/v1/wallets${'s'.repeat(300)}`, 'no_such_operation'],
  ['/v1/wallets/%E0%A4%A', 'malformed_id'],
  ['/v1/transfers/p2p/more', 'no_such_operation'],
])('GET %s does not exist: 404 NOT_FOUND', async (path, reason, more = {}) => {
  const answer = await call('GET', path);
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: 'NOT_FOUND',
    message: expect.any(String),
    detail: { reason, ...more },
    meta: { request_id: answer.headers.get('X-Request-Id') },
  });
});

describe('an id in the path', () => {
  const UNKNOWN = '0198c0de-0000-7000-8000-00000000ffff';
  let foreign: string;
  beforeAll(async () => {
    foreign = await (await api.partner()).wallet();
  });

  test.each<[string, string, string]>([
    ['GET', '/v1/wallets/x', 'malformed_id'],
    ['GET', '/v1/wallets/tx_0198c0de-0000-7000-8000-00000000ffff', 'malformed_id'],
    ['GET', `/v1/wallets/${UNKNOWN}`, 'not_found'],
    ['GET', `/v1/wallets/wlt_${UNKNOWN.toUpperCase()}`, 'not_found'],
    ['GET', '/v1/wallets/:foreign', 'not_found'],
    ['GET', '/v1/wallets/:foreign/statement', 'not_found'],
    ['GET', '/v1/wallets/7/ledger', 'malformed_id'],
    ['PATCH', '/v1/wallets/7', 'malformed_id'],
    ['GET', `/v1/transactions/wlt_${UNKNOWN}`, 'malformed_id'],
    ['GET', `/v1/transactions/tx_${UNKNOWN}`, 'not_found'],
    ['POST', '/v1/holds/x/release', 'malformed_id'],
    ['POST', `/v1/holds/${UNKNOWN}/release`, 'not_found'],
    ['GET', '/v1/payments/ussd/x', 'malformed_id'],
    ['GET', '/v1/payments/ussd/ussd_00000000000000000000000000', 'not_found'],
    ['GET', '/v1/payments/qr/unknown', 'not_found'],
    ['GET', `/v1/payments/qr/${'x'.repeat(129)}`, 'malformed_id'],
    ['GET', '/v1/kyc/nobody/status', 'not_found'],
    ['GET', '/v1/kyc/%00/status', 'malformed_id'],
    ['GET', '/v1/requests/x', 'malformed_id'],
    ['GET', '/v1/requests/req_0198c0de00007000800000000000ffff', 'not_found'],
    ['DELETE', '/v1/webhooks/x', 'malformed_id'],
    ['DELETE', `/v1/webhooks/${UNKNOWN}`, 'not_found'],
    ['GET', '/v1/transfers/bulk/x', 'malformed_id'],
    ['GET', `/v1/transfers/scheduled/${UNKNOWN}`, 'not_found'],
  ])('%s %s: 404 with the reason %s, in both forms', async (method, path, reason) => {
    const asked = { key: partner.key, ...(method === 'PATCH' && { body: { metadata: {} } }) };
    const at = path.replace(':foreign', foreign);
    const answer = await api.call(method, at, asked);
    expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND', detail: { reason } } });
    const headers = { 'X-Response-Form': 'guide' };
    const guide = await api.call(method, at, { ...asked, headers });
    expect(guide.body.error).toMatchObject({ code: 'NOT_FOUND', detail: { reason } });
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
    if (method !== 'HEAD') {
      const nearest = { method: allowed.split(',')[0], path: expect.stringMatching(/^\/(v1|sandbox)\//) };
      expect(body.detail).toEqual({ reason: 'no_such_operation', nearest });
    }
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
