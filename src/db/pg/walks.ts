/**
 * Lists with a filter that no index has. They walk along an index that has the order of the list, and one page walks
 * past a bounded number of rows only: it may be short, or empty, and the next one goes on from there.
 */
import { LAST_UUID } from './ids';
import type { Queryable } from './postgres';

/** A place in a list that is read newest first: the last row that was given out. */
export interface Place {
  createdAt: Date;
  id: string;
}

/** How many rows one page walks past at most. */
export const WALK_MAX = 1_000;

export interface Walked<Row, At = string> {
  rows: Row[];
  /** The place where the walk has stopped although there is more, by default as the order of the list writes it; else null. */
  stoppedAt: At | null;
}

/** The rows `$1` of a partner before a place, `$2` and `$3`, newest first, for tables with an index in this order. */
export const newestOfPartner = (table: string): string => `
  SELECT * FROM ${table} WHERE partner_id = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC`;

/** The first three values of a statement with `newestOfPartner`. */
export const beforePlace = (partnerId: string, after: Place | null): [string, Date | string, string] => [
  partnerId,
  after?.createdAt ?? 'infinity',
  after?.id ?? LAST_UUID,
];

/**
 * Where a walk along `newestOfPartner` stops; null where it comes to the end of the rows.
 * @param values as `beforePlace` gives them.
 */
export async function endOfWalk(
  db: Queryable,
  table: string,
  values: readonly unknown[],
): Promise<Place | null> {
  const { rows } = await db.query<{ created_at: Date; id: string }>(
    `${newestOfPartner(table)} OFFSET ${String(WALK_MAX - 1)} LIMIT 1`,
    [...values],
  );
  const [end] = rows;
  return end ? { createdAt: end.created_at, id: end.id } : null;
}

/**
 * One page of a partner's rows with a status, newest first. No index has the status in this order, so a page with this filter
 * walks past a bounded number of rows.
 */
export async function newestWithStatus<Row extends object>(
  db: Queryable,
  table: string,
  { partnerId, status }: { partnerId: string; status: string | null },
  { after, limit }: { after: Place | null; limit: number },
): Promise<Walked<Row, Place>> {
  const before = beforePlace(partnerId, after);
  const { rows } = await db.query<Row>(
    `SELECT s.* FROM (${newestOfPartner(table)} LIMIT ${status === null ? '$4' : String(WALK_MAX)}) AS s
      WHERE $5::text IS NULL OR status = $5 ORDER BY s.created_at DESC, s.id DESC LIMIT $4`,
    [...before, limit, status],
  );
  const stoppedAt = status !== null && rows.length < limit ? await endOfWalk(db, table, before) : null;
  return { rows, stoppedAt };
}
