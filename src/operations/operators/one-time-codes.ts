/** Resets the one-time codes of somebody who has lost both telephone and recovery codes. */
import { resetTotp } from '../../db/partners/one-time-codes';
import { findUsersForOperators } from '../../db/partners/people';
import { endSessions } from '../../db/partners/sessions';
import type { OperatorCode } from '../../domain/operators';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { eventOf, withSecurityEvents, type SecurityDeps } from '../partners/security';

/**
 * Switches off the codes that were switched on at this time, ends all sessions of the user, and tells the users of the
 * partner. The password stays, so that operators alone cannot sign in as anybody. A second call finds the codes off.
 * @param deps `access` is the operators' pool.
 * @returns done, or refused: NOT_FOUND, INVALID_STATE when the codes are others by now.
 */
export function resetCodes(
  deps: SecurityDeps,
  { partnerId, userId, enabledAt }: { partnerId: string; userId: string; enabledAt: Date },
): Promise<Outcome<null, OperatorCode>> {
  return withSecurityEvents(deps, async (trx, record) => {
    const [user] = await findUsersForOperators(trx, partnerId, userId);
    if (!user) return refuse('NOT_FOUND');
    const was = await resetTotp(trx, userId, enabledAt);
    if (was === 'others') {
      return refuse<OperatorCode>('INVALID_STATE', {
        message: 'The one-time codes were switched on anew since',
      });
    }
    if (was === 'reset') {
      await endSessions(trx, { partnerId, userId }, null);
      await record(eventOf({ partnerId, userId }, 'totp.reset', null, { email: user.email }));
    }
    return done(null);
  });
}
