/**
 * Sessions: one for each access token. A token is refused everywhere within five seconds after its session has
 * ended.
 */
import { endSession, endSessions, insertSession } from '../../db/partners/sessions';
import { newId } from '../../db/pg/ids';
import type { Queryable } from '../../db/pg/postgres';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { EnvironmentName } from '../../domain/partners';
import type { SignedIn } from '../../domain/sessions';
import { issueAccessToken, TOKEN_LIFE_SECONDS } from '../../wire/access-tokens';
import { eventOf, withSecurityEvents, type SecurityDeps } from './security';

/**
 * Begins a session and makes its token. Every call begins another one.
 * @param jwtKey with which the token is signed, in base64.
 * @returns the token.
 */
export async function startSession(
  db: Queryable,
  jwtKey: string,
  who: {
    partnerId: string;
    userId: string | null;
    environment: EnvironmentName;
    address: string | null;
    network: Buffer | null;
  },
): Promise<string> {
  const id = newId();
  await insertSession(db, { id, ...who, livesForSeconds: TOKEN_LIFE_SECONDS });
  const { partnerId, environment } = who;
  return issueAccessToken(jwtKey, { partnerId, environment, sessionId: id }, who.userId ?? 'administrator');
}

/** Ends one of the caller's own sessions. @returns done, or NOT_FOUND when no such session is in force. */
export async function logOut(
  deps: SecurityDeps,
  caller: SignedIn,
  sessionId: string,
  address: string,
): Promise<Outcome<null>> {
  return withSecurityEvents(deps, async (trx, record) => {
    if (!(await endSession(trx, caller, sessionId))) return refuse('NOT_FOUND');
    await record(eventOf(caller, 'session.ended', address));
    return done(null);
  });
}

/** Ends all sessions of the caller in both environments, the one of this call too. */
export async function logOutEverywhere(
  deps: SecurityDeps,
  caller: SignedIn,
  address: string,
): Promise<Outcome<null>> {
  return withSecurityEvents(deps, async (trx, record) => {
    await endSessions(trx, caller, null);
    await record(eventOf(caller, 'session.all_ended', address));
    return done(null);
  });
}
