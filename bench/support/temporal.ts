/** Temporal's server for the bench: the same server that `npm start` runs, with its data in a file, too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NAMESPACES } from '../../tools/launcher/parts';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { startTemporal } from '../../tools/launcher/temporal-server';
import { readStartConfig } from '../../src/runtime/config';

export interface BenchTemporal {
  /** `host:port` */
  address: string;
  pid: number;
  /** The client of the bench itself, in the sandbox's namespace. It calls the yardsticks as the API calls ours. */
  client: Client;
  stop(): Promise<void>;
}

export async function openTemporal(): Promise<BenchTemporal> {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-bench-temporal-'));
  const { path: binary } = await findTemporal(readStartConfig(), console.log);
  const server = await startTemporal({
    binary,
    port: 0,
    uiPort: null,
    dbFile: join(folder, 'temporal.db'),
    namespaces: NAMESPACES,
    logFile: join(folder, 'log'),
  });
  return benchTemporal(server, async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** A server that runs, with a client of the bench. @param end stops the server. */
export async function benchTemporal(
  { address, pid }: { address: string; pid: number },
  end: () => Promise<void>,
): Promise<BenchTemporal> {
  const connection = await Connection.connect({ address });
  return {
    address,
    pid,
    client: new Client({ connection, namespace: NAMESPACES[0] }),
    async stop() {
      await connection.close();
      await end();
    },
  };
}
