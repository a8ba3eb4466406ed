/**
 * What strings and metadata may hold: lengths in code points, no control characters, no lone surrogates (D142,
 * D152, D166).
 */
import { isPlainKey } from '../../../src/wire/text';
import { referenceOf } from '../../../src/wire/read';
import { readFunding, readOutcome } from '../../../src/wire/sandbox';
import { readP2p } from '../../../src/wire/transfers';
import { readWalletCreation } from '../../../src/wire/wallets';
import { messageOf, valueOf } from './readings';

const WALLET = '018f0000-0000-7000-8000-00000000000a';
const p2p = (more: object) =>
  readP2p({ source_wallet: WALLET, dest_wallet: WALLET, amount: 1, reference: 'r', ...more });

const wide = '𝒜';
const surrogate = '\ud800';

/** Each takes one text and reads a request that carries it. */
const names = {
  reference: (text: string) => p2p({ reference: text }),
  user_ref: (text: string) => readWalletCreation({ user_ref: text }),
};
const texts = {
  description: (text: string) => p2p({ description: text }),
  note: (text: string) => readFunding({ amount_kobo: 1, note: text }),
  reason: (text: string) => readOutcome({ transaction_id: WALLET, reason: text }),
};

describe.each(Object.entries(names))('%s', (field, read) => {
  test.each([
    ['1 character', 'a'],
    ['128 characters', 'a'.repeat(128)],
    ['128 characters outside the basic plane', wide.repeat(128)],
    ['spaces and marks within', 'Order #1 – Ọjà/2026'],
    ['a picture', '🏦'],
  ])('%s: accepted as sent', (_what, text) => {
    expect(valueOf(read(text) as ReturnType<typeof p2p>)).toMatchObject(
      field === 'reference' ? { reference: text } : { userRef: text },
    );
  });

  test.each([
    ['empty', ''],
    ['129 characters', 'a'.repeat(129)],
    ['129 characters outside the basic plane', wide.repeat(129)],
  ])('%s: refused', (_what, text) => {
    expect(messageOf(read(text))).toBe(`${field}: must have 1 to 128 characters`);
  });

  test.each([
    ['NUL', 'a\u0000b'],
    ['a line end', 'a\nb'],
    ['a tab', 'a\tb'],
    ['DEL', 'a\u007fb'],
    ['a C1 control character', 'a\u0085b'],
    ['a lone high surrogate', `a${surrogate}b`],
    ['a lone low surrogate', 'a\udc00b'],
    ['a zero-width joiner (Cf)', 'a\u200db'],
    ['a soft hyphen (Cf)', 'a\u00adb'],
    ['a right-to-left override (Cf)', 'a\u202eb'],
    ['a byte order mark (Cf)', 'a\ufeffb'],
    ['a line separator (Zl)', 'a\u2028b'],
    ['a paragraph separator (Zp)', 'a\u2029b'],
    ['a zero-width space (Cf) at the end', 'ab\u200b'],
    ['a word joiner (Cf) at the beginning', '\u2060ab'],
    ['a byte order mark (Cf) at the beginning', '\ufeffab'],
    ['a combining grapheme joiner', 'a\u034fb'],
    ['a filler of Hangul', 'ab\u3164'],
    ['a filler of half width', '\uffa0ab'],
    ['a variation selector', 'ab\ufe0f'],
    ['a blank of Braille', 'ab\u2800'],
    ['a tag', 'ab\u{e0041}'],
  ])('%s: refused', (_what, text) => {
    expect(messageOf(read(text))).toBe(`${field}: must not contain control or invisible characters`);
  });

  test.each(['.', '..'])('%s, which an address leaves out: refused', (text) => {
    expect(messageOf(read(text))).toBe(`${field}: must not be "." or "..", which no address can name`);
  });

  test.each(['...', '.a', 'a.', '../a', '%2e%2e'])('%s: accepted as sent', (text) => {
    expect(valueOf(read(text) as ReturnType<typeof p2p>)).toMatchObject(
      field === 'reference' ? { reference: text } : { userRef: text },
    );
  });
});

describe.each(Object.entries(names))('%s', (field, read) => {
  test.each([
    ['a space before', ' ada'],
    ['a space behind', 'ada '],
    ['a no-break space behind', 'ada\u00a0'],
    ['a no-break space before', '\u00a0ada'],
    ['an ideographic space behind', 'ada\u3000'],
    ['a thin space before', '\u2009ada'],
    ['a narrow no-break space behind', 'ada\u202f'],
    ['a space mark of Ogham', '\u1680ada'],
    ['only a space', ' '],
  ])('%s: refused', (_what, text) => {
    expect(messageOf(read(text))).toBe(`${field}: must not begin or end with a space`);
  });
});

test.each([
  ['a mark behind its letter', 'cafe\u0301-1', 'café-1'],
  ['two marks in another order', 'o\u0301\u0323', '\u1ecd\u0301'],
  ['a sign that stands for a letter', '\u212b-1', 'Å-1'],
  ['letters of Hangul', '\u1100\u1161', '가'],
  ['what is in NFC already', 'café-Ọjà', 'café-Ọjà'],
  ['128 characters that are more before', 'e\u0301'.repeat(128), 'é'.repeat(128)],
])('two spellings of a reference are one, which is kept in NFC: %s', (_what, text, kept) => {
  expect(valueOf(p2p({ reference: text })).reference).toBe(kept);
  expect(valueOf(p2p({ reference: kept })).reference).toBe(kept);
  expect(referenceOf({ reference: text })).toBe(kept);
});

describe('user_ref', () => {
  test.each([['two underscores before', '__settlement__', 'must not begin with "__"']])(
    '%s: refused',
    (_what, text, message) => {
      expect(messageOf(readWalletCreation({ user_ref: text }))).toBe(`user_ref: ${message}`);
    },
  );

  test.each(['_ada', 'ada__', 'Ada', 'ada obi'])('%s: accepted as sent', (text) => {
    expect(valueOf(readWalletCreation({ user_ref: text })).userRef).toBe(text);
  });
});

describe.each(Object.entries(texts))('%s', (field, read) => {
  test.each([
    ['empty', ''],
    ['500 characters', 'a'.repeat(500)],
    ['500 characters outside the basic plane', wide.repeat(500)],
    ['line ends and tabs', 'a\n\tb'],
    ['a zero-width joiner', 'a\u200db'],
  ])('%s: accepted as sent', (_what, text) => {
    expect(Object.values(valueOf(read(text) as ReturnType<typeof p2p>))).toContain(text);
  });

  test.each([
    ['501 characters', 'a'.repeat(501), 'must have at most 500 characters'],
    ['NUL', 'a\u0000', 'must not contain control characters'],
    ['a carriage return', 'a\r', 'must not contain control characters'],
    ['an escape', 'a\u001b', 'must not contain control characters'],
    ['DEL', 'a\u007f', 'must not contain control characters'],
    ['a lone surrogate', surrogate, 'must not contain control characters'],
  ])('%s: refused', (_what, text, message) => expect(messageOf(read(text))).toBe(`${field}: ${message}`));
});

describe('metadata', () => {
  const read = (metadata: unknown) => p2p({ metadata });

  /** An object of that many levels, itself being the first. */
  const levels = (count: number): object => (count <= 1 ? {} : { a: levels(count - 1) });
  /** An object whose compact JSON has that many bytes, in characters of `width` bytes. */
  const bytes = (count: number, fill = 'a', width = 1): object => {
    const room = count - '{"a":""}'.length;
    return { a: fill.repeat(Math.floor(room / width)) + 'a'.repeat(room % width) };
  };

  test.each<[string, object]>([
    ['empty', {}],
    ['of every kind of value', { a: 'x\ny', b: 1.5, c: true, d: null, e: [1, [2]], f: {} }],
    ['of 16,384 bytes', bytes(16_384)],
    ['of 16,384 bytes in wide characters', bytes(16_384, wide, 4)],
    ['of 20 levels', levels(20)],
    ['of 20 levels, the last an array', { a: levels(18), b: [[[[[[[[[[[[[[[[[[[7]]]]]]]]]]]]]]]]]]] }],
  ])('%s: accepted as sent', (_what, metadata) => {
    expect(valueOf(read(metadata)).metadata).toEqual(metadata);
  });

  test.each<[string, object, string]>([
    ['of 16,385 bytes', bytes(16_385), 'must have at most 16384 bytes'],
    ['of 16,385 bytes in wide characters', bytes(16_385, wide, 4), 'must have at most 16384 bytes'],
    ['of 21 levels', levels(21), 'must be at most 20 levels deep'],
    [
      'of 21 levels by an array',
      { b: [[[[[[[[[[[[[[[[[[[[7]]]]]]]]]]]]]]]]]]]] },
      'must be at most 20 levels deep',
    ],
    ['with a control character in a value', { a: 'x\u0000' }, 'must not contain control characters'],
    [
      'with a control character deep within',
      { a: [{ b: 'x\u0007' }] },
      'must not contain control characters',
    ],
    ['with a control character in a key', { 'a\u0000': 1 }, 'must not contain control characters'],
    [
      'with a number beyond a double, which would come back as null',
      JSON.parse('{"a":[1e400]}') as object,
      'must not contain numbers beyond a double',
    ],
    ['with a lone surrogate', { a: surrogate }, 'must not contain control characters'],
    ['with a lone surrogate in a key', { [surrogate]: 1 }, 'must not contain control characters'],
  ])('%s: refused', (_what, metadata, message) => {
    expect(messageOf(read(metadata))).toBe(`metadata: ${message}`);
  });

  test('the same limits hold for a wallet', () => {
    const wallet = (metadata: unknown) => readWalletCreation({ user_ref: 'ada', metadata });
    expect(valueOf(wallet(bytes(16_384))).metadata).toEqual(bytes(16_384));
    expect(messageOf(wallet(bytes(16_385)))).toBe('metadata: must have at most 16384 bytes');
    expect(messageOf(wallet(levels(21)))).toBe('metadata: must be at most 20 levels deep');
    expect(messageOf(wallet([]))).toBe('metadata: must be an object');
  });
});

test.each([
  ['1 character', 'a', true],
  ['255 characters', 'a'.repeat(255), true],
  ['every printable ASCII character', ' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~', true],
  ['empty', '', false],
  ['256 characters', 'a'.repeat(256), false],
  ['a tab', 'a\tb', false],
  ['a line end behind', 'a\n', false],
  ['DEL', '\u007f', false],
  ['beyond ASCII', 'é', false],
])('an Idempotency-Key of %s: %#', (_what, key, good) => expect(isPlainKey(key)).toBe(good));
