/**
 * What one test run shares: a throw-away Postgres with a migrated database to copy, and the path of the
 * Temporal program. Test files get both through TEST_DATABASE_URL and TEMPORAL_CLI_PATH.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../tools/launcher/embedded-postgres';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { readStartConfig } from '../../src/runtime/config';
import { createDatabase, dropDatabase } from '../../src/db/pg/cluster';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { TEST_CELLS } from './cells';
import { onDatabase } from './database';

let postgres: Promise<() => Promise<void>> | undefined;

/** Brings up Postgres once per run; TEST_DATABASE_URL names a server that is there already. */
export async function preparePostgres(): Promise<void> {
  postgres ??= openPostgres();
  await postgres;
}

/** Finds the Temporal program, and brings it if it must: no test waits for a download. */
export async function prepareTemporal(): Promise<void> {
  const { path } = await findTemporal(readStartConfig(), console.log);
  process.env['TEMPORAL_CLI_PATH'] = path;
}

/** Undoes `preparePostgres`. */
export async function closeRun(): Promise<void> {
  const close = await postgres;
  await close?.();
  postgres = undefined;
}

async function openPostgres(): Promise<() => Promise<void>> {
  const server = await serverForTests();
  const template = `wallet_template_${String(process.pid)}`;
  await dropDatabase(server.url, template);
  await createDatabase(server.url, template);
  const url = onDatabase(server.url, template);
  await migrateDatabase(url, TEST_CELLS);
  process.env['TEST_DATABASE_URL'] = url;
  return async () => {
    await dropDatabase(server.url, template);
    await server.stop();
  };
}

async function serverForTests(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { TEST_DATABASE_URL } = readStartConfig();
  if (TEST_DATABASE_URL !== undefined) return { url: TEST_DATABASE_URL, stop: () => Promise.resolve() };
  const dataDir = mkdtempSync(join(tmpdir(), 'wallet-test-pg-'));
  const { url, folder, stop } = await startPostgres({ dataDir, port: 0, durable: false });
  return {
    url,
    stop: async () => {
      await stop();
      for (const used of [dataDir, folder]) rmSync(used, { recursive: true, force: true });
    },
  };
}
