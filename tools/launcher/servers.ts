/** Starts Postgres or Temporal on this machine, and waits until it is ready. */
import { StartError } from '../../src/administration/project';
import { lastWords } from './log';
import { freePort, isFree } from './ports';
import { startGuarded, within, type GuardedOrder, type RunningProcess } from './processes';

/** On a busy machine a server may read its files for a minute; a crashed Postgres reads its log first. */
const READY_WITHIN_MS = 120_000;
const BIND_ATTEMPTS = 3;
/**
 * A server that is just coming up may take a question and never answer it, so the first look is short and the next ones are
 * longer: a busy machine gets its answer, too.
 */
const LOOK_MS = { first: 250, longest: 5_000 };

/** How a server is run, but for its log. */
export type ServerCommand = Omit<GuardedOrder, 'logFile'>;

/** On 127.0.0.1. */
export interface ServerPorts {
  readonly port: number;
  /** Of the server's web page; null when it has none. */
  readonly uiPort: number | null;
}

export interface ServerOrder {
  /** For messages: `Postgres`. */
  readonly name: string;
  /** For each port, 0 takes a free one. */
  readonly ports: ServerPorts;
  readonly command: (ports: ServerPorts) => ServerCommand;
  /** Whether the server on `port` answers as it should within `withinMs`. An error counts as no. */
  readonly isReady: (port: number, withinMs: number) => Promise<boolean>;
  readonly logFile: string;
}

export type RunningServer = RunningProcess & ServerPorts;

/**
 * Starts a server and answers when it is ready. Another program may take a free port before the server does; then
 * the server is started on other ports.
 * @throws StartError with the server's last words when it does not come up.
 */
export async function startServer(order: ServerOrder): Promise<RunningServer> {
  const { name, ports: asked, logFile } = order;
  for (let attempt = 1; ; attempt += 1) {
    const port = asked.port || (await freePort());
    const uiPort = asked.uiPort === 0 ? await freePort() : asked.uiPort;
    const server = startGuarded({ ...order.command({ port, uiPort }), logFile });
    if (await isUp(server, (withinMs) => order.isReady(port, withinMs))) return { ...server, port, uiPort };
    await server.stop();
    const isLost = !(await isFree(port)) || (uiPort !== null && !(await isFree(uiPort)));
    const choseAPort = asked.port === 0 || asked.uiPort === 0;
    if (isLost && choseAPort && attempt < BIND_ATTEMPTS) continue;
    throw new StartError(`${name} did not start on port ${String(port)}: ${lastWords(logFile)}`);
  }
}

/** Asks until the server is ready. @returns false when it ended or took too long. */
async function isUp(
  server: RunningProcess,
  isReady: (withinMs: number) => Promise<boolean>,
): Promise<boolean> {
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  let withinMs = LOOK_MS.first;
  while (Date.now() < giveUpAt) {
    const lookedAt = performance.now();
    if (await isReady(withinMs).catch(() => false)) return true;
    // One that was refused at once needs no longer look. Half of the time is asked, because timers may end a little early.
    if (performance.now() - lookedAt >= withinMs / 2) withinMs = Math.min(2 * withinMs, LOOK_MS.longest);
    if ((await within(server.ended, 20, null)) !== null) return false;
  }
  return false;
}
