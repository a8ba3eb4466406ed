/** Events and deliveries as their partner looks them up, and the ways to send them again. */
import type { DeliveryRecord, DeliveryStatus, DeliveryTry, EventRecord } from '../../domain/deliveries';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import { FIRST_UUID, LAST_UUID } from '../pg/ids';
import { inTransaction, type Cell, type Queryable, type SealedCell } from '../pg/postgres';
import type { Sealing } from '../../secrets/sealing';
import { WALK_MAX, type Walked } from '../pg/walks';
import { assertNotResetting } from '../upkeep/epochs';
import { payloadOf, TOLD, toldBy, webhookId } from './deliveries';

export interface EventRow {
  webhook_id: string;
  id: string;
  kind: string;
  resource_id: string;
  created_at: Date;
  pending: number;
  delivered: number;
  failed: number;
}

export const toEvent = (sealing: Sealing, { pending, delivered, failed, ...row }: EventRow): EventRecord => ({
  id: row.id,
  webhookId: row.webhook_id,
  kind: row.kind,
  resourceId: row.resource_id,
  payload: payloadOf(sealing, { ...row }),
  createdAt: row.created_at,
  deliveries: { pending, delivered, failed },
});

/** What an event row is completed with: how its deliveries stand, and its id on streams. */
export const countsOf = (schema: string): string => `
  CROSS JOIN LATERAL (
    SELECT 'wh_' || md5(e.partner_id::text || e.id::text) AS webhook_id,
           count(*) FILTER (WHERE next_attempt_at IS NOT NULL)::int AS pending,
           count(*) FILTER (WHERE next_attempt_at IS NULL AND delivered_at IS NOT NULL)::int AS delivered,
           count(*) FILTER (WHERE next_attempt_at IS NULL AND delivered_at IS NULL)::int AS failed
      FROM ${schema}.deliveries WHERE event_id = e.id) AS counted`;

/**
 * The ids of a partner's events below an id, newest first, no further than a walk may go. The range is written over both
 * columns: with `partner_id = ...` Postgres may choose to walk along the events of all partners.
 * @param partner and `before` as they are numbered in the statement.
 */
const idsOf = (schema: string, partner: string, before: string, and = ''): string => `
  SELECT partner_id, id FROM ${schema}.events
   WHERE (partner_id, id) >= (${partner}, '${FIRST_UUID}') AND (partner_id, id) < (${partner}, ${before}) ${and}
   ORDER BY partner_id DESC, id DESC`;

const eventOf = (schema: string): string => `
  CROSS JOIN LATERAL (SELECT * FROM ${schema}.events WHERE id = walked.id LIMIT 1) AS e`;

/** An event of this partner, or null. */
export async function findEvent(
  { pool, schema, sealing }: SealedCell,
  partnerId: string,
  id: string,
): Promise<EventRecord | null> {
  const { rows } = await pool.query<EventRow>(
    `SELECT e.*, counted.*, ${TOLD} FROM ${schema}.events e ${toldBy(schema)} ${countsOf(schema)}
      WHERE e.id = $1 AND e.partner_id = $2`,
    [id, partnerId],
  );
  return rows[0] ? toEvent(sealing, rows[0]) : null;
}

interface EventFilter {
  kind: string | null;
  resourceId: string | null;
  /** Only what has not arrived at every endpoint. */
  undelivered: boolean;
}

/** One page of a partner's events, newest first. The events of one resource are found by its index. */
export async function listEvents(
  { pool, schema, sealing }: SealedCell,
  partnerId: string,
  { kind, resourceId, undelivered }: EventFilter,
  page: { beforeId: string | null; limit: number },
): Promise<Walked<EventRecord>> {
  const before = page.beforeId ?? LAST_UUID;
  const ids = idsOf(schema, '$1', '$2', resourceId === null ? '' : 'AND resource_id = $5');
  const { rows } = await pool.query<EventRow>(
    `SELECT e.*, counted.*, ${TOLD}
       FROM (${ids} LIMIT ${String(WALK_MAX)}) AS walked ${eventOf(schema)} ${toldBy(schema)} ${countsOf(schema)}
      WHERE ($4::text IS NULL OR e.kind = $4) ${undelivered ? 'AND pending + failed > 0' : ''}
      ORDER BY walked.partner_id DESC, walked.id DESC LIMIT $3`,
    [partnerId, before, page.limit, kind, ...(resourceId === null ? [] : [resourceId])],
  );
  const isFiltered = kind !== null || undelivered;
  const stoppedAt =
    isFiltered && resourceId === null && rows.length < page.limit
      ? await endOfWalk(pool, schema, partnerId, before)
      : null;
  return { rows: rows.map((row) => toEvent(sealing, row)), stoppedAt };
}

/** Where a walk along a partner's events stops; null where it comes to the end of them. */
async function endOfWalk(
  pool: Queryable,
  schema: string,
  partnerId: string,
  before: string,
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `${idsOf(schema, '$1', '$2')} OFFSET ${String(WALK_MAX - 1)} LIMIT 1`,
    [partnerId, before],
  );
  return rows[0]?.id ?? null;
}

interface DeliveryRow {
  webhook_id: string;
  event_id: string;
  event_name: string;
  attempts: number;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  last_duration_ms: number | null;
  created_at: Date;
}

const toDelivery = (row: DeliveryRow): DeliveryRecord => ({
  webhookId: row.webhook_id,
  eventId: row.event_id,
  eventName: row.event_name,
  status: statusOf(row),
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  deliveredAt: row.delivered_at,
  lastStatus: row.last_status,
  lastError: row.last_error,
  lastDurationMs: row.last_duration_ms,
  createdAt: row.created_at,
});

function statusOf(row: DeliveryRow): DeliveryStatus {
  if (row.next_attempt_at !== null) return 'pending';
  if (row.delivered_at !== null) return 'delivered';
  return row.attempts > 0 ? 'failed' : 'parked';
}

/** The same rule as a condition on a delivery `d`. */
const WITH_STATUS: Record<DeliveryStatus, string> = {
  pending: 'd.next_attempt_at IS NOT NULL',
  delivered: 'd.next_attempt_at IS NULL AND d.delivered_at IS NOT NULL',
  failed: 'd.next_attempt_at IS NULL AND d.delivered_at IS NULL AND d.attempts > 0',
  parked: 'd.next_attempt_at IS NULL AND d.delivered_at IS NULL AND d.attempts = 0',
};

const DELIVERY = `${webhookId('d')}, d.*, e.created_at`;

/**
 * One page of what an endpoint was sent or is to be sent, newest event first. What did not arrive has an index of its
 * own; everything else is found along the partner's events.
 */
export async function listDeliveries(
  { pool, schema }: Cell,
  endpoint: { id: string; partnerId: string },
  filter: { status: DeliveryStatus | null; eventName: string | null },
  page: { beforeId: string | null; limit: number },
): Promise<Walked<DeliveryRecord>> {
  const before = page.beforeId ?? LAST_UUID;
  const isGivenUp = filter.status === 'failed' || filter.status === 'parked';
  const along = isGivenUp
    ? `(SELECT event_id AS id FROM ${schema}.deliveries
         WHERE endpoint_id = $1 AND next_attempt_at IS NULL AND delivered_at IS NULL AND event_id < $2
         ORDER BY event_id DESC LIMIT ${String(WALK_MAX)})`
    : `(${idsOf(schema, '$5', '$2')} LIMIT ${String(WALK_MAX)})`;
  const { rows } = await pool.query<DeliveryRow>(
    `SELECT ${DELIVERY} FROM ${along} AS walked ${eventOf(schema)}
      CROSS JOIN LATERAL (
        SELECT * FROM ${schema}.deliveries WHERE event_id = walked.id AND endpoint_id = $1 LIMIT 1) AS d
      WHERE ($4::text IS NULL OR d.event_name = $4) AND ${filter.status ? WITH_STATUS[filter.status] : 'true'}
      ORDER BY ${isGivenUp ? '' : 'walked.partner_id DESC,'} walked.id DESC LIMIT $3`,
    [endpoint.id, before, page.limit, filter.eventName, ...(isGivenUp ? [] : [endpoint.partnerId])],
  );
  const found = rows.map(toDelivery);
  if (rows.length >= page.limit) return { rows: found, stoppedAt: null };
  const stoppedAt = isGivenUp
    ? await endOfGivenUp(pool, schema, endpoint.id, before)
    : await endOfWalk(pool, schema, endpoint.partnerId, before);
  return { rows: found, stoppedAt };
}

async function endOfGivenUp(
  pool: Queryable,
  schema: string,
  endpointId: string,
  before: string,
): Promise<string | null> {
  const { rows } = await pool.query<{ event_id: string }>(
    `SELECT event_id FROM ${schema}.deliveries
      WHERE endpoint_id = $1 AND next_attempt_at IS NULL AND delivered_at IS NULL AND event_id < $2
      ORDER BY event_id DESC OFFSET ${String(WALK_MAX - 1)} LIMIT 1`,
    [endpointId, before],
  );
  return rows[0]?.event_id ?? null;
}

/**
 * One delivery with the payload of its event and its attempts, oldest first; null where there is none. Of the attempts
 * that succeeded only the last one is kept.
 */
export async function findDelivery(
  { pool, schema, sealing }: SealedCell,
  endpoint: { id: string; partnerId: string },
  eventId: string,
): Promise<{ delivery: DeliveryRecord; payload: EventRecord['payload']; tries: DeliveryTry[] } | null> {
  const { rows } = await pool.query<DeliveryRow>(
    `SELECT ${DELIVERY}, e.data, ${TOLD} FROM ${schema}.deliveries d
       JOIN ${schema}.events e ON e.id = d.event_id AND e.partner_id = $3 ${toldBy(schema)}
      WHERE d.endpoint_id = $1 AND d.event_id = $2`,
    [endpoint.id, eventId, endpoint.partnerId],
  );
  const [row] = rows;
  if (!row) return null;
  const failed = await pool.query<{
    at: Date;
    status: number | null;
    error: string | null;
    duration_ms: number;
  }>(
    `SELECT at, status, error, duration_ms FROM ${schema}.delivery_tries
      WHERE event_id = $1 AND endpoint_id = $2 ORDER BY at, id`,
    [eventId, endpoint.id],
  );
  const delivery = toDelivery(row);
  const tries = failed.rows.map(({ duration_ms: durationMs, ...one }): DeliveryTry => ({
    ...one,
    durationMs,
  }));
  const { deliveredAt: at, lastStatus: status, lastDurationMs } = delivery;
  if (at !== null && delivery.status === 'delivered') {
    tries.push({ at, status, error: null, durationMs: lastDurationMs ?? 0 });
    tries.sort((one, other) => one.at.getTime() - other.at.getTime());
  }
  return { delivery, payload: payloadOf(sealing, { ...row }), tries };
}

/** Keeps an endpoint from being switched off or deleted until the commit; or NOT_FOUND, or VALIDATION_ERROR. */
async function holdActiveEndpoint(
  trx: Queryable,
  schema: string,
  partnerId: string,
  endpointId: string,
): Promise<Refused | null> {
  const { rows } = await trx.query<{ is_active: boolean }>(
    `SELECT is_active FROM ${schema}.webhook_endpoints
      WHERE id = $1 AND partner_id = $2 AND deleted_at IS NULL FOR SHARE`,
    [endpointId, partnerId],
  );
  if (!rows[0]) return refuse('NOT_FOUND');
  return rows[0].is_active ? null : refuse('VALIDATION_ERROR', { message: 'The endpoint is disabled' });
}

/** What makes a delivery due again, with the whole schedule of attempts before it. */
const AGAIN = 'attempts = 0, next_attempt_at = now()';

/**
 * Makes an event due again: at one endpoint, whether it was meant for it or not, or else at every active endpoint that
 * it was meant for. A repeat sends it once more at most, under the same id.
 * @returns the endpoints to wake; or NOT_FOUND, or VALIDATION_ERROR for an endpoint that is disabled.
 * @throws an outage while the partner's sandbox is being reset.
 */
export async function redeliver(
  { pool, schema }: Cell,
  partnerId: string,
  eventId: string,
  endpointId: string | null,
): Promise<Outcome<string[]>> {
  return inTransaction(pool, async (trx): Promise<Outcome<string[]>> => {
    await assertNotResetting(trx, schema, partnerId);
    const { rows: events } = await trx.query<{ kind: string }>(
      `SELECT kind FROM ${schema}.events WHERE id = $1 AND partner_id = $2`,
      [eventId, partnerId],
    );
    const [event] = events;
    if (!event) return refuse('NOT_FOUND');
    if (endpointId !== null) {
      const refused = await holdActiveEndpoint(trx, schema, partnerId, endpointId);
      if (refused) return refused;
      await trx.query(
        `INSERT INTO ${schema}.deliveries (endpoint_id, event_id, event_name, next_attempt_at)
         VALUES ($1, $2, $3, now()) ON CONFLICT (event_id, endpoint_id) DO UPDATE SET ${AGAIN}`,
        [endpointId, eventId, event.kind],
      );
      return done([endpointId]);
    }
    const { rows } = await trx.query<{ endpoint_id: string }>(
      `UPDATE ${schema}.deliveries d SET ${AGAIN} FROM ${schema}.webhook_endpoints w
        WHERE d.event_id = $1 AND w.id = d.endpoint_id AND w.is_active AND w.deleted_at IS NULL
       RETURNING d.endpoint_id`,
      [eventId],
    );
    return done(rows.map((row) => row.endpoint_id));
  });
}

/** How many deliveries one call recovers at most. */
const RECOVER_MAX = 10_000;

/**
 * Makes due again what an endpoint did not get, oldest first, at most `RECOVER_MAX`. A repeat finds what the first call
 * has left.
 * @param during when the events were written; `until` null is now.
 * @returns how many, and whether more are left; or NOT_FOUND, or VALIDATION_ERROR for an endpoint that is disabled.
 * @throws an outage while the partner's sandbox is being reset.
 */
export async function recover(
  { pool, schema }: Cell,
  partnerId: string,
  endpointId: string,
  during: { since: Date; until: Date | null },
): Promise<Outcome<{ deliveries: number; hasMore: boolean }>> {
  return inTransaction(pool, async (trx): Promise<Outcome<{ deliveries: number; hasMore: boolean }>> => {
    await assertNotResetting(trx, schema, partnerId);
    const refused = await holdActiveEndpoint(trx, schema, partnerId, endpointId);
    if (refused) return refused;
    const { rows } = await trx.query<{ due: number; found: number }>(
      `WITH lost AS MATERIALIZED (
         SELECT d.event_id FROM ${schema}.deliveries d JOIN ${schema}.events e ON e.id = d.event_id
          WHERE d.endpoint_id = $1 AND d.next_attempt_at IS NULL AND d.delivered_at IS NULL
            AND e.created_at >= $2 AND ($3::timestamptz IS NULL OR e.created_at <= $3)
          ORDER BY d.event_id LIMIT ${String(RECOVER_MAX + 1)}),
       due AS (
         UPDATE ${schema}.deliveries SET ${AGAIN}
          WHERE endpoint_id = $1 AND event_id IN (
            SELECT event_id FROM lost ORDER BY event_id LIMIT ${String(RECOVER_MAX)})
         RETURNING 1)
       SELECT (SELECT count(*)::int FROM due) AS due, (SELECT count(*)::int FROM lost) AS found`,
      [endpointId, during.since, during.until],
    );
    const { due = 0, found = 0 } = rows[0] ?? {};
    return done({ deliveries: due, hasMore: found > RECOVER_MAX });
  });
}
