/** The log of requests as rows. Each process writes what it has gathered; nobody waits for it. */
import { dayAfter, dayOf } from '../../domain/days';
import {
  KEY_DAYS_KEPT,
  type KeyDay,
  type KeptBodies,
  type LoggedRequest,
  type NotedRequest,
  type RequestFilter,
} from '../../domain/request-log';
import { madeAtMs } from '../../domain/time-ordered-ids';
import { namesOf, Parameters, type Column } from '../pg/bulk';
import { LAST_UUID } from '../pg/ids';
import type { Cell } from '../pg/postgres';
import { WALK_MAX, type Walked } from '../pg/walks';

const COLUMNS: readonly Column<LoggedRequest>[] = [
  ['id', 'uuid', (row) => row.id],
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['method', 'text', (row) => row.method],
  ['operation', 'text', (row) => row.operation],
  ['status', 'smallint', (row) => row.status],
  ['code', 'text', (row) => row.code],
  ['duration_ms', 'bigint', (row) => row.durationMs],
  ['key_prefix', 'text', (row) => row.keyPrefix],
  ['idempotency_key', 'text', (row) => row.idempotencyKey],
  ['replayed', 'boolean', (row) => row.replayed],
  ['fault', 'text', (row) => row.fault],
  ['resource_id', 'uuid', (row) => row.resourceId],
  ['ignored_fields', 'text', (row) => (row.ignoredFields.length > 0 ? row.ignoredFields.join(' ') : null)],
];

const WRITTEN: readonly Column<NotedRequest>[] = [
  ...COLUMNS,
  ['request_body', 'text', (row) => row.requestBody],
  ['response_body', 'text', (row) => row.responseBody],
  ['truncated', 'boolean', (row) => row.truncated],
];

const GATHERED: readonly Column<NotedRequest>[] = [
  ...WRITTEN,
  ['key_id', 'uuid', (row) => row.keyId],
  ['day', 'text', (row) => dayOf(new Date(madeAtMs(row.id) ?? 0))],
];

/**
 * Writes what was gathered and counts it for the days of the keys, in one statement that waits for no disk: a crash of
 * Postgres may lose the last of them. A second call for the same requests changes nothing, because only rows that it has
 * written are counted.
 * @param mayBeThere whether an earlier call may have written some of them. To look for each costs as much as to write it.
 */
export async function insertRequests(
  { pool, schema }: Cell,
  requests: readonly NotedRequest[],
  mayBeThere: boolean,
): Promise<void> {
  const parameters = new Parameters<readonly NotedRequest[]>();
  const rows = parameters.rows('r', GATHERED, (all) => all);
  await pool.query({
    name: `${schema}:requests${mayBeThere ? ' again' : ''}`,
    text: `WITH no_wait AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
        gathered AS MATERIALIZED (SELECT r.* FROM no_wait CROSS JOIN ${rows}),
        written AS (
          INSERT INTO ${schema}.requests (${namesOf(WRITTEN)}) SELECT ${namesOf(WRITTEN)} FROM gathered
          ${mayBeThere ? 'ON CONFLICT DO NOTHING RETURNING partner_id, id' : ''})
      INSERT INTO ${schema}.key_days AS k (key_id, day, requests)
      SELECT key_id, day::date, count(*) FROM gathered ${mayBeThere ? 'JOIN written USING (partner_id, id)' : ''}
       WHERE key_id IS NOT NULL GROUP BY key_id, day ORDER BY key_id, day -- processes lock them in one order
      ON CONFLICT (key_id, day) DO UPDATE SET requests = k.requests + excluded.requests`,
    values: parameters.values(requests),
  });
}

/** How often these keys were used on each of the last days, the latest first. A day without use has no row. */
export async function listKeyDays({ pool, schema }: Cell, keyIds: readonly string[]): Promise<KeyDay[]> {
  const { rows } = await pool.query<{ key_id: string; day: string; requests: string }>(
    `SELECT key_id, day::text, requests FROM ${schema}.key_days
      WHERE key_id = ANY($1::uuid[]) AND day > $2::date ORDER BY day DESC`,
    [keyIds, dayAfter(dayOf(new Date()), -KEY_DAYS_KEPT)],
  );
  return rows.map(({ key_id: keyId, day, requests }) => ({ keyId, day, requests: Number(requests) }));
}

interface RequestRow {
  id: string;
  partner_id: string;
  method: string;
  operation: string;
  status: number | null;
  code: string | null;
  duration_ms: number;
  key_prefix: string | null;
  idempotency_key: string | null;
  replayed: boolean;
  fault: string | null;
  resource_id: string | null;
  /** Separated by blanks, which no path has. */
  ignored_fields: string | null;
}

interface BodiesRow extends RequestRow {
  request_body: string | null;
  response_body: string | null;
  truncated: boolean;
}

const toRequest = (row: RequestRow): LoggedRequest => ({
  id: row.id,
  partnerId: row.partner_id,
  method: row.method,
  operation: row.operation,
  status: row.status,
  code: row.code,
  durationMs: row.duration_ms,
  keyPrefix: row.key_prefix,
  idempotencyKey: row.idempotency_key,
  replayed: row.replayed,
  fault: row.fault,
  resourceId: row.resource_id,
  ignoredFields: row.ignored_fields?.split(' ') ?? [],
});

/**
 * One page of a partner's requests, newest first. Those about a resource are found by its index; with another filter a page
 * walks past a bounded number of them.
 */
export async function listRequests(
  { pool, schema }: Cell,
  partnerId: string,
  { statuses, method, operation, code, resourceId }: RequestFilter,
  page: { beforeId: string | null; limit: number },
): Promise<Walked<LoggedRequest>> {
  const before = page.beforeId ?? LAST_UUID;
  const walked = `SELECT ${namesOf(COLUMNS)} FROM ${schema}.requests WHERE partner_id = $1 AND id < $2
    ${resourceId === null ? '' : 'AND resource_id = $9'} ORDER BY id DESC`;
  const { rows } = await pool.query<RequestRow>(
    `SELECT * FROM (${walked} LIMIT ${String(WALK_MAX)}) AS walked
      WHERE ($4::int IS NULL OR status BETWEEN $4 AND $5) AND ($6::text IS NULL OR method = $6)
        AND ($7::text IS NULL OR operation = $7) AND ($8::text IS NULL OR code = $8)
      ORDER BY id DESC LIMIT $3`,
    [
      partnerId,
      before,
      page.limit,
      statuses?.[0] ?? null,
      statuses?.[1] ?? null,
      method,
      operation,
      code,
      ...(resourceId === null ? [] : [resourceId]),
    ],
  );
  const isFiltered = [statuses, method, operation, code].some((one) => one !== null);
  if (!isFiltered || rows.length === page.limit) return { rows: rows.map(toRequest), stoppedAt: null };
  const { rows: ends } = await pool.query<{ id: string }>(
    `${walked.replace('$9', '$3')} OFFSET ${String(WALK_MAX - 1)} LIMIT 1`,
    [partnerId, before, ...(resourceId === null ? [] : [resourceId])],
  );
  return { rows: rows.map(toRequest), stoppedAt: ends[0]?.id ?? null };
}

/** A request of this partner with its bodies, or null. */
export async function findRequest(
  { pool, schema }: Cell,
  partnerId: string,
  id: string,
): Promise<(LoggedRequest & KeptBodies) | null> {
  const { rows } = await pool.query<BodiesRow>(
    `SELECT * FROM ${schema}.requests WHERE partner_id = $1 AND id = $2`,
    [partnerId, id],
  );
  const [row] = rows;
  if (!row) return null;
  const { request_body: requestBody, response_body: responseBody, truncated } = row;
  return { ...toRequest(row), requestBody, responseBody, truncated };
}

/** The ids of these partners' requests that are greater than `fromId`, for each partner in their order. */
export async function listRequestIds(
  { pool, schema }: Cell,
  partnerIds: readonly string[],
  fromId: string,
): Promise<{ partnerId: string; id: string }[]> {
  const { rows } = await pool.query<{ partner_id: string; id: string }>(
    `SELECT partner_id, id FROM ${schema}.requests
      WHERE partner_id = ANY($1::uuid[]) AND id > $2 ORDER BY partner_id, id`,
    [partnerIds, fromId],
  );
  return rows.map((row) => ({ partnerId: row.partner_id, id: row.id }));
}

/** The ids of a partner's requests between two ids, oldest first. */
export async function listRequestIdsBetween(
  { pool, schema }: Cell,
  partnerId: string,
  between: { afterId: string; beforeId: string; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ${schema}.requests WHERE partner_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4`,
    [partnerId, between.afterId, between.beforeId, between.limit],
  );
  return rows.map(({ id }) => id);
}

/** The requests of these ids, oldest first. */
export async function listRequestsOfIds(
  { pool, schema }: Cell,
  asked: readonly { partnerId: string; id: string }[],
): Promise<LoggedRequest[]> {
  const { rows } = await pool.query<RequestRow>(
    `SELECT ${COLUMNS.map(([name]) => `r.${name}`).join(', ')} FROM unnest($1::uuid[], $2::uuid[]) AS asked(partner_id, id)
       JOIN ${schema}.requests r ON r.partner_id = asked.partner_id AND r.id = asked.id ORDER BY r.id`,
    [asked.map(({ partnerId }) => partnerId), asked.map(({ id }) => id)],
  );
  return rows.map(toRequest);
}
