/** The partner itself, as its credential sees it (D195). */
import { findPartnerRecord } from '../../db/partners/partner-records';
import { done } from '../../domain/outcome';
import { present } from '../../domain/assert';
import { dataOf } from '../../wire/answers';
import { partnerOfCaller, writePartnerOfCaller } from '../../wire/partners';
import { dataAnswer, type Route } from '../route';

const get: Route = {
  method: 'GET',
  path: '/v1/partner',
  operation: 'getPartner',
  needs: 'look',
  doc: {
    section: 'Authentication',
    sdk: 'partner.get',
    summary: 'Get the partner, the credential and the rate limit',
    description: 'Shows whom a credential belongs to, in which environment it works, and when it ends.',
    answer: { status: 200, description: 'The partner', body: dataOf(partnerOfCaller) },
    refusals: [],
  },
  async handle(call) {
    const { environment, key, session, allowance } = call;
    const found = await findPartnerRecord(call.services.access, call.partner.id);
    const shown = writePartnerOfCaller(present(found, 'the partner of a credential'), {
      environment: environment.name,
      key,
      tokenExpiresAt: session && session.expiresAt,
      rateLimit: allowance,
    });
    return done(dataAnswer(call, 200, shown));
  },
};

export const partnerRoutes: readonly Route[] = [get];
