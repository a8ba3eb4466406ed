/** Page sizes, filters, and cursors that belong to their list (D42, D152, D154, D161). */
import { done } from '../../../src/domain/outcome';
import { createCursors, pageQuery, transactionsQuery, walletsQuery } from '../../../src/wire/pages';
import { readQuery, type Query } from '../../../src/wire/read';
import { problemsOf, valueOf } from './readings';

const keyOf = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const key = keyOf(1);
const cursors = createCursors(key);
const refusedFor = (field: string) => ({
  ok: false,
  refusal: expect.objectContaining({
    code: 'VALIDATION_ERROR',
    message: expect.stringMatching(new RegExp(`^${field}: `)),
  }),
});

describe('limit', () => {
  const read = (query: Query) => readQuery(pageQuery, query);

  test.each<[Query, number]>([
    [{}, 20],
    [{ limit: '1' }, 1],
    [{ limit: '20' }, 20],
    [{ limit: '100' }, 100],
  ])('%p: a page of %d', (query, limit) => expect(valueOf(read(query))).toEqual({ limit }));

  test.each([
    '0',
    '101',
    '-1',
    '',
    ' ',
    '1.0',
    '1e1',
    '0x10',
    '+5',
    ' 5',
    '5 ',
    '1000',
    'ten',
    'Infinity',
    '٥',
  ])('%p is refused', (limit) => expect(read({ limit })).toMatchObject(refusedFor('limit')));

  test('given twice, or in brackets, it is refused', () => {
    const twice = [{ field: 'limit', message: 'must be given once' }];
    expect(problemsOf(read({ limit: ['5', '5'] }))).toEqual(twice);
    expect(problemsOf(read({ 'limit[]': '5' }))).toEqual(twice);
    expect(problemsOf(read({ limit: '5', 'limit[gt]': '5' }))).toEqual(twice);
  });
});

describe.each([
  ['reference', transactionsQuery],
  ['user_ref', walletsQuery],
] as const)('the filter by %s', (name, schema) => {
  const read = (value: string | string[]) => readQuery(schema, { [name]: value });

  test.each(['order-1', 'a'.repeat(128), '𝒜'.repeat(128)])('%p is taken as it is', (value) => {
    expect(valueOf(read(value))).toEqual({ limit: 20, [name]: value });
  });

  test.each(['', 'a'.repeat(129), 'a\u0000', 'a\u200d'])('%p is refused', (value) => {
    expect(read(value)).toMatchObject(refusedFor(name));
  });

  test('given twice it is refused', () => expect(read(['a', 'a'])).toMatchObject(refusedFor(name)));
});

describe('a query', () => {
  const UNKNOWN = 'is not a parameter of this operation';
  const LIMIT = 'must be an integer from 1 to 100';
  const CURSOR = 'is not a cursor of this list';

  test.each<[what: string, query: Query, problems: [field: string, message: string][]]>([
    ['an unknown parameter', { status: 'active' }, [['status', UNKNOWN]]],
    [
      'two of them, in their order',
      { b: '', a: '1' },
      [
        ['b', UNKNOWN],
        ['a', UNKNOWN],
      ],
    ],
    ['another list’s filter', { user_ref: 'ada' }, [['user_ref', UNKNOWN]]],
    ['a known one in another case', { Limit: '5' }, [['Limit', UNKNOWN]]],
    ['an unknown one in brackets', { 'filter[status]': 'x' }, [['filter[status]', UNKNOWN]]],
    ['one without a name', { '': '' }, [['', UNKNOWN]]],
    ['an unknown one given twice', { x: ['1', '2'] }, [['x', UNKNOWN]]],
    ['a name that every object has', { constructor: '1' }, [['constructor', UNKNOWN]]],
    [
      'everything at once, in the order of the schema, unknown ones last',
      { colour: 'red', reference: '', limit: '0', cursor: 'x' },
      [
        ['cursor', CURSOR],
        ['limit', LIMIT],
        ['reference', 'must have 1 to 128 characters'],
        ['colour', UNKNOWN],
      ],
    ],
  ])('%s', (_what, query, problems) => {
    const read = readQuery(transactionsQuery, query);
    expect(problemsOf(read)).toEqual(problems.map(([field, message]) => ({ field, message })));
  });
});

describe('a cursor', () => {
  const list = 'transactions/wallet-1/';
  const place = '2026-11-21T10:00:00.001Z|018f0000-0000-7000-8000-0000000000a1';
  const cursor = cursors.write(list, place);
  const read = (text: string | undefined, of = list, by = cursors) => by.read(text, of);

  test('gives its place back', () => {
    expect(read(cursor)).toEqual(done(place));
  });

  test.each(['', '7', 'a.b.c', 'name with – ₦'])('gives any place back: %p', (text) => {
    expect(read(cursors.write(list, text))).toEqual(text === '' ? refusedFor('cursor') : done(text));
  });

  test('is opaque: letters that a URL carries as they are', () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test('that is absent means the beginning of the list', () => {
    expect(read(undefined)).toEqual(done(null));
  });

  test.each([
    ['another wallet', 'transactions/wallet-2/'],
    ['another filter', 'transactions/wallet-1/order-1'],
    ['another kind of list', 'ledger/wallet-1'],
  ])('of this list is refused on %s', (_what, other) => {
    expect(read(cursor, other)).toEqual(refusedFor('cursor'));
  });

  test('of another key is refused', () => {
    const other = createCursors(keyOf(2));
    expect(read(cursor, list, other)).toEqual(refusedFor('cursor'));
  });

  test('of an accepted key is read', () => {
    const next = createCursors(keyOf(2), [key]);
    expect(read(cursor, list, next)).toEqual(read(cursor, list));
  });

  test('with any byte changed is refused', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(read(changed.toString('base64url'))).toEqual(refusedFor('cursor'));
    }
  });

  test('with another place and the old signature is refused', () => {
    const [, signature = ''] = /\.([^.]*)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
    const forged = Buffer.from(`${place.replace('a1', 'a2')}.${signature}`).toString('base64url');
    expect(read(forged)).toEqual(refusedFor('cursor'));
  });

  test.each([
    ['empty', ''],
    ['cut short', cursor.slice(0, -2)],
    ['without a signature', Buffer.from(place).toString('base64url')],
    ['with an empty signature', Buffer.from(`${place}.`).toString('base64url')],
    ['a signature alone', Buffer.from('.abc').toString('base64url')],
    ['not base64url', '{}'],
    ['very long', 'A'.repeat(10_000)],
  ])('that is %s is refused', (_what, text) => expect(read(text)).toEqual(refusedFor('cursor')));

  test('given twice is refused', () => {
    expect(readQuery(pageQuery, { cursor: [cursor, cursor] })).toEqual(refusedFor('cursor'));
  });
});
