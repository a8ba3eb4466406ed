/**
 * Sessions: one for each access token. A token is refused everywhere within five seconds after its session has
 * ended.
 */
import type { Pool } from 'pg';
import { endSession, endSessions, insertSession } from '../../db/partners/sessions';
import { newId } from '../../db/pg/ids';
import type { Queryable } from '../../db/pg/postgres';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { EnvironmentName } from '../../domain/partners';
import type { SignedIn } from '../../domain/sessions';
import { issueAccessToken, TOKEN_LIFE_SECONDS } from '../../wire/access-tokens';

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
  { access }: { access: Pool },
  caller: SignedIn,
  sessionId: string,
): Promise<Outcome<null>> {
  return (await endSession(access, caller, sessionId)) ? done(null) : refuse('NOT_FOUND');
}

/** Ends all sessions of the caller in both environments, the one of this call too. */
export async function logOutEverywhere(
  { access }: { access: Pool },
  caller: SignedIn,
): Promise<Outcome<null>> {
  await endSessions(access, caller);
  return done(null);
}
