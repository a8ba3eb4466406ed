/** docs/runbook.md: the commands of its entries. test/unit/operator-table.test.ts looks for its paths of the operator port. */
import { ADMINISTRATION } from '../machine';
import type { Walk } from '../walk';

/** A wallet whose balance somebody has changed without an entry. */
const DAMAGED = '01980000-0000-7000-8000-0000000da3a9';

export const runbook: Walk = {
  page: 'docs/runbook.md',
  steps: [
    {
      does: 'npm run audit:anchor',
      settings: ADMINISTRATION,
      after(machine, said) {
        machine.noted['anchor'] = /^\d+:[0-9a-f]{64}$/m.exec(said)?.[0] ?? '';
      },
    },
    {
      does: 'npm run audit:verify -- --expect <newest anchor>',
      settings: ADMINISTRATION,
      fill: (machine) => ({ '<newest anchor>': machine.noted['anchor'] ?? '' }),
      after: (_machine, said) => expect(said).toMatch(/^whole: \d+ rows/m),
    },
    {
      does: 'SELECT transaction_id, step…',
      after: (_machine, said) => expect(said).toContain('(0 rows)'),
    },
    {
      does: 'SELECT p.* FROM live_0.suspense_postings…',
      after: (_machine, said) => expect(said).toContain('(0 rows)'),
    },
    {
      does: 'npm run repair -- list --env live',
      settings: ADMINISTRATION,
      async before(machine) {
        await machine.sql(
          `SET session_replication_role = replica;
           INSERT INTO live_0.accounts (id, partner_id, status, balance_kobo)
           VALUES ('${DAMAGED}', '${DAMAGED}', 'active', 700)`,
          'wallet',
        );
        const finding = await machine.sql(
          `INSERT INTO live_0.recon_findings (id, class, resource, detail)
           VALUES (gen_random_uuid(), 'balance_mismatch', '${DAMAGED}', '{}') RETURNING id`,
          'wallet',
        );
        machine.noted['finding'] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(finding)?.[0] ?? '';
      },
      after: (machine, said) => expect(said).toContain(machine.noted['finding']),
    },
    {
      does: 'npm run repair -- propose…',
      settings: ADMINISTRATION,
      fill: (machine) => ({ $FINDING: machine.noted['finding'] ?? '' }),
      after(machine, said) {
        machine.noted['proposal'] = /^proposal (\S+)$/m.exec(said)?.[1] ?? '';
      },
    },
    {
      does: 'npm run repair -- approve "$PROPOSAL" --env live',
      settings: ADMINISTRATION,
      async before(machine) {
        const made = await machine.type("administer keys operator create 'Grace Eze'");
        machine.noted['token'] = /^token +(\S+)/m.exec(made)?.[1] ?? '';
      },
      // The command asks for the token; here it is typed by a pipe.
      fill: (machine) => ({
        'npm run repair': `printf '%s' '${machine.noted['token'] ?? ''}' | npm run repair`,
        $PROPOSAL: machine.noted['proposal'] ?? '',
      }),
      after: async (machine) => {
        const left = `SELECT balance_kobo FROM live_0.accounts WHERE id = '${DAMAGED}'`;
        expect(await machine.sql(left, 'wallet')).toMatch(/\b0\b/);
      },
    },
    {
      does: 'npm run secrets -- reseal',
      settings: ADMINISTRATION,
      after: (_machine, said) => expect(said).toContain('live: DATA_KEY'),
    },
    {
      does: 'npm run db:migrate',
      settings: ADMINISTRATION,
      after: (_machine, said) => expect(said).toContain('up to date'),
    },
    {
      does: 'npm run keys -- revoke <id>',
      settings: ADMINISTRATION,
      fill: (machine) => ({ '<id>': machine.noted['key id'] ?? '' }),
      after: (_machine, said) => expect(said).toMatch(/^revoked$/m),
    },
    {
      does: 'npm run keys -- operator revoke <name>',
      settings: ADMINISTRATION,
      before: async (machine) => void (await machine.type("administer keys operator create 'Ada Obi'")),
      fill: () => ({ '<name>': "'Ada Obi'" }),
      after: (_machine, said) => expect(said).toMatch(/^revoked$/m),
    },
  ],
};
