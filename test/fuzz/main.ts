/** `npm run fuzz -- --runs 20000 --seed 1`: a long run on a throw-away database. Prints what was answered how often. */
import { Command } from 'commander';
import { closeRun, preparePostgres } from '../setup/run';
import { openWorld } from '../support/api';
import { fuzz, type FuzzCounts } from './fuzz';

const RUNS = 20_000;

async function main(): Promise<void> {
  const { runs, seed, operations } = new Command('fuzz')
    .option('--runs <number>', 'how many requests', Number, RUNS)
    .option('--seed <number>', 'the same seed makes the same requests', Number, Date.now() % 2 ** 31)
    .option('--operations <pattern>', 'only operations whose id fits', (text) => new RegExp(text), /./)
    .parse()
    .opts<{ runs: number; seed: number; operations: RegExp }>();
  console.log(`${String(runs)} requests, seed ${String(seed)}`);
  await preparePostgres();
  const world = await openWorld();
  try {
    print(await fuzz(world, { runs, seed, operations }));
    console.log('nothing undocumented, no 500, nothing moved by a refusal, the books are right');
  } finally {
    await world.close();
    await closeRun();
  }
}

function print(counts: FuzzCounts): void {
  for (const [operation, byStatus] of Object.entries(counts).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    const statuses = Object.entries(byStatus).map(([status, count]) => `${status}: ${String(count)}`);
    console.log(`  ${operation.padEnd(32)} ${statuses.join('  ')}`);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
