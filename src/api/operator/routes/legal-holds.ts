/** Legal holds: place one and lift it, which need two people, and see all of them. They are about live alone. */
import { refuse } from '../../../domain/outcome';
import { listLegalHolds } from '../../../db/upkeep/legal-holds';
import { decide } from '../../../operations/operators/decisions';
import { legalHoldInForce, subjectOf } from '../../../operations/operators/legal-holds';
import { readLegalHold, readReason, writeLegalHold } from '../../../wire/operators';
import { pageQuery } from '../../../wire/pages';
import { BY_TIME, newestFirst, pageAnswer } from '../../page';
import { command, decided, findInLive, idOf, list } from '../route';

const OF_PARTNER = '/ops/partners/:partner_id/legal-holds';

export const legalHoldRoutes = [
  list(
    '/ops/legal-holds',
    'listLegalHolds',
    'Legal holds of all partners in live, newest first, also those that were lifted',
    pageQuery,
    (call) => {
      const live = Object.values(call.services.environments).find((one) => !one.allowsSimulation);
      return pageAnswer(call, {
        name: 'ops/legal-holds',
        order: BY_TIME,
        find: async (page) => {
          const cells = [...(live?.cells.values() ?? [])];
          const ofCells = await Promise.all(cells.map((cell) => listLegalHolds(cell, page)));
          return ofCells.flat().sort(newestFirst).slice(0, page.limit);
        },
        write: writeLegalHold,
      });
    },
  ),
  command(
    OF_PARTNER,
    'placeLegalHold',
    'Propose to keep what is known of a person, named by `wallet_id` or `verification_id`, or else of the whole partner; 202',
    null,
    readLegalHold,
    async (call, terms) => {
      const id = idOf(call, 'partner_id');
      const tenant = id && (await findInLive(call, id));
      if (!tenant) return refuse('NOT_FOUND');
      const subject = await subjectOf(tenant, terms);
      if (!subject.ok) return subject;
      return decided(call, await decide(call, tenant, 'place_legal_hold', terms, call.operator.id));
    },
  ),
  command(
    `${OF_PARTNER}/:legal_hold_id/lift`,
    'liftLegalHold',
    'Propose to lift a legal hold, so that the periods are in force again; 202',
    null,
    readReason,
    async (call, { reason }) => {
      const [partnerId, id] = [idOf(call, 'partner_id'), idOf(call, 'legal_hold_id')];
      const tenant = partnerId && (await findInLive(call, partnerId));
      if (!tenant || !id) return refuse('NOT_FOUND');
      const found = await legalHoldInForce(tenant, id);
      if (!found.ok) return found;
      const terms = { legalHoldId: id, reason };
      return decided(call, await decide(call, tenant, 'lift_legal_hold', terms, call.operator.id));
    },
  ),
];
