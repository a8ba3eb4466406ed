/**
 * The API and the worker as processes of their own, run from the build: for tests that end a process the
 * hard way. Each has a pipe to us and ends when it closes, so that nothing stays behind.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment } from '../../src/runtime/config';
import { programUrls } from '../../src/runtime/database-urls';
import { testFile } from '../setup/test-file';

export interface Child {
  readonly pid: number;
  /** Where the API listens; 0 for a worker. */
  readonly port: number;
  /** Where its probes are; the API's operator port. */
  readonly operatorPort: number;
  /** How it ended: `code 0`, or the name of a signal. */
  readonly ended: Promise<string>;
  /** All that it has written so far, its log above all. */
  said(): string;
  /** Sends a signal and does not wait. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  /** Closes the pipe that ties the process to us, as our own death would. */
  letGo(): void;
  /** Ends it without asking, and waits until it is gone. Harmless when it is gone already. */
  kill(): Promise<void>;
  /** From now on it does not keep our process alive. */
  release(): void;
}

const READY_WITHIN_MS = 120_000;

/**
 * Starts the built `<program>/main.js` and answers when it says that it is ready.
 * @param hear is told every line that it writes; a failing test shows them unless it is said.
 * @throws Error with its last words when it ends before that.
 */
export async function startChild(
  program: 'api' | 'worker',
  settings: Record<string, string>,
  hear = (line: string): void => testFile()?.logged(line),
): Promise<Child> {
  const { DATABASE_URL: ownerUrl, ...others } = settings;
  // As in production, it gets the addresses of its own logins alone.
  const addresses = ownerUrl === undefined ? {} : programUrls({ DATABASE_URL: ownerUrl }, program);
  const entry = join(projectFolder(), 'dist', 'src', program, 'main.js');
  const child = spawn(process.execPath, [entry], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    // No `.env` of a developer is read there.
    cwd: tmpdir(),
    env: childEnvironment({ ...others, ...addresses, END_WITH_PARENT: 'true' }),
  });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (words += text));
    if (stream) createInterface({ input: stream }).on('line', hear);
  }
  // A pipe to a process that was killed breaks; that is what these tests do.
  child.stdin?.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${String(code)}`));
  });
  const ready = new Promise<{ port?: number; operatorPort?: number }>((resolve) =>
    child.once('message', resolve),
  );
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, READY_WITHIN_MS, 'not ready in time').unref();
  });
  const first = await Promise.race([ready, ended, late]);
  if (typeof first === 'string') {
    child.kill('SIGKILL');
    throw new Error(`the ${program} did not start: ${first}\n${words.slice(-4_000)}`);
  }
  child.disconnect();
  return {
    pid: child.pid as number,
    port: first.port ?? 0,
    operatorPort: first.operatorPort ?? 0,
    ended,
    said: () => words,
    signal: (name) => child.kill(name),
    letGo: () => child.stdin?.end(),
    release() {
      child.unref();
      for (const pipe of [child.stdin, child.stdout, child.stderr] as unknown as Socket[]) pipe.unref();
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
