/** The parts of the sandbox, in the order in which they come up. Each tells its line and how to stop it. */
import { join, relative } from 'node:path';
import type { StartConfig } from '../../src/runtime/config';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { startPostgres } from './embedded-postgres';
import { giveWay } from './give-way';
import { accepts, choosePort } from './ports';
import type { Printer } from './print';
import { startProcess } from './processes';
import { StartError, projectFolder } from '../../src/administration/project';
import type { Folder } from './start-settings';
import { findTemporal } from './temporal-binary';
import { startTemporal } from './temporal-server';

export const NAMESPACES = ['wallet-sandbox', 'wallet-live'] as const;
/** The worker loads a bundle and a native library; both take their time on a busy machine. */
const PROCESS_READY_WITHIN_MS = 60_000;

export interface Part {
  readonly name: string;
  stop(): Promise<void>;
  /** Says how the part ended, if it ends by itself. */
  readonly ended?: Promise<string>;
}

export interface Start {
  readonly settings: StartConfig;
  readonly folder: Folder;
  readonly print: Printer;
  /** Remembers a part that runs, to be stopped in the end. */
  keep(part: Part): void;
}

/** Our own Postgres, or that of DATABASE_URL. @returns its address. */
export async function bringPostgres({ settings, folder, print, keep }: Start): Promise<string> {
  if (settings.DATABASE_URL !== undefined) {
    print.done('Postgres', `${hostOf(settings.DATABASE_URL)} (DATABASE_URL)`);
    return settings.DATABASE_URL;
  }
  const startedAt = Date.now();
  const port = await choosePort({ variable: 'POSTGRES_PORT', asked: settings.POSTGRES_PORT, preferred: 0 });
  const server = await startPostgres({
    dataDir: join(folder.path, 'pg'),
    port,
    durable: true,
    say: print.note,
  });
  const ended = server.ended?.then(() => `see ${shown(join(server.folder, 'log'))}`);
  keep({ name: 'Postgres', stop: server.stop, ...(ended === undefined ? {} : { ended }) });
  const detail = server.reused
    ? `already running (pid ${String(server.pid)}), reusing`
    : `embedded, ${shown(server.folder)}, 127.0.0.1:${String(server.port)}`;
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
export async function bringTemporal({
  settings,
  folder,
  print,
  keep,
}: Start): Promise<{ address: string; uiUrl: string | null }> {
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
  const binary = await findTemporal(settings, print.note);
  const logFile = join(folder.logs, 'temporal.log');
  const server = await startTemporal({
    binary: binary.path,
    port: await choosePort({ variable: 'TEMPORAL_PORT', asked: settings.TEMPORAL_PORT, preferred: 7233 }),
    uiPort: await choosePort({
      variable: 'TEMPORAL_UI_PORT',
      asked: settings.TEMPORAL_UI_PORT,
      preferred: 8233,
    }),
    dbFile: join(folder.path, 'temporal.db'),
    namespaces: NAMESPACES,
    logFile,
  });
  giveWay(server.pid);
  keep({ name: 'Temporal', stop: server.stop, ended: server.ended.then(() => `see ${shown(logFile)}`) });
  const detail = `dev server ${server.address}, ${shown(join(folder.path, 'temporal.db'))}`;
  print.done(`Temporal ${binary.version}`, detail, startedAt);
  return server;
}

/** Runs one of the two built programs. @returns when it serves. */
export async function bringProcess(
  { folder, print, keep }: Start,
  which: { name: 'API' | 'Worker'; detail: string },
  environment: Record<string, string>,
): Promise<Part> {
  const startedAt = Date.now();
  const kind = which.name.toLowerCase();
  const logFile = join(folder.logs, `${kind}.log`);
  const running = await startProcess({
    name: which.name,
    entry: join(projectFolder(), 'dist', 'src', kind, 'main.js'),
    environment,
    logFile,
    readyWithinMs: PROCESS_READY_WITHIN_MS,
  });
  if (which.name === 'Worker') giveWay(running.pid);
  const ended = running.ended.then((how) => `${how}, see ${shown(logFile)}`);
  const part = { name: which.name, stop: running.stop, ended };
  keep(part);
  print.done(which.name, which.detail, startedAt);
  return part;
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
