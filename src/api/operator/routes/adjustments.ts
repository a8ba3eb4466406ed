/** Adjustments: proposed by one operator, approved by two others, and posted (D14, D91). */
import { done, map, refuse, type Outcome } from '../../../domain/outcome';
import {
  approveAdjustment,
  proposeAdjustment,
  rejectAdjustment,
} from '../../../operations/operators/adjustments';
import type { Adjustment } from '../../../domain/adjustments';
import { findAdjustment, listAdjustments } from '../../../db/ledger/adjustments';
import {
  readAdjustment,
  adjustmentsQuery,
  readNothing,
  readReason,
  writeAdjustment,
} from '../../../wire/operators';
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

const show = async (call: PartnerCall): Promise<Served> => {
  const id = idOf(call, 'adjustment_id');
  const found = id && (await findAdjustment(call.platform, call.environment.name, call.partner.id, id));
  return found ? done(dataAnswer(call, 200, writeAdjustment(found))) : refuse('NOT_FOUND');
};

/** The adjustment as it is after a command, or why it was refused. */
const shown = (call: PartnerCall, outcome: Outcome<Adjustment, OperatorCode>, status = 200): Served =>
  map(outcome, (adjustment) => dataAnswer(call, status, writeAdjustment(adjustment)));

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
    ofPartner(show),
  ),
  command(
    `${OF_PARTNER}/adjustments`,
    'proposeAdjustment',
    'Propose to credit or debit a wallet; no money moves yet',
    readAdjustment,
    ofPartner(async (call, asked) =>
      shown(call, await proposeAdjustment(call.platform, call, asked, call.operator.id), 201),
    ),
  ),
  command(
    `${OF_PARTNER}/adjustments/:adjustment_id/approve`,
    'approveAdjustment',
    'Approve somebody else’s proposal; the second approval posts it',
    readNothing,
    ofPartner(async (call) => {
      const id = idOf(call, 'adjustment_id');
      if (id === null) return refuse('NOT_FOUND');
      return shown(call, await approveAdjustment(call.platform, call, id, call.operator.id));
    }),
  ),
  command(
    `${OF_PARTNER}/adjustments/:adjustment_id/reject`,
    'rejectAdjustment',
    'End a proposal that is not approved yet; the proposer withdraws it the same way',
    readReason,
    ofPartner(async (call) => {
      const id = idOf(call, 'adjustment_id');
      return id === null ? refuse('NOT_FOUND') : shown(call, await rejectAdjustment(call.platform, call, id));
    }),
  ),
];
