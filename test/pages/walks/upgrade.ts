/** docs/how-to/upgrade.md: another build beside the first one, there and back, and there again. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMINISTRATION, WORKER, type Machine } from '../machine';
import type { Walk } from '../walk';

const versionFile = ({ root }: Machine, version: string): string =>
  join(root, 'opt', 'partner-wallet', version, 'dist', 'src', 'version.json');
const buildOf = (machine: Machine, version: string): string =>
  (JSON.parse(readFileSync(versionFile(machine, version), 'utf8')) as { build: string }).build;

/** The next version: the same programs, under the name of another build. docs/install.md has built the first one. */
function installNext(machine: Machine): Promise<void> {
  const place = (version: string): string => join(machine.root, 'opt', 'partner-wallet', version);
  const packages = join(place('0.1.0'), 'node_modules');
  cpSync(place('0.1.0'), place('0.2.0'), { recursive: true, filter: (path) => path !== packages });
  symlinkSync(packages, join(place('0.2.0'), 'node_modules'));
  writeFileSync(versionFile(machine, '0.2.0'), JSON.stringify({ version: '0.2.0', build: 'the-next-build' }));
  return Promise.resolve();
}

const line = (build: string, state: string) => new RegExp(`^wallet-sandbox +${build} +${state} `, 'm');

export const upgrade: Walk = {
  page: 'docs/how-to/upgrade.md',
  steps: [
    {
      does: 'npm run backup -- /backups/2026-11-23',
      settings: ADMINISTRATION,
      fill: () => ({ '/backups/2026-11-23': '/backups/before-the-upgrade' }),
      after: (_machine, said) => expect(said).toContain('anchor of the trail, to be kept elsewhere'),
    },
    {
      does: 'npm run db:migrate',
      settings: ADMINISTRATION,
      after: (_machine, said) => expect(said).toContain('up to date'),
    },
    { does: 'SELECT pid, usename…', after: (_machine, said) => expect(said).toContain('xact_start') },
    {
      does: 'echo WORKER_OPERATOR_PORT=3102…',
      before: installNext,
    },
    { does: 'echo WORKER_OPERATOR_PORT=3112…' },
    {
      does: 'npm run release -- show',
      settings: WORKER,
      before: async (machine) =>
        void (await machine.type(
          'systemctl start partner-wallet-worker-sandbox@0.2.0 partner-wallet-worker-live@0.2.0',
        )),
      after: (machine, said) => expect(said).toMatch(line(buildOf(machine, '0.1.0'), 'current')),
    },
    {
      does: 'npm run release -- current 6a1c33d90b1e',
      settings: WORKER,
      fill: (machine) => ({ '6a1c33d90b1e': buildOf(machine, '0.2.0') }),
      after: (machine, said) => expect(said).toMatch(line(buildOf(machine, '0.2.0'), 'current')),
    },
    {
      does: 'npm run release -- current <the build before>',
      settings: WORKER,
      fill: (machine) => ({ '<the build before>': buildOf(machine, '0.1.0') }),
      after: (machine, said) => expect(said).toMatch(line(buildOf(machine, '0.1.0'), 'current')),
    },
    {
      does: 'cd /opt/partner-wallet/0.2.0',
      async after(machine, said) {
        expect(said).toMatch(line(buildOf(machine, '0.2.0'), 'current'));
        for (const port of ['3100', '3110']) {
          const answer = await machine.type(`ready http://127.0.0.1:${port}`);
          expect(answer).toContain('"version":"0.2.0"');
        }
      },
    },
    {
      does: 'for namespace in wallet-sandbox wallet-live; do',
      settings: (machine) => Promise.resolve({ TEMPORAL_ADDRESS: machine.temporal.address }),
      async after(machine, said) {
        expect(said.match(/Successfully/g) ?? said).toHaveLength(2);
        expect(await machine.type('npm run release -- show', WORKER)).not.toMatch(/ current /);
      },
    },
    {
      does: 'npm run release -- current',
      settings: WORKER,
      after: (machine, said) => expect(said).toMatch(line(buildOf(machine, '0.2.0'), 'current')),
    },
  ],
};
