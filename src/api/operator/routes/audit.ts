/** The trail itself, for people to read; whether it is whole is said by `npm run audit:verify`. */
import { listAudit } from '../../../db/audit';
import { writeAuditRow } from '../../../wire/operators';
import { readLimit, writePageMeta } from '../../../wire/pages';
import { dataAnswer, view } from '../route';

export const auditRoutes = [
  view('/ops/audit', 'listAudit', 'The trail of all operators, newest first', async (call) => {
    const size = readLimit(call.query);
    if ('refusal' in size) return size.refusal;
    const { cursors } = call.services;
    const cursor = cursors.read(call.query, 'ops/audit');
    if ('refusal' in cursor) return cursor.refusal;
    const before = cursor.place === null ? null : Number(cursor.place);
    const rows = await listAudit(call.platform, { before, limit: size.limit + 1 });
    const page = rows.slice(0, size.limit);
    const last = rows.length > size.limit ? page.at(-1) : undefined;
    const next = last && cursors.write('ops/audit', String(last.sequence));
    return dataAnswer(call, 200, page.map(writeAuditRow), writePageMeta(next));
  }),
];
