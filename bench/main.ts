/**
 * `npm run bench [-- NAME ...] [--quick | --tiny]`: measures ours beside its yardsticks on this machine and
 * prints the table. A full run keeps its rows in bench/results.md.
 */
import { Command } from 'commander';
import { keepResults } from './results';
import { SIZES, type Row, type Scenario, type Size, type Usage } from './scenario';
import { SCENARIOS } from './scenarios';
import { closeStand } from './support/stand';
import { closeWholePlatform } from './support/whole-platform';
import { printTable, type Result } from './table';

async function main(): Promise<void> {
  const command = new Command('bench')
    .argument('[names...]', 'rows to measure; all of them without')
    .option('--quick', 'smaller tables and shorter runs: about three minutes')
    .option('--tiny', 'only shows that every bench still works')
    .parse();
  const { quick, tiny } = command.opts<{ quick?: true; tiny?: true }>();
  const size = SIZES[tiny ? 'tiny' : quick ? 'quick' : 'full'];
  const chosen = choose(command.args);
  if (!chosen) {
    const known = SCENARIOS.flatMap(({ rows }) => rows.map((row) => row.name)).join(', ');
    command.error(`Rows are: ${known}`);
    return;
  }

  const results: Result[] = [];
  try {
    for (const scenario of chosen) results.push(...(await measure(scenario, size)));
  } finally {
    await Promise.all([closeStand(), closeWholePlatform()]);
  }
  printTable(results);
  if (size.name === 'full') keepResults(results);
  // The figures of a tiny run mean nothing, so there only an error fails the run.
  const judges = size.name !== 'tiny';
  if (judges && results.some(({ claims }) => claims.some(({ holds }) => !holds))) process.exitCode = 1;
}

/**
 * The scenarios that measure the rows asked for; null when one of them is unknown. `ussd`, which
 * no row is called, asks for the scenario whose rows begin with it.
 */
function choose(names: readonly string[]): readonly Scenario[] | null {
  if (names.length === 0) return SCENARIOS;
  const having = (isMeant: (row: Row) => boolean) => SCENARIOS.find(({ rows }) => rows.some(isMeant));
  const measuring = (name: string) =>
    having((row) => row.name === name) ?? having((row) => row.name.startsWith(`${name}-`));
  if (names.some((name) => !measuring(name))) return null;
  return SCENARIOS.filter((scenario) => names.some((name) => measuring(name) === scenario));
}

async function measure(scenario: Scenario, size: Size): Promise<Result[]> {
  console.log(`Measuring ${scenario.rows.map(({ name }) => name).join(', ')}`);
  const results = new Map(scenario.rows.map((row) => [row.name, emptyResult(row)]));
  const of = (name: string): Result => {
    const result = results.get(name);
    if (!result) throw new Error(`bug: no row is called ${name}`);
    return result;
  };
  await scenario.run({
    size,
    figure(row, ours, yardstick) {
      of(row).runs.push({ ours, yardstick });
      console.log(`  ${row}: ${ours.toFixed(1)} beside ${yardstick.toFixed(1)}`);
    },
    claim: (row, holds, words) => void of(row).claims.push({ holds, words }),
    usage(row, processes: readonly Usage[]) {
      of(row).usage = processes;
    },
    say: (line) => console.log(line),
  });
  return [...results.values()].filter(({ runs }) => runs.length > 0);
}

const emptyResult = (row: Row): Result => ({ row, runs: [], claims: [], usage: [] });

// Node ends without a word when nothing is left that could end what is waited for.
const endedEarly = (): void => {
  console.error('The bench ended before its rows were measured: what it waited for can never come.');
  process.exitCode = 1;
};
process.once('beforeExit', endedEarly);
void main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => process.off('beforeExit', endedEarly));
