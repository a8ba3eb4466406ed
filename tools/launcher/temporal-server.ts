/** Temporal's dev server for `npm start` and the end-to-end tests: our namespaces, our search attributes. */
import { SEARCH_ATTRIBUTES } from '../../src/domain/search-attributes';
import { startServer, type RunningServer, type ServerCommand, type ServerPorts } from './servers';
import { hiddenHost, openDoor } from './temporal-page';
import { isServing } from './temporal-look';

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
  const host = hiddenHost();
  const server = await startServer({
    name: 'Temporal',
    // The port of the page that was asked for is that of its door.
    ports: { port: options.port, uiPort: options.uiPort === null ? null : 0 },
    command: (ports) => temporalCommand(options, ports, host),
    isReady: (port, withinMs) => isServing(port, options.namespaces, withinMs),
    logFile: options.logFile,
  });
  const { port, uiPort } = server;
  const running = { ...server, address: `127.0.0.1:${String(port)}` };
  if (options.uiPort === null || uiPort === null) return { ...running, uiUrl: null };
  const door = await openDoor(options.uiPort, { host, port: uiPort }).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  // A server that ends by itself is started anew, with a door of its own at the same port.
  void server.ended.then(door.close);
  return {
    ...running,
    uiPort: door.port,
    uiUrl: `http://localhost:${String(door.port)}`,
    async stop() {
      door.close();
      await server.stop();
    },
  };
}

function temporalCommand(
  options: TemporalOptions,
  { port, uiPort }: ServerPorts,
  uiHost: string,
): ServerCommand {
  return {
    command: options.binary,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
      ...['--log-level', 'warn', '--log-format', 'pretty'],
      ...(uiPort === null ? ['--headless'] : ['--ui-ip', uiHost, '--ui-port', String(uiPort)]),
      ...options.namespaces.flatMap((namespace) => ['--namespace', namespace]),
      ...SEARCH_ATTRIBUTES.flatMap(({ name, type }) => ['--search-attribute', `${name}=${type}`]),
      ...DYNAMIC_CONFIG.flatMap((value) => ['--dynamic-config-value', value]),
      ...(options.dbFile === null ? [] : databaseFlags(options.dbFile)),
    ],
    environment: {},
    // An orderly end takes a second, and only a server with a database file needs it.
    stopSignal: options.dbFile === null ? 'SIGKILL' : 'SIGTERM',
    graceSeconds: 5,
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
