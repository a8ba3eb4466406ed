/**
 * What the server checks of a body before it looks at the content (interface: Conventions; D117, D141, D151, D152,
 * D161).
 */
import { gzipSync } from 'node:zlib';
import { apiForFile, partnerForFile } from '../support/scene';
import { requestText, sendRaw } from '../support/sockets';

const { api } = apiForFile();
const partner = partnerForFile(api);

const LIMIT_BYTES = 262_144;
const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const bearer = () => ['Authorization', `Bearer ${partner.key}`] as const;

/** A request to create a wallet, padded to `bytes` bytes with spaces, which JSON ignores. */
const padded = (userRef: string, bytes: number): string =>
  JSON.stringify({ user_ref: userRef }).padEnd(bytes, ' ');

describe('size', () => {
  test('262,144 bytes are accepted', async () => {
    expect((await partner.post('/v1/wallets', padded('as large as can be', LIMIT_BYTES))).status).toBe(202);
  });

  test('a Content-Length above the limit is refused with 413 before a byte of the body is sent', async () => {
    const headers = [bearer(), JSON_TYPE, ['Content-Length', String(LIMIT_BYTES + 1)]] as const;
    const answer = await sendRaw(api.port, requestText('POST', '/v1/wallets', headers));
    expect(answer).toMatchObject({ status: 413, closed: true, body: { error: 'PAYLOAD_TOO_LARGE' } });
  });

  test('a chunked body is refused with 413 when it passes the limit', async () => {
    const headers = [bearer(), JSON_TYPE, ['Transfer-Encoding', 'chunked']] as const;
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
    const answer = await sendRaw(
      api.port,
      requestText('POST', '/v1/wallets', headers),
      chunk(padded('chunked', LIMIT_BYTES)),
      chunk(' '),
    );
    expect(answer).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
  });

  test('a chunked body within the limit is accepted', async () => {
    const headers = [bearer(), JSON_TYPE, ['Transfer-Encoding', 'chunked']] as const;
    const text = padded('chunked and small', 64);
    const bytes = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    const answer = await sendRaw(api.port, requestText('POST', '/v1/wallets', headers), bytes);
    expect(answer).toMatchObject({ status: 202, body: { data: { user_ref: 'chunked and small' } } });
  });

  test('413 is in the form of the header, whatever keys the body has', async () => {
    const headers = [
      bearer(),
      JSON_TYPE,
      ['Content-Length', '999999'],
      ['X-Response-Form', 'guide'],
    ] as const;
    const { body } = await sendRaw(api.port, requestText('POST', '/v1/transfers/p2p', headers));
    expect(body.error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', http_status: 413 });
  });
});

const ROUTES = [
  '/v1/wallets',
  '/v1/transfers/p2p',
  '/v1/transfers/bank',
  '/v1/webhooks',
  '/sandbox/wallets/01980000-0000-7000-8000-000000000000/fund',
  '/v1/sandbox/bank-transfer/complete',
];

describe.each(ROUTES)('POST %s: 422 VALIDATION_ERROR for', (path) => {
  test.each([
    ['an empty body', ''],
    ['malformed JSON', '{"user_ref":'],
    ['JSON with something after it', '{} {}'],
    ['JSON with a comment', '{} // fine?'],
    ['null', 'null'],
    ['an array', '[]'],
    ['a string', '"user_ref"'],
    ['a number', '1'],
  ])('%s', async (_what, body) => {
    const answer = await api.call('POST', path, { key: partner.key, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      error: 'VALIDATION_ERROR',
      message: expect.stringMatching(/.+/),
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });

  test('an empty object, naming every field that it must have', async () => {
    const { status, body } = await api.call('POST', path, { key: partner.key, body: {} });
    expect({ status, error: body.error }).toEqual({ status: 422, error: 'VALIDATION_ERROR' });
    const fields: { field: string; message: string }[] = body.detail.fields;
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.map(({ field, message }) => [field, message])).toEqual(
      fields.map(({ field }) => [field, expect.stringMatching(/^(?:is required|must be )/)]),
    );
  });
});

describe('content type and encoding', () => {
  const GOOD = (userRef: string) => JSON.stringify({ user_ref: userRef });

  test.each([
    ['application/json', 202],
    ['application/json; charset=utf-8', 202],
    ['Application/JSON;charset="UTF-8"', 202],
    ['application/json; charset=latin1', 422],
    ['application/x-www-form-urlencoded', 422],
    ['text/plain', 422],
    ['text/json', 422],
    ['', 422],
  ])('Content-Type %j: %d', async (type, status) => {
    const answer = await partner.post('/v1/wallets', GOOD(`typed ${type}`), { 'Content-Type': type });
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.body.error).toBe('VALIDATION_ERROR');
  });

  test.each([
    ['a compressed body', 'gzip', () => gzipSync(GOOD('gzip'))],
    ['a body that only claims to be compressed', 'br', () => Buffer.from(GOOD('br'))],
    ['invalid UTF-8', 'identity', () => Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ['an overlong encoding', 'identity', () => Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['UTF-16', 'identity', () => Buffer.from(GOOD('utf-16'), 'utf16le')],
  ])('%s: 422 VALIDATION_ERROR', async (_what, encoding, bytes) => {
    const body = bytes();
    const headers = [
      bearer(),
      JSON_TYPE,
      ['Content-Encoding', encoding],
      ['Content-Length', String(body.length)],
    ] as const;
    const answer = await sendRaw(api.port, requestText('POST', '/v1/wallets', headers), body);
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });
});

describe('content that would harm an object', () => {
  const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

  test.each([
    ['__proto__ at the top', '{"user_ref":"x","__proto__":{}}'],
    ['__proto__ below', '{"user_ref":"x","metadata":{"a":[{"__proto__":1}]}}'],
    ['constructor.prototype', '{"user_ref":"x","metadata":{"constructor":{"prototype":{}}}}'],
    ['a depth of 100', `{"user_ref":"x","other":${deep(100)}}`],
    ['a depth of 6,000', `{"user_ref":"x","other":${deep(6_000)}}`],
  ])('%s: 422 VALIDATION_ERROR', async (_what, body) => {
    expect(await partner.post('/v1/wallets', body)).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR' },
    });
  });

  test('a depth of 20,000 has too many characters for any body: 413', async () => {
    const answer = await partner.post('/v1/wallets', `{"user_ref":"x","other":${deep(20_000)}}`);
    expect(answer).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
  });

  test('a field called constructor and unknown fields are accepted', async () => {
    const body = '{"user_ref":"harmless","constructor":"me","unknown":{"a":1}}';
    expect((await partner.post('/v1/wallets', body)).status).toBe(202);
  });

  test('when a field is given twice, the last one counts', async () => {
    const answer = await partner.post('/v1/wallets', '{"user_ref":"first","user_ref":"last"}');
    expect(answer.body.data.user_ref).toBe('last');
  });
});

describe('a number that JSON does not keep is refused in every body', () => {
  const number = '12345678901234567890';
  test.each([
    ['/v1/wallets', 'user_ref'],
    ['/v1/transfers/p2p', 'reference'],
    ['/v1/transfers/bank', 'reference'],
    ['/v1/transfers/scheduled', 'reference'],
    ['/v1/holds', 'reference'],
    ['/v1/payments/split', 'reference'],
    ['/v1/payments/qr/create', 'reference'],
    ['/v1/auth/login', 'email'],
  ])('%s', async (path, name) => {
    const answer = await partner.post(path, `{"${name}":"x","metadata":{"order":{"ids":[7,${number}]}}}`);
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error: 'VALIDATION_ERROR',
        detail: { fields: [{ field: 'metadata.order.ids[1]', message: expect.stringContaining('JSON') }] },
      },
    });
  });

  test('in a line of a bulk transfer', async () => {
    const lines = `[{"reference":"a"},{"reference":"b","metadata":{"n":1e400}}]`;
    const answer = await partner.post('/v1/transfers/bulk', `{"reference":"x","transfers":${lines}}`);
    expect(answer.body.detail.fields).toMatchObject([{ field: 'transfers[1].metadata.n' }]);
  });

  test('so two bodies that read alike do not share a key', async () => {
    const headers = { 'Idempotency-Key': 'numbers-1' };
    const body = (n: string): string => `{"user_ref":"numbers","metadata":{"n":${n}}}`;
    expect((await partner.post('/v1/wallets', body('9007199254740991'), headers)).status).toBe(202);
    const other = await partner.post('/v1/wallets', body('9007199254740993'), headers);
    expect(other).toMatchObject({ status: 422, body: { error: 'IDEMPOTENCY_KEY_REUSED' } });
    const unused = { 'Idempotency-Key': 'numbers-2' };
    const first = await partner.post('/v1/wallets', body('9007199254740993'), unused);
    expect(first).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });
});
