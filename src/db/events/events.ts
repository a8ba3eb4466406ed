/**
 * Writes an event, with a delivery for each subscribed endpoint, in the database transaction of the change that it
 * reports. A USSD move writes the event in steps of its round, because the bench rows `ussd-dial` and
 * `ussd-confirm` demand it; all other code writes it with plain pg.
 */
import type { EventDraft } from '../../domain/events';
import { assertNotResetting, fence } from '../upkeep/epochs';
import { newId } from '../pg/ids';
import { perSchema } from '../pg/in-rounds';
import type { Queryable } from '../pg/postgres';
import type { Row, Step } from '../pg/round';

/**
 * @returns the endpoints that have something due now.
 * @throws an outage while the partner's sandbox is being reset.
 */
export async function insertEvent(
  trx: Queryable,
  schema: string,
  partnerId: string,
  draft: EventDraft,
): Promise<string[]> {
  await assertNotResetting(trx, schema, partnerId);
  const id = newId();
  await trx.query(insert(schema), [id, partnerId, draft.kind, draft.resourceId, draft.data]);
  const { rows } = await trx.query<DeliveryRow>(fanOut(schema), [id, partnerId, draft.kind, draft.alias]);
  return endpointsDue(rows);
}

/** The same as steps of a round. The last one answers with rows for `endpointsDue`. */
export function eventSteps(schema: string, partnerId: string, draft: EventDraft): Step[] {
  const sql = statements(schema);
  const id = newId();
  return [
    { statement: sql.fence, values: [partnerId] },
    { statement: sql.insert, values: [id, partnerId, draft.kind, draft.resourceId, draft.data] },
    { statement: sql.fanOut, values: [id, partnerId, draft.kind, draft.alias] },
  ];
}

/** The endpoints that have something due now. */
export const endpointsDue = (rows: readonly Row[]): string[] =>
  (rows as readonly DeliveryRow[])
    .filter((row) => row.next_attempt_at !== null)
    .map((row) => row.endpoint_id);

type DeliveryRow = Row & { endpoint_id: string; next_attempt_at: Date | null };

const insert = (schema: string): string =>
  `INSERT INTO ${schema}.events (id, partner_id, kind, resource_id, data, created_at)
   VALUES ($1, $2, $3, $4, $5, now())`;

const fanOut = (schema: string): string =>
  deliver(
    schema,
    '(SELECT $1::uuid AS id, $2::uuid AS partner_id, $3::text AS kind, $4::text AS alias)',
    'now()',
  );

const statements = perSchema((schema) => ({
  fence: { text: fence(schema) },
  insert: { text: insert(schema) },
  fanOut: { text: fanOut(schema) },
}));

/**
 * The fan-out of `happened(id, partner_id, kind, alias)`: one delivery per endpoint that is subscribed at this
 * very moment (R12), under the first of the event's names that it subscribed to (D106, D114): its kind, or one of two other
 * names. A disabled endpoint's deliveries are kept without a due time, so that they can be recovered (D109). `OFFSET 0` makes
 * Postgres look up the endpoints of each event's partner by their index. Without it a plan that was made while
 * there were few endpoints would go on reading all endpoints of all partners.
 */
export function deliver(schema: string, happened: string, now: string): string {
  const names = ['h.kind', `split_part(h.alias, ' ', 1)`, `split_part(h.alias, ' ', 2)`];
  return `INSERT INTO ${schema}.deliveries (endpoint_id, event_id, event_name, next_attempt_at)
    SELECT w.id, h.id, w.name, CASE WHEN w.is_active THEN ${now} END
      FROM ${happened} h
     CROSS JOIN LATERAL (
           SELECT id, is_active,
                  CASE ${names.map((name) => `WHEN ${name} = ANY(events) THEN ${name}`).join(' ')} END AS name
             FROM ${schema}.webhook_endpoints
            WHERE partner_id = h.partner_id AND deleted_at IS NULL OFFSET 0) AS w
     WHERE w.name IS NOT NULL
    RETURNING endpoint_id, next_attempt_at`;
}
