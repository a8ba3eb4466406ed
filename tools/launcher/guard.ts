/**
 * Starts a server under `scripts/guard.mjs`, so that it ends with us even when we are killed (R30). The
 * guard lives in a session of its own: Ctrl-C reaches us alone, and we choose the order of stopping.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { childEnvironment } from '../../src/runtime/config';
import { projectFolder } from '../../src/administration/project';

type Guard = ChildProcessByStdio<Writable, Readable, null>;

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The account that the server runs as; ours when absent. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  readonly environment: Record<string, string>;
  /** Emptied at each start. */
  readonly logFile: string;
  readonly stopSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** How long the server may take to stop before it is killed. */
  readonly graceMs: number;
}

export interface GuardedServer {
  readonly pid: number;
  readonly guardPid: number;
  /** Becomes true when the server has ended, for whatever reason. */
  hasEnded(): boolean;
  readonly ended: Promise<void>;
  /** Stops the server and returns when it is gone. May be called again. */
  stop(): Promise<void>;
}

/**
 * Starts `server` and answers once it runs (not: once it is ready). It does not keep our process alive.
 * @throws Error when the command cannot be run.
 */
export async function startGuarded(server: ServerCommand): Promise<GuardedServer> {
  const { command, args, cwd, account, stopSignal, graceMs } = server;
  const order = JSON.stringify({ command, args, cwd, ...account, stopSignal, graceMs });
  const log = openSync(server.logFile, 'w', 0o600);
  const script = join(projectFolder(), 'scripts', 'guard.mjs');
  const guard = spawn(process.execPath, [script, order], {
    stdio: ['pipe', 'pipe', log],
    detached: true,
    windowsHide: true,
    env: childEnvironment(server.environment),
  }) as Guard;
  closeSync(log);

  let ended = false;
  const gone = new Promise<void>((resolve) => {
    guard.once('exit', () => {
      ended = true;
      resolve();
    });
  });
  // Writing to a guard that has just ended is no news.
  guard.stdin.on('error', () => undefined);

  const pid = await readPid(guard, command);
  keepAlive(guard, false);
  return {
    pid,
    guardPid: guard.pid as number,
    hasEnded: () => ended,
    ended: gone,
    stop: async () => {
      if (ended) return;
      keepAlive(guard, true);
      guard.stdin.end();
      await gone;
    },
  };
}

/** The last lines of a server's log, for an error message. */
export function lastLines(logFile: string, count = 12): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}

/** The guard's first line says how it went; it writes no other. */
function readPid(guard: Guard, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      reject(new Error(`cannot run ${command}: ${why}`));
    };
    let text = '';
    guard.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (!text.endsWith('\n')) return;
      const told = JSON.parse(text) as { pid: number } | { error: string };
      if ('pid' in told) resolve(told.pid);
      else fail(told.error);
    });
    guard.once('error', (error) => {
      fail(error.message);
    });
    guard.once('exit', () => {
      fail('its guard ended at once');
    });
  });
}

function keepAlive(guard: Guard, alive: boolean): void {
  const held = alive ? 'ref' : 'unref';
  guard[held]();
  // Pipes of a child are sockets, which the types do not say.
  for (const pipe of [guard.stdin, guard.stdout] as unknown as Socket[]) pipe[held]();
}
