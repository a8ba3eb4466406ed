/**
 * A sealed text opens only unaltered, in its place, and under its key, which may be the current or an older one
 * (R29).
 */
import { createSealing, endpointSecretPlace } from '../../../src/secrets/sealing';

const keyOf = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const sealing = createSealing(keyOf(1));
const PLACE = endpointSecretPlace('partner-1', 'endpoint-1');
const SECRET = 'sk_wh_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test.each([SECRET, 'a', '', 'Ọláwálé ₦ 🏦', 'x'.repeat(10_000)])('%p comes back', (text) => {
  expect(sealing.open(sealing.seal(text, PLACE), PLACE)).toBe(text);
});

test('a sealed text does not contain the secret', () => {
  const sealed = sealing.seal(SECRET, PLACE);
  expect(sealed).not.toContain(SECRET.slice(6));
  expect(Buffer.from(sealed.split('.')[3] ?? '', 'base64url').toString()).not.toBe(SECRET);
});

test('the same text is sealed differently every time', () => {
  expect(new Set(Array.from({ length: 100 }, () => sealing.seal(SECRET, PLACE))).size).toBe(100);
});

test('another process with the same key opens it', () => {
  expect(createSealing(keyOf(1)).open(sealing.seal(SECRET, PLACE), PLACE)).toBe(SECRET);
});

test('under another key it does not open', () => {
  const sealed = sealing.seal(SECRET, PLACE);
  expect(() => createSealing(keyOf(2)).open(sealed, PLACE)).toThrow();
});

test.each([
  ['another endpoint', endpointSecretPlace('partner-1', 'endpoint-2')],
  ['another partner', endpointSecretPlace('partner-2', 'endpoint-1')],
  ['nowhere', ''],
])('a text that was moved to %s does not open', (_what, place) => {
  const sealed = sealing.seal(SECRET, PLACE);
  expect(() => sealing.open(sealed, place)).toThrow();
});

describe('keys', () => {
  const idOf = (sealed: string) => sealed.split('.')[1];

  test('a sealed text names its key by a short name, which is always the same and different for every key', () => {
    expect(idOf(sealing.seal(SECRET, PLACE))).toMatch(/^[\w-]{8}$/);
    const ids = Array.from({ length: 100 }, (_, n) => idOf(createSealing(keyOf(n)).seal('a', PLACE)));
    expect(new Set(ids).size).toBe(100);
    expect(idOf(createSealing(keyOf(1)).seal('b', 'elsewhere'))).toBe(ids[1]);
  });

  test('after a change of the key, texts under the older keys still open', () => {
    const [first, second] = [keyOf(1), keyOf(2)];
    const before = createSealing(first).seal(SECRET, PLACE);
    const between = createSealing(second, [first]).seal(SECRET, PLACE);
    const after = createSealing(keyOf(3), [second, first]);
    expect([before, between].map((sealed) => after.open(sealed, PLACE))).toEqual([SECRET, SECRET]);
  });

  test('only the current key seals', () => {
    const sealed = createSealing(keyOf(2), [keyOf(1)]).seal(SECRET, PLACE);
    expect(createSealing(keyOf(2)).open(sealed, PLACE)).toBe(SECRET);
    expect(() => createSealing(keyOf(1)).open(sealed, PLACE)).toThrow();
  });

  test('a text that names another key does not open', () => {
    const other = idOf(createSealing(keyOf(2)).seal('a', PLACE)) ?? '';
    const sealed = sealing.seal(SECRET, PLACE);
    const renamed = sealed.replace(idOf(sealed) ?? '', other);
    expect(() => createSealing(keyOf(1), [keyOf(2)]).open(renamed, PLACE)).toThrow();
  });
});

/** Changes one of the parts: version, key, nonce, hidden text, tag. */
function withPart(place: number, change: (bytes: Buffer) => Buffer): string {
  const parts = sealing.seal(SECRET, PLACE).split('.');
  parts[place] = change(Buffer.from(parts[place] ?? '', 'base64url')).toString('base64url');
  return parts.join('.');
}

describe.each([
  ['nonce', 2, 12],
  ['hidden text', 3, SECRET.length],
  ['tag', 4, 16],
])('the %s', (_what, place, length) => {
  test(`has ${length} bytes`, () => {
    withPart(place, (bytes) => {
      expect(bytes).toHaveLength(length);
      return bytes;
    });
  });

  test('with any bit changed does not open', () => {
    for (let bit = 0; bit < length * 8; bit++) {
      const altered = withPart(place, (bytes) => {
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return bytes;
      });
      expect(() => sealing.open(altered, PLACE)).toThrow();
    }
  });

  test('cut to any length does not open', () => {
    for (let left = 0; left < length; left++) {
      expect(() =>
        sealing.open(
          withPart(place, (bytes) => bytes.subarray(0, left)),
          PLACE,
        ),
      ).toThrow();
    }
  });
});

test.each([
  ['empty', ''],
  ['plain text', SECRET],
  ['of another version', sealing.seal(SECRET, PLACE).replace('v2.', 'v3.')],
  ['of an earlier version', sealing.seal(SECRET, PLACE).replace('v2.', 'v1.')],
  ['without the name of its key', sealing.seal(SECRET, PLACE).replace(/^v2\.[^.]+/, 'v2')],
  ['without its version', sealing.seal(SECRET, PLACE).slice(3)],
  ['without its tag', sealing.seal(SECRET, PLACE).split('.').slice(0, 4).join('.')],
])('a text that is %s does not open', (_what, text) => expect(() => sealing.open(text, PLACE)).toThrow());
