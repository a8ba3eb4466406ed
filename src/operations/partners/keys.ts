/**
 * API keys: shown once, kept as a hash, ended by a deletion (D102). The API and `npm run keys` make them alike.
 */
import { done, map, refuse, type Outcome } from '../../domain/outcome';
import type { ApiKey, EnvironmentName } from '../../domain/partners';
import { insertKey, revokeKey } from '../../db/partners/credentials';
import { newId } from '../../db/pg/ids';
import type { Queryable } from '../../db/pg/postgres';
import { hashApiKey, keyPrefix, newApiKey } from '../../wire/api-keys';

/**
 * Makes a key. Every call makes another one.
 * @returns the key with its record, or VALIDATION_ERROR when `expiresAt` has passed already.
 */
export async function makeKey(
  db: Queryable,
  asked: { partnerId: string; environment: EnvironmentName; label: string; expiresAt: Date | null },
): Promise<Outcome<{ key: string; record: ApiKey }>> {
  const key = newApiKey(asked.environment);
  const inserted = await insertKey(db, {
    id: newId(),
    ...asked,
    keyHash: hashApiKey(key),
    keyPrefix: keyPrefix(key),
  });
  return map(inserted, (record) => ({ key, record }));
}

/** Ends a key of this partner: it is refused everywhere within five seconds. @returns done, or NOT_FOUND. */
export async function deleteKey(db: Queryable, partnerId: string, keyId: string): Promise<Outcome<null>> {
  return (await revokeKey(db, keyId, partnerId)) ? done(null) : refuse('NOT_FOUND');
}
