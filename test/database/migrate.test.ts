/** Migrating a database: an empty one, again, twice at once, and as a user with few rights. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { readStartConfig } from '../../src/runtime/config';
import { createDatabase, dropDatabase } from '../../src/db/pg/cluster';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { ROLES } from '../../src/db/pg/schema';
import { onDatabase } from '../setup/database';

const server = onDatabase(readStartConfig().TEST_DATABASE_URL!, 'postgres');
let name: string;
let url: string;

beforeEach(async () => {
  name = `wallet_migrate_${randomBytes(6).toString('hex')}`;
  url = onDatabase(server, name);
  await createDatabase(server, name);
});
afterEach(() => dropDatabase(server, name));

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
  expect(await migrateDatabase(url, 1)).toEqual({ applied: MIGRATIONS });
  expect(await schemas()).toEqual(ONE_CELL);

  expect(await migrateDatabase(url, 1)).toEqual({ applied: 0 });
  expect(await schemas()).toEqual(ONE_CELL);
});

test('a second cell per environment is added to a database that has one', async () => {
  await migrateDatabase(url, 1);
  expect(await migrateDatabase(url, 2)).toEqual({ applied: 2 * OF_ONE_CELL });
  expect(await schemas()).toEqual([...ONE_CELL, 'live_1', 'sandbox_1'].sort());
});

test.each([2, 4])(
  '%i processes at once on an empty database: all succeed, each migration runs once',
  async (number) => {
    const done = await Promise.all(Array.from({ length: number }, () => migrateDatabase(url, 1)));

    expect(done.reduce((sum, { applied }) => sum + applied, 0)).toBe(MIGRATIONS);
    expect(await schemas()).toEqual(ONE_CELL);
    expect(await migrateDatabase(url, 1)).toEqual({ applied: 0 });
  },
);

test('a migration that a crash interrupted does not lock the next one out', async () => {
  await migrateDatabase(url, 1);
  await sql('UPDATE platform.migrations_of_sandbox_0_lock SET is_locked = 1');

  expect(await migrateDatabase(url, 2)).toEqual({ applied: 2 * OF_ONE_CELL });
});

test('a database of another version is left as it is, and the message says what to do', async () => {
  await migrateDatabase(url, 1);
  await sql(
    `INSERT INTO platform.migrations_of_sandbox_0 (name, batch, migration_time) VALUES ('999_later', 2, now())`,
  );

  await expect(migrateDatabase(url, 2)).rejects.toThrow(
    /^The schema sandbox_0 has migrations that this version does not know: 999_later\. Run the version that made them/,
  );
  expect(await schemas()).toEqual(ONE_CELL);
});

describe('as a user who may not create roles', () => {
  const user = `plain_${randomBytes(6).toString('hex')}`;
  const asUser = (): string => {
    const other = new URL(url);
    other.username = user;
    other.password = 'plain';
    return other.href;
  };
  beforeAll(() => sql(`CREATE ROLE ${user} LOGIN PASSWORD 'plain'`, server));
  beforeEach(() => sql(`ALTER DATABASE ${name} OWNER TO ${user}`, server));
  afterAll(() => sql(`DROP ROLE ${user}`, server));
  afterEach(() => sql(`DROP OWNED BY ${user}`));

  test('it says which roles are needed and how an administrator makes them', async () => {
    const migrating = migrateDatabase(asUser(), 1);
    await expect(migrating).rejects.toThrow(
      /may not create the role partner_wallet_sandbox\. .*CREATEROLE.*GRANT partner_wallet_live TO.*GRANT partner_wallet_access TO/,
    );
    expect(await schemas()).toEqual([]);
  });

  test('it works once an administrator has granted the roles to it', async () => {
    await sql(`GRANT ${ROLES.join(', ')} TO ${user}`, server);
    expect(await migrateDatabase(asUser(), 1)).toEqual({ applied: MIGRATIONS });
    expect(await migrateDatabase(asUser(), 1)).toEqual({ applied: 0 });
  });
});
