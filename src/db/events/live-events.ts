/**
 * What streams of events read: the ids of partners' events from a moment on, and the events of such ids. Ids are made
 * before the commit, so a later commit may bring a smaller id: a reader has to look at the same ids again.
 */
import type { StreamedEvent } from '../../domain/deliveries';
import type { Cell, SealedCell } from '../pg/postgres';
import { CAN_BE_TOLD, payloadOf, TOLD, toldBy } from './deliveries';

/**
 * The ids of these partners' events that are greater than `fromId`, for each partner in their order, read from
 * `events_of_partner` alone.
 */
export async function listEventIds(
  { pool, schema }: Cell,
  partnerIds: readonly string[],
  fromId: string,
): Promise<{ partnerId: string; id: string }[]> {
  const { rows } = await pool.query<{ partner_id: string; id: string }>(
    `SELECT partner_id, id FROM ${schema}.events
      WHERE partner_id = ANY($1::uuid[]) AND id > $2 ORDER BY partner_id, id`,
    [partnerIds, fromId],
  );
  return rows.map((row) => ({ partnerId: row.partner_id, id: row.id }));
}

/** The ids of a partner's events between two ids, oldest first. */
export async function listEventIdsBetween(
  { pool, schema }: Cell,
  partnerId: string,
  between: { afterId: string; beforeId: string; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ${schema}.events
      WHERE (partner_id, id) > ($1, $2) AND (partner_id, id) < ($1, $3)
      ORDER BY partner_id, id LIMIT $4`,
    [partnerId, between.afterId, between.beforeId, between.limit],
  );
  return rows.map(({ id }) => id);
}

/** Events of these ids, oldest first. One that has been deleted since, as by a reset of the sandbox, is not among them. */
export async function listEventsOfIds(
  { pool, schema, sealing }: SealedCell,
  asked: readonly { id: string }[],
): Promise<StreamedEvent[]> {
  const { rows } = await pool.query<{
    id: string;
    partner_id: string;
    kind: string;
    created_at: Date;
    webhook_id: string;
  }>(
    `SELECT e.id, e.partner_id, e.kind, e.data, e.created_at, ${TOLD},
            'wh_' || md5(e.partner_id::text || e.id::text) AS webhook_id
       FROM unnest($1::uuid[]) AS asked(id)
       JOIN ${schema}.events e ON e.id = asked.id ${toldBy(schema)}
      WHERE ${CAN_BE_TOLD}
      ORDER BY e.id`,
    [asked.map(({ id }) => id)],
  );
  return rows.map((row) => ({
    id: row.id,
    partnerId: row.partner_id,
    kind: row.kind,
    webhookId: row.webhook_id,
    payload: payloadOf(sealing, { ...row }),
    createdAt: row.created_at,
  }));
}
