/** The list of a partner's security events. */
import { listSecurityEvents } from '../../db/partners/security-events';
import { pageOf } from '../../wire/answers';
import { pageQuery } from '../../wire/pages';
import { securityEventInfo, writeSecurityEvent } from '../../wire/security-events';
import { BY_ID, pageAnswer } from '../page';
import { reading, type Route } from '../route';

/** The same list in both environments: the people of a partner belong to none. */
const list = reading({
  method: 'GET',
  path: '/v1/security-events',
  operation: 'listSecurityEvents',
  needs: 'people',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    sdk: 'securityEvents.list',
    summary: 'List security events',
    query: pageQuery,
    description:
      'What happened around the people, the credentials and the webhook endpoints of the partner, newest first. Some events are also mailed to every user with a confirmed address.',
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
