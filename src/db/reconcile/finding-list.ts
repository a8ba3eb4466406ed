/** Findings as operators read and close them. */
import type { FindingClass, FindingRecord } from '../../domain/findings';
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
  account: string | null;
  kobo: number | null;
}

const toRecord = (row: FindingRow): FindingRecord => ({
  id: row.id,
  class: row.class,
  resource: row.resource,
  detail: row.detail,
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
    `SELECT * FROM ${schema}.recon_findings
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
      `SELECT * FROM ${cell.schema}.recon_findings WHERE id = $1`,
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
    `UPDATE ${schema}.recon_findings SET closed_at = now(), closed_by = $2, closed_note = $3
      WHERE id = $1 AND closed_at IS NULL AND coalesce(kobo, 0) = 0 RETURNING *`,
    [id, operatorName, note],
  );
  return rows[0] ? toRecord(rows[0]) : null;
}
