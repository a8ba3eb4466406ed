/** The name of a secret key, as tokens, sealed texts, PINs, blind indexes and the rows of the trail carry it. */
import { createHmac } from 'node:crypto';

/**
 * @param key at least 32 random bytes.
 * @returns eight characters of base64url. They are computed from the key, tell nothing about it, and two keys do not get the
 *   same ones by mistake.
 */
export const keyId = (key: Buffer): string =>
  createHmac('sha256', key).update('key id').digest('base64url').slice(0, 8);
