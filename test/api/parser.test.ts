/** Bytes that are no valid request are refused in the published envelope, and the server goes on (D151, D158). */
import { apiForFile } from '../support/scene';
import { requestText, sendRaw } from '../support/sockets';

const { api } = apiForFile();

const BODY = '{"user_ref":"ada"}';

test.each([
  ['something that is not HTTP', 'hello\r\n\r\n', 400],
  ['a version of HTTP that there is not', 'GET /health HTTP/7.3\r\nHost: localhost\r\n\r\n', 400],
  ['an unknown method', 'STEAL /v1/wallets HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
  ['a NUL in a header', requestText('GET', '/health', [['X-Note', 'a\u0000b']]), 400],
  ['a NUL in the path', requestText('GET', '/health\u0000', []), 400],
  ['no Host header', 'GET /health HTTP/1.1\r\n\r\n', 400],
  [
    'two lengths that differ',
    requestText('POST', '/v1/wallets', [
      ['Content-Length', String(BODY.length)],
      ['Content-Length', '0'],
    ]) + BODY,
    400,
  ],
  [
    'a length beside a chunked body',
    requestText('POST', '/v1/wallets', [
      ['Content-Length', String(BODY.length)],
      ['Transfer-Encoding', 'chunked'],
    ]) + BODY,
    400,
  ],
  ['a length that is no number', requestText('POST', '/v1/wallets', [['Content-Length', 'ten']]), 400],
  ['a header line that is folded', requestText('GET', '/health', [['X-Note', 'a\r\n b']]), 400],
  ['a header of 20 KB', requestText('GET', '/health', [['X-Note', 'a'.repeat(20_000)]]), 431],
  [
    '100 headers of 1 KB',
    requestText(
      'GET',
      '/health',
      Array.from({ length: 100 }, (_, n) => [`X-Note-${String(n)}`, 'a'.repeat(1_000)] as const),
    ),
    431,
  ],
  ['a path of 20 KB', requestText('GET', `/${'a'.repeat(20_000)}`, []), 431],
])('%s: refused and the connection closed', async (_what, bytes, status) => {
  const answer = await sendRaw(api.port, bytes);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({
    error: 'VALIDATION_ERROR',
    message: expect.any(String),
    meta: { request_id: answer.headers['x-request-id'] },
  });
  expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.closed).toBe(true);

  expect((await api.call('GET', '/health')).status).toBe(200);
});

test.each([
  ['an ordinary request', []],
  ['an expectation that is not known', [['Expect', 'applause']] as const],
])('%s is served and the connection stays open', async (_what, headers) => {
  const answer = await sendRaw(api.port, requestText('GET', '/health', headers));
  expect(answer).toMatchObject({ status: 200, closed: false, body: { status: 'ok' } });
});

test('a second Authorization after thousands of small headers is noticed', async () => {
  const { key } = await api.partner();
  const authorization = ['Authorization', `Bearer ${key}`] as const;
  const small = Array.from({ length: 2_100 }, () => ['a', ''] as const);
  const once = await sendRaw(api.port, requestText('GET', '/v1/banks', [...small, authorization]));
  expect(once.status).toBe(200);
  const twice = await sendRaw(
    api.port,
    requestText('GET', '/v1/banks', [authorization, ...small, authorization]),
  );
  expect(twice).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
});

describe('a request that comes too slowly: 408 and the connection closed', () => {
  test('after five seconds for the headers, after ten for the body', async () => {
    const { key } = await api.partner();
    const begun = requestText('POST', '/v1/wallets', [
      ['Authorization', `Bearer ${key}`],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(BODY.length)],
    ]);
    const timed = async (bytes: string) => {
      const start = performance.now();
      return { answer: await sendRaw(api.port, bytes), afterMs: performance.now() - start };
    };
    const [headers, body] = await Promise.all([timed(begun.slice(0, -10)), timed(begun + BODY.slice(0, 5))]);
    for (const { answer } of [headers, body]) {
      expect(answer).toMatchObject({ status: 408, closed: true, body: { error: 'VALIDATION_ERROR' } });
    }
    expect(headers.afterMs).toBeGreaterThan(4_500);
    expect(headers.afterMs).toBeLessThan(9_500);
    expect(body.afterMs).toBeGreaterThan(9_500);
    expect(body.afterMs).toBeLessThan(15_000);
  });
});
