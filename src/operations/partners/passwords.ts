/** Changing a password by its owner, and replacing a forgotten one with a token that comes by mail. */
import { forgetMailedTokens } from '../../db/partners/mailed-tokens';
import { endSessions } from '../../db/partners/sessions';
import { confirmEmail, findUser, findUserById, followFirstOwner, setPassword } from '../../db/partners/users';
import { present } from '../../domain/assert';
import { done, refuseFields, type Outcome } from '../../domain/outcome';
import type { SignedIn } from '../../domain/sessions';
import { endLeftNow, endWhatWasMadeBefore, type EndingDeps } from './first-proof';
import { forgetGuesses, strangerAt, type From } from './guessing';
import { endedSince, proveAgain, type Proof, type ProofDeps } from './proof';
import { eventOf, withSecurityEvents } from './security';
import { mailToken, useMailedToken } from './token-mails';

/**
 * Changes the password of the caller, ends the caller's other sessions, and makes mailed tokens for a reset or another
 * address useless.
 * A second call is refused, because the old password is wrong by then.
 * @returns done, or what `proveAgain` refuses.
 */
export async function changePassword(
  deps: ProofDeps,
  caller: SignedIn,
  { newPassword, ...proof }: Proof & { newPassword: string },
  from: From,
): Promise<Outcome<null>> {
  const proved = await proveAgain(deps, caller, proof, from);
  if (!proved.ok) return proved;
  const user = proved.value;
  // Whoever has just signed in is known.
  const passwordHash = await deps.passwords.hash(newPassword, { name: from.network, isKnown: true });
  return withSecurityEvents(deps, async (trx, record) => {
    const refused = await endedSince(trx, caller);
    if (refused) return refused;
    await setPassword(trx, user.id, passwordHash);
    await forgetMailedTokens(trx, user.id, 'reset_password');
    await forgetMailedTokens(trx, user.id, 'change_email');
    await endSessions(trx, { partnerId: user.partner.id, userId: user.id }, caller.sessionId);
    await record(eventOf(user, 'password.changed', from.address));
    return done(null);
  });
}

/**
 * Mails a token for a new password, if a user has this email. An address gets a few of them in an hour. A second call
 * sends another one; both are good until one is used.
 */
export async function askForReset(deps: ProofDeps, email: string, from: From): Promise<void> {
  const user = await findUser(deps.access, email);
  if (!user || user.partner.status === 'closed') return;
  await withSecurityEvents(deps, async (trx, record) => {
    const isQueued = await mailToken(trx, deps.sealing, {
      kind: 'reset_password',
      partnerId: user.partner.id,
      userId: user.id,
      recipient: user.email,
      content: {},
    });
    if (isQueued) await record(eventOf(user, 'password.reset_asked', from.address));
  });
}

/**
 * Replaces a forgotten password: uses the token up, ends all sessions of the user, and forgets the wrong attempts to
 * sign in. The one-time codes stay on. Whoever has the token reads mails to the address: where that is the first proof of
 * it, or the first that chooses the password, everything that was made before ends, the codes too. A second call finds the
 * token used.
 * @returns done, or VALIDATION_ERROR when no such token is in force.
 */
export async function resetPassword(
  deps: ProofDeps & EndingDeps,
  { token, newPassword }: { token: string; newPassword: string },
  from: From,
): Promise<Outcome<null>> {
  const passwordHash = await deps.passwords.hash(newPassword, strangerAt(from));
  const ending: { isDue: boolean } = { isDue: false };
  const reset = await withSecurityEvents<Outcome<null>>(deps, async (trx, record) => {
    const used = await useMailedToken(trx, 'reset_password', token);
    if (!used) return refuseFields({ field: 'token', message: 'is unknown, used or expired' });
    const { partnerId, recipient } = used;
    const userId = present(used.userId, 'the user of a token');
    const user = present(await findUserById(trx, userId), 'the user of a token');
    ending.isDue = !user.isOwned;
    await setPassword(trx, userId, passwordHash);
    // Whoever asked for another address knew the password before.
    await forgetMailedTokens(trx, userId, 'change_email');
    await confirmEmail(trx, userId, recipient, true);
    const told = eventOf(used, 'password.reset', from.address);
    // Colleagues of a company that has confirmed its address are told before they go; guests of a stranger are not.
    const hasColleagues = user.emailConfirmedAt !== null;
    if (hasColleagues) await record(told);
    if (ending.isDue) await endWhatWasMadeBefore(trx, record, user, from.address);
    else await endSessions(trx, { partnerId, userId }, null);
    if (!hasColleagues) await record(told);
    await followFirstOwner(trx, partnerId);
    await forgetGuesses(trx, recipient, from);
    return done(null);
  });
  if (ending.isDue) await endLeftNow(deps);
  return reset;
}
