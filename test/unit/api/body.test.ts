/** The body reader, over real HTTP: size, encoding, depth and poisonous keys (D117, D151, D152). */
import { openBodyServer, type BodyServer } from './body-server';

const LIMIT = 262_144;

let server: BodyServer;
beforeAll(async () => {
  server = await openBodyServer();
});
afterAll(() => server.close());

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  server.send([body], { 'Content-Length': Buffer.byteLength(body), ...headers });
const invalid = (message: string) => ({ ok: false, refusal: { code: 'VALIDATION_ERROR', message } });
const tooLarge = { ok: false, refusal: { code: 'PAYLOAD_TOO_LARGE' } };
const notJson = invalid('the body is not JSON in UTF-8');

/** A JSON object of exactly that many bytes. */
const sized = (bytes: number): string => `{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`;

describe('size', () => {
  test('262,144 bytes are read', async () => {
    expect(await post(sized(LIMIT))).toMatchObject({ ok: true });
  });

  test('one byte more is refused', async () => {
    expect(await post(sized(LIMIT + 1))).toEqual(tooLarge);
  });

  test('a length above the limit is refused before a byte has come', async () => {
    expect(await server.send([], { 'Content-Length': LIMIT + 1 })).toEqual(tooLarge);
  });

  test('262,144 bytes without a length are read', async () => {
    const text = sized(LIMIT);
    expect(await server.send([text.slice(0, 100_000), text.slice(100_000)])).toMatchObject({ ok: true });
  });

  test('one byte more without a length is refused, and the refusal arrives', async () => {
    const text = sized(LIMIT + 1);
    expect(await server.send([text.slice(0, 100_000), text.slice(100_000)])).toEqual(tooLarge);
  });

  test('megabytes without a length are refused, and the refusal arrives', async () => {
    const part = Buffer.alloc(LIMIT, 0x20);
    expect(await server.send(Array.from({ length: 8 }, () => part))).toEqual(tooLarge);
  });

  test('a character may be cut between two parts', async () => {
    const bytes = Buffer.from('{"a":"🏦"}');
    expect(await server.send([bytes.subarray(0, 8), bytes.subarray(8)])).toEqual({
      ok: true,
      value: { a: '🏦' },
    });
  });
});

describe('the type of the content', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'APPLICATION/JSON',
  ])('%s is read', async (type) => {
    expect(await post('{"a":1}', { 'Content-Type': type })).toEqual({ ok: true, value: { a: 1 } });
  });

  test.each([
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/jsonp',
    'text/json',
    'application/json; charset=utf-16',
    'application/json, text/plain',
  ])('"%s" is refused', async (type) => {
    expect(await post('{"a":1}', { 'Content-Type': type })).toEqual(
      invalid('Content-Type must be application/json'),
    );
  });

  test.each(['gzip', 'deflate', 'br', 'x-unknown'])(
    'a body compressed by %s is refused',
    async (encoding) => {
      expect(await post('{"a":1}', { 'Content-Encoding': encoding })).toEqual(
        invalid('a compressed body is not accepted'),
      );
    },
  );

  test('identity is no compression', async () => {
    expect(await post('{"a":1}', { 'Content-Encoding': 'identity' })).toMatchObject({ ok: true });
  });
});

describe('text that is not JSON in UTF-8 is refused', () => {
  test.each<[string, string | Buffer]>([
    ['an empty body', ''],
    ['spaces', '  '],
    ['half an object', '{"a":1'],
    ['two objects', '{}{}'],
    ['a comment', '{/* */}'],
    ['a comma too many', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['a raw control character in a string', '{"a":"\u0001"}'],
    ['a number with a leading zero', '{"a":01}'],
    ['an invalid byte', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['an overlong NUL', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a character cut short', Buffer.from('{"a":"🏦"}').subarray(0, 8)],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
  ])('%s', async (_what, body) => expect(await post(body)).toEqual(notJson));
});

test('a byte order mark before the body is passed over', async () => {
  expect(await post('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
});

test.each(['null', '7', '"x"', '[1]', '{"a":1,"a":2}'])(
  '%s is JSON, and the caller of the reader judges its content',
  async (text) => {
    expect(await post(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
  },
);

describe('keys that would poison an object are refused', () => {
  const proto = invalid('__proto__ is not accepted as a key');
  const constructor = invalid('constructor.prototype is not accepted as a key');

  test.each([
    ['__proto__ at the top', '{"__proto__":{"a":1}}', proto],
    ['__proto__ that is null', '{"__proto__":null}', proto],
    ['__proto__ in escapes', '{"\\u005f_proto__":1}', proto],
    ['__proto__ deep within', '{"a":[{"b":{"__proto__":1}}]}', proto],
    ['constructor.prototype at the top', '{"constructor":{"prototype":{}}}', constructor],
    ['constructor.prototype deep within', '{"a":[[{"constructor":{"prototype":1}}]]}', constructor],
  ])('%s', async (_what, text, refusal) => expect(await post(text)).toEqual(refusal));

  test.each([
    '{"constructor":"builder"}',
    '{"constructor":{"name":"x"}}',
    '{"prototype":1}',
    '{"a":"__proto__"}',
  ])('%s is harmless', async (text) =>
    expect(await post(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown }),
  );
});

describe('depth', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  const deep = invalid('the body is more than 24 levels deep');

  test('metadata of 20 levels inside a body is read', async () => {
    expect(await post(`{"metadata":${'{"a":'.repeat(19)}{}${'}'.repeat(19)}}`)).toMatchObject({ ok: true });
  });

  test.each([
    [24, { ok: true }],
    [26, deep],
    [9_000, deep],
    [100_000, { ok: false, refusal: { code: 'PAYLOAD_TOO_LARGE' } }],
  ])('%d levels', async (levels, outcome) => expect(await post(nested(levels))).toMatchObject(outcome));
});

describe('a body that may be missing', () => {
  let lenient: BodyServer;
  beforeAll(async () => {
    lenient = await openBodyServer(true);
  });
  afterAll(() => lenient.close());

  test.each([
    ['no body, with a type', { 'Content-Length': 0 }],
    ['no body, with another type', { 'Content-Length': 0, 'Content-Type': 'text/plain' }],
  ])('%s reads as an empty object', async (_what, headers) => {
    expect(await lenient.send([], headers)).toEqual({ ok: true, value: {} });
  });

  test('a body that is there is read as usual', async () => {
    expect(await lenient.send(['{"a":1}'], { 'Content-Length': 7 })).toEqual({ ok: true, value: { a: 1 } });
    expect(await lenient.send(['{'], { 'Content-Length': 1 })).toEqual(notJson);
    const text = { 'Content-Length': 2, 'Content-Type': 'text/plain' };
    expect(await lenient.send(['{}'], text)).toEqual(invalid('Content-Type must be application/json'));
  });

  test('where a body may not be missing, an empty one is not JSON', async () => {
    expect(await server.send([], { 'Content-Length': 0 })).toEqual(notJson);
  });
});
