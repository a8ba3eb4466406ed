/** Local TCP ports: whether one is free, which program holds it, and which ones a sandbox takes. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { StartError } from '../../src/administration/project';

const LOOPBACK = '127.0.0.1';

/**
 * No system gives ports of this range to connections, so a port that is free now is free until its server listens.
 * Otherwise any program that opens a connection meanwhile could take it.
 */
const FREE_PORTS = [20_000, 32_768] as const;
const TRIES_MAX = 100;

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(...FREE_PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error(`of ${String(TRIES_MAX)} ports none is free`);
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
  /** What is taken when nothing was asked for and it is free. */
  readonly preferred?: number;
  /** A person relies on the asked port; otherwise another port may be taken, because its address is printed. */
  readonly isFirm: boolean;
  readonly host?: string;
}

/**
 * Chooses a port for each variable: the asked one, else the preferred one, else any, and no port twice. Another start
 * of this machine gets none of them as long as this process runs, although nobody listens there for some seconds.
 * @throws StartError when two variables ask for one port, or a firm one is taken by another program or start.
 */
export async function choosePorts<Variable extends string>(
  wanted: Readonly<Record<Variable, WantedPort>>,
): Promise<Record<Variable, number>> {
  const chosen = new Map<number, string>();
  const rows = Object.entries<WantedPort>(wanted);
  // The ports that a person relies on are given out first, because nothing else may take them.
  const isAsked = ({ isFirm, asked }: WantedPort): boolean => isFirm && asked !== 0;
  for (const [variable, { asked, host }] of rows.filter(([, port]) => isAsked(port))) {
    const other = chosen.get(asked);
    if (other !== undefined) {
      throw new StartError(`${other} and ${variable} are both ${String(asked)}. Give each a port of its own`);
    }
    const isOurs = await reserve(asked);
    await assertFree(variable, asked, host);
    if (!isOurs) {
      const remedy = `${variable}=${String(neighbourOf(asked))} npm start`;
      throw new StartError(`Port ${String(asked)} is about to be used by another npm start. ${remedy}`);
    }
    chosen.set(asked, variable);
  }
  for (const [variable, { asked, preferred = 0, host }] of rows.filter(([, port]) => !isAsked(port))) {
    let port = asked || preferred;
    while (port === 0 || chosen.has(port) || !(await isFree(port, host)) || !(await reserve(port))) {
      port = await freePort();
    }
    chosen.set(port, variable);
  }
  return Object.fromEntries([...chosen].map(([port, variable]) => [variable, port])) as Record<
    Variable,
    number
  >;
}

/**
 * Reserves a TCP port among the starts of this machine until this process ends, however it ends. The sign is a UDP
 * socket of the same number: our servers use TCP only, so it is in nobody's way.
 * @returns false when another start has it.
 */
async function reserve(port: number): Promise<boolean> {
  const sign = createSocket('udp4').unref();
  try {
    sign.bind({ port, address: LOOPBACK, exclusive: true });
    await once(sign, 'listening');
    return true;
  } catch {
    sign.close();
    return false;
  }
}

/** @throws StartError naming the holder of `port` (where it can be seen) and the command with the next port. */
export async function assertFree(variable: string, port: number, host = LOOPBACK): Promise<void> {
  if (await isFree(port, host)) return;
  const holder = portHolder(port);
  const who = holder === undefined ? '' : ` (pid ${String(holder.pid)} ${holder.name})`;
  const remedy = `${variable}=${String(neighbourOf(port))} npm start`;
  throw new StartError(`Port ${String(port)} is in use${who}. ${remedy}`);
}

const neighbourOf = (port: number): number => (port < 65_535 ? port + 1 : port - 1);

/** The process that listens on `port`, as `lsof` knows it; undefined where there is no such program, or nobody. */
export function portHolder(port: number): { pid: number; name: string } | undefined {
  const { stdout } = spawnSync('lsof', ['-nP', `-iTCP:${String(port)}`, '-sTCP:LISTEN', '-Fpc'], {
    encoding: 'utf8',
  });
  const [, pid, name] = /^p(\d+)\nc(.*)$/m.exec(stdout) ?? [];
  return pid === undefined || name === undefined ? undefined : { pid: Number(pid), name };
}

/** Whether a server of ours could listen on `port` of `host`. */
export async function isFree(port: number, host = LOOPBACK): Promise<boolean> {
  const server = createServer().listen({ port, host, exclusive: true });
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
