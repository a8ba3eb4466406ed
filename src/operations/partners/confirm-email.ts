/** Confirms an email address with the token that was mailed to it (D175). */
import { confirmEmail } from '../../db/partners/users';
import { present } from '../../domain/assert';
import { done, refuseFields, type Outcome } from '../../domain/outcome';
import { withSecurityEvents, type SecurityDeps } from './security';
import { useMailedToken } from './token-mails';

/**
 * Uses up the token: whoever has it reads mails to the address. A second call finds the token used.
 * @param asked `address` is the network address of the caller.
 * @returns the confirmed address, or VALIDATION_ERROR when no such token is in force.
 */
export function confirmAddress(
  deps: SecurityDeps,
  asked: { token: string; address: string },
): Promise<Outcome<{ email: string; confirmedAt: Date }>> {
  return withSecurityEvents(deps, async (trx, record) => {
    const used = await useMailedToken(trx, 'confirm_email', asked.token);
    if (!used) return refuseFields({ field: 'token', message: 'is unknown, used or expired' });
    const { partnerId } = used;
    const userId = present(used.userId, 'the user of a token');
    const confirmed = await confirmEmail(trx, userId);
    await record({ partnerId, userId, kind: 'email.confirmed', address: asked.address, detail: {} });
    return done(confirmed);
  });
}
