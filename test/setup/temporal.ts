/** A Temporal dev server of its own for an end-to-end file, in memory: two tenths of a second. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTemporal } from '../../src/cli/temporal-binary';
import { startTemporal } from '../../src/cli/temporal-server';
import { readStartConfig } from '../../src/config';

export interface TestTemporal {
  /** `host:port`, with namespaces `wallet-sandbox` and `wallet-live`. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts it; stop it in `afterAll`. */
export async function startTestTemporal(): Promise<TestTemporal> {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-test-temporal-'));
  const { path } = await findTemporal(readStartConfig(), console.log);
  const { address, stop } = await startTemporal({
    binary: path,
    port: 0,
    uiPort: null,
    dbFile: null,
    namespaces: ['wallet-sandbox', 'wallet-live'],
    logFile: join(folder, 'log'),
  });
  return {
    address,
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
