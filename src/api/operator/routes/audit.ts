/** The trail itself, for people to read; whether it is whole is said by `npm run audit:verify`. */
import { listAudit } from '../../../db/upkeep/audit';
import { writeAuditRow } from '../../../wire/operators';
import { readLimit } from '../../../wire/pages';
import { BY_SEQUENCE, pageAnswer } from '../../page';
import { view } from '../route';

export const auditRoutes = [
  view('/ops/audit', 'listAudit', 'The trail of all operators, newest first', async (call) => {
    const size = readLimit(call.query);
    if (!size.ok) return size;
    return pageAnswer(call, {
      name: 'ops/audit',
      limit: size.value,
      order: BY_SEQUENCE,
      find: ({ after, limit }) => listAudit(call.platform, { before: after, limit }),
      write: writeAuditRow,
    });
  }),
];
