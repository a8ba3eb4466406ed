/**
 * One platform per process of Jest, for all its end-to-end and specification files: a database, a Temporal in memory,
 * and API and worker as processes. It starts with the first file that asks for it and ends with the process.
 */
import { join } from 'node:path';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { freePort } from '../../tools/launcher/ports';
import { startTemporal } from '../../tools/launcher/temporal-server';
import { readStartConfig } from '../../src/runtime/config';
import { startChild, type Child } from '../support/children';
import { PLATFORM_SETTINGS, REHEARSAL } from '../support/settings';
import { NAMESPACES, TEST_CELLS } from './cells';
import { copyDatabase } from './database';
import { rememberShared } from './kept';
import type { SharedAddresses } from './test-file';

/** What makes it fit most files: no limit that a test does not ask for, and live with a simulator behind it. */
const SETTINGS = {
  ...PLATFORM_SETTINGS,
  RATE_LIMIT_UNAUTHENTICATED: '1000000',
  ...REHEARSAL,
  // Long enough to be seen pending, short enough to be waited for.
  SANDBOX_KYC_UNAVAILABLE_MS: '2500',
};

export interface SharedPlatform extends SharedAddresses {
  end(): Promise<void>;
}

/** @param hear is told every line that API and worker write. */
export async function startSharedPlatform(hear: (line: string) => void): Promise<SharedPlatform> {
  const folder = process.env['TEST_RUN_FOLDER'] ?? '';
  const { path: binary } = await findTemporal(readStartConfig(), () => undefined);
  const [database, temporal] = await Promise.all([
    copyDatabase(),
    startTemporal({
      binary,
      port: 0,
      uiPort: null,
      dbFile: null,
      namespaces: NAMESPACES,
      logFile: join(folder, `temporal-${String(process.pid)}.log`),
    }),
  ]);
  rememberShared(database.url);
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  const settings = {
    ...SETTINGS,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
    PORT: String(port),
    // The simulated bank calls back there.
    PUBLIC_URL: url,
  };
  const [api, worker] = (await Promise.all(
    (['api', 'worker'] as const).map((program) => startChild(program, settings, hear)),
  )) as [Child, Child];
  // They must not keep this process alive, nor outlive it.
  for (const child of [api, worker]) child.release();
  const kill = (): void => {
    for (const child of [api, worker]) child.signal('SIGKILL');
  };
  process.once('exit', kill);
  return {
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    url,
    operatorUrl: `http://127.0.0.1:${api.operatorPort}`,
    async end() {
      process.off('exit', kill);
      await Promise.all([api.kill(), worker.kill()]);
      await temporal.stop();
    },
  };
}
