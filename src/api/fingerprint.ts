/**
 * What makes two requests with one Idempotency-Key the same: the operation, its path ids and its body as read
 * (D44, D167).
 */
import type { OpeningKey } from '../domain/ledger';
import { fingerprintOf } from '../domain/ledger/same-request';
import { hashOfRequest } from './canonical';
import type { Call } from './route';

/**
 * The key of this call with its fingerprint, or null without a key.
 * @param request the body as it was read, with aliases folded.
 */
export function usedKey(call: Call, operation: string, request: object): OpeningKey | null {
  if (call.idempotencyKey === null) return null;
  return keyWith(call, operation, hashOfRequest([operation, call.params, request]));
}

/** The same for a body whose hash was taken where it was read. */
export function keyWith(call: Call, operation: string, hash: string): OpeningKey | null {
  const { form, requestId, ignored, idempotencyKey: key } = call;
  return key === null ? null : { operation, key, fingerprint: fingerprintOf(hash, ignored), form, requestId };
}
