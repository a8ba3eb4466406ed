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
import type { Queryable } from '../pg/postgres';

/** The longest text of a detail that is kept. A label or a name may be longer. */
const DETAIL_MAX = 200;
const ADDRESS_MAX = 100;

/**
 * Records an event, and queues its mails where the table of kinds asks for them: to every user of the partner
 * whose address is confirmed. An address that nobody has confirmed may be a stranger's, and gets none. A second
 * call records a second event, so it belongs into the transaction that does what the event reports.
 * @param db the transaction of what happened, under the access role or the operators'.
 */
export async function recordSecurityEvent(db: Queryable, event: SecurityEvent): Promise<void> {
  const { mailed } = SECURITY_EVENT_KINDS[event.kind];
  const detail = Object.fromEntries(
    Object.entries(event.detail).map(([name, text]) => [name, text.slice(0, DETAIL_MAX)]),
  );
  await db.query(
    `WITH event AS (
       INSERT INTO platform.security_events (id, partner_id, user_id, kind, address, detail)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING *
     )
     INSERT INTO platform.mail_outbox (id, partner_id, kind, recipient, content)
     SELECT gen_random_uuid(), e.partner_id, 'security_event', u.email,
            jsonb_build_object('event', e.kind, 'address', e.address, 'detail', e.detail, 'at', e.created_at)
       FROM event e JOIN platform.users u ON u.partner_id = e.partner_id
      WHERE u.email_confirmed_at IS NOT NULL
        AND ($7 = 'always' OR $7 = 'hourly' AND NOT EXISTS (
          SELECT FROM platform.mail_outbox m
           WHERE m.recipient = u.email AND m.created_at > now() - interval '1 hour'
             AND m.kind = 'security_event' AND m.content ->> 'event' = e.kind))`,
    [
      newId(),
      event.partnerId,
      event.userId,
      event.kind,
      event.address?.slice(0, ADDRESS_MAX) ?? null,
      JSON.stringify(detail),
      mailed,
    ],
  );
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
  return rows.map((row) => ({
    id: row.id,
    partnerId: row.partner_id,
    userId: row.user_id,
    kind: row.kind,
    address: row.address,
    detail: row.detail,
    createdAt: row.created_at,
  }));
}
