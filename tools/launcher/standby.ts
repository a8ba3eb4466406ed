/**
 * Runs as `standby.js .../dist/src/api/main.js`, or with the worker: loads the modules of a program while Postgres and
 * Temporal are coming up, and runs it when its environment arrives as a message. It is read only then, so it is as if the
 * program had been started with it.
 */
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { freeMemoryWhenIdle, keepThreadsSmall } from './memory';
import { MODULES } from './modules';
import { takeEnvironment } from '../../src/runtime/config';

const program = process.argv[2] ?? '';
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
for (const module of MODULES[basename(dirname(program))] ?? []) load(module);
