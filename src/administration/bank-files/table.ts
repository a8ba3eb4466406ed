/**
 * A CSV file as a company or a bank lets people download it: with a letterhead above its table, semicolons or tabs, quotation
 * marks, and amounts as people write them. The map says which column has what.
 */
import { parse } from 'csv-parse/sync';
import {
  ourReferenceIn,
  subjectOf,
  wrongAt,
  FileProblem,
  type ReadFile,
  type ReadLine,
  type Reading,
} from './words';
import type { TableMap } from '../../domain/statement-tables';
import { amountIn } from './amounts';
import { momentIn } from './dates';

interface Row {
  cells: string[];
  /** The line of the file in which it ends. */
  place: number;
}

const DELIMITERS = [',', ';', '\t', '|'];
/** A spreadsheet writes a number that is to stay text as ="123" or '123. */
const plain = (text: string): string => text.trim().replace(/^="(.*)"$|^'(?=\d)/, '$1');
const fold = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

/** Words by which a column says that money left; every other column has one for what came. */
const LEFT = new Set(['d', 'dr', 'debit', 'out', '-']);
const CAME = new Set(['c', 'cr', 'credit', 'in', '+']);

/**
 * @param reading how dates are read where the map does not say it.
 * @throws FileProblem that names the line.
 */
export function readTable(text: string, map: TableMap, reading: Reading): ReadFile {
  const named = Object.values(map.columns).filter((name) => name !== undefined);
  const { rows, header } = tableIn(text, named);
  const columns = header.cells.map(fold);
  const place = (name: string | undefined): number => (name === undefined ? -1 : columns.indexOf(fold(name)));
  for (const name of named) {
    if (columns.filter((one) => one === fold(name)).length > 1) {
      throw wrongAt(header.place, `two columns are named ${name}`);
    }
  }
  const notes: string[] = [];
  const lines = rows.flatMap((row): ReadLine[] => {
    const cell = (name: string | undefined): string => plain(row.cells[place(name)] ?? '');
    const isIgnored = (map.ignore ?? []).some((word) =>
      fold(row.cells.find((one) => one.trim() !== '') ?? '').startsWith(fold(word)),
    );
    const read = isIgnored ? null : readRow(map, reading, row, cell, columns.length);
    if (read === null)
      notes.push(
        `line ${String(row.place)} is no line of the statement: ${row.cells.filter((one) => one.trim() !== '').join(' ')}`,
      );
    return read === null ? [] : [read];
  });
  return { lines, notes };
}

/** @returns null for a row in which nothing has changed the balance, such as a balance that was carried over. */
function readRow(
  map: TableMap,
  reading: Reading,
  row: Row,
  cell: (name: string | undefined) => string,
  width: number,
): ReadLine | null {
  const { columns } = map;
  const kobo = (name: string | undefined): number | null => {
    const writing = { unit: map.unit ?? 'naira', decimal: map.decimal ?? '.' } as const;
    const amount = amountIn(cell(name), writing);
    if (amount === undefined)
      throw wrongAt(row.place, `"${cell(name)}" in ${name ?? ''} is no amount that can be read in one way`);
    return amount;
  };
  const changeKobo = changeIn(columns, kobo, cell, row.place);
  if (changeKobo === null) return null;
  if (row.cells.length !== width)
    throw wrongAt(row.place, `has ${String(row.cells.length)} cells, and the table ${String(width)} columns`);
  const at = momentIn([cell(columns.at), cell(columns.time)].join(' '), {
    date: map.date ?? reading.date,
    zone: map.zone ?? reading.zone,
  });
  if (typeof at === 'string') throw wrongAt(row.place, at);
  const known = (name: string | undefined): string | null => cell(name) || null;
  const reference =
    ourReferenceIn([cell(columns.reference), cell(columns.narration)]) ?? known(columns.reference);
  const about = Object.entries(map.about ?? {}).find(
    ([word]) => fold(word) === fold(cell(columns.about)),
  )?.[1];
  return {
    id: columns.id === undefined ? null : cell(columns.id),
    place: row.place,
    at,
    about: subjectOf(reference, about ?? 'other'),
    changeKobo,
    balanceKobo: kobo(columns.balance),
    reference,
    providerRef: known(columns.provider_ref),
    sessionId: known(columns.session_id),
  };
}

function changeIn(
  columns: TableMap['columns'],
  kobo: (name: string | undefined) => number | null,
  cell: (name: string | undefined) => string,
  place: number,
): number | null {
  if (columns.amount === undefined) {
    const [came, left] = [kobo(columns.credit), kobo(columns.debit)];
    if (came && left) throw wrongAt(place, 'has both a credit and a debit');
    if (came === null && left === null) return null;
    return left ? -Math.abs(left) : (came ?? 0);
  }
  const amount = kobo(columns.amount);
  if (amount === null || columns.direction === undefined) return amount;
  const direction = fold(cell(columns.direction));
  if (amount < 0 || (!LEFT.has(direction) && !CAME.has(direction))) {
    throw wrongAt(
      place,
      `"${cell(columns.direction)}" does not say whether ${cell(columns.amount)} came or left`,
    );
  }
  return LEFT.has(direction) ? -amount : amount;
}

/** The rows below the first one that has all named columns, with whatever parts its cells. */
function tableIn(text: string, named: readonly string[]): { header: Row; rows: Row[] } {
  let most: { missing: string[] } | null = null;
  for (const delimiter of DELIMITERS) {
    const rows = rowsOf(text, delimiter);
    for (const [at, row] of (rows ?? []).entries()) {
      const cells = row.cells.map(fold);
      const missing = named.filter((name) => !cells.includes(fold(name)));
      if (missing.length === 0) return { header: row, rows: (rows ?? []).slice(at + 1) };
      if (most === null || missing.length < most.missing.length) most = { missing };
    }
  }
  throw new FileProblem(
    `no line has all columns of the map; missing: ${(most?.missing ?? named).join(', ')}. Name the columns of this file with --map`,
  );
}

/** @returns null where the text is no table that is parted by this. */
function rowsOf(text: string, delimiter: string): Row[] | null {
  try {
    const read = parse(text, {
      delimiter,
      bom: true,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return read
      .map(({ record, info }) => ({ cells: record, place: info.lines }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  } catch {
    return null;
  }
}
