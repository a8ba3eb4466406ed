/**
 * One platform for all end-to-end and specification files of a run that need no other: a database, a Temporal in
 * memory, and API and worker as processes. A platform costs several seconds of processor time to start and some of
 * every second that it runs, so the processes of Jest share one. It belongs to the process that began the run, starts
 * with the first file that asks for it, and ends when no process of Jest holds it any more.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { freePort } from '../../tools/launcher/ports';
import { startTemporal } from '../../tools/launcher/temporal-server';
import { readStartConfig } from '../../src/runtime/config';
import { startChild, type Child } from '../support/children';
import { settingsOfShared } from '../support/shared-settings';
import { NAMESPACES } from './cells';
import { copyDatabase } from './database';
import { rememberShared } from './kept';
import type { SharedAddresses } from './test-file';

/** Where the processes of Jest ask for it. */
const ADDRESS = 'TEST_SHARED_PLATFORM_URL';

interface StartedPlatform extends SharedAddresses {
  end(): Promise<void>;
}

/** Lets the processes of this run ask for the platform. @returns what ends the platform and answers no longer. */
export async function offerSharedPlatform(): Promise<() => Promise<void>> {
  const lines: { atMs: number; line: string }[] = [];
  const holders = new Set<string>();
  let running: Promise<StartedPlatform> | undefined;

  async function end(): Promise<void> {
    const ending = running;
    running = undefined;
    // One that did not start has told its first file why.
    await ending?.then((platform) => platform.end()).catch(() => undefined);
  }
  const answers: Record<string, (holder: string, sinceMs: number) => unknown> = {
    async '/hold'(holder) {
      holders.add(holder);
      running ??= startPlatform((line) => lines.push({ atMs: Date.now(), line }));
      const starting = running;
      try {
        const { end: _end, ...addresses } = await starting;
        return { addresses };
      } catch (error) {
        // The next file may have more luck.
        if (running === starting) running = undefined;
        return { failed: String((error as Error).stack) };
      }
    },
    async '/release'(holder) {
      holders.delete(holder);
      if (holders.size === 0) await end();
      return {};
    },
    '/lines': (_holder, sinceMs) => lines.filter(({ atMs }) => atMs >= sinceMs).map(({ line }) => line),
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    Promise.resolve(
      answers[pathname]?.(searchParams.get('holder') ?? '', Number(searchParams.get('sinceMs'))),
    ).then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A run that breaks off must not be kept alive by it.
  server.unref();
  process.env[ADDRESS] = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return async () => {
    await Promise.all([end(), closed(server)]);
  };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Holds the platform for this process of Jest, and starts it when nobody holds it yet. */
export async function holdSharedPlatform(): Promise<SharedAddresses> {
  const { addresses, failed } = (await ask('/hold')) as { addresses: SharedAddresses; failed?: string };
  if (failed !== undefined) throw new Error(`the shared platform did not start: ${failed}`);
  return addresses;
}

/** Says that no later file of this process needs it. */
export async function releaseSharedPlatform(): Promise<void> {
  await ask('/release');
}

/** What API and worker have written since then. Other files that run at the same time may have caused some of it. */
export const linesOfSharedPlatform = async (sinceMs: number): Promise<string[]> =>
  (await ask('/lines', sinceMs)) as string[];

async function ask(path: string, sinceMs = 0): Promise<unknown> {
  const url = new URL(path, process.env[ADDRESS]);
  url.search = new URLSearchParams({ holder: String(process.pid), sinceMs: String(sinceMs) }).toString();
  const answer = await fetch(url, { headers: { connection: 'close' } });
  return answer.json();
}

/** @param hear is told every line that API and worker write. */
async function startPlatform(hear: (line: string) => void): Promise<StartedPlatform> {
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
      logFile: join(folder, 'temporal.log'),
    }),
  ]);
  rememberShared(database.url);
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  const settings = {
    ...settingsOfShared(database.url, temporal.address),
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
