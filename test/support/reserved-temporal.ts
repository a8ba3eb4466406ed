/**
 * A Temporal that a test starts, stops and starts again at the same address, and that keeps its workflows: for
 * tests in which Temporal is away while the platform goes on.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/launcher/ports';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { startTemporal, type RunningTemporal } from '../../tools/launcher/temporal-server';
import { readStartConfig } from '../../src/runtime/config';
import { NAMESPACES } from '../setup/cells';
import { madeOnce, testFile } from '../setup/test-file';

export interface ReservedTemporal {
  /** `host:port`; nothing listens there until `start`. */
  readonly address: string;
  start(): Promise<void>;
  /** Stops the server; its workflows are kept for the next `start`. */
  stop(): Promise<void>;
  /** Stops the server and starts an empty one in its place. */
  replace(): Promise<void>;
  /** Keeps the state of this moment for `putBack`. The server is stopped meanwhile. */
  keep(): Promise<void>;
  /** Stops the server and starts it with the state that was kept. */
  putBack(): Promise<void>;
  /** Ends the server without an orderly end, which takes it two seconds, and removes its files. */
  discard(): Promise<void>;
}

/** @param namespaces the platform's by default; a test can have a server that does not know them. */
export async function reserveTemporal(namespaces: readonly string[] = NAMESPACES): Promise<ReservedTemporal> {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-test-temporal-'));
  const { path: binary } = await madeOnce('the Temporal program', () =>
    findTemporal(readStartConfig(), console.log),
  );
  const port = await freePort();
  let server: RunningTemporal | undefined;
  let memories = 1;
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  const start = async () => {
    server = await startTemporal({
      binary,
      port,
      uiPort: null,
      dbFile: join(folder, `temporal-${memories}.db`),
      namespaces,
      logFile: join(folder, 'log'),
    });
    testFile()?.temporalStarted(`127.0.0.1:${port}`);
  };
  return {
    address: `127.0.0.1:${port}`,
    start,
    stop,
    async replace() {
      await stop();
      memories++;
      await start();
    },
    async keep() {
      await stop();
      cpSync(join(folder, `temporal-${memories}.db`), join(folder, 'kept.db'));
      await start();
    },
    async putBack() {
      await stop();
      memories++;
      cpSync(join(folder, 'kept.db'), join(folder, `temporal-${memories}.db`));
      await start();
    },
    async discard() {
      if (server !== undefined) kill(server.pid);
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
