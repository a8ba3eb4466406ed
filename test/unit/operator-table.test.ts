/** The operators' pages agree with the code: the port's table, the classes of findings, the metrics. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR_ROUTES } from '../../src/api/operator/routes';
import { ADMINISTRATOR_ACTS } from '../../src/domain/audit';
import { FINDING_CLASSES } from '../../src/domain/findings';
import { payoutReference } from '../../src/domain/payouts';
import { PROPOSAL_KINDS, PROPOSALS } from '../../src/domain/proposals';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'operators.md'), 'utf8');
const inTable = [...page.matchAll(/^\| `(GET|POST) (\/ops\S*)` +\| (.*?) +\|$/gm)].map(
  ([, method, path, summary]) => ({ method, path, summary }),
);

test('docs/operators.md and the table say the same', () => {
  expect(inTable).toEqual(OPERATOR_ROUTES.map(({ method, path, summary }) => ({ method, path, summary })));
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

/** Every page, and every source with its texts for people. */
const written = ['docs', 'src', 'deploy'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name)),
);

test('nothing tells people to ask a company about a transfer by less than the reference that the company knows', () => {
  expect(payoutReference('<id>', 1)).toBe('tx-<id>-1');
  const short = written.filter((file) => /\btx-<\w+>(?!-)/.test(readFileSync(file, 'utf8')));
  expect(short).toEqual([]);
});

test('the runbook sends people to paths of the operator port that there are', () => {
  const short: Record<string, string> = {
    PARTNER: '/ops/:environment/partners/:partner_id',
    ENV: '/ops/:environment',
  };
  const paths = OPERATOR_ROUTES.map(({ method, path }) => `${method} ${path}`);
  const named = [...runbook.matchAll(/`(GET|POST) ((PARTNER|ENV|\/ops)\/[^`?]*)/g)].map(
    ([, method, path = '']) => {
      const whole = path
        .replace(/^[A-Z]+/, (word) => short[word] ?? word)
        .replace('/ops/live/', '/ops/:environment/');
      return `${String(method)} ${whole}`;
    },
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((one) => !paths.includes(one))).toEqual([]);
});
