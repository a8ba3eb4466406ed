/** Postgres reads exactly the values that a round sends, of any length and number. */
import pg from 'pg';
import type { Parameter } from '../../src/db/pg/bulk';
import { isOutage } from '../../src/db/pg/postgres';
import { runRound, type Statement } from '../../src/db/pg/round';
import { openTestCell, type TestCell } from '../support/cell';

let cell: TestCell;
let client: pg.Client;
beforeAll(async () => {
  cell = await openTestCell();
  client = new pg.Client(cell.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await cell.close();
});

/** Asks twice: Postgres parses the statement in the first round and knows it in the second. */
async function comesBack(statement: Statement, values: readonly Parameter[]): Promise<unknown> {
  const first = await runRound(client, [{ statement, values }]);
  expect(await runRound(client, [{ statement, values }])).toEqual(first);
  return first[0]?.[0]?.['value'];
}

const KILOBYTE = 1024;

test.each<[what: string, text: string | null]>([
  ['nothing at all', null],
  ['an empty text', ''],
  ['a short text', 'ADA OBI'],
  ['a short text that is not all ASCII', 'Adé Ọbí pays ₦5'],
  ['a short text that ends in a character of four bytes', 'paid 🙏'],
  ['the longest text that is copied letter by letter', 'a'.repeat(48)],
  ['one letter longer', 'a'.repeat(49)],
  ['a long text that is not all ASCII', 'Ọ'.repeat(500)],
  ['as many bytes as the first buffer holds', 'a'.repeat(16 * KILOBYTE)],
  ['more bytes than the first buffer holds, in fewer letters', '🙏'.repeat(4 * KILOBYTE)],
  ['more bytes than a kept buffer may have', 'a'.repeat(1024 * KILOBYTE + 1)],
  ['a short text after that', 'b'],
])('%s', async (_what, text) => {
  expect(await comesBack({ text: 'SELECT $1::text AS value' }, [text])).toBe(text);
});

test.each([
  ['no bytes', 0],
  ['bytes', 300],
  ['more bytes than the first buffer holds', 17 * KILOBYTE],
])('%s', async (_what, length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, place) => place % 256));
  expect(await comesBack({ text: `SELECT encode($1::bytea, 'hex') AS value` }, [bytes])).toBe(
    bytes.toString('hex'),
  );
});

test('values keep their order when some are sent as text and others as bytes', async () => {
  const two = Buffer.from([0, 0, 0, 2]);
  const statement = { text: `SELECT concat_ws(',', $1::text, $2::integer, $3::text, $4::integer) AS value` };
  expect(await comesBack(statement, ['one', two, null, '3'])).toBe('one,2,3');
});

test('as many values as pg can describe', async () => {
  const count = 2 ** 15 - 1;
  const places = Array.from({ length: count }, (_, place) => `$${place + 1}::text`);
  const statement = { text: `SELECT cardinality(ARRAY[${places.join(',')}]) AS value` };
  expect(await comesBack(statement, new Array<string>(count).fill('x'))).toBe(count);
});

test('several statements of a round, known and not, each with its own values', async () => {
  const known = { text: 'SELECT $1::text AS value' };
  await runRound(client, [{ statement: known, values: ['before'] }]);
  const fresh = { text: 'SELECT $1::text AS one, $2::text AS two' };
  const rows = await runRound(client, [
    { statement: known, values: ['a'] },
    { statement: fresh, values: ['b', null] },
    { statement: known, values: ['c'] },
    { statement: fresh, values: [null, 'd'] },
  ]);
  expect(rows).toEqual([
    [{ value: 'a' }],
    [{ one: 'b', two: null }],
    [{ value: 'c' }],
    [{ one: null, two: 'd' }],
  ]);
});

test('a value that Postgres cannot read is its refusal, and the next round works', async () => {
  await expect(comesBack({ text: 'SELECT $1::text AS value' }, ['\0'])).rejects.toMatchObject({
    code: '22021',
  });
  await expect(comesBack({ text: 'SELECT $1::uuid AS value' }, ['no uuid'])).rejects.toMatchObject({
    code: '22P02',
  });
  expect(await comesBack({ text: 'SELECT $1::text AS value' }, ['right'])).toBe('right');
});

test('a round on a connection that is ending is not sent, and is an outage', async () => {
  const ending = new pg.Client(cell.url);
  ending.on('error', () => undefined);
  await ending.connect();
  (ending as unknown as { connection: pg.Connection }).connection.stream.end();
  const failed = runRound(ending, [{ statement: { text: 'SELECT 1' }, values: [] }]);
  expect(await failed.then(() => null, isOutage)).toBe(true);
});
