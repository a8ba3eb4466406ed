/**
 * The blind index finds equal BVNs and NINs without opening them. It is an HMAC-SHA256 under a key of its own. All
 * numbers of eleven digits can be tried in a short time, so the key is not in the database, and it is not the key
 * that seals. Each environment has its own index, so that rows of the two cannot be matched (D104). An index names
 * its key, so that rows of an earlier key can be found and given a new index (`npm run secrets -- reseal`).
 */
import { createHmac } from 'node:crypto';
import type { EnvironmentName } from '../domain/partners';
import type { VerificationType } from '../domain/verifications';
import { keyId } from './key-id';

export interface BlindIndex {
  /** What the indexes under each known key begin with, the newest key first. */
  prefixes: readonly [string, ...string[]];
  /** @returns the same text for the same kind and number, and for no other, under the newest key. */
  of(type: VerificationType, number: string): string;
  /** The same number under every key: a row that was written before the key changed is found by one of these. */
  all(type: VerificationType, number: string): string[];
}

/**
 * @param newest 32 bytes in base64, of the whole installation.
 * @param accepted further keys, under which rows are only looked up.
 */
export function createBlindIndex(
  environment: EnvironmentName,
  newest: string,
  accepted: readonly string[] = [],
): BlindIndex {
  const underKey = (key: string) => {
    const ownKey = createHmac('sha256', Buffer.from(key, 'base64')).update(environment).digest();
    const prefix = `${keyId(ownKey)}.`;
    const of = (type: VerificationType, number: string): string =>
      prefix + createHmac('sha256', ownKey).update(`${type}|${number}`).digest('base64url');
    return { prefix, of };
  };
  const first = underKey(newest);
  const further = accepted.map(underKey);
  return {
    prefixes: [first.prefix, ...further.map(({ prefix }) => prefix)],
    of: first.of,
    all: (type, number) => [first, ...further].map(({ of }) => of(type, number)),
  };
}
