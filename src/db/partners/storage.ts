/**
 * How much the requests of each partner have stored in a sandbox cell, counted by all processes of the API together
 * (D175). The count bounds what one partner can take of a disk; it is not exact to the byte.
 */
import type { Cell } from '../pg/postgres';

/** What requests have stored, in bytes. */
export interface Stored {
  /** What a reset of the sandbox deletes. */
  erasableBytes: number;
  /** What a reset leaves, such as webhook endpoints. */
  keptBytes: number;
}

/**
 * Adds what this process has counted since it last asked, for any number of partners in one statement. A second
 * call for the same requests would count them twice, which makes the room of the partner smaller and harms no data.
 * @param added by the id of the partner; nothing added only reads.
 * @returns what all processes have counted, by the id of the partner.
 */
export async function addToStorage(
  cell: Cell,
  added: ReadonlyMap<string, Stored>,
): Promise<Map<string, Stored>> {
  const all = [...added.values()];
  const { rows } = await cell.pool.query<{ id: string; erasable: number; kept: number }>({
    name: `${cell.schema}:storage`,
    // Sorted, so that two processes lock the rows in the same order and cannot deadlock.
    text: `INSERT INTO ${cell.schema}.sandbox_storage AS s (partner_id, erasable_bytes, kept_bytes)
      SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS added(id, erasable, kept) ORDER BY id
      ON CONFLICT (partner_id) DO UPDATE SET
        erasable_bytes = s.erasable_bytes + excluded.erasable_bytes,
        kept_bytes = s.kept_bytes + excluded.kept_bytes
      RETURNING partner_id AS id, erasable_bytes AS erasable, kept_bytes AS kept`,
    values: [
      [...added.keys()],
      all.map(({ erasableBytes }) => erasableBytes),
      all.map(({ keptBytes }) => keptBytes),
    ],
  });
  return new Map(rows.map(({ id, erasable, kept }) => [id, { erasableBytes: erasable, keptBytes: kept }]));
}
