/** Which fields of a body an operation does not read, by the schema that documents the body (D117). */
import { ROUTES } from '../../../src/api/routes';
import { ignoredFields, knownFields, namingIgnored, refuseIgnored } from '../../../src/wire/ignored-fields';

const bodyOf = (operation: string) => {
  const route = ROUTES.find((one) => one.operation === operation);
  if (!route?.doc.body) throw new Error(`${operation} has no body`);
  return knownFields(route.doc.body);
};
const pathsOf = (operation: string, body: unknown): string[] =>
  ignoredFields(bodyOf(operation), body).map(({ path }) => path);

test.each<[string, string, unknown, string[]]>([
  ['nothing', 'p2pTransfer', { source_wallet: 'a', dest_wallet: 'b', amount: 1, reference: 'r' }, []],
  [
    'the names of the guide',
    'p2pTransfer',
    { source_wallet_id: 'a', amount_kobo: 1, metadata: { x: { y: 1 } } },
    [],
  ],
  ['a field', 'p2pTransfer', { amout: 1, amount: 1 }, ['amout']],
  ['two in their order', 'p2pTransfer', { zeta: 1, amount: 1, alpha: null }, ['zeta', 'alpha']],
  [
    'one within an account',
    'bankTransfer',
    { dest_account: { bank_code: '058', bvn: 1 } },
    ['dest_account.bvn'],
  ],
  ['one within a rule', 'createScheduledTransfer', { rule: { every: 'day', on: 1 } }, ['rule.on']],
  ['one in a leg', 'splitPayment', { splits: [{ wallet_id: 'a' }, { wallet: 'b' }] }, ['splits[1].wallet']],
  [
    'one in a line',
    'createBulkTransfer',
    { transfers: [{ reference: 'a' }, { dest_account: { iban: 'x' }, narration: 'y' }] },
    ['transfers[1].dest_account.iban', 'transfers[1].narration'],
  ],
  ['a value of another type', 'bankTransfer', { dest_account: 'x', amount: { a: 1 } }, []],
  ['no object', 'p2pTransfer', [{ amout: 1 }], []],
  ['nothing at all', 'p2pTransfer', undefined, []],
  [
    'a name of the prototype',
    'p2pTransfer',
    JSON.parse('{"constructor":1,"toString":2}'),
    ['constructor', 'toString'],
  ],
])('of %s of %s', (_what, operation, body, paths) => expect(pathsOf(operation, body)).toEqual(paths));

test('a hundred at most are found, and a long name is cut', () => {
  const lines = Array.from({ length: 10_000 }, () => ({ narration: 1, ['x'.repeat(1_000)]: 2 }));
  const paths = pathsOf('createBulkTransfer', { transfers: lines });
  expect(paths).toHaveLength(100);
  expect(paths[1]).toBe(`transfers[0].${'x'.repeat(64)}`);
});

test('every operation that moves money has a body whose fields are known', () => {
  const unknown = ROUTES.filter(({ needs, doc }) => needs === 'pay' && doc.body)
    .filter(({ doc }) => ignoredFields(knownFields(doc.body!), { 'no such field': 1 }).length !== 1)
    .map(({ operation }) => operation);
  expect(unknown).toEqual([]);
});

test('a refusal names each with what was probably meant', () => {
  const ignored = ignoredFields(bodyOf('p2pTransfer'), { amout: 1, pin: 2 });
  expect(refuseIgnored(ignored)?.refusal.detail).toEqual({
    fields: [
      { field: 'amout', message: 'is not a field of this operation; did you mean amount?' },
      { field: 'pin', message: 'is not a field of this operation' },
    ],
  });
  expect(refuseIgnored([])).toBeNull();
});

test('an answer names them in its meta, and is the same bytes without any', () => {
  const ignored = pathsOf('p2pTransfer', { amout: 1 });
  const answer = '{"data":{"b":1,"a":[2]},"meta":{"request_id":"r"}}';
  expect(namingIgnored(answer, [])).toBe(answer);
  expect(namingIgnored(answer, ignored)).toBe(
    '{"data":{"b":1,"a":[2]},"meta":{"request_id":"r","ignored_fields":["amout"]}}',
  );
  expect(namingIgnored('{"result":"x"}', ignored)).toBe('{"result":"x","meta":{"ignored_fields":["amout"]}}');
});

test.each([
  ['amout', 'amout'],
  ['Amount', 'Amount'],
  ['destWallet', 'destWallet'],
  ['x-y_z2', 'x-y_z2'],
  ['$ref', '$ref'],
  ['amount2026', 'amount2026'],
  ['08012345678', '[hidden]'],
  ['bvn22222222222', '[hidden]'],
  ['Ada Obi', '[hidden]'],
  ['ada@example.com', '[hidden]'],
  ['a.b', '[hidden]'],
  ['Ọlá', '[hidden]'],
  ['<b>', '[hidden]'],
])('answers and the log show the name %s as %s, and a refusal as it came', (name, shown) => {
  const ignored = ignoredFields(bodyOf('createBulkTransfer'), { transfers: [{}, { [name]: 1 }] });
  expect(ignored).toMatchObject([{ shown: `transfers[1].${shown}`, path: `transfers[1].${name}` }]);
});
