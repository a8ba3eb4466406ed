/** Temporal's dev server for `npm start` and the end-to-end tests: our namespaces, our search attributes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../src/domain/search-attributes';
import { servesNamespace } from '../../src/runtime/temporal-health';
import { StartError } from '../../src/administration/project';
import { lastWords, startGuarded, type GuardedServer } from './guard';
import { accepts, freePort, isFree } from './ports';

/** A busy machine may take a minute over the SQLite file alone. */
const READY_WITHIN_MS = 120_000;
const ANSWER_WITHIN_MS = 5_000;
const BIND_ATTEMPTS = 3;

export interface TemporalOptions {
  /** Path of the `temporal` program. */
  readonly binary: string;
  /** On 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** 0 takes a free one; null runs no web page. */
  readonly uiPort: number | null;
  /** SQLite file; null keeps everything in memory. */
  readonly dbFile: string | null;
  readonly namespaces: readonly string[];
  readonly logFile: string;
}

export interface RunningTemporal {
  /** `host:port`, as clients want it. */
  readonly address: string;
  readonly uiUrl: string | null;
  readonly pid: number;
  /** Says how the server ended, once it has. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the dev server and answers when every namespace is served and knows its search attributes.
 * @throws StartError with the server's last words when it does not come up.
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port === 0 ? await freePort() : options.port;
    const uiPort = options.uiPort === 0 ? await freePort() : options.uiPort;
    const address = `127.0.0.1:${String(port)}`;
    const server = await launch(options, port, uiPort);
    if (await isReady(server, port, options.namespaces)) {
      const uiUrl = uiPort === null ? null : `http://localhost:${String(uiPort)}`;
      return { address, uiUrl, pid: server.pid, ended: server.ended, stop: () => server.stop() };
    }
    await server.stop();
    const isLost = !(await isFree(port)) || (uiPort !== null && !(await isFree(uiPort)));
    const choseAPort = options.port === 0 || options.uiPort === 0;
    if (isLost && choseAPort && attempt < BIND_ATTEMPTS) continue;
    throw new StartError(`Temporal did not start on ${address}: ${lastWords(options.logFile)}`);
  }
}

/** Whether a dev server on `port` serves all namespaces now. */
export async function isServing(port: number, namespaces: readonly string[]): Promise<boolean> {
  const connection = await connect(port);
  try {
    const served = namespaces.map((namespace) => servesNamespace(connection, namespace, ANSWER_WITHIN_MS));
    return (await Promise.all(served)).every(Boolean);
  } finally {
    await connection.close();
  }
}

function launch(options: TemporalOptions, port: number, uiPort: number | null): Promise<GuardedServer> {
  return startGuarded({
    command: options.binary,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
      ...['--log-level', 'warn', '--log-format', 'pretty'],
      ...(uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)]),
      ...options.namespaces.flatMap((namespace) => ['--namespace', namespace]),
      ...SEARCH_ATTRIBUTES.flatMap(({ name, type }) => ['--search-attribute', `${name}=${type}`]),
      ...DYNAMIC_CONFIG.flatMap((value) => ['--dynamic-config-value', value]),
      ...(options.dbFile === null ? [] : databaseFlags(options.dbFile)),
    ],
    cwd: '/',
    environment: {},
    logFile: options.logFile,
    // An orderly end takes a second; with nothing to keep there is nothing to put in order.
    stopSignal: options.dbFile === null ? 'SIGKILL' : 'SIGTERM',
    graceMs: 5_000,
  });
}

const DYNAMIC_CONFIG = [
  // One partition of each task queue, instead of four: with few workers a task could wait for seconds in a partition
  // where nobody polls just then.
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  // Each API process has at most eight messages to one workflow under way (src/relay/messages.ts); ten would be
  // refused as soon as there are two processes.
  'history.maxInFlightUpdates=64',
  // An activity whose worker is the one that asked for it is handed to it at once: half the time of a compliance step.
  'system.enableActivityEagerExecution=true',
] as const;

/** A sandbox may lose its last moments in a power cut; it may not be slow. */
function databaseFlags(dbFile: string): string[] {
  return [
    ...['--db-filename', dbFile],
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=off'],
  ];
}

async function isReady(server: GuardedServer, port: number, namespaces: readonly string[]): Promise<boolean> {
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (!server.hasEnded() && Date.now() < giveUpAt) {
    // A gRPC channel that was refused once waits a second before it looks again.
    const isUp = (await accepts('127.0.0.1', port)) && (await knowsAll(port, namespaces).catch(() => false));
    if (isUp && (await isServing(port, namespaces).catch(() => false))) return true;
    await sleep(20);
  }
  return false;
}

async function knowsAll(port: number, namespaces: readonly string[]): Promise<boolean> {
  const connection = await connect(port);
  try {
    for (const namespace of namespaces) {
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
      if (!SEARCH_ATTRIBUTES.every(({ name }) => name in customAttributes)) return false;
    }
    return true;
  } finally {
    await connection.close();
  }
}

/** The client's own interceptor would try again for 20 s, without looking whether the server still lives. */
const connect = (port: number): Promise<Connection> =>
  Connection.connect({ address: `127.0.0.1:${String(port)}`, connectTimeout: 1_000, interceptors: [] });
