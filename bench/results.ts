/** Keeps the last full measurement of every row in bench/results.json, and shows them in bench/results.md. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from './support/machine';
import { cellsOf, HEADINGS, notesOf, type Result } from './table';
import { SCENARIOS } from './scenarios';

/** The folder of the sources, where `npm run` works. The compiled programs are in another folder. */
const FOLDER = join(process.cwd(), 'bench');
const KEPT = join(FOLDER, 'results.json');

type Kept = Result & { at: string; commit: string; machine: string };

/** Takes in new results; rows that were not measured keep their last ones. */
export function keepResults(results: readonly Result[]): void {
  const at = new Date().toISOString().slice(0, 10);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: FOLDER,
    encoding: 'utf8',
  }).trim();
  const machine = describeMachine();
  const kept: Record<string, Kept> = existsSync(KEPT)
    ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Record<string, Kept>)
    : {};
  for (const result of results) kept[result.row.name] = { ...result, at, commit, machine };
  writeFileSync(KEPT, `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync(join(FOLDER, 'results.md'), pageOf(kept));
}

function pageOf(kept: Record<string, Kept>): string {
  const rows = SCENARIOS.flatMap(({ rows }) => rows).flatMap(({ name }) => kept[name] ?? []);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const machines = [...new Set(rows.map(({ machine }) => machine))];
  return [
    '# Results',
    '',
    'Made by `npm run bench`; each row shows its last full run. Ratios are median to median, measured in the same run on the same cores as the load generator; single figures move from machine to machine.',
    '',
    ...machines.map((machine) => `- ${machine}`),
    '',
    line([...HEADINGS, 'measured']),
    line([...HEADINGS, ''].map(() => '---')),
    ...rows.map((row) => line([...cellsOf(row), `${row.at}, ${row.commit}`])),
    '',
    '## Beside the table',
    '',
    ...rows.flatMap((row) => notesOf(row).map((note) => `- **${row.row.name}**: ${note}`)),
    '',
  ].join('\n');
}
