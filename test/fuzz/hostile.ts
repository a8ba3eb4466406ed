/** Values that clients send by mistake and attackers on purpose. They may be refused and must do no harm. */
import fc from 'fast-check';

const STRINGS = [
  '',
  ' ',
  '   ',
  'null',
  'undefined',
  'true',
  'NaN',
  '-1',
  '1e2',
  '0x10',
  '100',
  '__proto__',
  'constructor',
  "' OR 1=1--",
  '"; DROP TABLE wallets; --',
  '%',
  '_',
  '%00',
  '%2e%2e',
  '%2F',
  '../../etc/passwd',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\u0000',
  'a\u0000b',
  'a\u0007b',
  'line\nbreak',
  'tab\tstop',
  'x\r\nX-Injected: 1',
  '\ud800',
  '\udc00\ud800',
  '\u200b',
  '\u202eevil',
  '\u2028',
  '\ufeff',
  '\u00e9',
  'e\u0301',
  '\u{1f4b8}',
  '１２３４５６７８９０１',
  '12345678901\n',
  ' 12345678901',
  '٠١٢٣٤٥٦٧٨٩٠',
  'RC12345',
  'rc12345',
  'RC123456789',
  '44',
  '058',
  '0123450000',
  '0123450404',
  'a'.repeat(128),
  'a'.repeat(129),
  '\u{1f4b8}'.repeat(128),
  'a'.repeat(10_000),
  'wlt_0198c0de-0000-7000-8000-000000000001',
  '0198C0DE-0000-7000-8000-000000000001',
  '0198c0de00007000800000000000000001',
  'ussd_00000000000000000000000000',
  '000201010212',
];

/** Addresses that a webhook must not reach. */
const ADDRESSES = [
  '127.0.0.1',
  'localhost',
  'localhost.',
  '127.1',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '①②⑦.0.0.1',
  '0.0.0.0',
  '169.254.169.254',
  '10.0.0.1',
  '100.64.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '[::1]',
  '[::]',
  '[::ffff:7f00:1]',
  '[fe80::1]',
  '[fd00::1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  'metadata.google.internal',
  'shop.example:99999',
  'user:password@shop.example',
];
const URLS = [
  ...ADDRESSES.flatMap((address) => [`http://${address}/`, `https://${address}/hook`]),
  'http:\\\\10.0.0.1',
  'ftp://shop.example/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '//shop.example',
  'https://',
];

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.5,
  99.999,
  100,
  199,
  200,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  1e300,
  Number.MIN_VALUE,
];

const OTHERS = [
  null,
  true,
  false,
  [],
  {},
  [100],
  ['a', null],
  { toString: 1, hasOwnProperty: 2 },
  { constructor: { prototype: { polluted: true } } },
  { length: -1 },
  nested(30),
];

/** Texts that are not JSON objects, or are unusual ones. */
export const BODY_TEXTS = [
  '',
  '{',
  'null',
  '"x"',
  '[]',
  '1',
  'NaN',
  '{"amount":1e400}',
  '{"amount":NaN}',
  '{"__proto__":{"polluted":true}}',
  '{"metadata":{"__proto__":{"polluted":true}}}',
  '{"a":1,"a":2}',
  '\ufeff{}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  `{"a":${'['.repeat(500)}${']'.repeat(500)}}`,
  `{"metadata":{"a":"${'a'.repeat(20_000)}"}}`,
  `{"a":"${'a'.repeat(262_144)}"}`,
];

export const CONTENT_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json; charset=utf-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
];

export const hostileString: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...STRINGS) },
  { weight: 1, arbitrary: fc.constantFrom(...URLS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileString,
  hostileNumber,
  fc.constantFrom(...OTHERS),
  fc.jsonValue({ maxDepth: 3 }),
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let done = 0; done < depth; done++) value = { a: value };
  return value;
}
