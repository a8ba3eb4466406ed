/**
 * The security events of partners: recorded in the transaction of what happened, with the mails that tell of it.
 * A row is never changed afterwards.
 */
import {
  SECURITY_EVENT_KINDS,
  type SecurityEvent,
  type SecurityEventKind,
  type SecurityEventRecord,
} from '../../domain/security-events';
import { LAST_UUID, newId } from '../pg/ids';
import type { Cell, Queryable } from '../pg/postgres';

/** The longest text of a detail that is kept. A label or a name may be longer. */
const DETAIL_MAX = 200;
const ADDRESS_MAX = 100;

/**
 * Records an event, and queues its mails where the table of kinds asks for them. A second
 * call records a second event, so it belongs into the transaction that does what the event reports.
 * @param db the transaction of what happened, under the access role or the operators'.
 */
export async function recordSecurityEvent(db: Queryable, event: SecurityEvent): Promise<void> {
  const { mailed } = SECURITY_EVENT_KINDS[event.kind];
  await db.query('SELECT platform.write_security_event($1, $2, $3, $4, $5, $6, $7, now())', [
    ...valuesOf(event),
    mailed,
  ]);
}

/** The columns of a new event, with an id. What is too long to be kept is cut off. */
const valuesOf = (event: SecurityEvent): unknown[] => [
  newId(),
  event.partnerId,
  event.userId,
  event.kind,
  event.address?.slice(0, ADDRESS_MAX) ?? null,
  JSON.stringify(
    Object.fromEntries(Object.entries(event.detail).map(([name, text]) => [name, text.slice(0, DETAIL_MAX)])),
  ),
];

/**
 * Writes an event of a cell in the transaction of what happened there. `bringSecurityNotices` brings it to the list
 * after the commit.
 * @param trx that transaction, under the login of the API.
 */
export async function insertSecurityNotice(
  trx: Queryable,
  schema: string,
  event: SecurityEvent,
): Promise<void> {
  await trx.query(
    `INSERT INTO ${schema}.security_notices (id, partner_id, user_id, kind, address, detail)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    valuesOf(event),
  );
}

/**
 * The same for an endpoint that has ended in this transaction, for the worker, which may write no other notice.
 * @param event about the deletion of the endpoint.
 */
export async function insertEndedNotice(
  trx: Queryable,
  schema: string,
  endpointId: string,
  event: SecurityEvent,
): Promise<void> {
  const [id, , userId, ...rest] = valuesOf(event);
  await trx.query(`SELECT ${schema}.note_ended_endpoint($1, $2, $3, $4, $5, $6)`, [
    id,
    endpointId,
    userId,
    ...rest,
  ]);
}

/**
 * Notes the keys of both environments that end within a week, and within a day, with their mails. A second call, also of
 * another process at the same time, notes nothing.
 * @param partners the login of an environment for the schema `platform`.
 * @returns the events that were not in the list before.
 */
export async function noteExpiringKeys(partners: Queryable): Promise<SecurityEvent[]> {
  const { rows } = await partners.query<{ of_partner: string; more: Record<string, string> }>(
    'SELECT of_partner, more FROM platform.note_expiring_keys()',
  );
  return rows.map(({ of_partner: partnerId, more: detail }) => ({
    partnerId,
    userId: null,
    kind: 'api_key.expires_soon',
    address: null,
    detail,
  }));
}

/** How many notices are brought at once. The sweep brings the others. */
const NOTICES_MAX = 100;

/**
 * Brings the events that wait in a cell to the list, oldest first, with their mails. Two callers at once, or a crash in
 * between, bring an event twice under one id, and the second time changes nothing.
 * @param partners the login of the environment for the schema `platform`.
 * @returns the events that were not in the list before.
 */
export async function bringSecurityNotices(cell: Cell, partners: Queryable): Promise<SecurityEventRecord[]> {
  const { rows } = await cell.pool.query<EventRow>(
    `SELECT id, partner_id, user_id, kind, address, detail, happened_at AS created_at
       FROM ${cell.schema}.security_notices ORDER BY id LIMIT ${NOTICES_MAX}`,
  );
  const brought: SecurityEventRecord[] = [];
  for (const row of rows) {
    const answer = await partners.query<{ is_new: boolean }>(
      'SELECT platform.bring_security_event($1, $2, $3, $4, $5, $6, $7) AS is_new',
      [
        row.id,
        row.partner_id,
        row.user_id,
        row.kind,
        row.address,
        JSON.stringify(row.detail),
        row.created_at,
      ],
    );
    await cell.pool.query(`DELETE FROM ${cell.schema}.security_notices WHERE id = $1`, [row.id]);
    if (answer.rows[0]?.is_new) brought.push(toEvent(row));
  }
  return brought;
}

interface EventRow {
  id: string;
  partner_id: string;
  user_id: string | null;
  kind: SecurityEventKind;
  address: string | null;
  detail: Record<string, string>;
  created_at: Date;
}

const toEvent = (row: EventRow): SecurityEventRecord => ({
  id: row.id,
  partnerId: row.partner_id,
  userId: row.user_id,
  kind: row.kind,
  address: row.address,
  detail: row.detail,
  createdAt: row.created_at,
});

/** One page of a partner's events, newest first: their ids are time-ordered. */
export async function listSecurityEvents(
  db: Queryable,
  partnerId: string,
  page: { beforeId: string | null; limit: number },
): Promise<SecurityEventRecord[]> {
  const { rows } = await db.query<EventRow>(
    `SELECT id, partner_id, user_id, kind, address, detail, created_at FROM platform.security_events
      WHERE partner_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
    [partnerId, page.beforeId ?? LAST_UUID, page.limit],
  );
  return rows.map(toEvent);
}
