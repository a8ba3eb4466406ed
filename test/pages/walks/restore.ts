/** docs/how-to/restore.md: the ledger is lost, then Temporal, and the data move to another server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMINISTRATION, type Machine } from '../machine';
import type { Walk } from '../walk';
import { prepareOtherServer, withPerson } from './set-up-the-database';

const UNITS = ['worker-sandbox', 'worker-live', 'api-sandbox', 'api-live', 'movements']
  .map((name) => `partner-wallet-${name}@0.2.0`)
  .join(' ');

/** A partner with a wallet, of which the backup knows. */
async function openWallet(machine: Machine): Promise<void> {
  const made = await machine.type('administer keys create --new-partner Acme --env sandbox');
  machine.noted['key'] = /^key +(\S+)/m.exec(made)?.[1] ?? '';
  machine.noted['key id'] = /^id +(\S+)/m.exec(made)?.[1] ?? '';
  const answer = await fetch(`${machine.apiUrl}/v1/wallets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${machine.noted['key']}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_ref: 'ada', name: 'Ada Obi' }),
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  machine.noted['wallet'] = data.id;
}

async function hasWallet(machine: Machine): Promise<boolean> {
  const answer = await fetch(`${machine.apiUrl}/v1/wallets/${machine.noted['wallet'] ?? ''}`, {
    headers: { authorization: `Bearer ${machine.noted['key'] ?? ''}` },
  });
  return answer.status === 200;
}

const FORGOTTEN = '01980000-0000-7000-8000-00000000dead';

const takenAt = (machine: Machine): string => machine.noted['taken at'] ?? '';

/** The variables of an administrator whose database is on the other server, and the addresses of the person on both. */
async function ofTheMove(machine: Machine): Promise<Record<string, string>> {
  const [oldHost, newHost] = [machine.postgres, machine.otherPostgres].map(
    ({ url }) => new URL(url).host,
  ) as [string, string];
  const moved = Object.entries(await withPerson(machine)).map(([name, value]) => [
    name,
    value.replace(`@${oldHost}/wallet`, `@${newHost}/moved`),
  ]);
  return {
    ...(Object.fromEntries(moved) as Record<string, string>),
    OLD: `postgres://ada:correct-horse@${oldHost}/wallet`,
    NEW: `postgres://ada:correct-horse@${newHost}/moved`,
  };
}

export const restore: Walk = {
  page: 'docs/how-to/restore.md',
  steps: [
    {
      does: 'npm run backup -- /backups/2026-11-23',
      settings: ADMINISTRATION,
      before: openWallet,
      after(machine, said) {
        const [, at = ''] = /^backup of (\S+) in /m.exec(said) ?? [];
        machine.noted['taken at'] = at;
        expect(said).toContain('anchor of the trail, to be kept elsewhere');
      },
    },
    {
      does: 'npm run movements:ship',
      settings: (machine) => Promise.resolve(machine.read(['platform.env', 'movements.env'])),
      // The unit of systemd ships already. The command goes on until it is stopped.
      fill: () => ({ 'npm run movements:ship': 'timeout --signal=INT 5 npm run movements:ship || true' }),
      after: (_machine, said) => expect(said).toContain('Movements are shipped'),
    },
    {
      does: 'npm run restore -- /backups/2026-11-23',
      settings: ADMINISTRATION,
      async before(machine) {
        await machine.type(`systemctl stop ${UNITS}`);
        await machine.sql('DROP DATABASE wallet');
        await machine.sql('CREATE DATABASE wallet OWNER ada');
        await machine.type('npm run db:set-up', await withPerson(machine));
      },
      after: (_machine, said) => expect(said).toMatch(/the trail is whole; new anchor: [^]*restored in/),
    },
    {
      does: 'npm run restore -- --elsewhere…',
      settings: ADMINISTRATION,
      fill: (machine) => ({ '2026-11-23T01:40:00Z': takenAt(machine) }),
      async after(machine, said) {
        expect(said).toContain('restored in');
        await machine.type(`systemctl start ${UNITS}`);
        await machine.type('ready http://127.0.0.1:3100');
        expect(await hasWallet(machine)).toBe(true);
      },
    },
    {
      does: 'npm run movements:compare -- <files or folders>',
      settings: ADMINISTRATION,
      fill(machine) {
        const line = {
          kind: 'movement',
          at: '2026-11-23T01:41:00.000Z',
          cell: 'live_0',
          partner_id: FORGOTTEN,
          transaction_id: FORGOTTEN,
          reference: 'rent',
          type: 'p2p_transfer',
          status: 'completed',
          amount_kobo: 100,
          source_wallet: FORGOTTEN,
          dest_wallet: null,
        };
        const file = join(machine.root, 'shipped.ndjson');
        writeFileSync(file, `${JSON.stringify(line)}\n`);
        return { '<files or folders>': `'${file}' || true` };
      },
      after: (_machine, said) =>
        expect(said).toContain(
          '1 transactions were shipped; the database has forgotten 1 of them or of their ends.',
        ),
    },
    {
      does: "owners='partner_wallet_platform_migrate…",
      settings: ofTheMove,
      fill: (machine) => ({ '2026-11-23T01:40:00Z': takenAt(machine) }),
      before: (machine) => prepareOtherServer(machine, 'moved'),
      async after(machine, said) {
        expect(said).toContain('up to date');
        const wallets = await machine.sql(
          'SELECT id FROM sandbox_0.accounts',
          'moved',
          machine.otherPostgres,
        );
        expect(wallets).toContain(machine.noted['wallet']);
      },
    },
    {
      does: 'deploy/temporal/create-namespaces.sh',
      settings: (machine) => Promise.resolve({ TEMPORAL_ADDRESS: machine.temporal.address }),
      before: (machine) => machine.loseTemporal(),
      async after(machine, said) {
        expect(said).toContain('Namespaces and search attributes are in place.');
        for (const port of ['next worker port', 'next live worker port'])
          await machine.type(`ready http://127.0.0.1:${machine.noted[port] ?? ''}`);
      },
    },
  ],
};
