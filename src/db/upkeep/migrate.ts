/**
 * Migrates the schemas: `platform`, one directory for each environment and one schema for each cell. Each area is
 * migrated with the login that owns it, and may lie on a server of its own. It may be run again, and by several
 * processes at the same time: they wait for each other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Knex, knex as KnexFactory } from 'knex';
import { CELL, DIRECTORY, PLATFORM } from '../../../migrations';
import type { Migration } from '../../../migrations/place';
import { assert } from '../../domain/assert';
import { roleOf, type Area, type Login } from '../../runtime/logins';
import { sqlState, SQLSTATE, type Queryable } from '../pg/postgres';
import { assertLogin, assertLoginOf, LoginError } from './login-check';
import { allSchemas } from '../pg/schema';

/** The database cannot be migrated as it is. The message is for a person, and says what to do. */
export class MigrationError extends Error {}

/**
 * Runs what has not run yet. A database that a newer version has migrated is left as it is: migrations only add what
 * the version before them can live with, so the processes of this version go on beside it.
 * @param urls the address of each area, with the login that owns it.
 * @param only the migrations that may run now, as `<schema>/<name>`: those that a backup had. All, unless given.
 * @returns how many migrations were applied, and those of a newer version, as `<schema>/<name>`.
 * @throws MigrationError when a login is missing or may not do its work, or when the database was migrated by a
 *   version that is not newer, but another one.
 */
export async function migrateDatabase(
  urls: Readonly<Record<Area, string>>,
  cellsPerEnvironment: number,
  only?: ReadonlySet<string>,
): Promise<{ applied: number; newer: string[] }> {
  if (!only && (await isCurrent(urls, cellsPerEnvironment))) return { applied: 0, newer: [] };
  const turns: Turn[] = [];
  try {
    for (const work of areaWorks(cellsPerEnvironment, only))
      turns.push(await takeTurn(urls[work.area], work));
    const compared: Compared[] = [];
    for (const { knex, login, work } of turns)
      compared.push(...(await told(login, () => work.compare(knex))));
    const newer = compared.flatMap((one) => one.newer);
    const lacking = compared.flatMap((one) => one.lacking);
    if (newer.length > 0 && lacking.length > 0) throw anotherVersion(newer, lacking);
    if (newer.length > 0) return { applied: 0, newer };
    let applied = 0;
    for (const { knex, login, work } of turns) applied += await told(login, () => work.migrate(knex));
    return { applied, newer: [] };
  } finally {
    for (const turn of turns) await turn.end();
  }
}

/**
 * Whether all areas have exactly the migrations that this version knows, and show it to the processes. Then there is nothing to
 * do, and nobody's turn to wait for. What cannot be read is not current: the work itself finds out what is wrong with it.
 */
async function isCurrent(
  urls: Readonly<Record<Area, string>>,
  cellsPerEnvironment: number,
): Promise<boolean> {
  const wanted: Readonly<Record<Area, [kept: string, schema: string, known: object][]>> = {
    platform: [['platform', 'platform', PLATFORM]],
    sandbox: [],
    live: [],
  };
  for (const { environment, directory, cells } of allSchemas(cellsPerEnvironment)) {
    wanted[environment].push([directory, directory, DIRECTORY]);
    for (const cell of cells) wanted[environment].push([directory, cell, CELL]);
  }
  const areas = Object.entries(wanted).map(async ([area, tables]) => {
    const connectionString = urls[area as Area];
    const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_WITHIN_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      // A login that may do more than it should is refused by the work itself, also where nothing is to be done.
      await assertLoginOf(client, `${area as Area}_migrate`);
      for (const [kept, schema, known] of tables) {
        const table = `${kept}.migrations_of_${schema}`;
        const { rows } = await client.query<{ ran: string[]; shown: boolean }>(
          `SELECT ARRAY(SELECT name FROM ${table}) AS ran, bool_and(has_table_privilege(reader, $2, 'SELECT')) AS shown
             FROM unnest($1::text[]) AS reader`,
          [readersOf(area as Area), table],
        );
        const { ran = [], shown = false } = rows[0] ?? {};
        const names = Object.keys(known);
        if (!shown || ran.length !== names.length || without(schema, names, ran).length > 0) return false;
      }
      return true;
    } catch {
      return false;
    } finally {
      await client.end();
    }
  });
  return (await Promise.all(areas)).every(Boolean);
}

/** What there is to do in one area. */
interface AreaWork {
  readonly area: Area;
  compare(knex: Knex): Promise<Compared[]>;
  /** @returns how many migrations were applied. */
  migrate(knex: Knex): Promise<number>;
}

/** All processes take the areas in this order, so that no two wait for each other. */
const areaWorks = (cellsPerEnvironment: number, only?: ReadonlySet<string>): AreaWork[] => [
  {
    area: 'platform',
    compare: async (knex) => [await compareSchema(knex, 'platform', 'platform', PLATFORM)],
    migrate: (knex) => migratePlatform(knex, only),
  },
  ...allSchemas(cellsPerEnvironment).map((schemas): AreaWork => {
    const { environment, directory, cells } = schemas;
    return {
      area: environment,
      async compare(knex) {
        const compared = [await compareSchema(knex, directory, directory, DIRECTORY)];
        for (const cell of cells) compared.push(await compareSchema(knex, directory, cell, CELL));
        return compared;
      },
      migrate: (knex) => migrateEnvironment(knex, schemas, only),
    };
  }),
];

interface Compared {
  /** What the database has, and this version does not know. */
  newer: string[];
  /** What this version knows, and the database has not. */
  lacking: string[];
}

async function compareSchema(
  knex: Knex,
  kept: string,
  schema: string,
  migrations: object,
): Promise<Compared> {
  const ran = await ranIn(knex, `${kept}.migrations_of_${schema}`);
  const known = Object.keys(migrations);
  return { newer: without(schema, ran, known), lacking: without(schema, known, ran) };
}

/** Those migrations of a schema that are not among the others, as `<schema>/<migration>`. */
const without = (schema: string, names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !others.includes(name)).map((name) => `${schema}/${name}`);

const anotherVersion = (newer: readonly string[], [lacking]: readonly string[]): MigrationError =>
  new MigrationError(
    `The database has migrations that this version does not know (${newer.join(', ')}), and lacks others, such as ` +
      `${String(lacking)}. Run the version that made them. If this is a local sandbox that you do not need, delete its ` +
      'data folder (.data) and start anew.',
  );

/** An area that this process alone migrates until the turn ends. */
interface Turn {
  readonly work: AreaWork;
  readonly login: Login;
  readonly knex: Knex;
  end(): Promise<void>;
}

/** Checks the login of an area, and waits until no other process migrates it. */
async function takeTurn(databaseUrl: string, work: AreaWork): Promise<Turn> {
  const login: Login = `${work.area}_migrate`;
  // It is loaded here and not above: a process only looks whether the database is current, which needs no knex.
  // oxlint-disable-next-line typescript/no-require-imports
  const { knex: knexFactory } = require('knex') as { knex: typeof KnexFactory };
  const knex = knexFactory({
    client: 'pg',
    connection: { connectionString: databaseUrl, options: `-c lock_timeout=${String(LOCK_WITHIN_MS)}` },
    pool: { min: 0, max: 3 },
    // knex would print errors that are thrown as well.
    log: { warn: nothing, error: nothing, deprecate: nothing, debug: nothing },
  });
  try {
    return await told(login, async () => {
      // A superuser must not own functions that run with the rights of their owner.
      await assertLogin(databaseUrl, login, CONNECT_WITHIN_MS);
      const client = knex.client as Knex.Client;
      const turn: unknown = await client.acquireConnection();
      // Whoever waits here for another process holds nobody up.
      await knex.raw('SET lock_timeout = 0').connection(turn);
      // The second process waits for this lock, and a crash releases it. The lock of knex does neither. It belongs to the
      // connection and not to a transaction, because CREATE INDEX CONCURRENTLY waits for every transaction. It has the
      // name of the area, because all areas may lie in one database.
      await knex
        .raw('SELECT pg_advisory_lock(hashtext(?))', [`migrateDatabase ${work.area}`])
        .connection(turn);
      const end = async (): Promise<void> => {
        await client.releaseConnection(turn);
        // The end of the connection is the end of the lock.
        await knex.destroy();
      };
      return { work, login, knex, end };
    });
  } catch (error) {
    await knex.destroy();
    throw error;
  }
}

/** Works as a login. @throws MigrationError where the login is missing or may not do its work. */
async function told<Result>(login: Login, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (!(error instanceof LoginError) && !NOT_SET_UP.includes(code)) throw error;
    throw new MigrationError(
      `The database is not ready for ${roleOf(login)}: ${message.replace(/\.$/, '')}. \`npm run db:set-up\` makes the logins and ` +
        'gives each its rights. If this is a local sandbox that you do not need, delete its data folder (.data).',
      { cause: error },
    );
  }
}

const nothing = (): void => undefined;

const CONNECT_WITHIN_MS = 10_000;

/**
 * While a migration waits for a lock, every later statement on that table waits behind it, payments first of all. So it
 * gives up long before a request does, lets those go first that had to wait, and tries again.
 */
const LOCK_WITHIN_MS = 300;
const TRY_AGAIN_MS = 1_000;
/** Then a person is told: somebody holds the lock who does not end by himself. */
const GIVE_UP_MS = 30_000;

/** A right that is missing, or a login to be granted to. */
const NOT_SET_UP = ['42501', '42704'];

async function migratePlatform(knex: Knex, only?: ReadonlySet<string>): Promise<number> {
  const place = {
    sandbox: roleOf('sandbox_partners'),
    live: roleOf('live_partners'),
    status: roleOf('live_status'),
    access: roleOf('access'),
    operator: roleOf('operator'),
    mail: roleOf('mail'),
  };
  const applied = await migrateSchema(knex, 'platform', 'platform', PLATFORM, place, only);
  await showState(knex, 'platform', ['platform'], readersOf('platform'));
  return applied;
}

async function migrateEnvironment(
  knex: Knex,
  { environment, resets, directory, cells }: ReturnType<typeof allSchemas>[number],
  only?: ReadonlySet<string>,
): Promise<number> {
  const place = {
    app: `${roleOf(`${environment}_api`)}, ${roleOf(`${environment}_worker`)}`,
    api: roleOf(`${environment}_api`),
    worker: roleOf(`${environment}_worker`),
    reconciler: roleOf(`${environment}_reconcile`),
    resetter: roleOf('sandbox_reset'),
    ifReset: (sql: string) => (resets ? sql : ''),
  };
  let applied = await migrateSchema(knex, directory, directory, DIRECTORY, { ...place, directory }, only);
  for (const cell of cells)
    applied += await migrateSchema(knex, directory, cell, CELL, { ...place, cell }, only);
  await showState(knex, directory, [directory, ...cells], readersOf(environment));
  return applied;
}

/** The roles that read what has run in an area: the processes do when they look whether they are ready. */
const readersOf = (area: Area): string[] =>
  area === 'platform'
    ? [roleOf('sandbox_partners'), roleOf('live_partners')]
    : [roleOf(`${area}_api`), roleOf(`${area}_worker`)];

async function showState(
  knex: Knex,
  kept: string,
  schemas: readonly string[],
  to: readonly string[],
): Promise<void> {
  const tables = schemas.map((schema) => `${kept}.migrations_of_${schema}`);
  await knex.raw(`GRANT SELECT ON ${tables.join(', ')} TO ${to.join(', ')}`);
}

/** @param kept the schema that remembers what has run: it is made first, and lies on the same server. */
async function migrateSchema<Place>(
  knex: Knex,
  kept: string,
  schema: string,
  migrations: Readonly<Record<string, Migration<Place>>>,
  place: Place,
  only?: ReadonlySet<string>,
): Promise<number> {
  // knex keeps tables of its own under the schema's name, and fails where their schema is missing (R3).
  await knex.raw(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  const tables = { schemaName: kept, tableName: `migrations_of_${schema}` };
  // This process has the lock above, so a lock of knex that is still taken was left by a crash.
  await knex.migrate.forceFreeMigrationsLock(tables);
  const migrationSource = {
    getMigrations: async () => {
      if (!only) return Object.keys(migrations);
      const ran = await ranIn(knex, `${kept}.${tables.tableName}`);
      return Object.keys(migrations).filter((name) => only.has(`${schema}/${name}`) || ran.includes(name));
    },
    getMigrationName: (name: string) => name,
    getMigration: (name: string) => {
      const migration = migrations[name];
      assert(migration !== undefined, 'knex asks for migrations that it was told of');
      const sql = migration(place);
      return Promise.resolve(
        typeof sql === 'string'
          ? { up: (trx: Knex) => trx.raw(unbound(sql)), down: refuseDown }
          : { up: () => oneByOne(knex, sql), down: refuseDown, config: { transaction: false } },
      );
    },
  };
  // Each migration commits by itself, so that it holds its locks no longer than its own statements take.
  for (let applied = 0; ; applied++) {
    const [, names] = await withItsLocks(
      schema,
      () => knex.migrate.up({ ...tables, migrationSource }) as Promise<[number, string[]]>,
    );
    if (names.length === 0) return applied;
  }
}

/** knex takes a question mark for a parameter unless it is escaped. */
const unbound = (sql: string): string => sql.replaceAll('?', '\\?');

/**
 * Runs statements outside of a transaction. They wait for as long as it takes, because what Postgres does outside of a
 * transaction stops nobody who reads or writes rows.
 */
async function oneByOne(knex: Knex, statements: readonly string[]): Promise<void> {
  const client = knex.client as Knex.Client;
  const connection: unknown = await client.acquireConnection();
  try {
    for (const sql of ['SET lock_timeout = 0', ...statements, 'RESET lock_timeout'])
      await knex.raw(unbound(sql)).connection(connection);
  } finally {
    await client.releaseConnection(connection);
  }
}

/**
 * Tries until the migration has got its locks; a try that has not leaves nothing behind.
 * @throws MigrationError when it has not got them for half a minute.
 */
async function withItsLocks<Result>(schema: string, migrate: () => Promise<Result>): Promise<Result> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await migrate();
    } catch (error) {
      if (sqlState(error) !== SQLSTATE.lockNotAvailable) throw error;
      if (performance.now() > giveUpAt)
        throw new MigrationError(
          `A migration of ${schema} did not get its lock within ${String(GIVE_UP_MS / 1_000)} s, because a transaction of ` +
            'somebody else holds a table and does not end. Nothing of that migration was done. Find the transaction in ' +
            'pg_stat_activity (xact_start), end it or wait for it, and run the migrations again.',
          { cause: error },
        );
      await sleep(TRY_AGAIN_MS);
    }
  }
}

/** The migrations that have run, by the table that remembers them; none while there is no such table. */
async function ranIn(knex: Knex, table: string): Promise<string[]> {
  const there = await knex.raw<{ rows: { name: string | null }[] }>(`SELECT to_regclass('${table}') AS name`);
  if (!there.rows[0]?.name) return [];
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(`SELECT name FROM ${table}`);
  return rows.map(({ name }) => name);
}

/** A mistake is mended by the next migration. Going back would delete what was written since. */
const refuseDown = (): never => {
  throw new Error('migrations only go forward');
};

/**
 * The migrations that an environment, and the platform as it sees it, still lack. A process is ready only when there
 * are none.
 * @returns names as `<schema>/<migration>`.
 * @throws where the database is older than this check, or away.
 */
export async function missingMigrations(
  { pool, partnersPool }: { pool: Queryable; partnersPool: Queryable },
  { directory, cells }: { directory: string; cells: readonly string[] },
): Promise<string[]> {
  const missing = [
    await missingIn(partnersPool, 'platform', 'platform', PLATFORM),
    await missingIn(pool, directory, directory, DIRECTORY),
  ];
  for (const cell of cells) missing.push(await missingIn(pool, directory, cell, CELL));
  return missing.flat();
}

async function missingIn(db: Queryable, kept: string, schema: string, migrations: object): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(`SELECT name FROM ${kept}.migrations_of_${schema}`);
  return without(
    schema,
    Object.keys(migrations),
    rows.map(({ name }) => name),
  );
}

/** The cells that an environment has in the database, whatever this process was told. @throws while it is away. */
export async function cellsThere(pool: Queryable, directory: string): Promise<string[]> {
  const { rows } = await pool.query<{ cell: string }>(
    `SELECT substr(tablename, length('migrations_of_') + 1) AS cell FROM pg_tables
      WHERE schemaname = $1 AND tablename ~ '^migrations_of_[a-z]+_[0-9]+$' ORDER BY length(tablename), tablename`,
    [directory],
  );
  return rows.map(({ cell }) => cell);
}
