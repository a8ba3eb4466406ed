/**
 * `npm run fuzz -- --runs 20000 --seed 1`: a long run on a throw-away database and Temporal. Prints how often
 * each operation gave each status.
 */
import { Command } from 'commander';
import { closeRun, preparePostgres } from '../setup/run';
import { openWorld } from '../support/api';
import { reserveTemporal } from '../support/reserved-temporal';
import { fuzz, type FuzzCounts } from './fuzz';

const RUNS = 20_000;

/** Longer than any run, so that work of a workflow is not taken for the effect of a request. */
const NOT_IN_THIS_RUN = String(24 * 3_600_000);
const SETTINGS = {
  SANDBOX_PROVISIONING_MS: `${NOT_IN_THIS_RUN},${NOT_IN_THIS_RUN}`,
  SANDBOX_TRANSFER_MS: `${NOT_IN_THIS_RUN},${NOT_IN_THIS_RUN}`,
  SANDBOX_KYC_MS: `${NOT_IN_THIS_RUN},${NOT_IN_THIS_RUN}`,
  USSD_SESSION_MS: NOT_IN_THIS_RUN,
  SWEEP_EVERY_MS: NOT_IN_THIS_RUN,
  RECONCILE_EVERY_MS: NOT_IN_THIS_RUN,
  RETENTION_EVERY_MS: NOT_IN_THIS_RUN,
};

/**
 * No account that its bank does not know: a worker fails its transfers at once, as if the next request had done
 * it.
 */
const ACCOUNTS = ['0123456789', '0123450000'];

async function main(): Promise<void> {
  const { runs, seed, operations } = new Command('fuzz')
    .option('--runs <number>', 'how many requests', Number, RUNS)
    .option('--seed <number>', 'the same seed makes the same requests', Number, Date.now() % 2 ** 31)
    .option('--operations <pattern>', 'only operations whose id matches', (text) => new RegExp(text), /./)
    .parse()
    .opts<{ runs: number; seed: number; operations: RegExp }>();
  console.log(`${String(runs)} requests, seed ${String(seed)}`);
  await preparePostgres();
  const temporal = await reserveTemporal();
  await temporal.start();
  const world = await openWorld({ ...SETTINGS, TEMPORAL_ADDRESS: temporal.address });
  try {
    await world.startWorker();
    print(await fuzz(world, { runs, seed, operations, accounts: ACCOUNTS }));
    console.log('nothing undocumented, no 500, nothing moved by a refusal, the books are right');
  } finally {
    await world.close();
    await temporal.discard();
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
