/** A database of its own, whose cell goes back to before some of its migrations: what is in it has to stay. */
import { randomBytes } from 'node:crypto';
import knexFactory, { type Knex } from 'knex';
import { readStartConfig } from '../../src/runtime/config';
import { createDatabase, dropDatabase } from '../../src/db/pg/cluster';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { SANDBOX_CELL } from '../setup/cells';
import { onDatabase } from '../setup/database';

type Migrations = Record<string, { down: (knex: Knex, schema: string) => Promise<void> }>;

export interface EarlierCell {
  /** In the text `$cell` stands for the schema. */
  rowsOf: (text: string) => Promise<Record<string, unknown>[]>;
  /** Columns with their types, constraints, indexes, options, triggers and what functions say. */
  shape: () => Promise<Record<string, unknown>[]>;
  /** As if these had not run yet. @param migrations by their names, in the order in which they run. */
  takeBack: (migrations: Migrations) => Promise<void>;
  /** Runs what has not run. */
  migrate: () => Promise<{ applied: number }>;
  close: () => Promise<void>;
}

export async function openEarlierCell(): Promise<EarlierCell> {
  const server = onDatabase(readStartConfig().TEST_DATABASE_URL!, 'postgres');
  const name = `wallet_earlier_${randomBytes(6).toString('hex')}`;
  const url = onDatabase(server, name);
  await createDatabase(server, name);
  await migrateDatabase(url, 1);
  const knex = knexFactory({ client: 'pg', connection: url });
  const rowsOf = async (text: string): Promise<Record<string, unknown>[]> =>
    (await knex.raw<{ rows: Record<string, unknown>[] }>(text.replaceAll('$cell', SANDBOX_CELL))).rows;
  return {
    rowsOf,
    shape: () =>
      rowsOf(`
        SELECT attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod) AS is
          FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
         WHERE relnamespace = '$cell'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
        UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
         WHERE connamespace = '$cell'::regnamespace
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = '$cell'
        UNION ALL SELECT relname || ' ' || array_to_string(reloptions, ', ') FROM pg_class
         WHERE relnamespace = '$cell'::regnamespace AND relkind = 'r'
        UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
         WHERE relnamespace = '$cell'::regnamespace AND NOT tgisinternal
        UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = '$cell'::regnamespace
         ORDER BY 1`),
    async takeBack(migrations) {
      await knex.transaction(async (trx) => {
        for (const [migration, { down }] of Object.entries(migrations).reverse()) {
          await down(trx, SANDBOX_CELL);
          await trx.raw(`DELETE FROM platform.migrations_of_${SANDBOX_CELL} WHERE name = ?`, [migration]);
        }
      });
    },
    migrate: () => migrateDatabase(url, 1),
    async close() {
      await knex.destroy();
      await dropDatabase(server, name);
    },
  };
}
