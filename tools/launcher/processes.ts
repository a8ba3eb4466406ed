/**
 * Runs a program as a child that ends with us: its standard input is a pipe to us, and the kernel closes the pipe even
 * when we are killed (R30). Our own programs end with their standard input, and others have a guard, which ends them. The
 * child has a session of its own, so Ctrl-C reaches only us, and we choose the order in which the programs stop.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../src/runtime/config';
import { StartError, projectFolder } from '../../src/administration/project';
import { lastWords, openLog } from './log';

/** Longer than the time that a guard gives to its server. */
const STOP_WITHIN_MS = 20_000;

export interface ProcessOrder {
  /** For messages: `API`. */
  readonly name: string;
  /** A script that sends `{ ready: true }` when it serves, and ends when its standard input ends. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** A script that runs before it, also in each of its threads. */
  readonly preload?: string;
  /** Added to our own environment. */
  readonly environment: Record<string, string>;
  /** Gets everything that the program prints. Each start begins it anew. */
  readonly logFile: string;
  readonly readyWithinMs: number;
}

/** A program that is not ours. */
export interface GuardedOrder {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to our own environment. */
  readonly environment: Record<string, string>;
  /** The account that the program runs as; ours when absent. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** What asks it to stop. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** How long it may take to stop before it is killed. */
  readonly graceSeconds: number;
  readonly logFile: string;
}

export interface RunningProcess {
  readonly pid: number;
  readonly logFile: string;
  /** Says how it ended, once it has: `exit code 1`. */
  readonly ended: Promise<string>;
  /** Asks it to end, and returns when it is gone; after 20 s it is killed. May be called again. */
  stop(): Promise<void>;
}

/**
 * Starts a process and answers when it is ready. From then on the process does not keep ours alive.
 * @throws StartError with its last words when it ends or takes too long before that.
 */
export const startProcess = (order: ProcessOrder): Promise<RunningProcess> =>
  untilReady(order, spawnProcess(order));

/**
 * Starts a script that loads what it needs and waits for its environment; what it needs for its loading it has before.
 * @returns what sends the environment, and answers when the process is ready, as `startProcess` does.
 */
export function standBy(
  order: Omit<ProcessOrder, 'environment'> & Partial<Pick<ProcessOrder, 'environment'>>,
): (environment: Record<string, string>) => Promise<RunningProcess> {
  const spawned = spawnProcess({ environment: {}, ...order });
  return (environment) => {
    // A process that has ended cannot be sent anything, and how it ended is told instead.
    spawned.child.send(environment, () => undefined);
    return untilReady(order, spawned);
  };
}

/**
 * Starts a program that is not ours under `scripts/guard.sh`, and does not wait for it. It does not keep our process alive.
 */
export function startGuarded(order: GuardedOrder): RunningProcess {
  const { command, args, account, stopSignal, graceSeconds, environment, logFile } = order;
  const script = join(projectFolder(), 'scripts', 'guard.sh');
  const guarded = [script, stopSignal.slice('SIG'.length), String(graceSeconds), command, ...args];
  // No folder is kept from being removed.
  const spawned = spawnChild('/bin/sh', guarded, environment, logFile, { ...account, cwd: '/' });
  const pid = spawned.child.pid as number;
  void spawned.ended.then(() => {
    // The guard has nothing left to end, and another process may soon have this number.
    endGroup(pid);
  });
  return released(spawned, logFile);
}

/** Ends what is left of a session that began with process `pid`, which has ended. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

/** A child from its beginning on, however early it ends. */
interface Spawned {
  readonly child: ChildProcess;
  /** Its standard input. Nothing is written to it: it is only there to be closed. */
  readonly input: Socket;
  /** Says how it ended, once it has. */
  readonly ended: Promise<string>;
}

function spawnProcess({ entry, args = [], preload, environment, logFile }: ProcessOrder): Spawned {
  const before = preload === undefined ? [] : ['--require', preload];
  const ours = { ...environment, END_WITH_PARENT: 'true' };
  return spawnChild(process.execPath, [...before, entry, ...args], ours, logFile, {}, 'ipc');
}

function spawnChild(
  command: string,
  args: readonly string[],
  environment: Record<string, string>,
  logFile: string,
  options: { uid?: number; gid?: number; cwd?: string },
  ...channels: 'ipc'[]
): Spawned {
  const log = openLog(logFile);
  const child = spawn(command, args, {
    ...options,
    stdio: ['pipe', log, log, ...channels],
    detached: true,
    windowsHide: true,
    env: childEnvironment(environment),
  });
  closeSync(log);
  const input = child.stdin as Socket;
  // A killed child has closed it already.
  input.on('error', () => undefined);
  const ended = once(child, 'exit').then(
    ([code, signal]) => (signal as string | null) ?? `exit code ${String(code)}`,
    (error: unknown) => (error as Error).message,
  );
  return { child, input, ended };
}

async function untilReady(
  { name, logFile, readyWithinMs }: Pick<ProcessOrder, 'name' | 'logFile' | 'readyWithinMs'>,
  spawned: Spawned,
): Promise<RunningProcess> {
  const { child, ended } = spawned;
  const ready = once(child, 'message').then(() => null);
  const endedEarly = ended.then((how) => `ended before it was ready (${how})`);
  const tooLate = `was not ready after ${String(readyWithinMs / 1000)} s`;
  const failure = await within(Promise.race([ready, endedEarly]), readyWithinMs, tooLate);
  const running = released(spawned, logFile);
  if (failure !== null) {
    child.kill();
    await running.stop();
    throw new StartError(`${name} ${failure}: ${lastWords(logFile)}`);
  }
  child.disconnect();
  return running;
}

/** The process as others see it. It does not keep ours alive. */
function released({ child, input, ended }: Spawned, logFile: string): RunningProcess {
  child.unref();
  input.unref();
  const stop = async (): Promise<void> => {
    // Whoever waits for its end must not end before: nothing else may keep this process alive.
    child.ref();
    input.end();
    if ((await within(ended, STOP_WITHIN_MS, null)) === null) child.kill('SIGKILL');
    await ended;
  };
  return { pid: child.pid as number, logFile, ended, stop };
}

/** What `work` gives, or `late` when that takes longer than `limitMs`. */
export async function within<Result, Late>(
  work: Promise<Result>,
  limitMs: number,
  late: Late,
): Promise<Result | Late> {
  const done = new AbortController();
  try {
    return await Promise.race([work, sleep(limitMs, late, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}
