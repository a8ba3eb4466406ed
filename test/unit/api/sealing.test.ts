/** Sealed texts open only as they were sealed: unaltered, in their place, under their key (R29). */
import { createSealing, endpointSecretPlace } from '../../../src/sealing';

const keyOf = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const sealing = createSealing(keyOf(1));
const PLACE = endpointSecretPlace('partner-1', 'endpoint-1');
const SECRET = 'sk_wh_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test.each([SECRET, 'a', '', 'Ọláwálé ₦ 🏦', 'x'.repeat(10_000)])('%p comes back', (text) => {
  expect(sealing.open(sealing.seal(text, PLACE), PLACE)).toBe(text);
});

test('what is sealed does not show', () => {
  const sealed = sealing.seal(SECRET, PLACE);
  expect(sealed).not.toContain(SECRET.slice(6));
  expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString()).not.toBe(SECRET);
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
])('moved to %s it does not open', (_what, place) => {
  const sealed = sealing.seal(SECRET, PLACE);
  expect(() => sealing.open(sealed, place)).toThrow();
});

/** Changes one of the parts: version, nonce, hidden text, tag. */
function withPart(place: number, change: (bytes: Buffer) => Buffer): string {
  const parts = sealing.seal(SECRET, PLACE).split('.');
  parts[place] = change(Buffer.from(parts[place] ?? '', 'base64url')).toString('base64url');
  return parts.join('.');
}

describe.each([
  ['nonce', 1, 12],
  ['hidden text', 2, SECRET.length],
  ['tag', 3, 16],
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
  ['of another version', sealing.seal(SECRET, PLACE).replace('v1.', 'v2.')],
  ['without its version', sealing.seal(SECRET, PLACE).slice(3)],
  ['without its tag', sealing.seal(SECRET, PLACE).split('.').slice(0, 3).join('.')],
])('a text that is %s does not open', (_what, text) => expect(() => sealing.open(text, PLACE)).toThrow());
