/** Partners as a whole, in both environments at once: look, and change tier or status (D37). */
import { done, refuse, type Refused } from '../../../domain/outcome';
import { next } from '../../../domain/machine';
import { PARTNER_MACHINE, type PartnerTrigger } from '../../../domain/partners';
import { closeWallets } from '../../../db/partners/partner-closing';
import { findPartnerRecord, listPartnerRecords, setTier } from '../../../db/partners/partner-records';
import { movePartner } from '../../../db/partners/partner-status';
import { partnersQuery, readReason, readTier } from '../../../wire/operators';
import { writePartner } from '../../../wire/partners';
import { BY_TIME, pageAnswer } from '../../page';
import { dataAnswer } from '../../route';
import { command, idOf, list, view, type OperatorCall, type OperatorCode, type Served } from '../route';

const record = async (call: OperatorCall) => {
  const id = idOf(call, 'partner_id');
  return id && findPartnerRecord(call.platform, id);
};

const show = async (call: OperatorCall): Promise<Served> => {
  const partner = await record(call);
  return partner ? done(dataAnswer(call, 200, writePartner(partner))) : refuse('NOT_FOUND');
};

const is = (status: string): Refused<OperatorCode> =>
  refuse('INVALID_STATE', { message: `The partner is ${status}` });

async function move(call: OperatorCall, trigger: PartnerTrigger): Promise<Served> {
  const partner = await record(call);
  if (!partner) return refuse('NOT_FOUND');
  const moved = await movePartner(call.platform, partner.id, trigger);
  return moved ? show(call) : is(partner.status);
}

export const partnerRoutes = [
  list('/ops/partners', 'listPartners', 'Partners, newest first; `status` filters', partnersQuery, (call) => {
    const { status = null } = call.query;
    return pageAnswer(call, {
      name: `ops/partners/${status ?? ''}`,
      order: BY_TIME,
      find: (page) => listPartnerRecords(call.platform, { ...page, status }),
      write: writePartner,
    });
  }),
  view('/ops/partners/:partner_id', 'showPartner', 'One partner', show),
  command(
    '/ops/partners/:partner_id/tier',
    'setPartnerTier',
    'Change the tier; the new limit is in force within five seconds',
    readTier,
    async (call, { tier }) => {
      const partner = await record(call);
      if (!partner) return refuse('NOT_FOUND');
      await setTier(call.platform, partner.id, tier);
      return show(call);
    },
  ),
  command(
    '/ops/partners/:partner_id/suspend',
    'suspendPartner',
    'Live credentials of an active partner only read from now on',
    readReason,
    (call) => move(call, 'suspend'),
  ),
  command(
    '/ops/partners/:partner_id/reinstate',
    'reinstatePartner',
    'Make a suspended partner active again',
    readReason,
    (call) => move(call, 'reinstate'),
  ),
  command(
    '/ops/partners/:partner_id/close',
    'closePartner',
    'For ever: closes its live wallets, which must be empty, and ends its credentials',
    readReason,
    async (call) => (await emptied(call)) ?? move(call, 'close'),
  ),
];

/** Live money must be gone and nothing of it under way; what the sandbox holds is no money. */
async function emptied(call: OperatorCall): Promise<Refused<OperatorCode> | null> {
  const partner = await record(call);
  if (!partner) return refuse('NOT_FOUND');
  if (!next(PARTNER_MACHINE, partner.status, 'close')) return is(partner.status);
  // The cell first: after a crash in between the command is given again, and finds nothing to close (R19).
  for (const environment of Object.values(call.services.environments)) {
    if (environment.allowsSimulation) continue;
    const { cell } = await environment.partner(partner.id);
    const left = await closeWallets(cell, partner.id);
    if (left) return refuse('WALLET_NOT_EMPTY', { detail: { ...left } });
  }
  return null;
}
