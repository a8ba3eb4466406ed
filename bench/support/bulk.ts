/**
 * Loads millions of rows in minutes: the tables' indexes are built once at the end, and no trigger or foreign
 * key is asked for each row. Afterwards everything is as the migrations made it, and the books are checked.
 */
import pg from 'pg';
import { CELL } from './cell';
import type { BenchPlatform } from './platform';

/** @param tables are written by `work` and not read by it. */
export async function bulkLoad<T>(
  { databaseUrl }: BenchPlatform,
  tables: readonly string[],
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    options: '-c session_replication_role=replica -c work_mem=1GB -c maintenance_work_mem=1GB',
  });
  await client.connect();
  try {
    const names = tables.map((table) => `${CELL}.${table}`);
    // REINDEX builds the indexes that are marked as not ready, and marks them as ready.
    await client.query('UPDATE pg_index SET indisready = false WHERE indrelid = ANY($1::regclass[])', [
      names,
    ]);
    const result = await work(client);
    for (const name of names) await client.query(`REINDEX TABLE ${name}`);
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
    return result;
  } finally {
    await client.end();
  }
}
