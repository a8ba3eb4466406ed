/**
 * Migrates a database: the roles, the `platform` schema, one directory for each environment and one schema for
 * each cell. It may be run again, and by several processes at the same time: they wait for each other.
 */
import knexFactory, { type Knex } from 'knex';
import { CELL, DIRECTORY, PLATFORM } from '../../../migrations';
import type { Migration } from '../../../migrations/place';
import { assert } from '../../domain/assert';
import type { Queryable } from '../pg/postgres';
import { allSchemas, roleOf, ROLES } from '../pg/schema';

/** The database cannot be migrated as it is. The message is for a person, and says what to do. */
export class MigrationError extends Error {}

/**
 * Runs what has not run yet.
 * @returns how many migrations were applied.
 * @throws MigrationError when the database user may not create roles or schemas, or when the
 *   database was migrated by another version.
 */
export async function migrateDatabase(
  databaseUrl: string,
  cellsPerEnvironment: number,
): Promise<{ applied: number }> {
  const knex = knexFactory({
    client: 'pg',
    connection: { connectionString: databaseUrl, options: '-c lock_timeout=30s' },
    pool: { min: 0, max: 3 },
  });
  try {
    // The second process waits for this lock, and a crash releases it. The lock of knex does neither.
    return await knex.transaction(async (turn) => {
      await turn.raw("SELECT pg_advisory_xact_lock(hashtext('migrateDatabase'))");
      return { applied: await migrateAll(knex, cellsPerEnvironment) };
    });
  } finally {
    await knex.destroy();
  }
}

async function migrateAll(knex: Knex, cellsPerEnvironment: number): Promise<number> {
  await createRoles(knex);
  const platform = {
    sandbox: roleOf('sandbox'),
    live: roleOf('live'),
    access: roleOf('access'),
    operator: roleOf('operator'),
  };
  let applied = await migrateSchema(knex, 'platform', PLATFORM, platform);
  for (const { environment, resets, directory, cells } of allSchemas(cellsPerEnvironment)) {
    const place = {
      app: roleOf(environment),
      resetter: roleOf('sandbox_reset'),
      ifReset: (sql: string) => (resets ? sql : ''),
    };
    applied += await migrateSchema(knex, directory, DIRECTORY, { ...place, directory });
    for (const cell of cells) applied += await migrateSchema(knex, cell, CELL, { ...place, cell });
    // The processes read this table when they look whether they are ready.
    const states = ['platform', directory, ...cells].map((schema) => `platform.migrations_of_${schema}`);
    await knex.raw(`GRANT SELECT ON ${states.join(', ')} TO ${place.app}`);
  }
  return applied;
}

async function migrateSchema<Place>(
  knex: Knex,
  schema: string,
  migrations: Readonly<Record<string, Migration<Place>>>,
  place: Place,
): Promise<number> {
  // knex keeps its own tables in `platform` under the schema's name, and fails where the schema is missing (R3).
  await knex.raw('CREATE SCHEMA IF NOT EXISTS platform');
  await knex.raw(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  const tables = { schemaName: 'platform', tableName: `migrations_of_${schema}` };
  // This process has the lock above, so a lock of knex that is still taken was left by a crash.
  await knex.migrate.forceFreeMigrationsLock(tables);
  const migrationSource = {
    getMigrations: () => Promise.resolve(Object.keys(migrations)),
    getMigrationName: (name: string) => name,
    getMigration: (name: string) => {
      const migration = migrations[name];
      assert(migration !== undefined, 'knex asks for migrations that it was told of');
      // knex takes a question mark for a parameter unless it is escaped.
      const sql = migration(place).replaceAll('?', '\\?');
      return Promise.resolve({ up: (trx: Knex) => trx.raw(sql), down: refuseDown });
    },
  };
  try {
    const [, names] = (await knex.migrate.latest({ ...tables, migrationSource })) as [number, string[]];
    return names.length;
  } catch (error) {
    const strange = /following files are missing: (.*)/.exec((error as Error).message)?.[1];
    if (strange === undefined) throw error;
    throw new MigrationError(
      `The schema ${schema} has migrations that this version does not know: ${strange}. Run the version that made ` +
        'them. If this is a local sandbox that you do not need, delete its data folder (.data) and start anew.',
      { cause: error },
    );
  }
}

/** A mistake is mended by the next migration. Going back would delete what was written since. */
const refuseDown = (): never => {
  throw new Error('migrations only go forward');
};

async function createRoles(knex: Knex): Promise<void> {
  for (const role of ROLES) {
    try {
      // Two databases of one cluster may be migrated at the same time, and roles belong to the cluster: the second
      // one finds the role.
      await knex.raw(`
        DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
            CREATE ROLE ${role} NOLOGIN;
          END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END $$`);
      await knex.raw(`
        DO $$ BEGIN
          IF NOT pg_has_role(current_user, '${role}', 'MEMBER') THEN GRANT ${role} TO current_user; END IF;
        END $$`);
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error;
      throw new MigrationError(
        `The database user may not create the role ${role}. Give it CREATEROLE, or let an administrator run: ` +
          ROLES.map((name) => `CREATE ROLE ${name} NOLOGIN; GRANT ${name} TO <user>;`).join(' '),
        { cause: error },
      );
    }
  }
}

/**
 * The migrations that the schemas of an environment still lack. A process is ready only when there are none.
 * @returns names as `<schema>/<migration>`.
 * @throws where the database is older than this check, or away.
 */
export async function missingMigrations(
  db: Queryable,
  schemas: { directory: string; cells: readonly string[] },
): Promise<string[]> {
  const wanted: [string, object][] = [
    ['platform', PLATFORM],
    [schemas.directory, DIRECTORY],
    ...schemas.cells.map((cell): [string, object] => [cell, CELL]),
  ];
  const missing: string[] = [];
  for (const [schema, migrations] of wanted) {
    const { rows } = await db.query<{ name: string }>(`SELECT name FROM platform.migrations_of_${schema}`);
    const there = new Set(rows.map((row) => row.name));
    missing.push(
      ...Object.keys(migrations)
        .filter((name) => !there.has(name))
        .map((name) => `${schema}/${name}`),
    );
  }
  return missing;
}
