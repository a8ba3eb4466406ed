/**
 * A Temporal that a test starts, stops and starts again at one and the same address, and that remembers its
 * workflows across that: for tests in which it is away while the platform goes on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/launcher/ports';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { startTemporal, type RunningTemporal } from '../../tools/launcher/temporal-server';
import { readStartConfig } from '../../src/runtime/config';
import { NAMESPACES } from '../setup/cells';
import { testFile } from '../setup/test-file';

export interface ReservedTemporal {
  /** `host:port`; nobody listens there until `start`. */
  readonly address: string;
  start(): Promise<void>;
  /** Its memory stays for the next `start`. */
  stop(): Promise<void>;
  /** Another one takes its place, which knows nothing. */
  replace(): Promise<void>;
  /** Stops it for good. */
  discard(): Promise<void>;
}

/** @param namespaces ours, unless a test wants a server that does not know them. */
export async function reserveTemporal(namespaces: readonly string[] = NAMESPACES): Promise<ReservedTemporal> {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-test-temporal-'));
  const { path: binary } = await findTemporal(readStartConfig(), console.log);
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
    async discard() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
