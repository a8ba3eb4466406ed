/** Makes a key for a partner: shown once, kept as a hash (D102). The API and `npm run keys` make them alike. */
import { newId } from '../db/pg/ids';
import { insertKey } from '../db/partners/credentials';
import type { Queryable } from '../db/pg/postgres';
import type { ApiKey, EnvironmentName } from '../domain/partners';
import { hashApiKey, keyPrefix, newApiKey } from '../wire/api-keys';

/** @returns the key with its record, or null when `expiresAt` has passed already. */
export async function makeKey(
  db: Queryable,
  asked: { partnerId: string; environment: EnvironmentName; label: string; expiresAt: Date | null },
): Promise<{ key: string; record: ApiKey } | null> {
  const key = newApiKey(asked.environment);
  const record = await insertKey(db, {
    id: newId(),
    ...asked,
    keyHash: hashApiKey(key),
    keyPrefix: keyPrefix(key),
  });
  return record && { key, record };
}
