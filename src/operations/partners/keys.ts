/**
 * API keys: shown once, kept as a hash, ended by a deletion (D102). The API and `npm run keys` make them alike.
 */
import { done, map, refuse, type Outcome } from '../../domain/outcome';
import type { ApiKey, EnvironmentName } from '../../domain/partners';
import { insertKey, revokeKey } from '../../db/partners/credentials';
import { newId } from '../../db/pg/ids';
import type { Queryable } from '../../db/pg/postgres';
import type { SignedIn } from '../../domain/sessions';
import { hashApiKey, keyPrefix, newApiKey } from '../../wire/api-keys';
import { unproved } from './proof';
import { eventOf, withSecurityEvents, type SecurityDeps } from './security';

/** How many keys in force a partner has in one environment at most. */
export const KEYS_MAX = 20;

/**
 * Makes a key. Every call makes another one.
 * @param db a transaction, so that two calls at once count each other's key.
 * @returns the key with its record, or VALIDATION_ERROR when `expiresAt` has passed already, or LIMIT_EXCEEDED.
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
    max: KEYS_MAX,
  });
  return map(inserted, (record) => ({ key, record }));
}

/** What a person does with keys: those of the token's environment only (D168). */
export interface KeyHolder {
  caller: SignedIn;
  /** The network address of the caller. */
  address: string;
  /** Whether money behind the keys is real. */
  isLive: boolean;
}

/**
 * Makes a key for a person. A live key needs a session whose user has just proved who they are (D168). Every call
 * makes another key.
 * @returns the key with its record, or PROOF_REQUIRED, VALIDATION_ERROR when `expiresAt` has passed already, or
 *   LIMIT_EXCEEDED.
 */
export async function makeOwnKey(
  deps: SecurityDeps,
  { caller, address, isLive }: KeyHolder,
  asked: { label: string; expiresAt: Date | null },
): Promise<Outcome<{ key: string; record: ApiKey }>> {
  const { partnerId, environment } = caller;
  return withSecurityEvents(deps, async (trx, record) => {
    const refused = isLive ? await unproved(trx, caller) : null;
    if (refused) return refused;
    const made = await makeKey(trx, { partnerId, environment, ...asked });
    if (!made.ok) return made;
    const { id, keyPrefix: shown, label } = made.value.record;
    const kind = isLive ? 'api_key.made_live' : 'api_key.made';
    await record(eventOf(caller, kind, address, { id, key_prefix: shown, label }));
    return made;
  });
}

/**
 * Ends a key of the caller's partner and environment: it is refused everywhere within five seconds. A second call
 * finds no key in force.
 * @returns done, or NOT_FOUND.
 */
export async function deleteKey(
  deps: SecurityDeps,
  { caller, address }: KeyHolder,
  keyId: string,
): Promise<Outcome<null>> {
  const { partnerId, environment } = caller;
  return withSecurityEvents(deps, async (trx, record) => {
    if (!(await revokeKey(trx, keyId, { partnerId, environment }))) return refuse('NOT_FOUND');
    await record(eventOf(caller, 'api_key.deleted', address, { id: keyId }));
    return done(null);
  });
}
