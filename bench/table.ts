/** The table of results: each row's ratio to its yardstick, and what stands behind it. */
import type { Row, Usage } from './scenario';

export interface Result {
  row: Row;
  runs: { ours: number; yardstick: number }[];
  claims: { holds: boolean; words: string }[];
  usage: readonly Usage[];
}

/** Minimum, median and maximum. */
interface Spread {
  min: number;
  median: number;
  max: number;
}

function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((one, other) => one - other);
  const at = (index: number): number => sorted[index] ?? NaN;
  const middle = Math.floor((sorted.length - 1) / 2);
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle) + at(middle + 1)) / 2;
  return { min: at(0), median, max: at(sorted.length - 1) };
}

const ratioOf = ({ runs }: Result): number =>
  spreadOf(runs.map((run) => run.ours)).median / spreadOf(runs.map((run) => run.yardstick)).median;

/** What is held to floor and goal. */
function heldOf(result: Result): number {
  const { row, runs } = result;
  if (!row.absolute) return ratioOf(result);
  if (row.whereYardstickIs) return ratioOf(result) * row.whereYardstickIs;
  return spreadOf(runs.map((run) => run.ours)).median;
}

/** The word in the last column. */
function verdictOf(result: Result): 'goal' | 'floor' | 'below its floor' | 'shown' {
  const { row } = result;
  const held = heldOf(result);
  const reaches = (bound: number) => (row.ratio === 'at least' ? held >= bound : held <= bound);
  if (row.floor === null || row.goal === null) return 'shown';
  if (reaches(row.goal)) return 'goal';
  return reaches(row.floor) ? 'floor' : 'below its floor';
}

export const HEADINGS = [
  'row',
  'ours, min / median / max',
  'yardstick',
  'its min / median / max',
  'ratio',
  'floor; goal',
  'reached',
] as const;

/** A result as the cells of its line. */
export function cellsOf(result: Result): string[] {
  const { row, runs } = result;
  const sign = row.ratio === 'at least' ? '>=' : '<=';
  const bound = (figure: number | null) =>
    figure !== null && row.absolute ? `${writeFigure(figure)} ${row.unit}` : String(figure);
  return [
    `${row.name}: ${row.ours}`,
    `${writeSpread(runs.map((run) => run.ours))} ${row.unit}`,
    row.yardstick,
    `${writeSpread(runs.map((run) => run.yardstick))} ${row.unit}`,
    ratioOf(result).toFixed(2),
    row.floor === null ? 'none' : `${sign} ${bound(row.floor)}; ${bound(row.goal)}${machineOf(result)}`,
    verdictOf(result),
  ];
}

/** What our median would be on the machine that floor and goal are meant for, where they are meant for one. */
function machineOf(result: Result): string {
  const { whereYardstickIs, unit } = result.row;
  if (!whereYardstickIs) return '';
  const [held, its] = [heldOf(result), whereYardstickIs].map(writeFigure);
  return `, where the yardstick is ${its} ${unit}; there ours is ${held}`;
}

/** What else was seen: claims, and what each process took. */
export function notesOf({ claims, usage }: Result): string[] {
  const processes = usage.map(
    ({ name, cpuPercent, memoryMb }) => `${name} ${cpuPercent.toFixed(0)} % CPU, ${memoryMb.toFixed(0)} MB`,
  );
  return [
    ...claims.map(({ holds, words }) => (holds ? words : `NOT TRUE: ${words}`)),
    ...(processes.length > 0 ? [processes.join('; ')] : []),
  ];
}

export function printTable(results: readonly Result[]): void {
  for (const result of results) {
    const [what, ours, yardstick, its, ratio, bounds, verdict] = cellsOf(result);
    console.log(`\n${what ?? ''}\n  ${ours ?? ''}, beside ${its ?? ''} (${yardstick ?? ''})`);
    console.log(`  ratio ${ratio ?? ''} (${bounds ?? ''}): ${verdict ?? ''}`);
    for (const note of notesOf(result)) console.log(`  ${note}`);
  }
}

function writeSpread(figures: readonly number[]): string {
  const { min, median, max } = spreadOf(figures);
  return [min, median, max].map(writeFigure).join(' / ');
}

/** At least three significant digits: `12,345`, `12.3`, `0.123`. */
const writeFigure = (figure: number): string =>
  figure >= 100 ? Math.round(figure).toLocaleString('en') : figure.toPrecision(3);
