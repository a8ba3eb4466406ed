/** Rows that a test reads. A wait that fails shows the rows that it read last. */
import type { Queryable } from '../../src/db/pg/postgres';
import type { Json } from './send';
import { sighted } from './until';

export async function rowsOf(
  database: Queryable,
  text: string,
  values?: unknown[],
): Promise<Record<string, Json>[]> {
  const { rows } = await database.query<Record<string, Json>>(text, values);
  sighted(`${text.trim().replace(/\s+/g, ' ').slice(0, 200)} ${JSON.stringify(values ?? [])}`, rows);
  return rows;
}
