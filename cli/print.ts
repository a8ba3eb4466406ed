/** How results are shown: one JSON object a line for programs, and for people an indented object or a table. */

const COLUMNS_MAX = 6;
const WIDTH_MAX = 40;

/** Prints one result. */
export const printOne = (value: unknown, asJson: boolean): void => {
  process.stdout.write(`${asJson ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`);
};

/** Prints the items of a list. */
export function printItems(items: readonly unknown[], asJson: boolean): void {
  if (asJson) for (const item of items) printOne(item, true);
  else if (items.length === 0) process.stdout.write('(none)\n');
  else for (const line of table(items as Record<string, unknown>[])) process.stdout.write(`${line}\n`);
}

function table(items: readonly Record<string, unknown>[]): string[] {
  const isScalar = (name: string): boolean => items.some((item) => typeof (item[name] ?? {}) !== 'object');
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))]
    .filter(isScalar)
    .slice(0, COLUMNS_MAX);
  const rows = [columns, ...items.map((item) => columns.map((name) => cell(item[name])))];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const cell = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return text.length > WIDTH_MAX ? `${text.slice(0, WIDTH_MAX - 1)}…` : text;
};
