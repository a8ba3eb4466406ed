/** A database of its own for a test file: a copy of the run's migrated one, made in milliseconds. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { readStartConfig } from '../../src/runtime/config';
import { createDatabase, dropDatabase } from '../../src/db/pg/cluster';
import { testFile } from './test-file';

export interface TestDatabase {
  readonly url: string;
  /** Within Jest it stays until the file has ended, and longer when a test of the file failed. */
  drop(): Promise<void>;
}

const PREFIX = 'wallet_test_';
const KEPT_FOR_MS = 86_400_000;

/** Copies the migrated database (TEST_CELLS cells per environment) for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await copyDatabase();
  const file = testFile();
  file?.databaseMade(database.url);
  return file ? { url: database.url, drop: () => Promise.resolve() } : database;
}

/** Copies the migrated database. Whoever asked for the copy drops it. */
export async function copyDatabase(): Promise<TestDatabase> {
  const { TEST_DATABASE_URL: template } = readStartConfig();
  if (template === undefined) throw new Error('this project has no database: see jest.config.js');
  const name = `${PREFIX}${String(Date.now())}_${randomBytes(4).toString('hex')}`;
  const server = onDatabase(template, 'postgres');
  await createDatabase(server, name, new URL(template).pathname.slice(1));
  return { url: onDatabase(template, name), drop: () => dropDatabase(server, name) };
}

/** Drops what a failed or killed run of more than a day ago left on a server that outlives its runs. */
export async function dropOldTestDatabases(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [PREFIX],
  );
  await client.end();
  for (const { datname } of rows) {
    const madeAt = Number(datname.slice(PREFIX.length).split('_')[0]);
    if (Date.now() - madeAt > KEPT_FOR_MS) await dropDatabase(server, datname);
  }
}

/** The same server's address for another database. */
export function onDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
