/** Webhook endpoints as rows (interface: WebhookEndpoint). The secret is sealed before it comes here. */
import { foldedUrl, type Endpoint } from '../../domain/endpoints';
import type { WebhookFault } from '../../domain/webhook-faults';
import { done, refuse, refuseFields, type Outcome, type Refused } from '../../domain/outcome';
import { parkDeliveries } from './deliveries';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';

interface EndpointRow {
  id: string;
  partner_id: string;
  url: string;
  events: string[];
  is_active: boolean;
  failure_count: number;
  last_success_at: Date | null;
  created_at: Date;
}

const COLUMNS = 'id, partner_id, url, events, is_active, failure_count, last_success_at, created_at';

const toEndpoint = (row: EndpointRow): Endpoint => ({
  id: row.id,
  partnerId: row.partner_id,
  url: row.url,
  events: row.events,
  isActive: row.is_active,
  failureCount: row.failure_count,
  lastSuccessAt: row.last_success_at,
  createdAt: row.created_at,
});

/** What else is written in the commit that changes an endpoint. */
type Alongside = (trx: Queryable, endpoint: Endpoint) => Promise<void>;

/**
 * Two changes of one partner's endpoints wait for each other. Otherwise neither would see the endpoint that the other adds or
 * moves.
 */
const inTurn = (trx: Queryable, partnerId: string): Promise<unknown> =>
  trx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [partnerId]);

/**
 * A receiver gets an event once, however often its address is registered: each endpoint beside the first would multiply what a
 * single request makes us send.
 * @param moves the endpoint that gets this address; null for one that is added.
 * @returns NOT_FOUND where the partner has no such endpoint, VALIDATION_ERROR where another one has the address, or null. The
 *   partner is locked.
 */
async function refusedAddress(
  trx: Queryable,
  schema: string,
  { partnerId, url, moves }: { partnerId: string; url: string; moves: string | null },
): Promise<Refused | null> {
  const { rows } = await trx.query<{ id: string; url: string }>(
    `SELECT id, url FROM ${schema}.webhook_endpoints WHERE partner_id = $1 AND deleted_at IS NULL`,
    [partnerId],
  );
  if (moves !== null && !rows.some(({ id }) => id === moves)) return refuse('NOT_FOUND');
  const folded = foldedUrl(url);
  const other = rows.find((row) => row.id !== moves && foldedUrl(row.url) === folded);
  return other
    ? refuseFields({ field: 'url', message: `is that of the endpoint ${other.id} already` })
    : null;
}

/**
 * Adds an endpoint unless the partner has `max` already (D86, D143), or one with its address.
 * @returns the endpoint, or refused: VALIDATION_ERROR, LIMIT_EXCEEDED.
 */
export async function insertEndpoint(
  cell: Cell,
  endpoint: { id: string; partnerId: string; url: string; events: string[]; secretSealed: string },
  max: number,
  alongside: Alongside,
): Promise<Outcome<Endpoint>> {
  return inTransaction(cell.pool, async (trx) => {
    await inTurn(trx, endpoint.partnerId);
    const refused = await refusedAddress(trx, cell.schema, { ...endpoint, moves: null });
    if (refused) return refused;
    const { rows } = await trx.query<EndpointRow>(
      `WITH mine AS (SELECT count(*) AS number FROM ${cell.schema}.webhook_endpoints
                      WHERE partner_id = $2 AND deleted_at IS NULL)
       INSERT INTO ${cell.schema}.webhook_endpoints (id, partner_id, url, events, secret_sealed)
       SELECT $1, $2, $3, $4, $5 FROM mine WHERE mine.number < $6
       RETURNING ${COLUMNS}`,
      [endpoint.id, endpoint.partnerId, endpoint.url, endpoint.events, endpoint.secretSealed, max],
    );
    if (!rows[0]) return refuse('LIMIT_EXCEEDED', { detail: { limit: max } });
    const added = toEndpoint(rows[0]);
    await alongside(trx, added);
    return done(added);
  });
}

/** A partner's endpoints, newest first. */
export async function listEndpoints(cell: Cell, partnerId: string): Promise<Endpoint[]> {
  const { rows } = await cell.pool.query<EndpointRow>(
    `SELECT ${COLUMNS} FROM ${cell.schema}.webhook_endpoints
      WHERE partner_id = $1 AND deleted_at IS NULL ORDER BY created_at DESC, id DESC`,
    [partnerId],
  );
  return rows.map(toEndpoint);
}

/** An endpoint of this partner, or null. */
export async function findEndpoint(cell: Cell, partnerId: string, id: string): Promise<Endpoint | null> {
  const { rows } = await cell.pool.query<EndpointRow>(
    `SELECT ${COLUMNS} FROM ${cell.schema}.webhook_endpoints
      WHERE id = $1 AND partner_id = $2 AND deleted_at IS NULL`,
    [id, partnerId],
  );
  return rows[0] ? toEndpoint(rows[0]) : null;
}

/** What of an endpoint is to be another; null stays as it is. */
export interface EndpointChange {
  url: string | null;
  events: string[] | null;
  isActive: boolean | null;
}

/**
 * Changes an endpoint. Another address has not answered yet, so it is tried slowly like that of a new endpoint (D176).
 * One that is switched on again begins without failures; what it did not get stays parked until it is recovered. One
 * that is switched off parks what waits. The same change again changes nothing.
 * @returns the endpoint as it is then; or refused: NOT_FOUND, VALIDATION_ERROR where another endpoint has the address.
 */
export async function updateEndpoint(
  cell: Cell,
  partnerId: string,
  endpointId: string,
  change: EndpointChange,
  alongside: Alongside,
): Promise<Outcome<Endpoint>> {
  return inTransaction(cell.pool, async (trx) => {
    if (change.url !== null) {
      await inTurn(trx, partnerId);
      const moved = { partnerId, url: change.url, moves: endpointId };
      const refused = await refusedAddress(trx, cell.schema, moved);
      if (refused) return refused;
    }
    const { rows } = await trx.query<EndpointRow>(
      `WITH before AS (
         SELECT id, is_active, url <> coalesce($3, url) AS moves FROM ${cell.schema}.webhook_endpoints
          WHERE id = $1 AND partner_id = $2 AND deleted_at IS NULL FOR UPDATE),
       fate AS (SELECT *, moves OR (NOT is_active AND coalesce($5, is_active)) AS begins FROM before)
       UPDATE ${cell.schema}.webhook_endpoints w SET
         url = coalesce($3, w.url), events = coalesce($4, w.events), is_active = coalesce($5, w.is_active),
         failure_count = CASE WHEN begins THEN 0 ELSE w.failure_count END,
         failing_since = CASE WHEN begins THEN NULL ELSE w.failing_since END,
         trial_after = CASE WHEN begins THEN NULL ELSE w.trial_after END,
         last_success_at = CASE WHEN moves THEN NULL ELSE w.last_success_at END
       FROM fate WHERE w.id = fate.id RETURNING ${COLUMNS.split(', ')
         .map((column) => `w.${column}`)
         .join(', ')}`,
      [endpointId, partnerId, change.url, change.events, change.isActive],
    );
    if (!rows[0]) return refuse('NOT_FOUND');
    const changed = toEndpoint(rows[0]);
    if (!changed.isActive) await parkDeliveries({ ...cell, pool: trx }, endpointId);
    await alongside(trx, changed);
    return done(changed);
  });
}

/**
 * Deletes an endpoint with the deliveries that still wait for it. @returns false when this partner has no such
 * endpoint.
 */
export async function deleteEndpoint(
  cell: Cell,
  partnerId: string,
  endpointId: string,
  alongside: Alongside,
): Promise<boolean> {
  return inTransaction(cell.pool, async (trx) => {
    const { rows } = await trx.query<EndpointRow>(
      `WITH gone AS (UPDATE ${cell.schema}.webhook_endpoints SET deleted_at = now(), is_active = false
                      WHERE id = $1 AND partner_id = $2 AND deleted_at IS NULL RETURNING ${COLUMNS}),
            quiet AS (UPDATE ${cell.schema}.deliveries SET next_attempt_at = NULL, claimed_until = NULL
                       WHERE endpoint_id IN (SELECT id FROM gone) AND next_attempt_at IS NOT NULL)
       SELECT * FROM gone`,
      [endpointId, partnerId],
    );
    if (rows[0]) await alongside(trx, toEndpoint(rows[0]));
    return rows.length === 1;
  });
}

/**
 * Deletes the endpoints of a partner that were made until a time, and since another one if it is given, in the same way. A
 * second call finds none.
 * @param made by the clock of the platform's database, which may be another server's than the cell's.
 */
export async function endEndpointsMade(
  cell: Cell,
  partnerId: string,
  made: { until: Date; since: Date | null },
  alongside: Alongside,
): Promise<void> {
  const { rows } = await cell.pool.query<{ id: string }>(
    `SELECT id FROM ${cell.schema}.webhook_endpoints
      WHERE partner_id = $1 AND deleted_at IS NULL AND created_at <= $2
        AND ($3::timestamptz IS NULL OR created_at >= $3) ORDER BY id`,
    [partnerId, made.until, made.since],
  );
  for (const { id } of rows) await deleteEndpoint(cell, partnerId, id, alongside);
}

/**
 * Gives an endpoint another secret. The one before it stays in force for `keepMs`, and so do those before that one, but
 * none for longer. Harmless the second time: every secret that was ever shown is in force until its own time.
 * @param max how many earlier secrets may be in force.
 * @returns the endpoint, and until when the one before is in force; or NOT_FOUND, LIMIT_EXCEEDED.
 */
export async function replaceSecret(
  cell: Cell,
  partnerId: string,
  endpointId: string,
  change: { retiringId: string; secretSealed: string; keepMs: number; max: number },
  alongside: Alongside,
): Promise<Outcome<{ endpoint: Endpoint; previousUntil: Date }>> {
  const { schema } = cell;
  const { retiringId, secretSealed, keepMs, max } = change;
  return inTransaction(cell.pool, async (trx) => {
    const found = await trx.query<EndpointRow & { until: Date }>(
      `SELECT ${COLUMNS}, date_trunc('milliseconds', now() + $3 * interval '1 millisecond') AS until
         FROM ${schema}.webhook_endpoints WHERE id = $1 AND partner_id = $2 AND deleted_at IS NULL FOR UPDATE`,
      [endpointId, partnerId, keepMs],
    );
    const [row] = found.rows;
    if (!row) return refuse('NOT_FOUND');
    const table = `${schema}.retiring_webhook_secrets`;
    await trx.query(`UPDATE ${table} SET retires_at = least(retires_at, $2) WHERE endpoint_id = $1`, [
      endpointId,
      row.until,
    ]);
    const inForce = await trx.query(`SELECT FROM ${table} WHERE endpoint_id = $1 AND retires_at > now()`, [
      endpointId,
    ]);
    if ((inForce.rowCount ?? 0) >= max) return refuse('LIMIT_EXCEEDED', { detail: { limit: max } });
    await trx.query(
      `INSERT INTO ${table} (id, partner_id, endpoint_id, secret_sealed, retires_at)
       SELECT $2, partner_id, id, secret_sealed, $3 FROM ${schema}.webhook_endpoints WHERE id = $1`,
      [endpointId, retiringId, row.until],
    );
    await trx.query(`UPDATE ${schema}.webhook_endpoints SET secret_sealed = $2 WHERE id = $1`, [
      endpointId,
      secretSealed,
    ]);
    const endpoint = toEndpoint(row);
    await alongside(trx, endpoint);
    return done({ endpoint, previousUntil: row.until });
  });
}

/**
 * Has the deliveries to an endpoint of the sandbox go wrong for a while, or ends that (null). The same call again begins
 * the time anew, and nothing else.
 * @returns until when; null when the partner has no such endpoint.
 */
export async function setFault(
  cell: Cell,
  partnerId: string,
  endpointId: string,
  fault: { mode: WebhookFault | null; seconds: number },
): Promise<Date | null> {
  // The fault that is over stays, because the deliveries that it has delayed name it.
  const { rows } = await cell.pool.query<{ until: Date }>(
    `UPDATE ${cell.schema}.webhook_endpoints SET fault = coalesce($3, fault),
       fault_until = CASE WHEN $3::text IS NULL THEN now() ELSE now() + $4 * interval '1 second' END
      WHERE id = $1 AND partner_id = $2 AND deleted_at IS NULL RETURNING fault_until AS until`,
    [endpointId, partnerId, fault.mode, fault.seconds],
  );
  return rows[0]?.until ?? null;
}
