/**
 * The page of operations has every state of every machine that waits for something, with an operation of the partner or of
 * operators, or a time, that ends it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR_ROUTES } from '../../src/api/operator/routes';
import { ROUTES } from '../../src/api/routes';
import { MADE_FILES } from '../../tools/reference/files';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'operations.md'), 'utf8');
const section = page.split('## What waits, and what ends it\n')[1]!.split('\n## ')[0]!;
const rows = [...section.matchAll(/^\| ([A-Z][^|:]*): `(\w+)` *\|(.*)\|$/gm)].map(
  ([, machine = '', state = '', cells = '']) => {
    const [, partner = '', operators = '', itself = ''] = cells.split('|').map((cell) => cell.trim());
    return { name: `${machine}: ${state}`, partner, operators, itself };
  },
);

/** Nothing waits in these: they are left only where something new happens. */
const RESTING = [
  'Bank transfer: completed',
  'Compliance: approved',
  'Partner: active',
  'Stamp duty: completed',
  'Wallet: active',
  'Wallet: closed',
];

/** Every state from which a move leads on, as the page of states has it. */
function leftStates(): string[] {
  const names = new Set<string>();
  for (const part of MADE_FILES.reference['docs/reference/states.md']().split('\n## ').slice(1)) {
    const title = part.split('\n', 1)[0]!;
    if (!part.includes('| Trigger')) continue;
    for (const [, state = ''] of part.matchAll(/^\| `(\w+)`/gm)) names.add(`${title}: ${state}`);
  }
  return [...names].sort();
}

test('every state that waits has its row, and no other has one', () => {
  const waiting = leftStates().filter((name) => !RESTING.includes(name));
  expect(rows.map(({ name }) => name).sort()).toEqual(waiting);
  expect(RESTING.filter((name) => !leftStates().includes(name))).toEqual([]);
});

const operationsIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
const OF_PARTNERS = ROUTES.map(({ operation }) => operation);
const OF_OPERATORS = OPERATOR_ROUTES.map(({ action }) => action);

test.each(rows)('$name is ended by somebody, or by a time', ({ partner, operators, itself }) => {
  expect(operationsIn(partner).filter((name) => !OF_PARTNERS.includes(name))).toEqual([]);
  expect(operationsIn(operators).filter((name) => !OF_OPERATORS.includes(name))).toEqual([]);
  expect(
    [...operationsIn(partner), ...operationsIn(operators), itself].filter((end) => end !== '-'),
  ).not.toEqual([]);
});
