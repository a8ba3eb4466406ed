/** Migrating a database: an empty one, again, twice at once, and one that was not set up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { CELL } from '../../migrations';
import type { CellPlace, Migration } from '../../migrations/place';
import { readStartConfig } from '../../src/runtime/config';
import { createDatabase, dropDatabase } from '../../src/db/pg/cluster';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { openDatabase } from '../../src/db/upkeep/set-up';
import { AREAS, roleOf } from '../../src/runtime/logins';
import { asOwners } from '../support/logins';
import { onDatabase } from '../setup/database';

const server = onDatabase(readStartConfig().TEST_DATABASE_URL!, 'postgres');
const newName = (): string => `wallet_migrate_${randomBytes(6).toString('hex')}`;
/** A database that was migrated with one cell: most tests begin with a copy, because migrating takes seconds. */
const migrated = newName();
let name: string;
let url: string;

beforeAll(async () => {
  await createDatabase(server, migrated);
  await openDatabase(onDatabase(server, migrated), AREAS);
  await migrateDatabase(asOwners(onDatabase(server, migrated)), 1);
});
afterAll(() => dropDatabase(server, migrated));

beforeEach(() => make());
afterEach(() => dropDatabase(server, name));

/** Makes the database of a test, an empty one by default. */
async function make(template?: string): Promise<void> {
  name = newName();
  url = onDatabase(server, name);
  await createDatabase(server, name, template);
  // A copy has not the rights on the database itself.
  await openDatabase(url, AREAS);
}

async function beginMigrated(): Promise<void> {
  await dropDatabase(server, name);
  await make(migrated);
}

async function sql(text: string, at = url): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const schemas = async () =>
  (
    await sql(`SELECT nspname FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname NOT IN ('public', 'information_schema') ORDER BY nspname`)
  ).map((row) => row['nspname']);

const ONE_CELL = ['live_0', 'live_directory', 'platform', 'sandbox_0', 'sandbox_directory'];
/** One file is one migration. */
const filesOf = (folder: string): number =>
  readdirSync(join(__dirname, '..', '..', 'migrations', folder)).length;
const OF_ONE_CELL = filesOf('cell');
/** The migrations of the platform, of two directories and of two cells. */
const MIGRATIONS = filesOf('platform') + 2 * filesOf('directory') + 2 * OF_ONE_CELL;

test('an empty database gets its schemas, and a second time there is nothing to do', async () => {
  expect(await migrateDatabase(asOwners(url), 1)).toEqual({ applied: MIGRATIONS, newer: [] });
  expect(await schemas()).toEqual(ONE_CELL);

  expect(await migrateDatabase(asOwners(url), 1)).toEqual({ applied: 0, newer: [] });
  expect(await schemas()).toEqual(ONE_CELL);
});

test('a second cell per environment is added to a database that has one', async () => {
  await beginMigrated();
  expect(await migrateDatabase(asOwners(url), 2)).toEqual({ applied: 2 * OF_ONE_CELL, newer: [] });
  expect(await schemas()).toEqual([...ONE_CELL, 'live_1', 'sandbox_1'].sort());
});

test.each([2, 4])(
  '%i processes at once on an empty database: all succeed, each migration runs once',
  async (number) => {
    const done = await Promise.all(Array.from({ length: number }, () => migrateDatabase(asOwners(url), 1)));

    expect(done.reduce((sum, { applied }) => sum + applied, 0)).toBe(MIGRATIONS);
    expect(await schemas()).toEqual(ONE_CELL);
    expect(await migrateDatabase(asOwners(url), 1)).toEqual({ applied: 0, newer: [] });
  },
);

test('processes may read what has run, also when a crash came before they were allowed to', async () => {
  await beginMigrated();
  const table = 'live_directory.migrations_of_live_0';
  await sql(`REVOKE SELECT ON ${table} FROM ${roleOf('live_worker')}`);

  expect(await migrateDatabase(asOwners(url), 1)).toEqual({ applied: 0, newer: [] });

  const may = `SELECT has_table_privilege('${roleOf('live_worker')}', '${table}', 'SELECT') AS may`;
  expect(await sql(may)).toEqual([{ may: true }]);
});

test('a migration that a crash interrupted does not lock the next one out', async () => {
  await beginMigrated();
  await sql('UPDATE sandbox_directory.migrations_of_sandbox_0_lock SET is_locked = 1');

  expect(await migrateDatabase(asOwners(url), 2)).toEqual({ applied: 2 * OF_ONE_CELL, newer: [] });
});

describe('a database that a newer version has migrated', () => {
  beforeEach(async () => {
    await beginMigrated();
    await sql(
      `INSERT INTO sandbox_directory.migrations_of_sandbox_0 (name, batch, migration_time) VALUES ('999_later', 2, now())`,
    );
  });

  test('is left as it is, and the version that was rolled back to goes on', async () => {
    expect(await migrateDatabase(asOwners(url), 1)).toEqual({ applied: 0, newer: ['sandbox_0/999_later'] });
  });

  test('gets no further cell from an older one, and the message says what to do', async () => {
    await expect(migrateDatabase(asOwners(url), 2)).rejects.toThrow(
      /^The database has migrations that this version does not know \(sandbox_0\/999_later\), and lacks others, such as sandbox_1\/001_\w+\. Run the version that made them/,
    );
    expect(await schemas()).toEqual(ONE_CELL);
  });
});

describe('a migration of a later version', () => {
  const cellMigrations = CELL as Record<string, Migration<CellPlace>>;
  beforeEach(beginMigrated);
  afterEach(() => {
    delete cellMigrations['999_later'];
  });
  const later = (migration: Migration<CellPlace>): void => {
    cellMigrations['999_later'] = migration;
  };

  test('tries again when somebody else had a table for a moment', async () => {
    later(({ cell }) => `ALTER TABLE ${cell}.wallets ADD COLUMN nickname text`);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN; SELECT FROM sandbox_0.wallets');
    const migrating = migrateDatabase(asOwners(url), 1);
    // Longer than it waits for a lock, and shorter than it tries.
    await sleep(2_000);
    await holder.query('COMMIT');
    await holder.end();
    expect(await migrating).toEqual({ applied: 2, newer: [] });
  });

  test('that gives a list of statements, and failed in the middle, runs again as a whole', async () => {
    later(({ cell }) => [
      `DROP INDEX CONCURRENTLY IF EXISTS ${cell}.recon_progress_by_position`,
      `CREATE UNIQUE INDEX CONCURRENTLY recon_progress_by_position ON ${cell}.recon_progress (position)`,
    ]);
    await sql(
      `INSERT INTO sandbox_0.recon_progress (pass, position) VALUES ('one', 'same'), ('other', 'same')`,
    );
    await expect(migrateDatabase(asOwners(url), 1)).rejects.toThrow(/could not create unique index/);
    const isValid = async () =>
      sql(
        `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('sandbox_0.recon_progress_by_position')`,
      );
    // Postgres leaves such an index behind, and nobody could make another one of its name.
    expect(await isValid()).toEqual([{ indisvalid: false }]);

    await sql(`DELETE FROM sandbox_0.recon_progress WHERE pass = 'other'`);
    expect(await migrateDatabase(asOwners(url), 1)).toEqual({ applied: 2, newer: [] });
    expect(await isValid()).toEqual([{ indisvalid: true }]);
  });
});

test.each<[fault: string, urls: () => ReturnType<typeof asOwners>, said: RegExp]>([
  [
    'was not opened to the logins',
    () => asOwners(onDatabase(server, 'postgres')),
    /^The database is not ready for partner_wallet_platform_migrate: .*permission denied.*npm run db:set-up/,
  ],
  [
    'knows another password',
    () => ({ ...asOwners(url), platform: asOwners(url).platform.replace(/:[^:@/]+@/, ':guess@') }),
    /^The database is not ready for partner_wallet_platform_migrate: .*authentication failed.*npm run db:set-up/,
  ],
])('a database that %s is left as it is, and the message says what to do', async (_fault, urls, said) => {
  await expect(migrateDatabase(urls(), 1)).rejects.toThrow(said);
  expect(await schemas()).toEqual([]);
});
