/** Intentions to start workflows: each is written with its resource, and marked when the workflow runs. */
import type { Intention } from '../../domain/intentions';
import { requestIdOf, uuidOfRequest } from '../../domain/request-ids';
import { namesOf, type Column } from '../pg/bulk';
import { assertNotResetting } from '../upkeep/epochs';
import type { Cell, Queryable } from '../pg/postgres';

export const INTENTION_COLUMNS: readonly Column<Intention>[] = [
  ['workflow_id', 'text', (row) => row.workflowId],
  ['workflow_type', 'text', (row) => row.workflowType],
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['resource_id', 'uuid', (row) => row.resourceId],
  ['request_id', 'uuid', ({ requestId }) => (requestId === undefined ? null : uuidOfRequest(requestId))],
  ['title', 'text', (row) => row.title],
  ['input', 'json', (row) => JSON.stringify(row.input)],
];

export interface IntentionRow {
  workflow_id: string;
  workflow_type: string;
  partner_id: string;
  resource_id: string;
  request_id: string | null;
  title: string;
  input: Record<string, unknown>;
}

export const toIntention = (row: IntentionRow): Intention => ({
  workflowId: row.workflow_id,
  workflowType: row.workflow_type,
  partnerId: row.partner_id,
  resourceId: row.resource_id,
  ...(row.request_id !== null && { requestId: requestIdOf(row.request_id) }),
  title: row.title,
  input: row.input,
});

/**
 * Writes an intention in the database transaction of its resource.
 * @returns the intention with the partner's epoch, as its workflow is to be started.
 * @throws an outage while the partner's sandbox is being reset.
 */
export const insertIntention = (trx: Queryable, schema: string, asked: Intention): Promise<Intention> =>
  insert(trx, schema, asked, '');

/**
 * Writes the intention of a workflow that is to do what is left, whether it was started before or not. The relay begins
 * such a workflow again where it has ended, and else wakes it (`relay/relay.ts`).
 */
export const intendAgain = (trx: Queryable, schema: string, asked: Intention): Promise<Intention> =>
  insert(
    trx,
    schema,
    asked,
    `ON CONFLICT (workflow_id) DO UPDATE SET started_at = NULL, attempts = 0, created_at = EXCLUDED.created_at,
       request_id = EXCLUDED.request_id, input = EXCLUDED.input`,
  );

async function insert(
  trx: Queryable,
  schema: string,
  asked: Intention,
  onConflict: string,
): Promise<Intention> {
  const epoch = await assertNotResetting(trx, schema, asked.partnerId);
  const intention = { ...asked, input: { ...asked.input, epoch } };
  await trx.query(
    `INSERT INTO ${schema}.workflow_intentions (${namesOf(INTENTION_COLUMNS)}, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now()) ${onConflict}`,
    INTENTION_COLUMNS.map(([, , value]) => value(intention)),
  );
  return intention;
}

/** The request that began a workflow, or null if none did or its intention has gone. */
export async function requestOfWorkflow(cell: Cell, workflowId: string): Promise<string | null> {
  const { rows } = await cell.pool.query<Pick<IntentionRow, 'request_id'>>(
    `SELECT request_id FROM ${cell.schema}.workflow_intentions WHERE workflow_id = $1`,
    [workflowId],
  );
  const id = rows[0]?.request_id ?? null;
  return id === null ? null : requestIdOf(id);
}

/** Marks workflows as started; marking one twice changes nothing. */
export async function markStarted(cell: Cell, workflowIds: readonly string[]): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.workflow_intentions SET started_at = now()
      WHERE workflow_id = ANY($1) AND started_at IS NULL`,
    [workflowIds],
  );
}

/** Counts a start that failed. The sweep tries it again. */
export async function countFailedStarts(cell: Cell, workflowIds: readonly string[]): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.workflow_intentions SET attempts = attempts + 1
      WHERE workflow_id = ANY($1) AND started_at IS NULL`,
    [workflowIds],
  );
}

/** The intentions whose workflow a crash or a stopped Temporal has not started, oldest first. */
export async function overdueIntentions(
  cell: Cell,
  olderThanMs: number,
  limit: number,
): Promise<Intention[]> {
  const { rows } = await cell.pool.query<IntentionRow>(
    `SELECT workflow_id, workflow_type, partner_id, resource_id, request_id, title, input
       FROM ${cell.schema}.workflow_intentions
      WHERE started_at IS NULL AND created_at < now() - $1 * interval '1 millisecond'
      ORDER BY created_at LIMIT $2`,
    [olderThanMs, limit],
  );
  return rows.map(toIntention);
}
