/**
 * How people prove who they are: with the password, and with a one-time code where they have switched codes on. To
 * sign in, to prove it once more, and to change a password all use this.
 */
import type { Pool } from 'pg';
import { findTotp, useRecoveryCode, useStep } from '../../db/partners/one-time-codes';
import { lockPeople } from '../../db/partners/people';
import { findSession, isProved, noteProof } from '../../db/partners/sessions';
import { findUser, findUserById, type KnownUser } from '../../db/partners/users';
import type { Queryable } from '../../db/pg/postgres';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import { forbidden } from '../../domain/refusal-reasons';
import { PROOF_FRESH_MS, type SignedIn } from '../../domain/sessions';
import { hashRecoveryCode, stepOfCode } from '../../secrets/one-time-codes';
import type { Passwords } from '../../secrets/passwords';
import { totpSecretPlace, type Sealing } from '../../secrets/sealing';
import { unauthenticated } from '../../wire/errors';
import { guessing, type From, type GuessingDeps } from './guessing';
import { eventOf, withSecurityEvents } from './security';

export interface ProofDeps extends GuessingDeps {
  passwords: Passwords;
  sealing: Sealing;
}

/** What somebody gives as a proof. */
export interface Proof {
  password: string;
  /** A one-time code or a recovery code; null where none was given. */
  code: string | null;
}

/**
 * Checks a proof. An unknown email, a wrong password, a wrong code and a closed partner get the same answer, and are
 * counted alike. An unknown email takes as long as a wrong password. A code is used up, so a second call needs
 * another one.
 * @returns the user, or INVALID_CREDENTIALS, or ONE_TIME_CODE_REQUIRED when only the code is missing, or
 *   RATE_LIMIT_EXCEEDED after too many wrong attempts.
 */
export async function prove(
  deps: ProofDeps,
  email: string,
  given: Proof,
  from: From,
): Promise<Outcome<KnownUser>> {
  const attempt = await guessing(deps, email, from);
  if (!attempt.ok) return attempt;
  const user = await findUser(deps.access, email);
  const matches = await deps.passwords.matches(
    given.password,
    user?.passwordHash ?? null,
    attempt.value.turn,
  );
  if (!user || !matches || user.partner.status === 'closed') return refuse('INVALID_CREDENTIALS');
  const code = await checkCode(deps, user, given.code, from);
  if (!code.ok) {
    // The password was right and no code was guessed.
    if (code.refusal.code === 'ONE_TIME_CODE_REQUIRED') await attempt.value.wasNoGuess();
    return code;
  }
  await attempt.value.wasRight();
  return done(user);
}

/**
 * The same for somebody who is signed in.
 * @returns the user, or what `prove` refuses, or FORBIDDEN for a session of the administrator, which has no user.
 */
export async function proveAgain(
  deps: ProofDeps,
  caller: SignedIn,
  given: Proof,
  from: From,
): Promise<Outcome<KnownUser>> {
  const user = await userOf(deps, caller);
  return user.ok ? prove(deps, user.value.email, given, from) : user;
}

/** The user of a session, or FORBIDDEN for a session of the administrator. */
export async function userOf(
  { access }: { access: Pool },
  { userId }: SignedIn,
): Promise<Outcome<KnownUser>> {
  const user = userId === null ? null : await findUserById(access, userId);
  if (user) return done(user);
  return forbidden('no_user');
}

/**
 * Notes that the person behind a session has just proved who they are: what asks for a fresh proof works for ten
 * minutes. A second call notes a later time.
 * @returns done, or what `prove` refuses.
 */
export async function proveSession(
  deps: ProofDeps,
  caller: SignedIn,
  given: Proof,
  from: From,
): Promise<Outcome<null>> {
  const proved = await proveAgain(deps, caller, given, from);
  if (!proved.ok) return proved;
  return withSecurityEvents(deps, async (trx, record) => {
    await noteProof(trx, caller.sessionId);
    await record(eventOf(proved.value, 'session.proved', from.address));
    return done(null);
  });
}

/** @returns PROOF_REQUIRED where the proof of the caller is too old for what gives something away (D168). */
async function unproved(db: Queryable, { sessionId }: SignedIn): Promise<Refused | null> {
  return (await isProved(db, sessionId, PROOF_FRESH_MS)) ? null : refuse('PROOF_REQUIRED');
}

/**
 * Lets changes of the caller's partner's people wait for each other, and looks whether the session is still in force: what
 * was checked before may be over, as after a first proof of the mailbox by somebody else.
 * @param trx the transaction that is about to change something.
 * @returns INVALID_TOKEN where the session has ended.
 */
export async function endedSince(
  trx: Queryable,
  { partnerId, sessionId }: SignedIn,
): Promise<Refused | null> {
  await lockPeople(trx, partnerId);
  return (await findSession(trx, sessionId)) ? null : unauthenticated('unknown');
}

/** Both: whether the session is still in force, and was proved just now. @returns INVALID_TOKEN or PROOF_REQUIRED, or null. */
export const endedOrUnproved = async (trx: Queryable, caller: SignedIn): Promise<Refused | null> =>
  (await endedSince(trx, caller)) ?? unproved(trx, caller);

/** Checks a code where the user has them on, and uses it up. */
async function checkCode(
  deps: ProofDeps,
  user: KnownUser,
  code: string | null,
  from: From,
): Promise<Outcome<null>> {
  const totp = await findTotp(deps.access, user.id);
  if (!totp?.isEnabled) return done(null);
  if (code === null) return refuse('ONE_TIME_CODE_REQUIRED');
  const secret = deps.sealing.open(totp.secretSealed, totpSecretPlace(user.id));
  const step = stepOfCode(secret, code, totp.now);
  if (step !== null) {
    const isFresh = await useStep(deps.access, user.id, { step, secretSealed: totp.secretSealed });
    return isFresh ? done(null) : refuse('INVALID_CREDENTIALS');
  }
  return withSecurityEvents(deps, async (trx, record) => {
    if (!(await useRecoveryCode(trx, user.id, hashRecoveryCode(code)))) return refuse('INVALID_CREDENTIALS');
    await record(eventOf(user, 'totp.recovery_code_used', from.address));
    return done(null);
  });
}
