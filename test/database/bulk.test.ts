/** Arrays as they travel: what Postgres reads is what was written. */
import { writeArray, type ColumnType } from '../../src/db/bulk';
import { openTestCell, type TestCell } from '../support/cell';

let cell: TestCell;
beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(() => cell.close());

const LARGEST = Number.MAX_SAFE_INTEGER;

test.each<[ColumnType, (string | number | null)[]]>([
  ['bigint', [0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32 - 1, 2 ** 32, -(2 ** 32), LARGEST, -LARGEST]],
  ['bigint', [null, 5, null]],
  ['bigint', []],
  ['text', ['', 'a,b', '{"x":"\\"}', 'NULL', 'Ọláàńrewájú ₦', null]],
  ['text', []],
  ['json', ['{"a": [1, null]}', null]],
  ['uuid', ['01a2010f-5790-737e-b876-fa4413ee49c8', null]],
])('%s: %j', async (type, values) => {
  const [row] = await cell.sql(
    `SELECT ARRAY(SELECT value::text FROM unnest($1::${type}[]) WITH ORDINALITY AS v(value, place) ORDER BY place) AS read`,
    [writeArray(type, values)],
  );
  expect(row!['read']).toEqual(values.map((value) => (value === null ? null : String(value))));
});
