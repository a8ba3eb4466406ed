/**
 * What makes two requests with one Idempotency-Key the same: the operation, its path ids and its body as read
 * (D44, D167).
 */
import { hash } from 'node:crypto';
import type { OpeningKey } from '../domain/ledger';
import { fingerprintOf } from '../domain/ledger/same-request';
import type { Call } from './route';

/**
 * The key of this call with its fingerprint, or null without a key.
 * @param request the body as it was read, with aliases folded.
 */
export function usedKey(call: Call, operation: string, request: object): OpeningKey | null {
  if (call.idempotencyKey === null) return null;
  const hashed = hash('sha256', canonical([operation, call.params, request]), 'base64url');
  const { form, requestId, ignored } = call;
  const fingerprint = fingerprintOf(hashed, ignored);
  return { operation, key: call.idempotencyKey, fingerprint, form, requestId };
}

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
