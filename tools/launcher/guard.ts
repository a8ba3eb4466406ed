/**
 * Starts a server under `scripts/guard.mjs`, so that it ends with us even when we are killed (R30). The
 * guard lives in a session of its own: Ctrl-C reaches us alone, and we choose the order of stopping.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
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
  /** Begun anew at each start; the one before is kept beside it as `.before`. */
  readonly logFile: string;
  readonly stopSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** How long the server may take to stop before it is killed. */
  readonly graceMs: number;
}

export interface GuardedServer {
  readonly pid: number;
  /** Becomes true when the server has ended, for whatever reason. */
  hasEnded(): boolean;
  /** Says how it ended, once it has: `exit code 1`. */
  readonly ended: Promise<string>;
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
  const log = openLog(server.logFile);
  const script = join(projectFolder(), 'scripts', 'guard.mjs');
  const guard = spawn(process.execPath, [script, order], {
    stdio: ['pipe', 'pipe', log],
    detached: true,
    windowsHide: true,
    env: childEnvironment(server.environment),
  }) as Guard;
  closeSync(log);

  let ended = false;
  const gone = new Promise<string>((resolve) => {
    guard.once('exit', (code, signal) => {
      ended = true;
      resolve(signal ?? `exit code ${String(code)}`);
    });
  });
  // Writing to a guard that has just ended is no news.
  guard.stdin.on('error', () => undefined);

  const pid = await readPid(guard, command);
  keepAlive(guard, false);
  return {
    pid,
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

/** Opens a log for a new run. That of the last run stays beside it: it says why the program was started again. */
export function openLog(logFile: string): number {
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.before`);
  return openSync(logFile, 'w', 0o600);
}

/** The last lines of a server's log. */
const lastLines = (logFile: string, count = 12): string =>
  readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');

/**
 * Why a program ended, in one line of its log: the message of the last failure in our own JSON lines, else the line
 * that speaks of a taken port, else the last one that speaks of an error, else the last line.
 */
export function lastWords(logFile: string): string {
  const lines = lastLines(logFile).split('\n').reverse();
  for (const line of lines) {
    const failure = readFailure(line);
    if (failure !== null) return failure;
  }
  const taken = lines.find((line) => /could not bind|address already in use/i.test(line));
  return taken ?? lines.find((line) => /error|fatal|panic/i.test(line)) ?? lines[0] ?? '';
}

/** A log line of level error or fatal as a sentence; null for any other line. */
function readFailure(line: string): string | null {
  try {
    const { level, msg, err } = JSON.parse(line) as { level: number; msg: string; err?: { message: string } };
    if (level < 50) return null;
    return err === undefined ? msg : `${msg}: ${err.message}`;
  } catch {
    return null;
  }
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
