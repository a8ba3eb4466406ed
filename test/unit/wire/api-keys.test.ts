/**
 * API keys: their shape, the checksum that refuses a mistyped one, and what is kept and shown of them (D102, D129,
 * D164).
 */
import { createHash } from 'node:crypto';
import { environmentOfKey, hashApiKey, keyPrefix, newApiKey } from '../../../src/wire/api-keys';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 (IEEE) bit by bit, as its definition has it. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
const base62 = (value: number): string =>
  (value >= 62 ? base62(Math.floor(value / 62)) : '') + (BASE62[value % 62] ?? '');
const withChecksum = (prefix: string, random: string): string =>
  prefix + random + base62(crc32(random)).padStart(6, '0');

const environments = [
  ['sandbox', 'sk_test_'],
  ['live', 'sk_live_'],
] as const;

describe.each(environments)('a key for %s', (environment, prefix) => {
  test(`is ${prefix}, 32 random base62 characters and 6 of their checksum`, () => {
    for (let count = 0; count < 200; count++) {
      const key = newApiKey(environment);
      expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
      expect(key).toBe(withChecksum(prefix, key.slice(8, 40)));
      expect(environmentOfKey(key)).toBe(environment);
    }
  });

  test('is never drawn twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newApiKey(environment))).size).toBe(1_000);
  });

  test('with any one character mistyped is refused', () => {
    const key = newApiKey(environment);
    for (let at = prefix.length; at < key.length; at++) {
      for (const other of ['0', 'Z', 'a']) {
        if (key[at] === other) continue;
        expect(environmentOfKey(key.slice(0, at) + other + key.slice(at + 1))).toBeNull();
      }
    }
  });
});

test('a checksum that begins with zeros keeps its six characters', () => {
  const short = Array.from({ length: 5_000 }, (_, n) => String(n).padStart(32, 'x')).find(
    (random) => base62(crc32(random)).length < 6,
  );
  expect(short).toBeDefined();
  expect(environmentOfKey(withChecksum('sk_test_', short ?? ''))).toBe('sandbox');
});

test('a key with an unknown prefix belongs to no environment', () => {
  const key = newApiKey('sandbox');
  expect(environmentOfKey(key.replace('sk_test_', 'sk_prod_'))).toBeNull();
  expect(environmentOfKey(key.replace('sk_test_', 'SK_TEST_'))).toBeNull();
});

test.each([
  ['empty', () => ''],
  ['a prefix alone', () => 'sk_test_'],
  ['cut short', (key: string) => key.slice(0, -1)],
  ['with a character behind', (key: string) => `${key}0`],
  ['with a line end behind', (key: string) => `${key}\n`],
  ['with a space before', (key: string) => ` ${key}`],
  ['a key twice', (key: string) => key + key],
  ['without its prefix', (key: string) => key.slice(8)],
  ['with a hyphen in it', (key: string) => `${key.slice(0, 20)}-${key.slice(21)}`],
])('%s: refused', (_what, change) => expect(environmentOfKey(change(newApiKey('sandbox')))).toBeNull());

test('only its SHA-256 is kept', () => {
  const key = newApiKey('live');
  expect(hashApiKey(key)).toEqual(createHash('sha256').update(key).digest());
});

test('its first twelve characters are shown', () => {
  expect(keyPrefix('sk_test_abcdefghijkl')).toBe('sk_test_abcd...');
});
