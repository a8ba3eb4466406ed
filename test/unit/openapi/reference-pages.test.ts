/** The pages of docs/reference contain every row of the tables. */
import { REFUSALS } from '../../../src/domain/refusals';
import { EVENT_KINDS } from '../../../src/domain/events';
import { PUBLISHED_TYPES } from '../../../src/domain/transaction-types';
import { WALLET_MACHINE } from '../../../src/domain/wallets';
import { OPEN_ROUTES, ROUTES } from '../../../src/api/routes';
import { templateOf } from '../../../src/api/openapi/operations';
import { MADE_FILES } from '../../../tools/reference/files';

const pages = MADE_FILES.reference;

test.each(Object.keys(REFUSALS))('errors: %s', (code) =>
  expect(pages['docs/reference/errors.md']()).toContain(`| \`${code}\` `),
);

test.each(PUBLISHED_TYPES)('transactions: %s', (type) =>
  expect(pages['docs/reference/transactions.md']()).toContain(`| \`${type}\` `),
);

test('transactions: the statuses and events of a bank transfer, and that a reversal has no event of its own', () => {
  const page = pages['docs/reference/transactions.md']();
  expect(page).toMatch(
    /`bank_transfer`.*`processing` +\| `completed`, `failed`, `reversed` +\| `transaction\.completed`/,
  );
  expect(page).toMatch(/`reversal`.*\| - +\| none of its own/);
});

test.each(WALLET_MACHINE.map((row) => [row.join(', '), row] as const))('states: %s', (_name, row) => {
  const cells = row.map((cell) => `\`${cell}\` *`).join('\\| ');
  expect(pages['docs/reference/states.md']()).toMatch(new RegExp(`\\| ${cells}\\|`));
});

test('states: every machine of the domain', () => {
  const titles = [...pages['docs/reference/states.md']().matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(expect.arrayContaining(['Bank transfer', 'Verification', 'Wallet']));
});

test.each(EVENT_KINDS)('events: %s', (kind) =>
  expect(pages['docs/reference/events.md']()).toContain(`| \`${kind}\` `),
);

test.each([...OPEN_ROUTES, ...ROUTES].map(({ method, path }) => `${method} ${templateOf(path)}`))(
  'operations: %s',
  (operation) => expect(pages['docs/reference/operations.md']()).toContain(`| \`${operation}\` `),
);

test.each([
  /\| Tier starter +\| 300 requests a minute/,
  /\| Body +\| 262,144 bytes/,
  /\| Page of a list +\| 20, at most 100/,
  /\| `p2p_transfer` +\| 0 +\| 500 +\| 20,000/,
  /\| `bank_transfer` +\| 5,000 +\| 5,000 +\| 5,000/,
  /\| P2pTransferRequest +\| `reference` +\| required, 1 to 128 characters/,
])('limits: %s', (row) => expect(pages['docs/reference/limits.md']()).toMatch(row));
