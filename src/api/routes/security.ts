/** The confirmation of an email address, and the list of a partner's security events (D175). */
import { map } from '../../domain/outcome';
import { listSecurityEvents } from '../../db/partners/security-events';
import { confirmAddress } from '../../operations/partners/confirm-email';
import { dataOf, pageOf } from '../../wire/answers';
import { pageQuery } from '../../wire/pages';
import { readBody } from '../../wire/read';
import {
  confirmationBody,
  confirmationSchema,
  confirmedEmail,
  securityEventInfo,
  writeSecurityEvent,
} from '../../wire/security-events';
import { BY_ID, pageAnswer } from '../page';
import { dataAnswer, reading, type OpenRoute, type Route } from '../route';

const confirm: OpenRoute = {
  method: 'POST',
  path: '/v1/auth/email/confirm',
  operation: 'confirmEmail',
  reads: 'json',
  ofStrangers: true,
  doc: {
    section: 'Authentication',
    summary: 'Confirm an email address',
    description:
      'The token comes by mail, works once and for 24 hours. Live keys work from the confirmation on; the sandbox needs none.',
    body: confirmationBody,
    answer: { status: 200, description: 'The confirmed address', body: dataOf(confirmedEmail) },
    refusals: ['RATE_LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readBody(confirmationSchema, call.body);
    if (!read.ok) return read;
    const confirmed = await confirmAddress(call.services, {
      token: read.value.token,
      address: call.remoteAddress,
    });
    return map(confirmed, ({ email, confirmedAt }) =>
      dataAnswer(call, 200, { email, confirmed_at: confirmedAt.toISOString() }),
    );
  },
};

/** The same list in both environments: the people of a partner belong to none. */
const list = reading({
  method: 'GET',
  path: '/v1/security-events',
  operation: 'listSecurityEvents',
  needs: 'people',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    summary: 'List security events',
    query: pageQuery,
    description:
      'What happened around the people and the credentials of the partner, newest first. Some events are also mailed to every user with a confirmed address.',
    answer: { status: 200, description: 'The events', body: pageOf(securityEventInfo) },
    refusals: [],
  },
  async handle(call) {
    return pageAnswer(call, {
      name: `security-events/${call.partner.id}`,
      order: BY_ID,
      find: ({ after, limit }) =>
        listSecurityEvents(call.services.access, call.partner.id, { beforeId: after, limit }),
      write: writeSecurityEvent,
    });
  },
});

export const securityRoutes: readonly Route[] = [list];
export const openSecurityRoutes: readonly OpenRoute[] = [confirm];
