/**
 * The people of a partner: invited with a mailed token, given roles, removed. Whatever changes who may act for a
 * partner needs a session whose user has just proved who they are.
 */
import { holderOf, isFreeOf } from '../../db/partners/first-proof';
import {
  countInvitations,
  countUsers,
  deleteUser,
  endInvitation,
  insertUser,
  isLastOwner,
  keepInvitation,
  setRole,
} from '../../db/partners/people';
import { findUserById, foldEmail, followFirstOwner } from '../../db/partners/users';
import { newId } from '../../db/pg/ids';
import { TOKEN_MAILS } from '../../domain/mails';
import { done, refuse, refuseFields, type Outcome } from '../../domain/outcome';
import type { Role } from '../../domain/roles';
import type { SignedIn } from '../../domain/sessions';
import type { InvitationRecord, UserRecord } from '../../domain/users';
import type { Passwords } from '../../secrets/passwords';
import type { Sealing } from '../../secrets/sealing';
import { claimProvedEmail, endLeftNow, type EndingDeps } from './first-proof';
import { strangerAt, type From } from './guessing';
import { endedOrUnproved } from './proof';
import { eventOf, withSecurityEvents, type SecurityDeps } from './security';
import { mailKnownAddress, mailToken, useMailedToken } from './token-mails';

/** How many people a partner has at most, with those who are invited. */
export const PEOPLE_MAX = 50;

/**
 * Invites somebody by mail. Where the address is a user's of another partner, its owner gets a mail without a token, and
 * the answer is the same. A second call renews the invitation and mails another token.
 * @returns the invitation, or PROOF_REQUIRED, EMAIL_ALREADY_REGISTERED when the email belongs to a user of this
 *   partner, LIMIT_EXCEEDED, or RATE_LIMIT_EXCEEDED when the address has got, or the partner has sent, too many mails.
 */
export function invite(
  deps: SecurityDeps & { sealing: Sealing },
  caller: SignedIn,
  asked: { email: string; role: Role },
  address: string,
): Promise<Outcome<InvitationRecord>> {
  const { partnerId } = caller;
  const email = foldEmail(asked.email);
  return withSecurityEvents(deps, async (trx, record) => {
    const refused = await endedOrUnproved(trx, caller);
    if (refused) return refused;
    // The partner sees its own people anyway.
    if ((await holderOf(trx, email))?.partnerId === partnerId) return refuse('EMAIL_ALREADY_REGISTERED');
    const people = await countUsers(trx, partnerId);
    if (people + (await countInvitations(trx, partnerId)) >= PEOPLE_MAX) {
      return refuse('LIMIT_EXCEEDED', { detail: { limit: PEOPLE_MAX } });
    }
    const mail = { partnerId, userId: null, recipient: email, content: {} };
    const isQueued = (await isFreeOf(trx, email, null))
      ? await mailToken(trx, deps.sealing, { ...mail, kind: 'invitation' })
      : await mailKnownAddress(trx, { ...mail, kind: 'invitation_known' });
    if (!isQueued) {
      return refuse('RATE_LIMIT_EXCEEDED', {
        message: 'There were too many invitations in this hour, by this company or to this address',
        retryAfterSeconds: 3_600,
      });
    }
    const { goodForMs } = TOKEN_MAILS.invitation;
    const invitation = await keepInvitation(trx, {
      id: newId(),
      partnerId,
      email,
      role: asked.role,
      goodForMs,
    });
    await record(eventOf(caller, 'user.invited', address, { email, role: asked.role }));
    return done(invitation);
  });
}

/** Withdraws an open invitation. A second call finds none. @returns done, or NOT_FOUND. */
export function withdrawInvitation(
  deps: SecurityDeps,
  caller: SignedIn,
  id: string,
  address: string,
): Promise<Outcome<null>> {
  return withSecurityEvents(deps, async (trx, record) => {
    const ended = await endInvitation(trx, caller.partnerId, { id });
    if (!ended) return refuse('NOT_FOUND');
    const { email } = ended;
    await record(eventOf(caller, 'user.invitation_withdrawn', address, { email }));
    return done(null);
  });
}

/**
 * Makes a user of somebody who has got an invitation by mail. An account that somebody has registered with the address, and
 * never proved, gives way. A second call finds the token used.
 * @returns the user, or VALIDATION_ERROR when no such token is in force or the invitation was withdrawn, or
 *   EMAIL_ALREADY_REGISTERED when the email has become a user's in the meantime.
 */
export async function acceptInvitation(
  deps: SecurityDeps & EndingDeps & { passwords: Passwords },
  { token, password }: { token: string; password: string },
  from: From,
): Promise<Outcome<UserRecord>> {
  const passwordHash = await deps.passwords.hash(password, strangerAt(from));
  const accepted = await withSecurityEvents<Outcome<UserRecord>>(deps, async (trx, record) => {
    const used = await useMailedToken(trx, 'invitation', token);
    const invitation = used && (await endInvitation(trx, used.partnerId, { email: used.recipient }));
    if (!invitation) return refuseFields({ field: 'token', message: 'is unknown, used or expired' });
    const { partnerId } = used;
    const { email, role } = invitation;
    if (!(await claimProvedEmail(trx, email, null, from.address))) return refuse('EMAIL_ALREADY_REGISTERED');
    const joined = await insertUser(trx, { id: newId(), partnerId, email, role, passwordHash });
    if (!joined.ok) return joined;
    await followFirstOwner(trx, partnerId);
    const who = { partnerId, userId: joined.value.id };
    await record(eventOf(who, 'user.joined', from.address, { email, role }));
    return joined;
  });
  // Where the address was that of an account which nobody had proved.
  await endLeftNow(deps);
  return accepted;
}

/**
 * Gives a user another role, in force everywhere within five seconds. A second call finds the role.
 * @returns the user, or PROOF_REQUIRED, NOT_FOUND, or LAST_OWNER when nobody would be left who may do it.
 */
export function changeRole(
  deps: SecurityDeps,
  caller: SignedIn,
  asked: { userId: string; role: Role },
  address: string,
): Promise<Outcome<UserRecord>> {
  const { partnerId } = caller;
  return withSecurityEvents(deps, async (trx, record) => {
    const refused = await endedOrUnproved(trx, caller);
    if (refused) return refused;
    if (asked.role !== 'owner' && (await isLastOwner(trx, partnerId, asked.userId)))
      return refuse('LAST_OWNER');
    const user = await setRole(trx, { partnerId, ...asked });
    if (!user) return refuse('NOT_FOUND');
    await followFirstOwner(trx, partnerId);
    const { email, role } = user;
    await record(eventOf(caller, 'user.role_changed', address, { email, role }));
    return done(user);
  });
}

/**
 * Removes a user: every session of the user ends within five seconds. The API keys that the user has made go on,
 * because programs use them. A second call finds no user.
 * @returns done, or PROOF_REQUIRED, NOT_FOUND, or LAST_OWNER.
 */
export function removeUser(
  deps: SecurityDeps,
  caller: SignedIn,
  userId: string,
  address: string,
): Promise<Outcome<null>> {
  const { partnerId } = caller;
  return withSecurityEvents(deps, async (trx, record) => {
    const refused = await endedOrUnproved(trx, caller);
    if (refused) return refused;
    if (await isLastOwner(trx, partnerId, userId)) return refuse('LAST_OWNER');
    const user = await findUserById(trx, userId);
    if (user?.partner.id !== partnerId) return refuse('NOT_FOUND');
    // It is recorded first, so that the person who is removed is told too.
    await record(eventOf(caller, 'user.removed', address, { email: user.email }));
    await deleteUser(trx, partnerId, userId);
    await followFirstOwner(trx, partnerId);
    return done(null);
  });
}
