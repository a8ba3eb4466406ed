/** Partners as a whole, in both environments at once: look, and change the tier. */
import { refuse } from '../../../domain/refusals';
import { findPartnerRecord, listPartnerRecords, setTier } from '../../../db/partner-records';
import { readPartnerStatus, readTier } from '../../../wire/operators';
import { readLimit } from '../../../wire/pages';
import { writePartner } from '../../../wire/partners';
import { command, dataAnswer, idOf, pageAnswer, view, type OperatorCall, type Outcome } from '../route';

const record = async (call: OperatorCall) => {
  const id = idOf(call, 'partner_id');
  return id && findPartnerRecord(call.platform, id);
};

const show = async (call: OperatorCall): Promise<Outcome> => {
  const partner = await record(call);
  return partner ? dataAnswer(call, 200, writePartner(partner)) : refuse('NOT_FOUND');
};

export const partnerRoutes = [
  view('/ops/partners', 'listPartners', 'Partners, newest first; `status` filters', async (call) => {
    const size = readLimit(call.query);
    if ('refusal' in size) return size.refusal;
    const filter = readPartnerStatus(call.query);
    if ('refusal' in filter) return filter.refusal;
    const find = (page: Parameters<typeof listPartnerRecords>[1]) => listPartnerRecords(call.platform, page);
    return pageAnswer(
      call,
      `ops/partners/${filter.word ?? ''}`,
      size.limit,
      (page) => find({ ...page, status: filter.word }),
      writePartner,
    );
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
];
