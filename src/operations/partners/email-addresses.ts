/**
 * The email addresses of people: confirmed with a token that was mailed to them (D175), changed, and taken back.
 */
import type { PoolClient } from 'pg';
import { forgetMailedTokens, type UsedToken } from '../../db/partners/mailed-tokens';
import { deleteTotpSince } from '../../db/partners/one-time-codes';
import { endMadeSince, isFreeOf, type Reach } from '../../db/partners/first-proof';
import { endSessions } from '../../db/partners/sessions';
import {
  changeEmail,
  claimEmail,
  confirmEmail,
  findUserById,
  foldEmail,
  followFirstOwner,
  setPassword,
  type ConfirmedAddress,
  type KnownUser,
} from '../../db/partners/users';
import { present } from '../../domain/assert';
import { done, refuse, refuseFields, type Outcome } from '../../domain/outcome';
import { may } from '../../domain/roles';
import type { SecurityEvent } from '../../domain/security-events';
import type { SignedIn } from '../../domain/sessions';
import { claimProvedEmail, countsOf, endLeftNow, endWhatWasMadeBefore, type EndingDeps } from './first-proof';
import { forgetGuesses, strangerAt, type From } from './guessing';
import { endedSince, prove, proveAgain, userOf, type Proof, type ProofDeps } from './proof';
import { eventOf, withSecurityEvents } from './security';
import { lookAtMailedToken, mailKnownAddress, mailToken, useMailedToken } from './token-mails';

const UNKNOWN_TOKEN = refuseFields({ field: 'token', message: 'is unknown, used or expired' });
const TOO_MANY_MAILS = refuse('RATE_LIMIT_EXCEEDED', {
  message: 'This address has got too many such mails in this hour',
  retryAfterSeconds: 3_600,
});

/**
 * Mails another token that confirms the caller's address; the one before is of no use any more. A second call does the
 * same. Where the address is confirmed, nothing is sent.
 * @returns done, or FORBIDDEN for a session of the administrator, or RATE_LIMIT_EXCEEDED.
 */
export async function sendConfirmation(
  deps: ProofDeps,
  caller: SignedIn,
  from: From,
): Promise<Outcome<null>> {
  const known = await userOf(deps, caller);
  if (!known.ok) return known;
  const user = known.value;
  if (user.emailConfirmedAt !== null) return done(null);
  return withSecurityEvents(deps, async (trx, record) => {
    if (!(await mailToken(trx, deps.sealing, mailTo(user, 'confirm_email', user.email))))
      return TOO_MANY_MAILS;
    await record(eventOf(user, 'email.confirmation_asked', from.address));
    return done(null);
  });
}

/**
 * Asks for another address, with the password. Nothing changes until the token that is mailed to it was used. Where the
 * address is another user's, its owner gets a mail without a token, and the answer is the same. A second call mails
 * another token, and the one before is of no use any more.
 * @returns done, or what `proveAgain` refuses, VALIDATION_ERROR for the address of today, or RATE_LIMIT_EXCEEDED.
 */
export async function askForAddress(
  deps: ProofDeps,
  caller: SignedIn,
  { newEmail, ...proof }: Proof & { newEmail: string },
  from: From,
): Promise<Outcome<null>> {
  const proved = await proveAgain(deps, caller, proof, from);
  if (!proved.ok) return proved;
  const user = proved.value;
  const email = foldEmail(newEmail);
  if (email === user.email) return refuseFields({ field: 'new_email', message: 'is the address of today' });
  return withSecurityEvents(deps, async (trx, record) => {
    const refused = await endedSince(trx, caller);
    if (refused) return refused;
    const isFree = await isFreeOf(trx, email, user.id);
    const isMailed = isFree
      ? await mailToken(trx, deps.sealing, mailTo(user, 'change_email', email))
      : await mailKnownAddress(trx, { kind: 'change_known', partnerId: user.partner.id, recipient: email });
    if (!isMailed) return TOO_MANY_MAILS;
    await record(eventOf(user, 'email.change_asked', from.address, { email: user.email, new_email: email }));
    return done(null);
  });
}

/**
 * Uses up a token that was mailed to an address: whoever has it reads mails to the address, which is confirmed, or
 * becomes the address of the user who asked for it. The first proof of a mailbox ends what was made for the partner before
 * it, unless the password comes with the token: then whoever made it and whoever reads the mails are the same. A second
 * call finds the token used.
 * @param proof the password of the user whom the token is about, or null.
 * @returns the confirmed address, or VALIDATION_ERROR when no such token is in force, what `prove` refuses, or
 *   EMAIL_ALREADY_REGISTERED when the address has become another user's in the meantime.
 */
export async function confirmAddress(
  deps: ProofDeps & EndingDeps,
  { token, proof }: { token: string; proof: Proof | null },
  from: From,
): Promise<Outcome<ConfirmedAddress>> {
  const proved = proof && (await proveBehind(deps, token, proof, from));
  if (proved && !proved.ok) return proved;
  const ending: { isDue: boolean } = { isDue: false };
  const confirmed = await withSecurityEvents<Outcome<ConfirmedAddress>>(deps, async (trx, record) => {
    const confirming = await useMailedToken(trx, 'confirm_email', token);
    const used = confirming ?? (await useMailedToken(trx, 'change_email', token));
    if (!used) return UNKNOWN_TOKEN;
    const user = await userBehind(trx, used);
    // A password that was replaced while it was checked proves nothing.
    const isOwned = proved !== null && proved.value.passwordHash === user.passwordHash;
    const address = await (confirming ? confirm : move)(trx, { deps, record, user, used, isOwned, from });
    if (!address.ok) return address;
    if (user.emailConfirmedAt === null && !isOwned) {
      ending.isDue = true;
      await endWhatWasMadeBefore(trx, record, { ...user, email: address.value.email }, from.address);
    }
    await followFirstOwner(trx, user.partner.id);
    return address;
  });
  if (ending.isDue) await endLeftNow(deps);
  return confirmed;
}

interface Confirming {
  deps: ProofDeps;
  record: (event: SecurityEvent) => Promise<void>;
  user: KnownUser;
  used: UsedToken;
  isOwned: boolean;
  from: From;
}

async function confirm(trx: PoolClient, { record, user, used, isOwned, from }: Confirming) {
  const confirmed = await confirmEmail(trx, user.id, used.recipient, isOwned);
  if (!confirmed) return UNKNOWN_TOKEN;
  await record(eventOf(user, 'email.confirmed', from.address));
  return done(confirmed);
}

async function move(trx: PoolClient, { deps, record, user, used, isOwned, from }: Confirming) {
  if (!(await claimProvedEmail(trx, used.recipient, user.id, from.address))) {
    return refuse('EMAIL_ALREADY_REGISTERED');
  }
  const changed = await moveTo(trx, user, used.recipient, isOwned);
  // An address that nobody has confirmed may be a stranger's, who could take the account over with it.
  if (user.emailConfirmedAt !== null) {
    await mailToken(trx, deps.sealing, mailTo(user, 'take_back_email', user.email));
  }
  await record(eventOf(user, 'email.changed', from.address, { email: user.email, new_email: changed.email }));
  return done(changed);
}

/** Checks the password of the user whom a token is about. @returns the user, or what `prove` refuses. */
async function proveBehind(
  deps: ProofDeps,
  token: string,
  proof: Proof,
  from: From,
): Promise<Outcome<KnownUser>> {
  const about =
    (await lookAtMailedToken(deps.access, 'confirm_email', token)) ??
    (await lookAtMailedToken(deps.access, 'change_email', token));
  const user = about?.userId ? await findUserById(deps.access, about.userId) : null;
  return user ? prove(deps, user.email, proof, from) : UNKNOWN_TOKEN;
}

/**
 * Takes an earlier address back with the token that was mailed to it when it was changed, and sets another password,
 * because whoever changed the address knew the one before. All sessions of the user end. One-time codes that were
 * switched on after the change go off: a thief set them up, and they would lock the owner out. Older ones stay on, so that
 * a stolen mailbox alone does not open the account. What was made since the change ends with it, as far as the user's role
 * of then allowed it: API keys, webhook endpoints, invitations, users, and what was submitted of the compliance record. A
 * second call finds the token used.
 * @returns done, or VALIDATION_ERROR when no such token is in force.
 */
export async function takeAddressBack(
  deps: ProofDeps & EndingDeps,
  { token, newPassword }: { token: string; newPassword: string },
  from: From,
): Promise<Outcome<null>> {
  const passwordHash = await deps.passwords.hash(newPassword, strangerAt(from));
  const taken = await withSecurityEvents<Outcome<null>>(deps, async (trx, record) => {
    const used = await useMailedToken(trx, 'take_back_email', token);
    if (!used) return UNKNOWN_TOKEN;
    const user = await userBehind(trx, used);
    const { recipient: email, partnerId, createdAt: changedAt } = used;
    if (!(await claimEmail(trx, email, user.id))) return UNKNOWN_TOKEN;
    await moveTo(trx, user, email, true);
    await setPassword(trx, user.id, passwordHash);
    await endSessions(trx, { partnerId, userId: user.id }, null);
    await forgetGuesses(trx, email, from);
    if (await deleteTotpSince(trx, user.id, changedAt)) {
      await record(eventOf(user, 'totp.disabled', from.address, { because: 'email.taken_back' }));
    }
    const ended = await endMadeSince(trx, { partnerId, userId: user.id }, changedAt, reachOf(used), {
      userId: user.id,
      address: from.address,
    });
    await followFirstOwner(trx, partnerId);
    await record(eventOf(user, 'email.taken_back', from.address, { email, ...countsOf(ended) }));
    return done(null);
  });
  if (taken.ok) await endLeftNow(deps);
  return taken;
}

/** What a thief was able to make under the role that the user had when the address was changed. */
const reachOf = ({ role }: UsedToken): Reach => ({
  hasKeys: role !== null && may(role, 'webhooks', true),
  hasPeople: role !== null && may(role, 'people', true),
});

const mailTo = <Kind extends 'confirm_email' | 'change_email' | 'take_back_email'>(
  user: KnownUser,
  kind: Kind,
  recipient: string,
) => ({ kind, partnerId: user.partner.id, userId: user.id, recipient, content: {} });

/** The user whom a token is about. */
async function userBehind(trx: PoolClient, { userId }: UsedToken): Promise<KnownUser> {
  const id = present(userId, 'the user of a token');
  return present(await findUserById(trx, id), 'the user of a token');
}

/** Gives a user another address. The tokens that were mailed to another one are of no use any more. */
async function moveTo(
  trx: PoolClient,
  user: KnownUser,
  email: string,
  isOwned: boolean,
): Promise<ConfirmedAddress> {
  for (const kind of ['confirm_email', 'change_email', 'reset_password'] as const) {
    await forgetMailedTokens(trx, user.id, kind);
  }
  const changed = await changeEmail(trx, user.id, email, isOwned);
  await followFirstOwner(trx, user.partner.id);
  return changed;
}
