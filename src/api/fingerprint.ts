/**
 * What makes two requests with one Idempotency-Key the same: the operation, its path ids and its body as read
 * (D44, D167).
 */
import { hash } from 'node:crypto';
import type { OpeningKey } from '../domain/ledger';
import type { Call } from './route';

/**
 * The key of this call with its fingerprint, or null without a key.
 * @param request the body as it was read, with aliases folded.
 */
export function usedKey(call: Call, operation: string, request: object): OpeningKey | null {
  if (call.idempotencyKey === null) return null;
  return keyWith(call, operation, fingerprintOf([operation, call.params, request]));
}

/** The same for a body whose fingerprint was taken where it was read. */
export function keyWith(call: Call, operation: string, fingerprint: string): OpeningKey | null {
  const { form, requestId, idempotencyKey: key } = call;
  return key === null ? null : { operation, key, fingerprint, form, requestId };
}

/** @param what the operation, the ids in its path and the body as it was read. */
export const fingerprintOf = (what: readonly [operation: string, params: object, request: object]): string =>
  hash('sha256', canonical(what), 'base64url');

/** JSON with the keys of every object sorted, because the order of keys does not make another request. */
function canonical(value: unknown): string {
  const isWhole = typeof value !== 'object' || value === null || value instanceof Date;
  if (isWhole) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = value as Record<string, unknown>;
  const written = Object.keys(members)
    .filter((key) => members[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(members[key])}`);
  return `{${written.join(',')}}`;
}
