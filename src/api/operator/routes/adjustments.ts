/**
 * Adjustments: proposed by one operator, approved by two others, posted by the ledger under the
 * adjustment's own id, so that repeating an approval after a lost answer posts nothing twice (D14, D91).
 */
import { done, refuse, type Outcome, type Refused } from '../../../domain/outcome';
import { adjustmentOpening, type Adjustment } from '../../../domain/adjustments';
import {
  approveAdjustment,
  findAdjustment,
  insertAdjustment,
  listAdjustments,
  moveAdjustment,
} from '../../../db/ledger/adjustments';
import { newId } from '../../../db/pg/ids';
import { findWallet } from '../../../db/wallets/wallets';
import {
  readAdjustment,
  adjustmentsQuery,
  readNothing,
  readReason,
  writeAdjustment,
} from '../../../wire/operators';
import { transactionCompleted } from '../../../wire/webhooks';
import { BY_TIME, pageAnswer } from '../../page';
import { dataAnswer } from '../../route';
import {
  command,
  idOf,
  list,
  inEnvironment,
  ofPartner,
  view,
  type OperatorCode,
  type Served,
  type PartnerCall,
} from '../route';

const OF_PARTNER = '/ops/:environment/partners/:partner_id';

const find = async (call: PartnerCall, id = idOf(call, 'adjustment_id')): Promise<Adjustment | null> =>
  id === null ? null : findAdjustment(call.platform, call.environment.name, call.partner.id, id);

const show = async (call: PartnerCall, status = 200, id?: string): Promise<Served> => {
  const adjustment = await find(call, id);
  return adjustment ? done(dataAnswer(call, status, writeAdjustment(adjustment))) : refuse('NOT_FOUND');
};

/**
 * Posts an approved adjustment. The ledger knows it by its id, so whoever comes again, after a crash or at the
 * same moment, finds it posted.
 */
async function post(call: PartnerCall, adjustment: Adjustment): Promise<Outcome<null>> {
  const result = await call.cell.ledger.post({
    movement: adjustmentOpening(adjustment),
    announce: ({ transaction }) => [transactionCompleted(transaction)],
  });
  if (!result.ok) {
    await moveAdjustment(call.platform, adjustment.id, 'refuse', result.refusal.code);
    return result;
  }
  switch (result.value.kind) {
    case 'posted':
    case 'same_reference':
      await moveAdjustment(call.platform, adjustment.id, 'post');
      return done(null);
    case 'locked':
      return refuse('SERVICE_UNAVAILABLE', { message: 'The wallet is busy; approve again to post it' });
    case 'same_key':
    case 'settled_before':
      throw new Error(`bug: an adjustment cannot be ${result.value.kind}`);
  }
}

const is = (status: string): Refused<OperatorCode> =>
  refuse('INVALID_STATE', { message: `The adjustment is ${status}` });

export const adjustmentRoutes = [
  list(
    '/ops/:environment/adjustments',
    'listAdjustments',
    'Adjustments of all partners, newest first; `status` filters',
    adjustmentsQuery,
    inEnvironment(async (call) => {
      const { status = null } = call.query;
      const { name } = call.environment;
      return pageAnswer(call, {
        name: `ops/${name}/adjustments/${status ?? ''}`,
        order: BY_TIME,
        find: (page) => listAdjustments(call.platform, name, { ...page, status }),
        write: writeAdjustment,
      });
    }),
  ),
  view(
    `${OF_PARTNER}/adjustments/:adjustment_id`,
    'showAdjustment',
    'One adjustment with its approvals',
    ofPartner((call) => show(call)),
  ),
  command(
    `${OF_PARTNER}/adjustments`,
    'proposeAdjustment',
    'Propose to credit or debit a wallet; moves nothing yet',
    readAdjustment,
    ofPartner(async (call, asked) => {
      const wallet = await findWallet(call.cell, call.partner.id, asked.walletId);
      if (!wallet) return refuse('WALLET_NOT_FOUND');
      const id = newId();
      const adjustment = { id, partnerId: call.partner.id, ...asked };
      await insertAdjustment(call.platform, call.environment.name, adjustment, call.operator.id);
      return show(call, 201, id);
    }),
  ),
  command(
    `${OF_PARTNER}/adjustments/:adjustment_id/approve`,
    'approveAdjustment',
    'Approve somebody else’s proposal; the second approval posts it',
    readNothing,
    ofPartner(async (call) => {
      const known = await find(call);
      if (!known) return refuse('NOT_FOUND');
      const { answer, adjustment } = await approveAdjustment(call.platform, known.id, call.operator.id);
      if (answer === 'own_proposal') {
        return refuse('FORBIDDEN', { message: 'Nobody approves their own proposal' });
      }
      if (answer === 'too_late') return is(adjustment.status);
      const posted = adjustment.status === 'approved' ? await post(call, adjustment) : done(null);
      return posted.ok ? show(call) : posted;
    }),
  ),
  command(
    `${OF_PARTNER}/adjustments/:adjustment_id/reject`,
    'rejectAdjustment',
    'End a proposal that is not approved yet; the proposer withdraws it the same way',
    readReason,
    ofPartner(async (call) => {
      const known = await find(call);
      if (!known) return refuse('NOT_FOUND');
      const rejected = await moveAdjustment(call.platform, known.id, 'reject');
      if (rejected) return show(call);
      const now = await find(call);
      return is(now?.status ?? known.status);
    }),
  ),
];
