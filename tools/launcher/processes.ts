/**
 * Runs the API and the worker as processes of their own, as production does. They end when the pipe to us
 * closes (R30), and sit in sessions of their own: Ctrl-C reaches us alone, and we stop them in order.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { childEnvironment } from '../../src/runtime/config';
import { lastWords, openLog } from './guard';
import { StartError } from '../../src/administration/project';

const STOP_WITHIN_MS = 15_000;

export interface ProcessOrder {
  /** For messages: `API`. */
  readonly name: string;
  /** Built entry file, which sends `{ ready: true }` when it serves. */
  readonly entry: string;
  /** Laid over our own environment. */
  readonly environment: Record<string, string>;
  /** Gets all that it prints; begun anew at each start. */
  readonly logFile: string;
  readonly readyWithinMs: number;
}

export interface RunningProcess {
  readonly pid: number;
  /** How it ended, in words: `exit code 1`. */
  readonly ended: Promise<string>;
  /** Asks it to end, and returns when it has; after 15 s it is killed. */
  stop(): Promise<void>;
}

/**
 * Starts a process and answers when it is ready.
 * @throws StartError with its last words when it ends or takes too long before that.
 */
export async function startProcess(order: ProcessOrder): Promise<RunningProcess> {
  const log = openLog(order.logFile);
  const child = spawn(process.execPath, [order.entry], {
    // Nothing is written to its input: it is there to be closed.
    stdio: ['pipe', log, log, 'ipc'],
    detached: process.platform !== 'win32',
    env: childEnvironment({ ...order.environment, END_WITH_PARENT: 'true' }),
  });
  closeSync(log);
  const ended = endOf(child);
  const stop = () => stopProcess(child, ended);

  const trouble = await Promise.race([
    readiness(child),
    ended.then((how) => `ended before it was ready (${how})`),
    after(order.readyWithinMs, `was not ready after ${String(order.readyWithinMs / 1000)} s`),
  ]);
  if (trouble !== undefined) {
    await stop();
    throw new StartError(`${order.name} ${trouble}: ${lastWords(order.logFile)}`);
  }
  child.disconnect();
  return { pid: child.pid as number, ended, stop };
}

function readiness(child: ChildProcess): Promise<undefined> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if ((message as { ready?: unknown } | null)?.ready === true) resolve(undefined);
    });
  });
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `exit code ${String(code)}` : signal);
    });
  });
}

async function stopProcess(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(late);
}

function after(delayMs: number, trouble: string): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs, trouble).unref();
  });
}
