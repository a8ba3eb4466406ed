/**
 * API keys as partners hold them: `sk_test_` or `sk_live_`, 32 random base62 characters, and 6 of their
 * CRC-32, so that a mistyped or invented key is refused without a look into the database (D102, D129).
 */
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { ENVIRONMENTS, type ApiKey, type EnvironmentName } from '../domain/partners';
import { KEY_CIDRS_MAX, KEY_SCOPE_NAMES, type KeyScope } from '../domain/key-scopes';
import type { KeyDay } from '../domain/request-log';
import { done, map, type Outcome } from '../domain/outcome';
import { timestamp, uuid } from './answers';
import { atMost, instant, optional, plainText, SECRET } from './fields';
import { publishedBody, readBody } from './read';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const DISPLAYED = 12;
/** How long both keys of a rotation are good, unless the caller says so. */
const KEY_OVERLAP_SECONDS = 86_400;
const KEY_OVERLAP_MAX_SECONDS = 604_800;

const PREFIXES: Readonly<Record<EnvironmentName, string>> = { sandbox: 'sk_test_', live: 'sk_live_' };

/** A new key; it is shown once and only its hash is kept. */
export const newApiKey = (environment: EnvironmentName): string => newKey(PREFIXES[environment]);

/** A new key of any kind. */
export function newKey(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
  return prefix + random + checksum(random);
}

/** Whether the text can be a key of this kind: the right length, and a checksum that fits. */
export function isKey(prefix: string, text: string): boolean {
  const rest = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !/^[0-9A-Za-z]{38}$/.test(rest)) return false;
  return checksum(rest.slice(0, RANDOM_LENGTH)) === rest.slice(RANDOM_LENGTH);
}

/** The environment of a well-formed key, or null. */
export function environmentOfKey(key: string): EnvironmentName | null {
  const kinds = Object.entries(PREFIXES) as [EnvironmentName, string][];
  return kinds.find(([, prefix]) => isKey(prefix, key))?.[0] ?? null;
}

/** The hash that is stored. A fast hash is enough, because a key has 190 random bits. */
export const hashApiKey = (key: string): Buffer => hash('sha256', key, 'buffer');

/** What may be shown of a key later: its first 12 characters. */
export const keyPrefix = (key: string): string => `${key.slice(0, DISPLAYED)}...`;

const anyNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
/** A network that is written as IPv4 within IPv6 and is wider than all of IPv4 would match no caller. */
const isTooWide = (text: string): boolean =>
  /^[0:]*:ffff:/i.test(text) && Number(text.split('/')[1] ?? MAPPED_LEAST) < MAPPED_LEAST;
const MAPPED_LEAST = 96;
const network = z.string().refine((text) => anyNetwork.safeParse(text).success && !isTooWide(text), {
  error: 'must be an address or a network, such as 203.0.113.0/24',
});

/** More than there are, so that nobody has to count. */
const KEY_SCOPES_MAX = 50;

/** A label may be left out or empty: it is for people (D128). */
const keyCreationSchema = z.object({
  label: optional(plainText(200, 0)),
  scopes: optional(
    atMost(
      KEY_SCOPES_MAX,
      `must be at most ${String(KEY_SCOPES_MAX)} scopes`,
      z.array(z.enum(KEY_SCOPE_NAMES, { error: `must be of: ${KEY_SCOPE_NAMES.join(', ')}` })).min(1),
    ).meta({
      description: 'What the key may do; everything, unless given',
      examples: [['read', 'payments']],
    }),
  ),
  allowed_cidrs: optional(
    atMost(KEY_CIDRS_MAX, `must be at most ${String(KEY_CIDRS_MAX)} networks`, z.array(network)).meta({
      description: 'The networks from which it may be used; from everywhere, unless given',
      examples: [['203.0.113.0/24', '2001:db8::/32']],
    }),
  ),
  environment: optional(z.enum(ENVIRONMENTS)),
  expires_at: optional(instant),
});

export const keyCreationBody = publishedBody('APIKeyCreation', keyCreationSchema);

const keyRotationSchema = z.object({
  overlap_seconds: optional(
    z
      .int()
      .min(0)
      .max(KEY_OVERLAP_MAX_SECONDS)
      .meta({ description: 'How long the old key goes on; a day, unless given', examples: [86_400] }),
  ),
});

export const keyRotationBody = publishedBody('APIKeyRotation', keyRotationSchema);

/** @returns for how many seconds the old key goes on. */
export function readKeyRotation(body: unknown): Outcome<number> {
  const read = readBody(keyRotationSchema, body ?? {});
  return map(read, ({ overlap_seconds: seconds = KEY_OVERLAP_SECONDS }) => seconds);
}

export interface KeyCreation {
  label: string;
  scopes: KeyScope[];
  /** As they were given. */
  networks: string[];
  /** null: that of the token. */
  environment: EnvironmentName | null;
  expiresAt: Date | null;
}

export function readKeyCreation(body: unknown): Outcome<KeyCreation> {
  const read = readBody(keyCreationSchema, body);
  if (!read.ok) return read;
  const { label = '', environment = null, expires_at: expiresAt } = read.value;
  const { scopes = KEY_SCOPE_NAMES, allowed_cidrs: networks = [] } = read.value;
  return done({
    label,
    scopes: [...new Set(scopes)],
    networks,
    environment,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
  });
}

export const apiKeyInfo = z
  .object({
    id: uuid,
    partner_id: uuid,
    key_prefix: z.string().meta({ description: 'The first 12 characters', examples: ['sk_test_4fzQ...'] }),
    environment: z.enum(ENVIRONMENTS),
    label: z.string(),
    // A key without bounds is shown as the interface publishes it (interface: Authentication, rule 5).
    scopes: z
      .array(z.enum(KEY_SCOPE_NAMES))
      .optional()
      .meta({ description: 'What it may do; absent where it may do everything' }),
    allowed_cidrs: z.array(z.string()).optional().meta({
      description: 'The networks from which it may be used; absent where it may be used from everywhere',
    }),
    last_used_at: timestamp.nullable().meta({ description: 'To the minute' }),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'APIKey' });

/** A key in the list. */
export const listedApiKey = z
  .object({
    ...apiKeyInfo.shape,
    used_by_day: z
      .array(
        z.object({
          day: z.iso.date().meta({ description: 'In Lagos', examples: ['2026-11-25'] }),
          requests: z.int().min(1),
        }),
      )
      .optional()
      .meta({
        description:
          'With `include=used_by_day`: how many requests the key has asked for on each of the last 30 days, the latest first; a few seconds behind. A day ' +
          'without use is left out',
      }),
  })
  .meta({ id: 'ListedAPIKey' });

/** @param days of this key; null: they were not asked for. */
export const writeListedApiKey = (
  key: ApiKey,
  days: readonly KeyDay[] | null,
): z.infer<typeof listedApiKey> => ({
  ...writeApiKey(key),
  ...(days && { used_by_day: days.map(({ day, requests }) => ({ day, requests })) }),
});

export const createdApiKey = z
  .object({
    ...apiKeyInfo.shape,
    key: z.string().meta({ ...SECRET, description: 'The key itself; shown here and never again' }),
  })
  .meta({ id: 'CreatedAPIKey' });

export const writeApiKey = (key: ApiKey): z.infer<typeof apiKeyInfo> => ({
  id: key.id,
  partner_id: key.partnerId,
  key_prefix: key.keyPrefix,
  environment: key.environment,
  label: key.label,
  ...(key.scopes.length < KEY_SCOPE_NAMES.length && { scopes: [...key.scopes] }),
  ...(key.allowedCidrs.length > 0 && { allowed_cidrs: [...key.allowedCidrs] }),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  expires_at: key.expiresAt?.toISOString() ?? null,
  created_at: key.createdAt.toISOString(),
});

function checksum(random: string): string {
  let value = crc32(random);
  let text = '';
  while (value > 0) {
    text = (BASE62[value % 62] as string) + text;
    value = Math.floor(value / 62);
  }
  return text.padStart(CHECK_LENGTH, '0');
}
