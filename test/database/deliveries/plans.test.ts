/** The indexes by which each statement reads deliveries, on a table of 20,000 rows of which 1,200 wait. */
import type pg from 'pg';
import {
  claimDue,
  deliveriesWaiting,
  giveBackClaims,
  nextDueMs,
  parkDeliveries,
  recordAttempts,
} from '../../../src/db/events/deliveries';
import { endpointsWithDue, neglectedEndpoints } from '../../../src/db/events/dispatchers';
import { deleteEndpoint } from '../../../src/db/events/endpoints';
import { erasePartner } from '../../../src/db/upkeep/erase';
import { FIRST_UUID, newId } from '../../../src/db/pg/ids';
import type { Cell } from '../../../src/db/pg/postgres';
import { forgetEvents } from '../../../src/db/upkeep/retention';
import { sampleCell } from '../../../src/db/upkeep/samples';
import { roleOf, type Login } from '../../../src/runtime/logins';
import { openTestCell, type TestCell } from '../../support/cell';
import { openCountedCell } from '../../support/counted';
import { andNothingElse, openEndpoint } from '../../support/endpoints';
import { SANDBOX_CELL } from '../../setup/cells';

const MINUTE_MS = 60_000;
const anHour = { deliveredMs: 60 * MINUTE_MS, undeliveredMs: 60 * MINUTE_MS };
const partnerId = newId();
let cell: TestCell;
let endpointId: string;

beforeAll(async () => {
  cell = await openTestCell();
  const endpoints = await Promise.all(
    Array.from({ length: 4 }, () => openEndpoint(cell.cell, partnerId, ['transaction.completed'])),
  );
  endpointId = endpoints[0]!;
  await cell.sql(
    `WITH event AS (
       INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
       SELECT uuidv7((n - 5000) * interval '1 minute'), $1, 'transaction.completed', uuidv7(), '{}', now()
         FROM generate_series(1, 5000) AS n RETURNING id)
     INSERT INTO ${SANDBOX_CELL}.deliveries (endpoint_id, event_id, event_name, next_attempt_at, delivered_at)
     SELECT w.id, e.id, 'transaction.completed', CASE WHEN n > 4700 THEN now() - interval '1 minute' END,
            CASE WHEN n <= 4700 THEN now() END
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM event) e, unnest($2::uuid[]) AS w(id)`,
    [partnerId, endpoints],
  );
  await cell.sql(`ANALYZE ${SANDBOX_CELL}.events, ${SANDBOX_CELL}.deliveries`);
});
afterAll(() => cell.close());

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: Plan[];
}
const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];

/** Does `work` and explains its statements. @returns the indexes by which they read deliveries, or `Seq Scan`. */
async function readsOf(as: Login, work: (pool: pg.Pool) => Promise<unknown>): Promise<string[]> {
  const client = await cell.owner.connect();
  const reads = new Set<string>();
  const query = async (text: string, values?: unknown[]): Promise<pg.QueryResult> => {
    // BEGIN and COMMIT of the work: everything is one transaction here.
    if (!values) return client.query('SELECT');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    );
    for (const node of flat(rows[0]!['QUERY PLAN'][0].Plan)) {
      if (node['Index Name']?.startsWith('deliveries')) reads.add(node['Index Name']);
      if (node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'deliveries') reads.add('Seq Scan');
    }
    return client.query(text, values);
  };
  const connect = () => ({ query, release: () => undefined });
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL ROLE ${roleOf(as)}`);
    await work({ query, connect } as unknown as pg.Pool);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  return [...reads].sort();
}

const [DUE, KEY] = ['deliveries_due', 'deliveries_pkey'] as const;
const results = async () => {
  const { rows } = await cell.cell.pool.query<{ event_id: string; attempts: number }>(
    `SELECT event_id, attempts FROM ${SANDBOX_CELL}.deliveries WHERE endpoint_id = $1 AND next_attempt_at IS NOT NULL LIMIT 50`,
    [endpointId],
  );
  return rows.map((row) => ({
    eventId: row.event_id,
    attempts: row.attempts,
    delivered: true,
    status: 200,
    error: null,
    durationMs: 5,
    retryAfterMs: null,
  }));
};

test.each<[string, (at: Cell) => Promise<unknown>, reads: string[]]>([
  [
    'a record',
    async (at) => recordAttempts(at, endpointId, await results(), { now: false, afterMs: MINUTE_MS }, 6_000),
    [KEY],
  ],
  ['what waits', (at) => deliveriesWaiting(at, endpointId, 1_000), [DUE]],
  ['the next due time', (at) => nextDueMs(at, endpointId), [DUE]],
  ['giving back', (at) => giveBackClaims(at, endpointId), [DUE]],
  ['parking', (at) => parkDeliveries(at, endpointId), [DUE]],
  ['deleting an endpoint', (at) => deleteEndpoint(at, partnerId, endpointId, andNothingElse), [DUE]],
  ['the look for neglected endpoints', (at) => neglectedEndpoints(at, 5_000), [DUE]],
  ['the look of those that stay', (at) => endpointsWithDue(at, [endpointId]), [DUE]],
  ['the metric', (at) => sampleCell(at), [DUE]],
  ['retention', (at) => forgetEvents(at, anHour, { afterId: FIRST_UUID, limit: 100 }), [KEY]],
])('%s reads deliveries by an index that fits', async (_, work, reads) => {
  expect(await readsOf('sandbox_worker', (pool) => work({ schema: SANDBOX_CELL, pool }))).toEqual(reads);
});

test('a claim reads no more than it takes, also when its plan was made while nothing waited', async () => {
  const { test: fresh, pool, counted, close } = await openCountedCell();
  const claim = () => claimDue({ ...fresh.cell, pool }, endpoint, { limit: 50, forMs: MINUTE_MS });
  const readSoFar = async () => {
    const [read] = await counted(
      `SELECT seq_scan::int AS whole, (SELECT jsonb_object_agg(indexrelname, idx_tup_read)
                                         FROM pg_stat_user_indexes i WHERE i.relid = t.relid) AS by
         FROM pg_stat_user_tables t WHERE schemaname = '${SANDBOX_CELL}' AND relname = 'deliveries'`,
    );
    return read as { whole: number; by: Record<string, number> };
  };
  const endpoint = await openEndpoint(fresh.cell, partnerId, ['transaction.completed']);
  try {
    await fresh.sql(`ALTER TABLE ${SANDBOX_CELL}.deliveries SET (autovacuum_enabled = off)`);
    expect(await claim()).toEqual([]);
    await fresh.sql(
      `WITH event AS (
         INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
         SELECT uuidv7(), $1, 'transaction.completed', uuidv7(), '{}', now() FROM generate_series(1, 5000) RETURNING id)
       INSERT INTO ${SANDBOX_CELL}.deliveries (endpoint_id, event_id, event_name, next_attempt_at)
       SELECT $2, id, 'transaction.completed', now() FROM event`,
      [partnerId, endpoint],
    );
    const before = await readSoFar();

    expect(await claim()).toHaveLength(50);

    expect(await readSoFar()).toEqual({
      whole: before.whole,
      by: { ...before.by, [DUE]: before.by[DUE]! + 50, [KEY]: before.by[KEY]! + 50 },
    });
  } finally {
    await close();
  }
});

test('a reset reads deliveries by both indexes', async () => {
  const place = { schema: SANDBOX_CELL, directory: 'sandbox_directory', partnerId, orderId: newId() };
  await cell.sql(`SELECT ${SANDBOX_CELL}.begin_reset($1, $2)`, [partnerId, place.orderId]);
  const left = async (pool: pg.Pool) => {
    await erasePartner(pool, place, () => undefined);
    const { rows } = await pool.query(`SELECT FROM ${SANDBOX_CELL}.events WHERE partner_id = $1`, [
      partnerId,
    ]);
    expect(rows).toEqual([]);
  };
  expect(await readsOf('sandbox_reset', left)).toEqual([DUE, KEY]);
});
