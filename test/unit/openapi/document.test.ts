/** The document has every row of the route table, nothing else, and every code somewhere. */
import { documentText } from '../../../src/api/openapi/document';
import { HEALTH_PATHS } from '../../../src/api/routes/health';
import { OPEN_ROUTES, ROUTES } from '../../../src/api/routes';
import { REFUSALS } from '../../../src/domain/refusals';
import { PUBLISHED_TYPES } from '../../../src/domain/transaction-types';
import { TRANSACTION_STATUSES } from '../../../src/domain/transactions';
import { ACCOUNT_STATUSES, WALLET_STATUSES } from '../../../src/domain/wallets';
import { EVENT_DOCS } from '../../../src/wire/event-payloads';

const text = documentText();
const document = JSON.parse(text) as {
  paths: Record<
    string,
    Record<string, { operationId: string; tags: string[]; description?: string; 'x-retry'?: string }>
  >;
  webhooks: Record<string, unknown>;
  components: { schemas: Record<string, { enum?: string[] }> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);
const rows = [...HEALTH_PATHS.map((path) => ({ method: 'GET', path })), ...OPEN_ROUTES, ...ROUTES].map(
  ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
);

test('every row of the route table is an operation, and nothing else is', () => {
  expect(operations.map(({ name }) => name).sort()).toEqual(rows.sort());
});

test('operation ids are unique', () => {
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test('every operation of partners has one name for their programs, and no two have the same', () => {
  const rows = [...OPEN_ROUTES, ...ROUTES];
  const names = new Map(rows.map(({ operation, doc }) => [operation, doc.sdk]));
  const given = [...names.values()].filter((name) => name !== null);
  expect(given.filter((name) => !/^[a-z]\w*\.[a-z]\w*$/.test(name))).toEqual([]);
  expect(new Set(given).size).toBe(given.length);
  // Both paths of an operation have its name, and only what other machines call has none.
  expect(rows.filter(({ operation, doc }) => names.get(operation) !== doc.sdk)).toEqual([]);
  const nameless = [...names].filter(([, name]) => name === null).map(([operation]) => operation);
  expect(nameless).toEqual([
    'providerCallback',
    'providerApproval',
    'ussdCallback',
    'ussdNotify',
    'ussdHollatags',
    'ussdHollatagsForm',
  ]);
});

test('the description of an operation says how programs call it', () => {
  const described = operations.filter(({ description }) => description?.includes('SDK: `'));
  const named = [...OPEN_ROUTES, ...ROUTES].filter(({ doc }) => doc.sdk !== null);
  expect(described).toHaveLength(named.length);
});

test.each<[string, string]>([
  ['transfers.p2p', 'key'],
  ['wallets.get', 'safe'],
  ['webhooks.delete', 'safe'],
  ['wallets.freeze', 'safe'],
  ['wallets.unfreeze', 'never'],
  ['wallets.setPin', 'never'],
  ['webhooks.rotateSecret', 'never'],
  ['apiKeys.create', 'never'],
  ['auth.login', 'never'],
])('%s may be repeated after a lost answer: %s', (name, retry) => {
  const found = operations.filter(({ description }) => description?.includes(`SDK: \`${name}\``));
  expect(found.map((operation) => operation['x-retry'])).toEqual([retry]);
});

test.each<[string, readonly string[]]>([
  ['ErrorCode', Object.keys(REFUSALS)],
  ['TransactionType', PUBLISHED_TYPES],
  ['TransactionStatus', TRANSACTION_STATUSES],
  ['WalletStatus', WALLET_STATUSES],
  ['AccountStatus', ACCOUNT_STATUSES],
])('the values of %s are those of the table', (name, values) =>
  expect(document.components.schemas[name]?.enum).toEqual(values),
);

test('every kind of event is a webhook of the document', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(EVENT_DOCS));
});
