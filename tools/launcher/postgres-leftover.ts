/**
 * A server that already runs on our data. Either another `npm start` of this folder owns it, or it was left
 * over when its start and its guard were killed; in both cases there is nothing to start.
 */
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverFacts } from '../../src/db/pg/cluster';
import { isAlive, runsCommand } from './pids';

/** Recovery of a crashed cluster, or the orderly end of one whose start has just gone. */
const SETTLE_WITHIN_MS = 20_000;

interface Owner {
  /** The process that asked for the server, and the guard that ends it. */
  readonly starter: number;
  readonly guard: number;
}

export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  readonly version: string;
  /** Ends it, when nobody else uses it. */
  stop(): Promise<void>;
}

/** Notes whose server this is, for the next start. Without a guard, `guardPid` is our own. */
export function rememberOwner(home: string, guardPid: number): void {
  const owner: Owner = { starter: process.pid, guard: guardPid };
  writeFileSync(join(home, 'owner.json'), JSON.stringify(owner), { mode: 0o600 });
}

/**
 * Looks for a running server by its `postmaster.pid`, and waits for one that is coming up or going down.
 * @param urlAt how to ask the server on a port.
 * @returns undefined when there is none; a stale pid file is then removed.
 */
export async function findRunning(
  home: string,
  urlAt: (port: number) => string,
): Promise<RunningServer | undefined> {
  const pidFile = join(home, 'data', 'postmaster.pid');
  const giveUpAt = Date.now() + SETTLE_WITHIN_MS;
  while (existsSync(pidFile)) {
    const { pid, port } = readPidFile(pidFile);
    if (!isAlive(pid)) break;
    if (port !== undefined && !isGoingDown(readOwner(home))) {
      const version = await versionIfOurs(home, urlAt(port));
      if (version !== undefined) return { pid, port, version, stop: adopt(home, pid, pidFile) };
    }
    // Some other program has the number of a server that died, as happens after a restart of the machine.
    if (!runsCommand(pid, 'postgres')) break;
    if (Date.now() > giveUpAt) throw new Error(`Postgres with pid ${String(pid)} does not answer`);
    await sleep(50);
  }
  rmSync(pidFile, { force: true });
  return undefined;
}

/** Lines: pid, data folder, start time, port, socket folder, address. Short while the server writes it. */
function readPidFile(pidFile: string): { pid: number; port: number | undefined } {
  const lines = readFileSync(pidFile, 'utf8').split('\n');
  const port = Number(lines[3]);
  return { pid: Number(lines[0]), port: Number.isInteger(port) && port > 0 ? port : undefined };
}

async function versionIfOurs(home: string, url: string): Promise<string | undefined> {
  try {
    const { version, dataFolder } = await serverFacts(url, 1_000);
    return realpathSync(dataFolder) === realpathSync(join(home, 'data')) ? version : undefined;
  } catch {
    return undefined;
  }
}

function readOwner(home: string): Owner | undefined {
  const file = join(home, 'owner.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Owner) : undefined;
}

/** Its start has gone and its guard still lives: the guard is stopping it at this moment. */
function isGoingDown(owner: Owner | undefined): boolean {
  return owner !== undefined && !isAlive(owner.starter) && isAlive(owner.guard);
}

/** Takes over a server that nobody owns. Answers how to stop it: not at all when somebody else owns it. */
function adopt(home: string, pid: number, pidFile: string): () => Promise<void> {
  const owner = readOwner(home);
  if (owner !== undefined && isAlive(owner.starter)) return () => Promise.resolve();
  rememberOwner(home, process.pid);
  return async () => {
    if (!existsSync(pidFile)) return;
    process.kill(pid, 'SIGINT');
    const giveUpAt = Date.now() + SETTLE_WITHIN_MS;
    while (existsSync(pidFile) && Date.now() < giveUpAt) await sleep(20);
  };
}
