/** Verifications of BVNs and NINs: erase somebody who was checked and never had a wallet. */
import { done, refuse } from '../../../domain/outcome';
import { proposeErasureOfChecked } from '../../../operations/operators/erase-person';
import { readReason, writeCheckedErasure } from '../../../wire/operators';
import { dataAnswer } from '../../route';
import { command, decided, idOf, ofPartner } from '../route';

export const verificationRoutes = [
  command(
    '/ops/:environment/partners/:partner_id/verifications/:verification_id/erase-person',
    'eraseCheckedPerson',
    'Erase somebody who was checked and never had a wallet; in live 202 with a proposal',
    null,
    readReason,
    ofPartner(async (call, { reason }) => {
      const id = idOf(call, 'verification_id');
      if (id === null) return refuse('NOT_FOUND');
      const outcome = await proposeErasureOfChecked(call, call, id, reason, call.operator.id);
      return decided(call, outcome, () =>
        Promise.resolve(done(dataAnswer(call, 200, writeCheckedErasure(id)))),
      );
    }),
  ),
];
