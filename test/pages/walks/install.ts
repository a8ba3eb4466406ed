/** docs/install.md: a platform on a machine with systemd, from nothing to its first answer. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../../src/administration/project';
import { cloneInto, type Machine } from '../machine';
import type { Walk } from '../walk';

const VERSION = '0.1.0';

/** What only the people of an installation know. The ports are those that are free here. */
function fillIn(machine: Machine): void {
  const { temporal, noted } = machine;
  machine.write('platform.env', { TEMPORAL_ADDRESS: temporal.address });
  const mails = { SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'wallet@wallet.example' };
  machine.write('worker-sandbox.env', {
    ...mails,
    PUBLIC_URL: 'https://sandbox.wallet.example',
    WORKER_OPERATOR_PORT: noted['workerPort'] ?? '',
  });
  machine.write('worker-live.env', {
    ...mails,
    PUBLIC_URL: 'https://api.wallet.example',
    WORKER_OPERATOR_PORT: noted['liveWorkerPort'] ?? '',
  });
  const outside = join(machine.root, 'var', 'lib', 'partner-wallet-movements');
  machine.write('movements.env', { MOVEMENTS_TO: pathToFileURL(outside).href });
  // There is no load balancer to be told.
  const drain = { DRAIN_NOTICE_MS: '500' };
  machine.write('api-sandbox.env', {
    ...drain,
    PORT: noted['apiPort'] ?? '',
    OPERATOR_PORT: noted['operatorPort'] ?? '',
  });
  machine.write('api-live.env', {
    ...drain,
    PORT: noted['liveApiPort'] ?? '',
    OPERATOR_PORT: noted['liveOperatorPort'] ?? '',
  });
}

export const install: Walk = {
  page: 'docs/install.md',
  steps: [
    {
      does: "npm run settings -- --database 'postgres://db.internal…",
      // Whoever makes the settings has a checkout of their own.
      before: async (machine) => void (await machine.type(`cd '${projectFolder()}'`)),
      after(machine, said) {
        expect(said).toContain('Fill in the empty values of platform.env and of the two of the workers');
        fillIn(machine);
      },
    },
    { does: 'administer() {' },
    {
      does: 'useradd --system…',
      before(machine) {
        const folder = join(machine.root, 'opt', 'partner-wallet', VERSION);
        mkdirSync(folder, { recursive: true });
        cloneInto(folder);
        return Promise.resolve();
      },
      after(_machine, said) {
        // The four answers of /ready.
        expect(said.match(/"version":"0.1.0"/g) ?? said).toHaveLength(4);
      },
    },
    { does: 'administer keys list' },
    {
      does: 'deploy/temporal/create-namespaces.sh',
      settings: (machine) => Promise.resolve({ TEMPORAL_ADDRESS: machine.temporal.address }),
      after: (_machine, said) => expect(said).toContain('Namespaces and search attributes are in place.'),
    },
  ],
};
