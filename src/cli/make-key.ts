/** Makes a key for a partner: shown once, kept as a hash (D102). */
import { newId } from '../db/ids';
import { insertKey } from '../db/credentials';
import type { Queryable } from '../db/postgres';
import type { EnvironmentName } from '../domain/partners';
import { hashApiKey, keyPrefix, newApiKey } from '../wire/api-keys';

export async function makeKey(
  db: Queryable,
  asked: { partnerId: string; environment: EnvironmentName; label: string; expiresAt?: Date | null },
): Promise<{ id: string; key: string }> {
  const key = newApiKey(asked.environment);
  const id = newId();
  await insertKey(db, {
    id,
    partnerId: asked.partnerId,
    environment: asked.environment,
    keyHash: hashApiKey(key),
    keyPrefix: keyPrefix(key),
    label: asked.label,
    expiresAt: asked.expiresAt ?? null,
  });
  return { id, key };
}
