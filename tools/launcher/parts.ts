/** How each part of the sandbox is started and checked, in the order in which the parts come up. */
import { join } from 'node:path';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { serverFacts } from '../../src/db/pg/cluster';
import { setUpDatabase } from '../../src/db/upkeep/set-up';
import {
  areaUrl,
  databaseUrl,
  migrateUrls,
  passwordIn,
  type DatabaseUrls,
} from '../../src/runtime/database-urls';
import { AREAS, type Area } from '../../src/runtime/logins';
import { StartError, projectFolder } from '../../src/administration/project';
import type { StartConfig } from '../../src/runtime/config';
import { ask } from './ask';
import { startPostgres, type RunningPostgres } from './embedded-postgres';
import { accepts } from './ports';
import { seconds, shown, type Printer } from './print';
import { standBy, startProcess } from './processes';
import { untilReady } from './readiness';
import { postgresHome, type Folder } from './start-settings';
import type { Part, Supervisor } from './supervisor';
import { findTemporal } from './temporal-binary';
import { isServing } from './temporal-look';
import { startTemporal, type RunningTemporal } from './temporal-server';

export const NAMESPACES = ['wallet-sandbox', 'wallet-live'] as const;
/** The worker loads a bundle and a native library and waits for Temporal, which takes long on a busy machine. */
const PROCESS_READY_WITHIN_MS = 180_000;
/** The supervisor has its own, shorter limit. */
const ANSWER_WITHIN_MS = 10_000;
/** While a person waits, a line at this interval says which part is slow. */
const TELL_EVERY_MS = 10_000;

export interface Start {
  readonly settings: StartConfig;
  readonly folder: Folder;
  readonly print: Printer;
  readonly supervisor: Supervisor;
  /** Aborted when the start is interrupted. */
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
  const dataDir = postgresHome(folder.path);
  const part: Part<RunningPostgres> = {
    name: 'Postgres',
    start: () => startPostgres({ dataDir, port, durable: true, say: print.note, signal }),
    isWell: ({ url }) => serverFacts(url, ANSWER_WITHIN_MS).then(() => true),
  };
  const server = await told(print, part.name, () => supervisor.bring(part));
  const detail = `embedded, ${shown(server.folder)}, 127.0.0.1:${String(server.port)}`;
  print.done(`Postgres ${server.version}`, detail, startedAt);
  return server.url;
}

/** Makes the logins, as an administrator does in production, and brings the schemas to the current shape. */
export async function bringSchema({ settings, print }: Start, urls: DatabaseUrls): Promise<void> {
  const startedAt = Date.now();
  const areasOf = new Map<string, Area[]>();
  for (const area of AREAS) {
    const administrator = areaUrl(urls, area);
    if (administrator !== undefined)
      areasOf.set(administrator, [...(areasOf.get(administrator) ?? []), area]);
  }
  // One after the other, because two databases may be on one server, which has their logins in common.
  for (const [administrator, areas] of areasOf)
    await setUpDatabase(administrator, areas, (login) => passwordIn(databaseUrl(urls, login)));
  const { applied, newer } = await migrateDatabase(migrateUrls(urls), settings.CELLS_PER_ENVIRONMENT);
  const nothing = newer.length > 0 ? 'those of a newer version' : 'up to date';
  print.done('Migrations', applied === 0 ? nothing : `${String(applied)} applied`, startedAt);
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
  const part: Part<RunningTemporal> = {
    name: 'Temporal',
    start: () => startTemporal({ binary: binary.path, ...ports, dbFile, namespaces: NAMESPACES, logFile }),
    isWell: ({ port }) => isServing(port, NAMESPACES),
  };
  const { address, uiUrl } = await told(print, part.name, () => supervisor.bring(part));
  print.done(`Temporal ${binary.version}`, `dev server ${address}, ${shown(dbFile)}`, startedAt);
  return { address, uiUrl };
}

/**
 * What a program of the sandbox is started with. The C library keeps what was freed for later use, more of it the larger a
 * freed piece was; with fixed limits, which are those that it begins with, it gives back what the start of the worker took: 20 MB.
 */
const STARTED_WITH: Readonly<Record<ProgramName, Record<string, string>>> = {
  API: {},
  Worker: { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' },
};

/** One of the two built programs. */
type ProgramName = 'API' | 'Worker';

/** Loads one of the two programs while what it needs comes up. @returns what lets it run, for `bringProcess`. */
export function loadProcess({ folder }: Start, name: ProgramName): ReturnType<typeof standBy> {
  const launcher = join(projectFolder(), 'dist', 'tools', 'launcher');
  const order = orderOf(folder, name);
  const preload = join(launcher, 'use-pack.js');
  return standBy({
    ...order,
    entry: join(launcher, 'standby.js'),
    args: [order.entry],
    environment: STARTED_WITH[name],
    preload,
  });
}

/**
 * Runs one of the two programs, the first time as it was loaded. Answers when the program says on `/ready` that it should
 * get work.
 */
export async function bringProcess(
  { folder, print, supervisor }: Start,
  which: { name: ProgramName; detail: string; operatorPort: number },
  loaded: ReturnType<typeof standBy>,
  environment: Record<string, string>,
): Promise<void> {
  const startedAt = Date.now();
  const { name } = which;
  const order = { ...orderOf(folder, name), environment: { ...STARTED_WITH[name], ...environment } };
  const probes = `http://127.0.0.1:${String(which.operatorPort)}`;
  let isFirst = true;
  const part: Part = {
    name,
    start() {
      if (!isFirst) return startProcess(order);
      isFirst = false;
      return loaded(environment);
    },
    // The process answers here even while it waits for Postgres or Temporal.
    isWell: () => ask(`${probes}/live`).then(({ status }) => status === 200),
  };
  await told(print, name, async () => {
    await supervisor.bring(part);
    await untilReady(name, probes, PROCESS_READY_WITHIN_MS);
  });
  print.done(name, which.detail, startedAt);
}

function orderOf(folder: Folder, name: ProgramName) {
  const kind = name.toLowerCase();
  return {
    name,
    entry: join(projectFolder(), 'dist', 'src', kind, 'main.js'),
    logFile: join(folder.logs, `${kind}.log`),
    readyWithinMs: PROCESS_READY_WITHIN_MS,
  };
}

/** Does what brings a part, and says now and then that it is still waited for. */
async function told<Result>(print: Printer, name: string, bring: () => Promise<Result>): Promise<Result> {
  const startedAt = Date.now();
  const teller = setInterval(() => {
    const waited = seconds(Date.now() - startedAt);
    print.note(`${name} is slow to start on this machine; still waiting (${waited})`);
  }, TELL_EVERY_MS);
  try {
    return await bring();
  } finally {
    clearInterval(teller);
  }
}

function hostOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
