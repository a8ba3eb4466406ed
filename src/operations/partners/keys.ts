/**
 * API keys: shown once, kept as a hash, ended by a deletion (D102). The API and `npm run keys` make them alike.
 */
import { UNBOUNDED } from '../../domain/key-scopes';
import { done, map, refuse, type Outcome } from '../../domain/outcome';
import type { ApiKey, EnvironmentName } from '../../domain/partners';
import { endKeyAfter, insertKey, lockKey, revokeKey } from '../../db/partners/credentials';
import { newId } from '../../db/pg/ids';
import type { Queryable } from '../../db/pg/postgres';
import type { SignedIn } from '../../domain/sessions';
import { hashApiKey, keyPrefix, newApiKey } from '../../wire/api-keys';
import { endedOrUnproved, endedSince } from './proof';
import { eventOf, withSecurityEvents, type SecurityDeps } from './security';

/** How many keys in force a partner has in one environment at most. */
export const KEYS_MAX = 20;

/** What is chosen for a new key. It may do everything from everywhere, unless that is said otherwise. */
export type AskedKey = Pick<ApiKey, 'label' | 'expiresAt'> & Partial<Pick<ApiKey, 'scopes' | 'allowedCidrs'>>;

/** A new key: the text that is shown once, and what is kept of it. */
export interface MadeKey {
  key: string;
  record: ApiKey;
}

/**
 * Makes a key. Every call makes another one.
 * @param db a transaction, so that two calls at once count each other's key.
 * @returns the key with its record, or VALIDATION_ERROR when `expiresAt` has passed already, or LIMIT_EXCEEDED.
 */
export async function makeKey(
  db: Queryable,
  asked: AskedKey & { partnerId: string; environment: EnvironmentName },
  max = KEYS_MAX,
): Promise<Outcome<MadeKey>> {
  const key = newApiKey(asked.environment);
  const inserted = await insertKey(db, {
    id: newId(),
    ...UNBOUNDED,
    ...asked,
    keyHash: hashApiKey(key),
    keyPrefix: keyPrefix(key),
    max,
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
  asked: AskedKey,
): Promise<Outcome<MadeKey>> {
  const { partnerId, environment } = caller;
  return withSecurityEvents(deps, async (trx, record) => {
    const refused = await (isLive ? endedOrUnproved : endedSince)(trx, caller);
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
 * Replaces a key by another one with the same label, scopes and networks, which is good for as long as the old one was to
 * be. The old one goes on for `overlapSeconds`, so that the partner's programs can change over one after another. A
 * second call makes one more key: the list shows it.
 * @returns the new key with its record, or NOT_FOUND, PROOF_REQUIRED or LIMIT_EXCEEDED.
 */
export async function rotateKey(
  deps: SecurityDeps,
  { caller, address, isLive }: KeyHolder,
  keyId: string,
  overlapSeconds: number,
): Promise<Outcome<MadeKey>> {
  return withSecurityEvents(deps, async (trx, record) => {
    const refused = await (isLive ? endedOrUnproved : endedSince)(trx, caller);
    if (refused) return refused;
    const old = await lockKey(trx, keyId, caller);
    if (!old) return refuse('NOT_FOUND');
    const { partnerId, environment, label, scopes, allowedCidrs, lifeMs } = old;
    const expiresAt = lifeMs === null ? null : new Date(Date.now() + lifeMs);
    const asked = { partnerId, environment, label, scopes, allowedCidrs, expiresAt };
    // A partner with as many keys as it may have can still change one.
    const made = await makeKey(trx, asked, KEYS_MAX + 1);
    if (!made.ok) return made;
    await endKeyAfter(trx, keyId, overlapSeconds);
    const { id, keyPrefix: shown } = made.value.record;
    const kind = isLive ? 'api_key.rotated_live' : 'api_key.rotated';
    await record(eventOf(caller, kind, address, { id, key_prefix: shown, label, replaces: keyId }));
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
