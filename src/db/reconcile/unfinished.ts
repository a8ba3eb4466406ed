/**
 * What was accepted and is not finished yet, by kind (R16). The intention of its workflow was written in the
 * commit that accepted it, and says how to start the workflow again.
 */
import type { Intention } from '../../domain/intentions';
import { FIRST_UUID } from '../pg/ids';
import { toIntention, type IntentionRow } from '../events/intentions';
import { endedByProvider } from '../ledger/kinds-in-sql';
import type { Cell } from '../pg/postgres';

/** The ids of the unfinished resources of each kind, under the first part of their workflow's id. */
const UNFINISHED: Record<string, (schema: string) => string> = {
  'wallet/': (schema) => `SELECT id FROM ${schema}.accounts WHERE status = 'pending'`,
  'bank-transfer/': (schema) => `SELECT id FROM ${schema}.transactions
    WHERE type IN (${endedByProvider()}) AND status = 'processing'`,
  'ussd/': (schema) => `SELECT id FROM ${schema}.ussd_sessions
    WHERE status IN ('initiated', 'menu_main', 'pin_entry', 'processing')`,
  'kyc/': (schema) => `SELECT id FROM ${schema}.verifications WHERE status = 'pending'`,
};

export const UNFINISHED_KINDS: readonly string[] = Object.keys(UNFINISHED);

/** Every unfinished resource of a cell, as a query. */
export const unfinishedIds = (schema: string): string =>
  Object.values(UNFINISHED)
    .map((ids) => ids(schema))
    .join(' UNION ALL ');

/**
 * The workflows of one kind that should be finishing something, in the order of their resources' ids. Workflows
 * that were not started yet, or only in the last `sinceMs`, are left to the sweep. Partners whose sandbox is being
 * reset are left out.
 */
export async function unfinished(
  cell: Cell,
  kind: string,
  page: { afterId: string | null; limit: number; sinceMs: number; among?: readonly string[] },
): Promise<Intention[]> {
  const resources = UNFINISHED[kind];
  if (!resources) throw new Error(`bug: no kind ${kind}`);
  const { rows } = await cell.pool.query<IntentionRow>(
    `SELECT i.workflow_id, i.workflow_type, i.partner_id, i.resource_id, i.request_id, i.title, i.input
       FROM (${resources(cell.schema)}) AS resource
       JOIN ${cell.schema}.workflow_intentions i ON i.workflow_id = $1 || resource.id
      WHERE resource.id > $2 AND i.started_at < now() - $4 * interval '1 millisecond'
        AND ($5::uuid[] IS NULL OR resource.id = ANY($5))
        AND NOT EXISTS (SELECT FROM ${cell.schema}.partner_epochs p
                         WHERE p.partner_id = i.partner_id AND p.resetting)
      ORDER BY resource.id LIMIT $3`,
    [kind, page.afterId ?? FIRST_UUID, page.limit, page.sinceMs, page.among ?? null],
  );
  return rows.map(toIntention);
}
