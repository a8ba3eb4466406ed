/** Reads a statement in one of the kinds that companies and banks give out, and makes lines of it that `recon:import` takes. */
import { dayOf, type Day } from '../../domain/days';
import { isRounded, type StatementLine } from '../../domain/statement-lines';
import type { TableMap } from '../../domain/statement-tables';
import { MONNIFY_DOWNLOAD } from '../../providers/monnify/download';
import { PAYSTACK_DOWNLOAD } from '../../providers/paystack/download';
import { readCamt053 } from './camt053';
import { readMt940 } from './mt940';
import { readTable } from './table';
import { textOf } from './text';
import { FileProblem, wrongAt, type ReadFile, type ReadLine, type Reading } from './words';

/** How each kind of file is read. A company's own table is known; `--map` names the columns of any other one. */
const READERS = {
  paystack: (text, map, reading) => readTable(text, map ?? PAYSTACK_DOWNLOAD, reading),
  monnify: (text, map, reading) => readTable(text, map ?? MONNIFY_DOWNLOAD, reading),
  mt940: (text, map, reading) => readMt940(text, withMap(map, reading)),
  camt053: (text, map, reading) => readCamt053(text, withMap(map, reading)),
  csv: (text, map, reading) => {
    if (map === null) throw new FileProblem('name the columns of this file with --map');
    return readTable(text, map, reading);
  },
} as const satisfies Record<string, (text: string, map: TableMap | null, reading: Reading) => ReadFile>;

export type FileKind = keyof typeof READERS;
export const FILE_KINDS = Object.keys(READERS) as FileKind[];

const withMap = (map: TableMap | null, { zone, date }: Reading): Reading => ({
  zone: map?.zone ?? zone,
  date: map?.date ?? date,
});

export interface Converted {
  lines: readonly StatementLine[];
  /** What a person should know, such as rows that are no lines. */
  notes: readonly string[];
}

/**
 * @param map of the columns, where the kind has a table; null where people have given none.
 * @param day of which the lines are wanted; null for all of them.
 * @returns the lines in the order in which they changed the balance.
 * @throws FileProblem that names what is wrong, and where.
 */
export function convert(
  bytes: Uint8Array,
  kind: FileKind,
  map: TableMap | null,
  reading: Reading,
  day: Day | null,
): Converted {
  const read = READERS[kind](textOf(bytes), map, reading);
  if (read.lines.length === 0) throw new FileProblem('the file has no line of a statement');
  const all = withIds(oldestFirst(read.lines));
  const lines = day === null ? all : all.filter(({ at }) => dayOf(at) === day);
  const others = all.length - lines.length;
  return {
    lines,
    notes: [
      ...read.notes,
      ...(others > 0 ? [`${String(others)} lines are of other days than ${day ?? ''}`] : []),
    ],
  };
}

/** Banks write the newest line first or last, and often without the time of the day. The balances say which. */
function oldestFirst(lines: readonly ReadLine[]): ReadLine[] {
  const follows = (one: ReadLine | undefined, next: ReadLine | undefined): boolean =>
    one?.balanceKobo != null &&
    next?.balanceKobo != null &&
    one.balanceKobo + next.changeKobo === next.balanceKobo;
  const places = lines.map((_line, at) => at).slice(1);
  const forward = places.filter((at) => follows(lines[at - 1], lines[at])).length;
  const backward = places.filter((at) => follows(lines[at], lines[at - 1])).length;
  const isNewestFirst =
    backward > forward || (backward === forward && (lines[0]?.at ?? 0) > (lines.at(-1)?.at ?? 0));
  const ordered = isNewestFirst ? lines.toReversed() : lines;
  return ordered.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** A line has the id of the column that people have named for it; else the lines of each day are numbered from 1. */
function withIds(lines: readonly ReadLine[]): StatementLine[] {
  const counts = new Map<Day, number>();
  const places = new Map<string, number>();
  return lines.map(({ place, id, ...line }) => {
    const day = dayOf(line.at);
    const number = (counts.get(day) ?? 0) + 1;
    counts.set(day, number);
    if (id === '')
      throw wrongAt(place, 'has no id. Leave "id" out of the map, and the lines of each day are numbered');
    const read = { id: id ?? String(number), ...line };
    const before = places.get(`${day} ${read.id}`);
    if (before !== undefined) {
      throw wrongAt(
        place,
        `the id ${read.id} stands in line ${String(before)} already: it is no id of a line`,
      );
    }
    places.set(`${day} ${read.id}`, place);
    assertIds(read, place);
    return read;
  });
}

function assertIds({ id, reference, providerRef, sessionId }: StatementLine, place: number): void {
  for (const text of [id, reference, providerRef, sessionId]) {
    if (text !== null && isRounded(text)) {
      const how = 'is a long number that a spreadsheet has rounded; convert the file as it was downloaded';
      throw wrongAt(place, `${text} ${how}`);
    }
    if (text !== null && (text.length > 100 || /[,"\n]/.test(text))) {
      const how = 'cannot be an id: it has a comma or a quotation mark, or more than 100 characters';
      throw wrongAt(place, `"${text}" ${how}`);
    }
  }
}
