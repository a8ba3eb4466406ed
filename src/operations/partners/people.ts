/**
 * The people of a partner: invited with a mailed token, given roles, removed. Whatever changes who may act for a
 * partner needs a session whose user has just proved who they are.
 */
import {
  countInvitations,
  countUsers,
  deleteUser,
  endInvitation,
  insertUser,
  isLastOwner,
  keepInvitation,
  lockPeople,
  setRole,
} from '../../db/partners/people';
import { findUser, foldEmail } from '../../db/partners/users';
import { newId } from '../../db/pg/ids';
import { TOKEN_GOOD_FOR_MS } from '../../domain/mails';
import { done, refuse, refuseFields, type Outcome } from '../../domain/outcome';
import type { Role } from '../../domain/roles';
import type { SignedIn } from '../../domain/sessions';
import type { InvitationRecord, UserRecord } from '../../domain/users';
import type { Passwords } from '../../secrets/passwords';
import type { Sealing } from '../../secrets/sealing';
import { unproved } from './proof';
import { withSecurityEvents, type SecurityDeps } from './security';
import { mailToken, useMailedToken } from './token-mails';

/** How many people a partner has at most, with those who are invited. */
export const PEOPLE_MAX = 50;

/**
 * Invites somebody by mail. A second call renews the invitation and mails another token.
 * @returns the invitation, or PROOF_REQUIRED, EMAIL_ALREADY_REGISTERED when the email belongs to a user of any
 *   partner, LIMIT_EXCEEDED, or RATE_LIMIT_EXCEEDED when the address has got too many mails.
 */
export function invite(
  deps: SecurityDeps & { sealing: Sealing },
  caller: SignedIn,
  asked: { email: string; role: Role },
  address: string,
): Promise<Outcome<InvitationRecord>> {
  const { partnerId, userId } = caller;
  const email = foldEmail(asked.email);
  return withSecurityEvents(deps, async (trx, record) => {
    const refused = await unproved(trx, caller);
    if (refused) return refused;
    await lockPeople(trx, partnerId);
    if (await findUser(trx, email)) return refuse('EMAIL_ALREADY_REGISTERED');
    const people = await countUsers(trx, partnerId);
    if (people + (await countInvitations(trx, partnerId)) >= PEOPLE_MAX) {
      return refuse('LIMIT_EXCEEDED', { detail: { limit: PEOPLE_MAX } });
    }
    const isQueued = await mailToken(trx, deps.sealing, {
      kind: 'invitation',
      partnerId,
      userId: null,
      recipient: email,
      content: {},
    });
    if (!isQueued) {
      return refuse('RATE_LIMIT_EXCEEDED', {
        message: 'This address has got too many invitations in this hour',
        retryAfterSeconds: 3_600,
      });
    }
    const goodForMs = TOKEN_GOOD_FOR_MS.invitation;
    const invitation = await keepInvitation(trx, {
      id: newId(),
      partnerId,
      email,
      role: asked.role,
      goodForMs,
    });
    await record({ partnerId, userId, kind: 'user.invited', address, detail: { email, role: asked.role } });
    return done(invitation);
  });
}

/** Withdraws an open invitation. A second call finds none. @returns done, or NOT_FOUND. */
export function withdrawInvitation(
  deps: SecurityDeps,
  { partnerId, userId }: SignedIn,
  id: string,
  address: string,
): Promise<Outcome<null>> {
  return withSecurityEvents(deps, async (trx, record) => {
    const ended = await endInvitation(trx, partnerId, { id });
    if (!ended) return refuse('NOT_FOUND');
    const { email } = ended;
    await record({ partnerId, userId, kind: 'user.invitation_withdrawn', address, detail: { email } });
    return done(null);
  });
}

/**
 * Makes a user of somebody who has got an invitation by mail. A second call finds the token used.
 * @returns the user, or VALIDATION_ERROR when no such token is in force or the invitation was withdrawn, or
 *   EMAIL_ALREADY_REGISTERED when the email has become a user's in the meantime.
 */
export async function acceptInvitation(
  deps: SecurityDeps & { passwords: Passwords },
  { token, password }: { token: string; password: string },
  address: string,
): Promise<Outcome<UserRecord>> {
  const passwordHash = await deps.passwords.hash(password);
  return withSecurityEvents(deps, async (trx, record) => {
    const used = await useMailedToken(trx, 'invitation', token);
    const invitation = used && (await endInvitation(trx, used.partnerId, { email: used.recipient }));
    if (!invitation) return refuseFields({ field: 'token', message: 'is unknown, used or expired' });
    const { partnerId } = used;
    const { email, role } = invitation;
    const joined = await insertUser(trx, { id: newId(), partnerId, email, role, passwordHash });
    if (!joined.ok) return joined;
    await record({
      partnerId,
      userId: joined.value.id,
      kind: 'user.joined',
      address,
      detail: { email, role },
    });
    return joined;
  });
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
    const refused = await unproved(trx, caller);
    if (refused) return refused;
    await lockPeople(trx, partnerId);
    if (asked.role !== 'owner' && (await isLastOwner(trx, partnerId, asked.userId)))
      return refuse('LAST_OWNER');
    const user = await setRole(trx, { partnerId, ...asked });
    if (!user) return refuse('NOT_FOUND');
    const { email, role } = user;
    await record({
      partnerId,
      userId: caller.userId,
      kind: 'user.role_changed',
      address,
      detail: { email, role },
    });
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
    const refused = await unproved(trx, caller);
    if (refused) return refused;
    await lockPeople(trx, partnerId);
    if (await isLastOwner(trx, partnerId, userId)) return refuse('LAST_OWNER');
    const removed = await deleteUser(trx, partnerId, userId);
    if (!removed) return refuse('NOT_FOUND');
    const { email } = removed;
    await record({ partnerId, userId: caller.userId, kind: 'user.removed', address, detail: { email } });
    return done(null);
  });
}
