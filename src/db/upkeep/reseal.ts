/**
 * Reads and replaces the values of columns that depend on a key, page by page, beside running traffic. What a value
 * means is not known here.
 */
import { SQLSTATE, sqlState, type Queryable } from '../pg/postgres';
import { FIRST_UUID } from '../pg/ids';

/** Names of a column and of the other columns that are read with it. They come from a table in the code. */
export interface Column {
  schema: string;
  table: string;
  column: string;
  /** The column that is the row's id. */
  id: string;
  needs: readonly string[];
}

/**
 * Some rows whose value is not under the newest key, by id.
 * @param newest what the values of the newest key begin with.
 */
export async function rowsUnderOtherKeys(
  db: Queryable,
  { schema, table, column, id, needs }: Column,
  newest: string,
  page: { afterId: string | null; limit: number },
): Promise<Record<string, string>[]> {
  const { rows } = await db.query<Record<string, string>>(
    `SELECT ${[`${id} AS id`, column, ...needs].join(', ')} FROM ${schema}.${table}
      WHERE ${id} > $1 AND NOT starts_with(${column}, $2) ORDER BY ${id} LIMIT $3`,
    [page.afterId ?? FIRST_UUID, newest, page.limit],
  );
  return rows;
}

/**
 * Replaces a value. Harmless the second time, and beside a change by somebody else: only the value that was read is
 * replaced.
 * @returns whether it was replaced. It is not, while two rows are under way for one number that was indexed under
 *   two keys; one of them ends soon.
 */
export async function replaceValue(
  db: Queryable,
  { schema, table, column, id }: Column,
  row: { id: string; from: string; to: string },
): Promise<boolean> {
  try {
    const { rowCount } = await db.query(
      `UPDATE ${schema}.${table} SET ${column} = $3 WHERE ${id} = $1 AND ${column} = $2`,
      [row.id, row.from, row.to],
    );
    return rowCount === 1;
  } catch (error) {
    if (sqlState(error) === SQLSTATE.uniqueViolation) return false;
    throw error;
  }
}

/** How many values begin with what, to see which keys are still needed. */
export async function countByPrefix(
  db: Queryable,
  { schema, table, column }: Column,
  prefixLength: number,
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ prefix: string; n: string }>(
    `SELECT left(${column}, $1) AS prefix, count(*) AS n FROM ${schema}.${table}
      WHERE ${column} IS NOT NULL GROUP BY prefix`,
    [prefixLength],
  );
  return new Map(rows.map(({ prefix, n }) => [prefix, Number(n)]));
}
