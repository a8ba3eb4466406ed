/** The audit trail, for people to read. `npm run audit:verify` checks that it is complete and unchanged. */
import { listAudit } from '../../../db/upkeep/audit';
import { writeAuditRow } from '../../../wire/operators';
import { pageQuery } from '../../../wire/pages';
import { BY_SEQUENCE, pageAnswer } from '../../page';
import { list } from '../route';

export const auditRoutes = [
  list('/ops/audit', 'listAudit', 'The trail of all operators, newest first', pageQuery, (call) => {
    return pageAnswer(call, {
      name: 'ops/audit',
      order: BY_SEQUENCE,
      find: ({ after, limit }) => listAudit(call.platform, { before: after, limit }),
      write: writeAuditRow,
    });
  }),
];
