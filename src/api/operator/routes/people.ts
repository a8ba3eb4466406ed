/** The people who sign in for a partner: show them, and reset the one-time codes of somebody who has lost them. */
import { done, refuse } from '../../../domain/outcome';
import type { OperatorCode } from '../../../domain/operators';
import { findUsersForOperators } from '../../../db/partners/people';
import { decide } from '../../../operations/operators/decisions';
import { readReason, writeUser } from '../../../wire/operators';
import { dataAnswer } from '../../route';
import { command, decided, findInLive, idOf, peopleView } from '../route';

export const peopleRoutes = [
  peopleView(
    '/ops/partners/:partner_id/users',
    'showUsers',
    'The people who sign in for it, newest first; `reason` says why they are read',
    async (call) => {
      const id = idOf(call, 'partner_id');
      const tenant = id && (await findInLive(call, id));
      if (!tenant) return refuse('NOT_FOUND');
      const users = await findUsersForOperators(call.platform, tenant.partner.id);
      return done(dataAnswer(call, 200, users.map(writeUser)));
    },
  ),
  command(
    '/ops/partners/:partner_id/users/:user_id/reset-codes',
    'resetCodes',
    'Propose to reset the one-time codes of a user, which ends the sessions of that user; 202',
    null,
    readReason,
    async (call, { reason }) => {
      const [partnerId, userId] = [idOf(call, 'partner_id'), idOf(call, 'user_id')];
      const tenant = partnerId && (await findInLive(call, partnerId));
      if (!tenant || !userId) return refuse('NOT_FOUND');
      const [user] = await findUsersForOperators(call.platform, tenant.partner.id, userId);
      if (!user) return refuse('NOT_FOUND');
      if (!user.codesEnabledAt) {
        return refuse<OperatorCode>('INVALID_STATE', { message: 'The one-time codes of this user are off' });
      }
      const terms = { userId, enabledAt: user.codesEnabledAt.toISOString(), reason };
      return decided(call, await decide(call, tenant, 'reset_codes', terms, call.operator.id));
    },
  ),
];
