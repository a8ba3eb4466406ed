/** The headers of answers of every kind (interface: Conventions, Limits, Versioning; D122, D125, D141, D158). */
import { apiForFile, partnerForFile } from '../support/scene';

const { api } = apiForFile();
const partner = partnerForFile(api);

/** The headers that make a browser treat an answer as data only. */
const SAFE = {
  'content-security-policy':
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';" +
    "frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';" +
    "script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};
const EVERY = {
  ...SAFE,
  'cache-control': 'no-store',
  'x-api-version': '1.0.0',
  'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
};
const JSON_BODY = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': expect.stringMatching(/^[0-9]+$/),
};
const COUNTED = {
  'x-ratelimit-limit': '1000000',
  'x-ratelimit-remaining': expect.stringMatching(/^[0-9]+$/),
  'x-ratelimit-reset': expect.stringMatching(/^[0-9]{1,2}$/),
};

/** Headers of the connection and the time, which are not compared. */
const OF_HTTP = ['connection', 'date', 'keep-alive'];

test.each<[what: string, method: string, path: string, more: object, status: number, expected: object]>([
  ['a success', 'GET', '/v1/webhooks', {}, 200, { ...JSON_BODY, ...COUNTED }],
  [
    'OPTIONS without a body',
    'OPTIONS',
    '/v1/webhooks',
    {},
    204,
    { ...COUNTED, allow: 'GET, POST, HEAD, OPTIONS' },
  ],
  ['a refusal', 'POST', '/v1/webhooks', { body: {} }, 422, { ...JSON_BODY, ...COUNTED }],
  ['an unknown route', 'GET', '/v1/nothing', {}, 404, { ...JSON_BODY, ...COUNTED }],
  ['a wrong method', 'PUT', '/v1/banks', {}, 405, { ...JSON_BODY, ...COUNTED, allow: 'GET, HEAD, OPTIONS' }],
  [
    'a body that is too large',
    'POST',
    '/v1/wallets',
    { body: `"${'a'.repeat(262_144)}"` },
    413,
    { ...JSON_BODY, ...COUNTED },
  ],
  ['no credential', 'GET', '/v1/webhooks', { key: undefined }, 401, JSON_BODY],
  ['a login', 'POST', '/v1/auth/login', { key: undefined, body: {} }, 422, JSON_BODY],
  ['health', 'GET', '/health', { key: undefined }, 200, JSON_BODY],
  ['a route outside', 'GET', '/nothing', { key: undefined }, 404, JSON_BODY],
])('%s', async (_what, method, path, more, status, expected) => {
  const answer = await api.call(method, path, { key: partner.key, ...more });
  expect(answer.status).toBe(status);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_HTTP.includes(name)));
  expect(headers).toEqual({ ...EVERY, ...expected });
});

test('no answer allows another origin to read it', async () => {
  const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await api.call(method, '/v1/webhooks', { key: partner.key, headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});
