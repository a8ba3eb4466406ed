/** The parts of the sandbox, in the order in which they come up, each with how it is started and looked at. */
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { serverFacts } from '../../src/db/pg/cluster';
import { StartError, projectFolder } from '../../src/administration/project';
import type { StartConfig } from '../../src/runtime/config';
import { startPostgres } from './embedded-postgres';
import { accepts } from './ports';
import { seconds, type Printer } from './print';
import { startProcess } from './processes';
import type { Folder } from './start-settings';
import type { Part, Supervisor } from './supervisor';
import { findTemporal } from './temporal-binary';
import { isServing, startTemporal } from './temporal-server';

export const NAMESPACES = ['wallet-sandbox', 'wallet-live'] as const;
/** The worker loads a bundle and a native library, and waits for Temporal; all of that takes its time. */
const PROCESS_READY_WITHIN_MS = 180_000;
/** A person who waits longer than this is told what for. */
const TELL_EVERY_MS = 10_000;

export interface Start {
  readonly settings: StartConfig;
  readonly folder: Folder;
  readonly print: Printer;
  readonly supervisor: Supervisor;
  /** The start is interrupted. */
  readonly signal: AbortSignal;
}

/** Our own Postgres on `port`, or that of DATABASE_URL. @returns its address. */
export async function bringPostgres(start: Start, port: number): Promise<string> {
  const { settings, folder, print, supervisor, signal } = start;
  if (settings.DATABASE_URL !== undefined) {
    print.done('Postgres', `${hostOf(settings.DATABASE_URL)} (DATABASE_URL)`);
    return settings.DATABASE_URL;
  }
  const startedAt = Date.now();
  const dataDir = join(folder.path, 'pg');
  const launch = () => startPostgres({ dataDir, port, durable: true, say: print.note, signal });
  const server = await told(print, 'Postgres', launch());
  const log = shown(join(server.folder, 'log'));
  const first = [server];
  await supervisor.bring({
    name: 'Postgres',
    log,
    start: async () => first.pop() ?? launch(),
    isWell: () => serverFacts(server.url, TELL_EVERY_MS).then(() => true),
  });
  const detail = `embedded, ${shown(server.folder)}, 127.0.0.1:${String(server.port)}`;
  print.done(`Postgres ${server.version}`, detail, startedAt);
  return server.url;
}

/** Brings the database to the current shape. */
export async function bringSchema({ settings, print }: Start, databaseUrl: string): Promise<void> {
  const startedAt = Date.now();
  const { applied } = await migrateDatabase(databaseUrl, settings.CELLS_PER_ENVIRONMENT);
  print.done('Migrations', applied === 0 ? 'up to date' : `${String(applied)} applied`, startedAt);
}

/** Our own Temporal, or that of TEMPORAL_ADDRESS. */
export async function bringTemporal(
  { settings, folder, print, supervisor, signal }: Start,
  ports: { port: number; uiPort: number },
): Promise<{ address: string; uiUrl: string | null }> {
  const startedAt = Date.now();
  const given = settings.TEMPORAL_ADDRESS;
  if (given !== undefined) {
    const { hostname, port } = new URL(`http://${given}`);
    if (!(await accepts(hostname, Number(port), 5_000))) {
      throw new StartError(`TEMPORAL_ADDRESS=${given} does not answer. Start it, or unset the variable`);
    }
    print.done('Temporal', `${given} (TEMPORAL_ADDRESS)`, startedAt);
    return { address: given, uiUrl: null };
  }
  const binary = await findTemporal(settings, print.note, { signal });
  const logFile = join(folder.logs, 'temporal.log');
  const dbFile = join(folder.path, 'temporal.db');
  const address = `127.0.0.1:${String(ports.port)}`;
  const launch = () =>
    startTemporal({ binary: binary.path, ...ports, dbFile, namespaces: NAMESPACES, logFile });
  const part: Part = {
    name: 'Temporal',
    log: shown(logFile),
    start: launch,
    isWell: () => isServing(ports.port, NAMESPACES),
  };
  await told(print, 'Temporal', supervisor.bring(part));
  print.done(`Temporal ${binary.version}`, `dev server ${address}, ${shown(dbFile)}`, startedAt);
  return { address, uiUrl: `http://localhost:${String(ports.uiPort)}` };
}

/** Runs one of the two built programs. Answers when it serves. */
export async function bringProcess(
  { folder, print, supervisor }: Start,
  which: { name: 'API' | 'Worker'; detail: string; operatorPort: number },
  environment: Record<string, string>,
): Promise<void> {
  const startedAt = Date.now();
  const { name } = which;
  const kind = name.toLowerCase();
  const logFile = join(folder.logs, `${kind}.log`);
  const entry = join(projectFolder(), 'dist', 'src', kind, 'main.js');
  const order = { name, entry, environment, logFile, readyWithinMs: PROCESS_READY_WITHIN_MS };
  const part: Part = {
    name,
    log: shown(logFile),
    start: () => startProcess(order),
    // The process itself answers here, whatever it waits for.
    isWell: () => fetch(`http://127.0.0.1:${String(which.operatorPort)}/live`).then((answer) => answer.ok),
  };
  await told(print, name, supervisor.bring(part));
  print.done(name, which.detail, startedAt);
}

/** Waits for a part, and says now and then that it is still waited for. */
async function told<Result>(print: Printer, name: string, work: Promise<Result>): Promise<Result> {
  const startedAt = Date.now();
  const done = new AbortController();
  void (async () => {
    for (;;) {
      await sleep(TELL_EVERY_MS, undefined, { signal: done.signal });
      print.note(
        `${name} is slow to start on this machine; still waiting (${seconds(Date.now() - startedAt)})`,
      );
    }
  })().catch(() => undefined);
  try {
    return await work;
  } finally {
    done.abort();
  }
}

/** A path as a person in the project folder would type it. */
export function shown(path: string): string {
  const inside = relative(projectFolder(), path);
  return inside.startsWith('..') ? path : inside;
}

function hostOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
