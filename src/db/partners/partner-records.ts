/** Partners as operators see and change them: the whole record, not one credential's view of it. */
import type { PartnerRecord, PartnerStatus, Tier } from '../../domain/partners';
import type { Queryable } from '../pg/postgres';
import type { Place } from '../pg/walks';
import { PARTNER_COLUMNS, toRecord, type PartnerRow } from './users';

const SELECT = `SELECT ${PARTNER_COLUMNS} FROM platform.partners p`;

export async function findPartnerRecord(db: Queryable, id: string): Promise<PartnerRecord | null> {
  const { rows } = await db.query<PartnerRow>(`${SELECT} WHERE id = $1`, [id]);
  return rows[0] ? toRecord(rows[0]) : null;
}

/** One page of partners, newest first. */
export async function listPartnerRecords(
  db: Queryable,
  page: { status: PartnerStatus | null; after: Place | null; limit: number },
): Promise<PartnerRecord[]> {
  const { rows } = await db.query<PartnerRow>(
    `${SELECT} WHERE ($1::text IS NULL OR status = $1)
        AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3))
      ORDER BY created_at DESC, id DESC LIMIT $4`,
    [page.status, page.after?.createdAt ?? null, page.after?.id ?? null, page.limit],
  );
  return rows.map(toRecord);
}

/**
 * Changes the tier from the one that was seen; the new limit is in force everywhere within five seconds.
 * @returns false when the partner has neither of the two by now. The same change again changes nothing.
 */
export async function setTier(
  db: Queryable,
  partnerId: string,
  change: { from: Tier; tier: Tier },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE platform.partners SET tier = $2 WHERE id = $1 AND tier IN ($2, $3)',
    [partnerId, change.tier, change.from],
  );
  return rowCount === 1;
}
