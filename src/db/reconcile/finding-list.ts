/** Findings as operators read and close them. */
import type { FindingClass, FindingRecord } from '../../domain/findings';
import { payoutReference } from '../../domain/payouts';
import type { Cell } from '../pg/postgres';
import type { Place } from '../pg/walks';

interface FindingRow {
  id: string;
  class: FindingClass;
  resource: string;
  detail: Record<string, unknown>;
  first_seen: Date;
  last_seen: Date;
  closed_at: Date | null;
  closed_by: string | null;
  closed_note: string | null;
  orders: { provider: string; n: number; state: string }[] | null;
  account: string | null;
  kobo: number | null;
}

/**
 * A finding `f` with the orders of the transfer that is its resource: whoever acts on it asks the company, which knows
 * an order by its own reference alone.
 */
const withOrders = (schema: string): string =>
  `f.*, (SELECT json_agg(json_build_object('provider', a.provider, 'n', a.n, 'state', a.state) ORDER BY a.n)
           FROM ${schema}.transfer_attempts a
          WHERE a.transaction_id = CASE WHEN f.resource ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                                        THEN f.resource::uuid END) AS orders`;

const toRecord = (row: FindingRow): FindingRecord => ({
  id: row.id,
  class: row.class,
  resource: row.resource,
  detail: row.detail,
  orders: (row.orders ?? []).map(({ provider, n, state }) => ({
    provider,
    reference: payoutReference(row.resource, n),
    state,
  })),
  createdAt: row.first_seen,
  lastSeen: row.last_seen,
  closedAt: row.closed_at,
  closedBy: row.closed_by,
  closedNote: row.closed_note,
  account: row.account,
  kobo: row.kobo,
});

/** One page of a cell's open findings, newest first. */
export async function listFindings(
  { pool, schema }: Cell,
  page: { class: FindingClass | null; after: Place | null; limit: number },
): Promise<FindingRecord[]> {
  const { rows } = await pool.query<FindingRow>(
    `SELECT ${withOrders(schema)} FROM ${schema}.recon_findings f
      WHERE closed_at IS NULL AND ($1::text IS NULL OR class = $1)
        AND ($2::timestamptz IS NULL OR (first_seen, id) < ($2, $3))
      ORDER BY first_seen DESC, id DESC LIMIT $4`,
    [page.class, page.after?.createdAt ?? null, page.after?.id ?? null, page.limit],
  );
  return rows.map(toRecord);
}

/** A finding with its cell, or null. Its id does not say which cell it belongs to, so it is looked up in each. */
export async function findFindingInCells(
  cells: Iterable<Cell>,
  id: string,
): Promise<{ cell: Cell; finding: FindingRecord } | null> {
  for (const cell of cells) {
    const { rows } = await cell.pool.query<FindingRow>(
      `SELECT ${withOrders(cell.schema)} FROM ${cell.schema}.recon_findings f WHERE id = $1`,
      [id],
    );
    if (rows[0]) return { cell, finding: toRecord(rows[0]) };
  }
  return null;
}

/** @returns the finding, closed; null when it was closed already, and its first note stays, or money is left in it. */
export async function closeFindingByHand(
  { pool, schema }: Cell,
  id: string,
  operatorName: string,
  note: string,
): Promise<FindingRecord | null> {
  const { rows } = await pool.query<FindingRow>(
    `UPDATE ${schema}.recon_findings f SET closed_at = now(), closed_by = $2, closed_note = $3
      WHERE id = $1 AND closed_at IS NULL AND coalesce(kobo, 0) = 0 RETURNING ${withOrders(schema)}`,
    [id, operatorName, note],
  );
  return rows[0] ? toRecord(rows[0]) : null;
}
