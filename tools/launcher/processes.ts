/**
 * Runs a script of Node as a child that ends with us: its standard input is a pipe to us, and the kernel closes
 * the pipe even when we are killed (R30). The child has a session of its own, so Ctrl-C reaches only us, and we
 * choose the order in which the programs stop.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../src/runtime/config';
import { StartError } from '../../src/administration/project';
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

export interface RunningProcess {
  /** Of the program; for a guard, of the server that it runs. */
  readonly pid: number;
  readonly logFile: string;
  /** Says how it ended, once it has: `exit code 1`. */
  readonly ended: Promise<string>;
  /** Asks it to end, and returns when it is gone; after 20 s it is killed. May be called again. */
  stop(): Promise<void>;
}

interface Ready {
  readonly ready: true;
  readonly pid?: number;
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

/** A child from its beginning on, however early it ends. */
interface Spawned {
  readonly child: ChildProcess;
  /** Its standard input. Nothing is written to it: it is only there to be closed. */
  readonly input: Socket;
  /** Says how it ended, once it has. */
  readonly ended: Promise<string>;
}

function spawnProcess({ entry, args = [], preload, environment, logFile }: ProcessOrder): Spawned {
  const log = openLog(logFile);
  const child = spawn(
    process.execPath,
    [...(preload === undefined ? [] : ['--require', preload]), entry, ...args],
    {
      stdio: ['pipe', log, log, 'ipc'],
      detached: true,
      windowsHide: true,
      env: childEnvironment({ ...environment, END_WITH_PARENT: 'true' }),
    },
  );
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
  { child, input, ended }: Spawned,
): Promise<RunningProcess> {
  const stop = async (): Promise<void> => {
    // Whoever waits for its end must not end before: nothing else may keep this process alive.
    child.ref();
    input.end();
    if ((await within(ended, STOP_WITHIN_MS, null)) === null) child.kill('SIGKILL');
    await ended;
  };

  const ready = once(child, 'message').then(([message]) => message as Ready);
  const endedEarly = ended.then((how) => `ended before it was ready (${how})`);
  const tooLate = `was not ready after ${String(readyWithinMs / 1000)} s`;
  const start = await within(Promise.race([ready, endedEarly]), readyWithinMs, tooLate);
  if (typeof start === 'string') {
    child.kill();
    await stop();
    throw new StartError(`${name} ${start}: ${lastWords(logFile)}`);
  }
  child.disconnect();
  child.unref();
  input.unref();
  return { pid: start.pid ?? (child.pid as number), logFile, ended, stop };
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
