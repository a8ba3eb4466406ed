/** Partners as a whole, in both environments at once: show them, and change tier or status (D37). */
import { done, map, refuse, type Outcome } from '../../../domain/outcome';
import type { OperatorCode } from '../../../domain/operators';
import { decide } from '../../../operations/operators/decisions';
import { changeTier, closePartner, suspend, suspensionOf } from '../../../operations/operators/partners';
import { isRaise, type PartnerRecord } from '../../../domain/partners';
import { findPartnerRecord, listPartnerRecords } from '../../../db/partners/partner-records';
import { partnersQuery, readReason, readTier, writeContact, writePartner } from '../../../wire/operators';
import { BY_TIME, pageAnswer } from '../../page';
import { dataAnswer } from '../../route';
import {
  command,
  decided,
  findInLive,
  idOf,
  list,
  peopleView,
  view,
  type OperatorCall,
  type Served,
} from '../route';

const show =
  (write: (partner: PartnerRecord) => unknown) =>
  async (call: OperatorCall): Promise<Served> => {
    const id = idOf(call, 'partner_id');
    const partner = id && (await findPartnerRecord(call.platform, id));
    return partner ? done(dataAnswer(call, 200, write(partner))) : refuse('NOT_FOUND');
  };

/** The partner as it is after a command, or why it was refused. */
const shown = (call: OperatorCall, outcome: Outcome<PartnerRecord, OperatorCode>): Served =>
  map(outcome, (partner) => dataAnswer(call, 200, writePartner(partner)));

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
  view('/ops/partners/:partner_id', 'showPartner', 'One partner', show(writePartner)),
  peopleView(
    '/ops/partners/:partner_id/contact',
    'showContact',
    'Email address and telephone number of its owner; `reason` says why they are read',
    show(writeContact),
  ),
  command(
    '/ops/partners/:partner_id/tier',
    'setPartnerTier',
    'Lower the tier, or propose a higher one: 202; a new limit is in force within five seconds',
    'A lower tier only holds back; a higher one is proposed',
    readTier,
    async (call, { tier, reason }) => {
      const id = idOf(call, 'partner_id');
      const partner = id && (await findPartnerRecord(call.platform, id));
      if (!partner) return refuse('NOT_FOUND');
      const change = { from: partner.tier, tier };
      if (!isRaise(partner.tier, tier))
        return shown(call, await changeTier(call.platform, partner.id, change));
      const about = await findInLive(call, partner.id);
      if (!about) return refuse('NOT_FOUND');
      const terms = { ...change, reason };
      return decided(call, await decide(call, about, 'raise_tier', terms, call.operator.id));
    },
  ),
  command(
    '/ops/partners/:partner_id/suspend',
    'suspendPartner',
    'Suspend an active partner; its live credentials can then only read',
    'It only holds back',
    readReason,
    async (call) => {
      const id = idOf(call, 'partner_id');
      return id === null ? refuse('NOT_FOUND') : shown(call, await suspend(call.platform, id));
    },
  ),
  command(
    '/ops/partners/:partner_id/reinstate',
    'reinstatePartner',
    'Propose to make a suspended partner active again; 202',
    null,
    readReason,
    async (call, { reason }) => {
      const id = idOf(call, 'partner_id');
      const about = id && (await findInLive(call, id));
      if (!about) return refuse('NOT_FOUND');
      const suspension = await suspensionOf(call.platform, about.partner.id);
      if (!suspension.ok) return suspension;
      const terms = { suspendedAt: suspension.value.toISOString(), reason };
      return decided(call, await decide(call, about, 'reinstate_partner', terms, call.operator.id));
    },
  ),
  command(
    '/ops/partners/:partner_id/close',
    'closePartner',
    'Close it for ever, with its credentials and live wallets, which must be empty',
    'It only holds back, and its live wallets hold no money any more',
    readReason,
    async (call) => {
      const id = idOf(call, 'partner_id');
      if (id === null) return refuse('NOT_FOUND');
      const { environments } = call.services;
      return shown(call, await closePartner(call.platform, Object.values(environments), id));
    },
  ),
];
