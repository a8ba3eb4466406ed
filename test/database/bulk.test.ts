/** Arrays of parameters: Postgres reads exactly what was written. */
import { writeArray, type ColumnType } from '../../src/db/pg/bulk';
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
  ['uuid', ['01a2010f-5790-737e-b876-fa4413ee49c8', null, 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
  ['uuid', ['00000000-0000-0000-0000-000000000000', '01234567-89ab-cdef-0123-456789abcdef']],
  ['uuid', []],
])('%s: %j', async (type, values) => {
  const [row] = await cell.sql(
    `SELECT ARRAY(SELECT value::text FROM unnest($1::${type}[]) WITH ORDINALITY AS v(value, place) ORDER BY place) AS read`,
    [writeArray(type, values)],
  );
  expect(row!['read']).toEqual(values.map((value) => (value === null ? null : String(value))));
});

test('uuids in capitals are the same uuids', () => {
  const id = '01a2010f-5790-737e-b876-fa4413ee49c8';
  expect(writeArray('uuid', [id.toUpperCase()])).toEqual(writeArray('uuid', [id]));
});

test.each([
  ['too short', '01a2010f-5790-737e-b876-fa4413ee49c'],
  ['too long', '01a2010f-5790-737e-b876-fa4413ee49c88'],
  ['with a letter that is no digit', '01a2010f-5790-737e-b876-fa4413ee49cg'],
  ['with a dash out of place', '01a2010f5-790-737e-b876-fa4413ee49c8'],
  ['with a digit for a dash', '01a2010f05790-737e-b876-fa4413ee49c8'],
  ['with another last dash', '01a2010f-5790-737e-b876_fa4413ee49c8'],
  ['with a character beyond Latin', '01a2010f-5790-737e-b876-fa4413ee49cọ'],
  ['empty', ''],
])('a uuid %s is a bug, and not another uuid', (_, text) => {
  expect(() => writeArray('uuid', [text])).toThrow('the id of a row is a uuid');
});
