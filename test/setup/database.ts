/** A database of its own for a test file: a copy of the run's migrated one, made in milliseconds. */
import { randomBytes } from 'node:crypto';
import { readStartConfig } from '../../src/runtime/config';
import { createDatabase, dropDatabase } from '../../src/db/pg/cluster';

export interface TestDatabase {
  readonly url: string;
  /** Ends what is still connected. */
  drop(): Promise<void>;
}

/** Copies the migrated database (TEST_CELLS cells per environment). For projects `database` and `e2e`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { TEST_DATABASE_URL: template } = readStartConfig();
  if (template === undefined) throw new Error('this project has no database: see jest.config.js');
  const name = `wallet_test_${randomBytes(6).toString('hex')}`;
  const server = onDatabase(template, 'postgres');
  await createDatabase(server, name, new URL(template).pathname.slice(1));
  return { url: onDatabase(template, name), drop: () => dropDatabase(server, name) };
}

/** The same server's address for another database. */
export function onDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
