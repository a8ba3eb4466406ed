/**
 * The blind index finds equal BVNs and NINs without opening them. It is an HMAC-SHA256 under a key of its own. All
 * numbers of eleven digits can be tried in a short time, so the key is not in the database, and it is not the key
 * that seals. Each environment has its own index, so that rows of the two cannot be matched (D104).
 */
import { createHmac } from 'node:crypto';
import type { EnvironmentName } from '../domain/partners';
import type { VerificationType } from '../domain/verifications';

/** @returns the same text for the same kind and number, and for no other. */
export type BlindIndex = (type: VerificationType, number: string) => string;

/** @param key 32 bytes in base64, of the whole installation. */
export function createBlindIndex(key: string, environment: EnvironmentName): BlindIndex {
  const ownKey = createHmac('sha256', Buffer.from(key, 'base64')).update(environment).digest();
  return (type, number) => createHmac('sha256', ownKey).update(`${type}|${number}`).digest('base64url');
}
