/**
 * What makes two requests with one Idempotency-Key the same: the operation, its path ids and its body as read
 * (D44, D167).
 */
import type { OpeningKey } from '../domain/ledger';
import { fingerprintOf } from './canonical';
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
