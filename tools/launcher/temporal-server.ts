/** Temporal's dev server for `npm start` and the end-to-end tests: our namespaces, our search attributes. */
import type * as TemporalClient from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../src/domain/search-attributes';
import type * as TemporalHealth from '../../src/runtime/temporal-health';
import { accepts } from './ports';
import { startServer, type RunningServer, type ServerCommand, type ServerPorts } from './servers';

const ANSWER_WITHIN_MS = 5_000;

/** For each port, 0 takes a free one. */
export interface TemporalOptions extends ServerPorts {
  /** Path of the `temporal` program. */
  readonly binary: string;
  /** SQLite file; null keeps everything in memory. */
  readonly dbFile: string | null;
  readonly namespaces: readonly string[];
  readonly logFile: string;
}

export interface RunningTemporal extends RunningServer {
  /** `host:port`, as clients want it. */
  readonly address: string;
  readonly uiUrl: string | null;
}

/**
 * Starts the dev server and answers when every namespace is served and knows its search attributes.
 * @throws StartError with the server's last words when it does not come up.
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const server = await startServer({
    name: 'Temporal',
    ports: options,
    command: (ports) => temporalCommand(options, ports),
    isReady: (port) => isServing(port, options.namespaces),
    logFile: options.logFile,
  });
  const { port, uiPort } = server;
  const uiUrl = uiPort === null ? null : `http://localhost:${String(uiPort)}`;
  return { ...server, address: `127.0.0.1:${String(port)}`, uiUrl };
}

interface TemporalParts {
  readonly Connection: typeof TemporalClient.Connection;
  readonly servesNamespace: typeof TemporalHealth.servesNamespace;
}
let parts: TemporalParts | undefined;

/** What asks Temporal. It is loaded late: when servers are starting, programs load what they need at the same time. */
export function temporalClient(): TemporalParts {
  if (parts === undefined) {
    // oxlint-disable typescript/no-require-imports
    const { Connection } = require('@temporalio/client') as typeof TemporalClient;
    const { servesNamespace } = require('../../src/runtime/temporal-health') as typeof TemporalHealth;
    // oxlint-enable typescript/no-require-imports
    parts = { Connection, servesNamespace };
  }
  return parts;
}

/** Whether a dev server on `port` serves every namespace now, and knows its search attributes. */
export async function isServing(port: number, namespaces: readonly string[]): Promise<boolean> {
  // A gRPC channel that was refused once waits a second before it tries again.
  if (!(await accepts('127.0.0.1', port))) return false;
  const address = `127.0.0.1:${String(port)}`;
  const { Connection, servesNamespace } = temporalClient();
  // Without interceptors: the client's own one would try again for 20 s even when the server has ended.
  const connection = await Connection.connect({ address, connectTimeout: 1_000, interceptors: [] });
  try {
    for (const namespace of namespaces) {
      const list = () => connection.operatorService.listSearchAttributes({ namespace });
      const { customAttributes } = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, list);
      if (!SEARCH_ATTRIBUTES.every(({ name }) => name in customAttributes)) return false;
      if (!(await servesNamespace(connection, namespace, ANSWER_WITHIN_MS))) return false;
    }
    return true;
  } finally {
    await connection.close();
  }
}

function temporalCommand(options: TemporalOptions, { port, uiPort }: ServerPorts): ServerCommand {
  return {
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
    environment: {},
    // An orderly end takes a second, and only a server with a database file needs it.
    stopSignal: options.dbFile === null ? 'SIGKILL' : 'SIGTERM',
    graceMs: 5_000,
  };
}

const DYNAMIC_CONFIG = [
  // One partition of each task queue, instead of four: with few workers a task could wait for seconds in a partition
  // where nobody polls just then.
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  // Each API process has at most eight messages to one workflow under way (src/relay/messages.ts); ten would be
  // refused as soon as there are two processes.
  'history.maxInFlightUpdates=64',
  // An activity goes at once to the worker that asked for it. This halves the time of a compliance step.
  'system.enableActivityEagerExecution=true',
] as const;

/** A sandbox may lose its last seconds in a power cut, but it must not be slow. */
function databaseFlags(dbFile: string): string[] {
  return [
    ...['--db-filename', dbFile],
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=off'],
  ];
}
