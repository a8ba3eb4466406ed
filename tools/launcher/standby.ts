/**
 * Runs as `standby.js .../dist/src/api/main.js`, or with the worker: loads the modules of a program while Postgres and
 * Temporal are coming up, and runs it when its environment arrives as a message. It is read only then, so it is as if the
 * program had been started with it.
 */
import { createRequire } from 'node:module';
import { freeMemoryWhenIdle, keepThreadsSmall } from './memory';
import { basename, dirname, join } from 'node:path';
import { takeEnvironment } from '../../src/runtime/config';

/** The modules whose imports are nearly all that a program loads. None of them does anything by being loaded. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  api: ['api/services', 'api/app', 'api/operator/port', 'api/server'],
  worker: ['worker/worker', 'worker/mail-sender', 'worker/temporal-runtime', 'monitoring/probes'],
};

const program = process.argv[2] ?? '';
const [source, room] = [dirname(dirname(program)), basename(dirname(program))];
const load = createRequire(__filename);

const end = (): void => process.exit(1);
// Whoever started us is gone.
process.stdin.once('end', end).resume();
process.once('message', (environment: Record<string, string>) => {
  process.stdin.off('end', end);
  if (process.stdin.readableEnded) end();
  takeEnvironment(environment);
  load(program);
});

keepThreadsSmall();
freeMemoryWhenIdle();
for (const name of MODULES[room] ?? []) load(join(source, name));
