/**
 * No column can be forgotten by an erasure or by retention: each one that can hold words stands in the table, with what
 * becomes of it.
 */
import { RETENTION } from '../../src/domain/retention';
import { COLUMNS, RETENTION_OF } from '../../tools/reference/personal-columns';
import { openTestCell, type TestCell } from '../support/cell';

let cell: TestCell;
beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(() => cell.close());

test('every column of text, JSON or bytes has a row, and every row has a column', async () => {
  const rows = await cell.sql(
    `SELECT CASE WHEN table_schema ~ '^(sandbox|live)_[0-9]+$' THEN 'cell'
                 WHEN table_schema LIKE '%directory' THEN 'directory' ELSE table_schema END AS area,
            table_name, coalesce(json_agg(DISTINCT column_name::text ORDER BY column_name::text)
              FILTER (WHERE data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')), '[]') AS columns
       FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema', 'public') AND table_type = 'BASE TABLE'
        AND table_name NOT LIKE 'migrations\\_%'
      GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const inDatabase = rows.map((row) => [`${row['area']}.${row['table_name']}`, row['columns']]);
  const inTable = Object.entries(COLUMNS).map(([table, columns]) => [table, Object.keys(columns).sort()]);
  expect(inTable.sort()).toEqual(inDatabase.sort());
});

test('every class of retention has columns, and every column that names somebody has a class', () => {
  const fates = new Set(Object.values(COLUMNS).flatMap((columns) => Object.values(columns)));
  const classes = [...fates].flatMap((fate) =>
    fate === 'words' || fate === 'secrets' ? [] : [...RETENTION_OF[fate]],
  );
  expect([...new Set(classes)].sort()).toEqual(Object.keys(RETENTION).sort());
});
