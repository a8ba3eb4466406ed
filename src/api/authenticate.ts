/** Who is calling: a bearer key or an access token leads to one partner in one environment (D99, D102, D104). */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { findKey, noteKeyUse, type KnownKey } from '../db/partners/credentials';
import type { EnvironmentName, Partner } from '../domain/partners';
import type { Environment, OpenCell } from '../runtime/environment';
import { remember } from '../runtime/remember';
import { createTokenReader } from '../wire/access-tokens';
import { environmentOfKey, hashApiKey } from '../wire/api-keys';

export interface Caller {
  environment: Environment;
  partner: Partner;
  cell: OpenCell;
  /** Some operations are for people, who sign in; a key is a program's (D128). */
  credential: 'key' | 'token';
}

/** @returns the caller, or null for every kind of credential that is not good (one answer for all: 401). */
export type Authenticator = (request: IncomingMessage) => Promise<Caller | null>;

/** Below the five seconds within which a revocation or an expiry must be in force everywhere (D102). */
const KEY_KNOWN_MS = 3_000;
const NOTE_EVERY_MS = 60_000;
const BEARER = /^Bearer ([\x21-\x7e]+)$/i;

export function createAuthenticator(
  environments: Record<EnvironmentName, Environment>,
  tokenKeys: readonly string[],
  logger: Logger,
): Authenticator {
  const readToken = createTokenReader(tokenKeys);
  const lookUps = Object.fromEntries(
    Object.values(environments).map((environment) => [
      environment.name,
      remember(KEY_KNOWN_MS, (hash) => findKey(environment.pool, environment.name, Buffer.from(hash, 'hex'))),
    ]),
  ) as Record<EnvironmentName, (hash: string) => Promise<KnownKey | null>>;
  const notedAt = new Map<string, number>();

  function note(environment: Environment, keyId: string): void {
    const now = performance.now();
    if (now - (notedAt.get(keyId) ?? -Infinity) < NOTE_EVERY_MS) return;
    notedAt.set(keyId, now);
    noteKeyUse(environment.pool, keyId).catch((error: unknown) => {
      logger.warn({ err: error }, 'last_used_at of a key was not written');
    });
  }

  return async (request) => {
    const credential = bearerOf(request);
    if (credential === null) return null;
    return credential.startsWith('sk_') ? byKey(credential) : byToken(credential);
  };

  async function byKey(key: string): Promise<Caller | null> {
    const name = environmentOfKey(key);
    if (name === null) return null;
    const environment = environments[name];
    const known = await lookUps[name](hashApiKey(key).toString('hex'));
    if (!known) return null;
    const cell = environment.cells.get(known.partner.cell);
    if (!cell) throw new Error(`bug: the cell ${known.partner.cell} is not open`);
    note(environment, known.keyId);
    return { environment, partner: known.partner, cell, credential: 'key' };
  }

  async function byToken(token: string): Promise<Caller | null> {
    const holder = readToken(token);
    if (!holder) return null;
    const environment = environments[holder.environment];
    const found = await environment.findPartner(holder.partnerId);
    if (!found || found.partner.status === 'closed') return null;
    return { environment, ...found, credential: 'token' };
  }
}

/** The token of the one Authorization header; a second header makes the credential ambiguous, so no good. */
export function bearerOf(request: IncomingMessage): string | null {
  const headers = request.headersDistinct.authorization;
  if (headers?.length !== 1) return null;
  return BEARER.exec(headers[0] ?? '')?.[1] ?? null;
}
