/**
 * What one test run shares: a throw-away Postgres with a migrated database to copy, the path of the
 * Temporal program, the built programs, and one platform. Test files get the first two through TEST_DATABASE_URL and
 * TEMPORAL_CLI_PATH.
 */
import { join } from 'node:path';
import { startPostgres } from '../../tools/launcher/embedded-postgres';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { readStartConfig } from '../../src/runtime/config';
import { createDatabase, dropDatabase } from '../../src/db/pg/cluster';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { setUpDatabase } from '../../src/db/upkeep/set-up';
import { migrateUrls, passwordIn } from '../../src/runtime/database-urls';
import { AREAS } from '../../src/runtime/logins';
import { projectFolder } from '../../src/administration/project';
import { TEST_CELLS } from './cells';
import { dropOldTestDatabases, onDatabase } from './database';
import {
  keptDatabases,
  makeRunFolder,
  rememberData,
  removeOldRuns,
  removeRun,
  sharedDatabases,
} from './kept';
import { offerSharedPlatform } from './shared-platform';

let postgres: Promise<() => Promise<void>> | undefined;
let shared: Promise<() => Promise<void>> | undefined;

/** Brings up Postgres once per run; TEST_DATABASE_URL names a server that is there already. */
export async function preparePostgres(): Promise<void> {
  postgres ??= openPostgres();
  await postgres;
}

/** Builds the programs where a source is newer: tests run API and worker as production does, without a compiler. */
export async function prepareBuild(): Promise<void> {
  const { buildIfStale } = await import('../../scripts/build-if-stale.mjs');
  buildIfStale(() => console.log('building the programs'));
  process.env['TEST_WORKFLOW_BUNDLE'] = join(projectFolder(), 'dist', 'src', 'workflow-bundle.js');
}

/** Finds the Temporal program, and brings it if it must: no test waits for a download. */
export async function prepareTemporal(): Promise<void> {
  const { path } = await findTemporal(readStartConfig(), console.log);
  process.env['TEMPORAL_CLI_PATH'] = path;
}

/** Lets test files ask for the run's platform. The first of them starts it. */
export async function prepareSharedPlatform(): Promise<void> {
  shared ??= offerSharedPlatform();
  await shared;
}

/** Undoes `prepareSharedPlatform` and `preparePostgres`. */
export async function closeRun(): Promise<void> {
  const end = await shared;
  await end?.();
  shared = undefined;
  const close = await postgres;
  await close?.();
  postgres = undefined;
}

async function openPostgres(): Promise<() => Promise<void>> {
  removeOldRuns();
  const folder = makeRunFolder();
  const server = await serverForTests(folder);
  await dropOldTestDatabases(server.url);
  const template = `wallet_template_${String(process.pid)}`;
  await dropDatabase(server.url, template);
  await createDatabase(server.url, template);
  const url = onDatabase(server.url, template);
  await setUpDatabase(url, AREAS, () => passwordIn(url));
  await migrateDatabase(migrateUrls({ DATABASE_URL: url }), TEST_CELLS);
  process.env['TEST_DATABASE_URL'] = url;
  process.env['TEST_RUN_FOLDER'] = folder;
  return async () => {
    for (const one of [template, ...sharedDatabases(folder).map(nameOf)]) await dropDatabase(server.url, one);
    await server.stop();
    const kept = keptDatabases(folder);
    if (kept.length > 0) tellOf(kept.length, folder, server.isOurs);
    if (kept.length === 0 || !server.isOurs) removeRun(folder);
  };
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

function tellOf(count: number, folder: string, isOurs: boolean): void {
  const where = isOurs
    ? `npm run test:kept -- ${folder} opens them at the addresses above`
    : 'they stay on the server of TEST_DATABASE_URL';
  console.log(`Databases of files that failed: ${String(count)}. For a day, ${where}.`);
}

interface TestServer {
  readonly url: string;
  readonly isOurs: boolean;
  stop(): Promise<void>;
}

async function serverForTests(folder: string): Promise<TestServer> {
  const { TEST_DATABASE_URL } = readStartConfig();
  if (TEST_DATABASE_URL !== undefined) {
    return { url: TEST_DATABASE_URL, isOurs: false, stop: () => Promise.resolve() };
  }
  const started = await startPostgres({ dataDir: folder, port: 0, durable: false });
  rememberData(folder, started.folder);
  return { url: started.url, isOurs: true, stop: started.stop };
}
