/**
 * What was accepted and is not finished yet, by kind (R16). The intention of its workflow was written in the
 * commit that accepted it, and says how to start the workflow again.
 */
import type { Intention } from '../../domain/intentions';
import { FIRST_UUID } from '../pg/ids';
import { toIntention, type IntentionRow } from '../events/intentions';
import { endedByProvider } from '../ledger/kinds-in-sql';
import type { Cell } from '../pg/postgres';
import type { Reset } from '../upkeep/epochs';

/** The ids of the unfinished resources of each kind, under the first part of their workflow's id. */
const UNFINISHED = {
  'wallet/': (schema: string) => `SELECT id FROM ${schema}.accounts WHERE status = 'pending'`,
  'bank-transfer/': (schema: string) => `SELECT id FROM ${schema}.transactions
    WHERE type IN (${endedByProvider()}) AND status = 'processing'`,
  'bulk/': (schema: string) => `SELECT id FROM ${schema}.bulk_transfers
    WHERE status <> 'paused' AND ended_at IS NULL`,
  'ussd/': (schema: string) => `SELECT id FROM ${schema}.ussd_sessions
    WHERE status IN ('initiated', 'menu_main', 'pin_entry', 'processing')`,
  'kyc/': (schema: string) => `SELECT id FROM ${schema}.verifications WHERE status = 'pending'`,
  'hold/': (schema: string) => `SELECT id FROM ${schema}.holds WHERE status = 'open'`,
  'account-closing/': (schema: string) => `SELECT c.wallet_id AS id FROM ${schema}.provider_customers c
    JOIN ${schema}.accounts a ON a.id = c.wallet_id AND a.status = 'closed' WHERE c.closed_at IS NULL`,
  'refund/': (schema: string) =>
    `SELECT id FROM ${schema}.inbound_refunds WHERE state IN ('sending', 'accepted')`,
} as const;

/** Its Schedule is made again by the sweep, once it is overdue. */
const SCHEDULED = (schema: string) => `SELECT id FROM ${schema}.scheduled_transfers WHERE ended_at IS NULL`;

export type UnfinishedKind = keyof typeof UNFINISHED;

/** A page of resources, in the order of their ids. */
export interface WorkPage {
  /** The last id of the page before; null at the beginning. */
  afterId: string | null;
  limit: number;
  /** What began more recently is left to the sweep. */
  sinceMs: number;
  /** Only these resources. */
  among?: readonly string[];
}

/** Every unfinished resource of a cell, as a query: their intentions are kept. */
export const unfinishedIds = (schema: string): string =>
  [...Object.values(UNFINISHED), SCHEDULED].map((ids) => ids(schema)).join(' UNION ALL ');

/**
 * The workflows of one kind that should be finishing something, in the order of their resources' ids. Workflows
 * that were not started yet, or only in the last `sinceMs`, are left to the sweep. Partners whose sandbox is being
 * reset are left out.
 */
export async function unfinished(cell: Cell, kind: UnfinishedKind, page: WorkPage): Promise<Intention[]> {
  const { rows } = await cell.pool.query<IntentionRow>(
    `SELECT i.workflow_id, i.workflow_type, i.partner_id, i.resource_id, i.request_id, i.title, i.input
       FROM (${UNFINISHED[kind](cell.schema)}) AS resource
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

/** The resets that are under way, in the order of their partners' ids. */
export async function unfinishedResets(cell: Cell, page: WorkPage): Promise<Reset[]> {
  const { rows } = await cell.pool.query<{ partner_id: string; order_id: string }>(
    `SELECT partner_id, order_id FROM ${cell.schema}.partner_epochs
      WHERE resetting AND partner_id > $1 AND ($3::uuid[] IS NULL OR partner_id = ANY($3))
      ORDER BY partner_id LIMIT $2`,
    [page.afterId ?? FIRST_UUID, page.limit, page.among ?? null],
  );
  return rows.map((row) => ({ partnerId: row.partner_id, orderId: row.order_id }));
}
