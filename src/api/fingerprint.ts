/** What makes two requests with one Idempotency-Key the same: the operation, its path ids and its body as read (D44, D167). */
import { createHash } from 'node:crypto';
import type { UsedKey } from '../domain/ledger';
import type { Call } from './route';

/** The key of this call with its fingerprint, or null without a key. `request` is the body after folding and reading. */
export function usedKey(call: Call, operation: string, request: object): UsedKey | null {
  if (call.idempotencyKey === null) return null;
  const text = JSON.stringify(sorted([operation, call.params, request]));
  const fingerprint = createHash('sha256').update(text).digest('hex');
  return { operation, key: call.idempotencyKey, fingerprint };
}

/** The same value with every object's keys in order: key order does not make another request. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
