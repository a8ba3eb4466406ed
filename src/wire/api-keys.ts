/**
 * API keys as partners hold them: `sk_test_` or `sk_live_`, 32 random base62 characters, and 6 of their
 * CRC-32, so that a mistyped or invented key is refused without a look into the database (D102, D129).
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { EnvironmentName } from '../domain/partners';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const DISPLAYED = 12;

const PREFIXES: Readonly<Record<EnvironmentName, string>> = { sandbox: 'sk_test_', live: 'sk_live_' };

/** A new key; it is shown once and only its hash is kept. */
export function newApiKey(environment: EnvironmentName): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
  return PREFIXES[environment] + random + checksum(random);
}

/** The environment of a well-formed key, or null. */
export function environmentOfKey(key: string): EnvironmentName | null {
  const found = (Object.entries(PREFIXES) as [EnvironmentName, string][]).find(([, prefix]) =>
    key.startsWith(prefix),
  );
  if (!found) return null;
  const [environment, prefix] = found;
  const rest = key.slice(prefix.length);
  if (!/^[0-9A-Za-z]{38}$/.test(rest)) return null;
  return checksum(rest.slice(0, RANDOM_LENGTH)) === rest.slice(RANDOM_LENGTH) ? environment : null;
}

/** What is stored: 190 random bits need no slow hash. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest();

/** What may be shown of a key later: its first 12 characters. */
export const keyPrefix = (key: string): string => `${key.slice(0, DISPLAYED)}...`;

function checksum(random: string): string {
  let value = crc32(random);
  let text = '';
  while (value > 0) {
    text = (BASE62[value % 62] as string) + text;
    value = Math.floor(value / 62);
  }
  return text.padStart(CHECK_LENGTH, '0');
}
