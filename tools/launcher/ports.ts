/** Local TCP ports: is one free, give me a free one, who holds this one, and which ones a sandbox takes. */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { StartError } from '../../src/administration/project';

const LOOPBACK = '127.0.0.1';

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const port = await tryListen(0, LOOPBACK);
  if (port === undefined) throw new Error('the system gives out no port');
  return port;
}

/** Whether a server of ours could listen on `port` of `host`. */
export async function isFree(port: number, host = LOOPBACK): Promise<boolean> {
  return (await tryListen(port, host)) !== undefined;
}

/** Whether somebody listens there: a connection is made and closed. */
export function accepts(host: string, port: number, timeoutMs = 1_000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const answer = (accepted: boolean) => () => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', answer(true)).once('error', answer(false)).once('timeout', answer(false));
  });
}

/** A port that one part of the sandbox listens on. */
export interface WantedPort {
  /** What was asked for; 0 when nothing was. */
  readonly asked: number;
  /** What is taken when nothing was asked for and it is free; 0 for no preference. */
  readonly preferred: number;
  /** A person relies on the asked port; otherwise another one may be taken, because its address is printed. */
  readonly isFirm: boolean;
  readonly host?: string;
}

/**
 * Chooses a port for each variable: the asked one, else the preferred one, else any, and no port twice.
 * @param wanted by the variable that asks for it, the firm ones first.
 * @throws StartError when two variables ask for one port, or a firm one is taken by another program.
 */
export async function choosePorts<Variable extends string>(
  wanted: Readonly<Record<Variable, WantedPort>>,
): Promise<Record<Variable, number>> {
  const chosen = new Map<number, string>();
  const ports: [string, number][] = [];
  const rows = Object.entries<WantedPort>(wanted).sort(([, one], [, other]) => weight(one) - weight(other));
  for (const [variable, { asked, preferred, isFirm, host }] of rows) {
    const isAsked = isFirm && asked !== 0;
    const other = chosen.get(asked);
    if (isAsked && other !== undefined) {
      throw new StartError(`${other} and ${variable} are both ${String(asked)}. Give each a port of its own`);
    }
    if (isAsked) await assertFree(variable, asked, host);
    const wish = asked === 0 ? preferred : asked;
    const port =
      isAsked || (wish !== 0 && !chosen.has(wish) && (await isFree(wish, host)))
        ? wish
        : await another(chosen);
    chosen.set(port, variable);
    ports.push([variable, port]);
  }
  return Object.fromEntries(ports) as Record<Variable, number>;
}

/** Ports that somebody named are given out first, because nothing else may take them. */
const weight = ({ isFirm, asked }: WantedPort): number => (isFirm && asked !== 0 ? 0 : 1);

async function another(chosen: ReadonlyMap<number, string>): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (!chosen.has(port)) return port;
  }
}

/** @throws StartError naming the holder of `port` (where it can be seen) and the command with the next port. */
export async function assertFree(variable: string, port: number, host = LOOPBACK): Promise<void> {
  if (await isFree(port, host)) return;
  const holder = portHolder(port);
  const who = holder === undefined ? '' : ` (pid ${String(holder.pid)} ${holder.name})`;
  throw new StartError(
    `Port ${String(port)} is in use${who}. ${variable}=${String(nextPort(port))} npm start`,
  );
}

/** The process that listens on `port`: known on Linux, for processes that we may look at. */
export function portHolder(port: number): { pid: number; name: string } | undefined {
  const sockets = listeningSockets(port);
  if (sockets.size === 0) return undefined;
  for (const pid of list('/proc').filter((name) => /^\d+$/.test(name))) {
    const links = list(`/proc/${pid}/fd`).map((fd) => attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)));
    if (!links.some((link) => link !== undefined && sockets.has(link))) continue;
    const name = attempt(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) ?? '';
    return { pid: Number(pid), name };
  }
  return undefined;
}

/** Lines of /proc/net/tcp: `sl local_address rem_address st ... inode`; state 0A listens. */
function listeningSockets(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['/proc/net/tcp', '/proc/net/tcp6']
    .map((file) => attempt(() => readFileSync(file, 'utf8')) ?? '')
    .flatMap((text) => text.split('\n').map((line) => line.trim().split(/\s+/)));
  return new Set(
    lines
      .filter((fields) => fields[1]?.endsWith(suffix) === true && fields[3] === '0A')
      .map((fields) => `socket:[${fields[9] ?? ''}]`),
  );
}

function nextPort(port: number): number {
  return port < 65_535 ? port + 1 : port - 1;
}

function tryListen(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' ? address?.port : undefined);
      });
    });
  });
}

/** Processes end while we look at them; what cannot be read is not there. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function list(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}
