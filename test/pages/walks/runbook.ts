/** docs/runbook.md: the commands of its entries. test/unit/operator-table.test.ts looks for its paths of the operator port. */
import { ADMINISTRATION } from '../machine';
import type { Walk } from '../walk';

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
