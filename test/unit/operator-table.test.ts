/** The operators' pages agree with the code: the port's table, the classes of findings, the metrics. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR_ROUTES } from '../../src/api/operator/routes';
import { ADMINISTRATOR_ACTS } from '../../src/domain/audit';
import { FINDING_CLASSES } from '../../src/domain/findings';
import { PROPOSAL_KINDS, PROPOSALS } from '../../src/domain/proposals';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'operators.md'), 'utf8');
const written = [...page.matchAll(/^\| `(GET|POST) (\/ops\S*)` +\| (.*?) +\|$/gm)].map(
  ([, method, path, summary]) => ({ method, path, summary }),
);

test('docs/operators.md and the table say the same', () => {
  expect(written).toEqual(OPERATOR_ROUTES.map(({ method, path, summary }) => ({ method, path, summary })));
});

test('docs/operators.md says of each decision how many others must approve it', () => {
  const [, section = ''] = page.split('## What one operator alone cannot do');
  const rows = [...section.matchAll(/^\| `(\w+)` +\| (.*?) +\| (\d+) +\|/gm)].map(([, ...row]) => row);
  expect(rows.map(([kind, meaning, others]) => [kind, meaning, Number(others)])).toEqual(
    PROPOSAL_KINDS.map((kind) => [kind, PROPOSALS[kind].meaning, PROPOSALS[kind].approvals]),
  );
});

test('docs/operators.md says of each command of one person why it is harmless, and of every other one that it is proposed', () => {
  const [, section = ''] = page.split('## What one person may do alone');
  const alone = OPERATOR_ROUTES.flatMap(({ action, alone }) => (alone === null ? [] : [[action, alone]]));
  const rows = [...section.matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)].map(([, ...row]) => row);
  expect(rows).toEqual([...alone, ...Object.entries(ADMINISTRATOR_ACTS)]);
  const proposed = OPERATOR_ROUTES.filter(({ method, alone }) => method === 'POST' && alone === null);
  expect(proposed.map(({ action }) => action)).toEqual([
    'reinstatePartner',
    'resetCodes',
    'approveCompliance',
    'reinstateCompliance',
    'erasePerson',
    'eraseCheckedPerson',
    'resolveBankTransfer',
    'releasePayout',
    'proposeAdjustment',
    'allocateCredit',
    'writeOff',
    'refundCredit',
    'releaseRefund',
    'placeLegalHold',
    'liftLegalHold',
    'closeDay',
    'withdrawLine',
    'proposeTreasuryEntry',
  ]);
});

test.each(['path', 'action'] as const)('no %s occurs twice', (part) => {
  const all = OPERATOR_ROUTES.map((route) => `${route.method} ${route[part]}`);
  expect(new Set(all).size).toBe(all.length);
});

const runbook = readFileSync(join(__dirname, '..', '..', 'docs', 'runbook.md'), 'utf8');

test('docs/runbook.md has an entry for every class of finding, in their order', () => {
  const entries = [...runbook.matchAll(/^\*\*`(\w+)`\*\*/gm)].map(([, name]) => name);
  expect(entries).toEqual(Object.keys(FINDING_CLASSES));
});
