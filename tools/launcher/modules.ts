/** What is packed (see pack.ts), and what a program on standby loads. None of these modules does anything by being loaded. */
import { dirname, join } from 'node:path';

const SOURCE = join(__dirname, '..', '..', 'src');
const OF_WORKFLOWS = join(dirname(require.resolve('@temporalio/worker')), 'workflow');

/** By the name of the pack. The imports of these modules are nearly all that is loaded. */
export const MODULES: Readonly<Record<string, readonly string[]>> = {
  start: [
    ...['live-lines', 'parts', 'ports', 'memory', 'print', 'sandbox-file', 'secrets', 'start-settings'],
    'supervisor',
  ]
    .map((name) => join(__dirname, name))
    .concat('commander'),
  api: ['api/services', 'api/app', 'api/operator/port', 'api/server', 'db/upkeep/login-check'].map((name) =>
    join(SOURCE, name),
  ),
  worker: ['worker/worker', 'worker/mail-sender', 'worker/temporal-runtime', 'monitoring/probes'].map(
    (name) => join(SOURCE, name),
  ),
  workflows: ['reusable-vm', 'vm'].map((name) => join(OF_WORKFLOWS, name)),
};
