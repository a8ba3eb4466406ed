/**
 * Who wakes an endpoint's dispatcher: the commit that finds it asleep, the next commit where that call was not heard, or the
 * sweep that finds it gone. Waking uses rounds, because the bench row `webhooks` demands it; the rest uses plain pg.
 */
import { writeArray } from '../pg/bulk';
import { FIRST_UUID } from '../pg/ids';
import { inOneRound, perSchema } from '../pg/in-rounds';
import type { Cell } from '../pg/postgres';
import { unclaimed } from './deliveries';

interface EndpointOfPartner {
  endpointId: string;
  partnerId: string;
}

/**
 * Marks the dispatcher as asleep. It must look for due deliveries once more afterwards: a commit before this
 * mark is seen by that look, a commit after it finds the mark and wakes the dispatcher.
 */
export async function markAsleep(cell: Cell, endpointId: string): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.webhook_endpoints SET asleep = true, called_at = NULL, unheard_since = NULL WHERE id = $1`,
    [endpointId],
  );
}

/** The dispatcher is at work, so whoever has called it is heard. A second mark changes nothing. */
export async function markHeard(cell: Cell, endpointId: string): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.webhook_endpoints SET called_at = NULL, unheard_since = NULL
      WHERE id = $1 AND called_at IS NOT NULL`,
    [endpointId],
  );
}

/**
 * Gives those of these endpoints whose dispatcher sleeps. They count as awake from now on, so each is woken once. One that
 * was called and has not been heard of for a while is given again, because its caller may have died before it called: after
 * `CALL_AGAIN_MS`, then after twice as long and so on, so that calls do not pile up while no worker runs.
 */
export async function takeSleepers(cell: Cell, endpointIds: readonly string[]): Promise<EndpointOfPartner[]> {
  const { takeSleepers: statement } = statements(cell.schema);
  const values = [writeArray('uuid', endpointIds), String(CALL_AGAIN_MS)];
  const rows = await inOneRound(cell.pool, { statement, values });
  return rows.map((row) => ({ endpointId: row['id'] as string, partnerId: row['partner_id'] as string }));
}

/** Longer than a call takes to be heard, also on a busy machine. */
const CALL_AGAIN_MS = 2_000;

const statements = perSchema((schema) => ({
  takeSleepers: {
    text: `UPDATE ${schema}.webhook_endpoints
       SET asleep = false, called_at = now(), unheard_since = CASE WHEN asleep THEN now() ELSE unheard_since END
      WHERE id = ANY($1::uuid[]) AND is_active AND deleted_at IS NULL
        AND (asleep
             OR now() - called_at > greatest($2::bigint * interval '1 millisecond', called_at - unheard_since))
      RETURNING id, partner_id`,
  },
}));

/** Those of these endpoints at which something is due that nobody has claimed. */
export async function endpointsWithDue(cell: Cell, endpointIds: readonly string[]): Promise<string[]> {
  const { rows } = await cell.pool.query<{ id: string }>(
    `SELECT id FROM unnest($1::uuid[]) AS of(id)
      WHERE EXISTS (SELECT FROM ${cell.schema}.deliveries d
                     WHERE d.endpoint_id = of.id AND d.next_attempt_at <= now() AND ${unclaimed})`,
    [endpointIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Endpoints with due deliveries that nobody has claimed for some time: the dispatcher that should have sent them
 * is gone, or does not work.
 * @param page only these, in the order of their ids; all unless given.
 */
export async function neglectedEndpoints(
  cell: Cell,
  overdueMs: number,
  page: { afterId?: string | null; limit?: number; among?: readonly string[] } = {},
): Promise<EndpointOfPartner[]> {
  const { rows } = await cell.pool.query<{ id: string; partner_id: string }>(
    `SELECT w.id, w.partner_id FROM ${cell.schema}.webhook_endpoints w
      WHERE w.is_active AND w.deleted_at IS NULL AND EXISTS (
        SELECT FROM ${cell.schema}.deliveries d
         WHERE d.endpoint_id = w.id AND d.next_attempt_at < now() - $1 * interval '1 millisecond'
           AND coalesce(d.claimed_until, d.next_attempt_at) < now() - $1 * interval '1 millisecond')
        AND w.id > $2 AND ($4::uuid[] IS NULL OR w.id = ANY($4))
      ORDER BY w.id LIMIT $3`,
    [overdueMs, page.afterId ?? FIRST_UUID, page.limit ?? null, page.among ?? null],
  );
  return rows.map((row) => ({ endpointId: row.id, partnerId: row.partner_id }));
}
