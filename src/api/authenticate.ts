/** Who is calling: a bearer key or an access token leads to one partner in one environment (D99, D102, D104). */
import type { IncomingMessage } from 'node:http';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { findKey, noteKeyUse, type KnownKey } from '../db/partners/credentials';
import { findSession } from '../db/partners/sessions';
import { done, refuse, type Outcome } from '../domain/outcome';
import type { CallersKey, EnvironmentName, Partner } from '../domain/partners';
import type { SignedIn } from '../domain/sessions';
import type { Environment, Environments, OpenCell } from '../runtime/environment';
import { remember } from '../runtime/remember';
import { createTokenReader } from '../wire/access-tokens';
import { environmentOfKey, hashApiKey, keyPrefix } from '../wire/api-keys';
import { servedElsewhere, unauthenticated } from '../wire/errors';
import { valuesOf } from './headers';
import type { KeyTries } from './stranger-limit';

export interface Caller {
  environment: Environment;
  partner: Partner;
  cell: OpenCell;
  /**
   * The session of the person who calls; null where a program calls with an API key. Some operations are for people
   * (D128).
   */
  session: SignedIn | null;
  /** What may be shown of the API key; null for a person. */
  key: CallersKey | null;
}

/**
 * @param address whose tries are bounded: when they are used up, only keys that have been good before are looked
 *   up (D150).
 * @returns the caller; INVALID_TOKEN with what is wrong with the credential (D174); or RATE_LIMIT_EXCEEDED where it
 *   cannot be told, because the address tries too many keys at once.
 */
export type Authenticator = (request: IncomingMessage, address: () => string) => Promise<Outcome<Caller>>;

/** Below the five seconds within which a revocation or an expiry must be in force everywhere (D102). */
const KNOWN_MS = 3_000;
const NOTE_EVERY_MS = 60_000;
/** How many keys are remembered as good. Beyond it the process begins anew. */
const GOOD_KEYS_MAX = 100_000;
const BEARER = /^Bearer ([\x21-\x7e]+)$/i;

/** The host of each environment that has one (SANDBOX_HOST, LIVE_HOST). */
export type Hosts = Readonly<Record<EnvironmentName, string | undefined>>;

export function createAuthenticator(
  environments: Environments,
  hosts: Hosts,
  access: Pool,
  tokenKeys: readonly string[],
  tries: KeyTries,
  logger: Logger,
): Authenticator {
  const readToken = createTokenReader(tokenKeys);
  const sessionOf = remember(KNOWN_MS, (sessionId) => findSession(access, sessionId));
  const lookUps = Object.fromEntries(
    Object.values(environments).map((environment) => [
      environment.name,
      remember(KNOWN_MS, (hash) =>
        findKey(environment.partnersPool, environment.name, Buffer.from(hash, 'hex')),
      ),
    ]),
  ) as Partial<Record<EnvironmentName, (hash: string) => Promise<KnownKey | null>>>;
  const notedAt = new Map<string, number>();
  /** The hashes of keys that were in force when they were last looked up. */
  const good = new Set<string>();
  /** The look-ups that are under way of keys that are not known to be good, by their hashes. */
  const trying = new Map<string, Promise<KnownKey | null>>();

  function note(environment: Environment, keyId: string): void {
    const now = performance.now();
    if (now - (notedAt.get(keyId) ?? -Infinity) < NOTE_EVERY_MS) return;
    notedAt.set(keyId, now);
    noteKeyUse(environment.partnersPool, keyId).catch((error: unknown) => {
      logger.warn({ err: error }, 'The API could not note the last use of a key');
    });
  }

  return async (request, address) => {
    const bearer = readBearer(request);
    if (!bearer.ok) return bearer;
    // An access token has three parts with dots between them; an API key has no dot.
    return bearer.value.split('.').length === 3 ? byToken(bearer.value) : byKey(bearer.value, address);
  };

  async function byKey(key: string, address: () => string): Promise<Outcome<Caller>> {
    const name = environmentOfKey(key);
    if (name === null) return unauthenticated('malformed');
    const environment = environments[name];
    const lookUp = lookUps[name];
    if (!environment || !lookUp) return servedElsewhere(name, hosts[name]);
    const hash = hashApiKey(key).toString('hex');
    const looked = good.has(hash) ? lookUp(hash) : tryKey(lookUp, hash, address);
    // A try of the same address is free again as soon as a look-up under way has found a good key.
    if (!looked) return refuse('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 1 });
    const known = await looked;
    if (!known) {
      good.delete(hash);
      return unauthenticated('unknown');
    }
    const cell = environment.cells.get(known.partner.cell);
    if (!cell) throw new Error(`bug: the cell ${known.partner.cell} is not open`);
    note(environment, known.keyId);
    const { partner, keyId: id, ...shown } = known;
    return done({
      environment,
      partner,
      cell,
      session: null,
      key: { id, keyPrefix: keyPrefix(key), ...shown },
    });
  }

  /**
   * Looks up a key that is not known to be good. Callers who come with one key at the same time, as a partner's
   * programs do after a restart, share one try.
   * @returns null when the address has no try left: nothing is looked up.
   */
  function tryKey(
    lookUp: (hash: string) => Promise<KnownKey | null>,
    hash: string,
    address: () => string,
  ): Promise<KnownKey | null> | null {
    const underWay = trying.get(hash);
    if (underWay) return underWay;
    const from = address();
    if (!tries.take(from)) return null;
    const looked = lookUp(hash)
      .then(
        (known) => {
          if (known) {
            tries.giveBack(from);
            if (good.size >= GOOD_KEYS_MAX) good.clear();
            good.add(hash);
          }
          return known;
        },
        (error: unknown) => {
          // An outage says nothing about the key.
          tries.giveBack(from);
          throw error;
        },
      )
      .finally(() => trying.delete(hash));
    trying.set(hash, looked);
    return looked;
  }

  async function byToken(token: string): Promise<Outcome<Caller>> {
    const holder = readToken(token);
    if (!holder) return unauthenticated('unknown');
    const environment = environments[holder.environment];
    if (!environment) return servedElsewhere(holder.environment, hosts[holder.environment]);
    const session = await sessionOf(holder.sessionId);
    if (session?.partnerId !== holder.partnerId || session.environment !== holder.environment) {
      return unauthenticated('unknown');
    }
    const found = await environment.findPartner(holder.partnerId);
    if (!found || found.partner.status === 'closed') return unauthenticated('unknown');
    return done({ environment, ...found, session, key: null });
  }
}

/**
 * The token of the one Authorization header; with a second one it is not clear which credential is meant, so both
 * are refused.
 * @returns INVALID_TOKEN where there is none (D174).
 */
export function readBearer(request: IncomingMessage): Outcome<string> {
  const headers = valuesOf(request, 'authorization');
  const token = headers.length === 1 ? BEARER.exec(headers[0] ?? '')?.[1] : undefined;
  if (token !== undefined) return done(token);
  return unauthenticated(headers.join('') === '' ? 'absent' : 'otherScheme');
}
