/** The SQL examples of a Markdown page, and what they print, written as psql writes it. */
import type pg from 'pg';

export interface SqlExample {
  sql: string;
  /** The output that the page gives; null if it gives none. */
  output: string | null;
}

/** Each block of SQL with the block of text that follows it. */
export const examplesIn = (page: string): SqlExample[] =>
  [...page.matchAll(/^```sql\n([^]*?)\n```$(?:\n\n```text\n([^]*?)\n```$)?/gm)].map(
    ([, sql = '', output]) => ({
      sql,
      output: output ?? null,
    }),
  );

/**
 * Runs a block of statements. @returns what the last of them gave, or the error of the first that failed, with
 * `<id>` for ids.
 */
export async function printedBy(client: pg.ClientBase, sql: string): Promise<string> {
  try {
    const results = await client.query<string[], []>({ text: sql, rowMode: 'array', types: AS_TEXT });
    return table([results].flat().at(-1) as pg.QueryArrayResult<(string | null)[]>);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `ERROR:  ${code}: ${message.replaceAll(UUID, '<id>')}`;
  }
}

const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (value: string) => value };
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** The types of Postgres that psql sets to the right: bigint, smallint, integer, numeric. */
const NUMBERS = [20, 21, 23, 1700];

function table({ command, fields, rows }: pg.QueryArrayResult<(string | null)[]>): string {
  if (command !== 'SELECT') return command;
  const columns = fields.map(({ name, dataTypeID }, place) => {
    const cells = rows.map((row) => row[place] ?? '');
    const width = Math.max(...[name, ...cells].map((cell) => cell.length));
    const isNumber = NUMBERS.includes(dataTypeID);
    return {
      rule: '-'.repeat(width + 2),
      title: name.padStart(name.length + Math.floor((width - name.length) / 2)).padEnd(width),
      cells: cells.map((cell) => (isNumber ? cell.padStart(width) : cell.padEnd(width))),
    };
  });
  const line = (cells: string[]): string => ` ${cells.join(' | ')}`.trimEnd();
  return [
    line(columns.map(({ title }) => title)),
    columns.map(({ rule }) => rule).join('+'),
    ...rows.map((_, place) => line(columns.map(({ cells }) => cells[place] ?? ''))),
    `(${String(rows.length)} ${rows.length === 1 ? 'row' : 'rows'})`,
  ].join('\n');
}
