/**
 * The gauges whose values come from Postgres. They are read when metrics are scraped, at most every few seconds,
 * and never by a request.
 */
import { Gauge } from 'prom-client';
import type { Cell } from '../db/pg/postgres';
import { FINDING_CLASSES, type FindingClass } from '../domain/findings';
import { sampleCell, type CellSample } from '../db/upkeep/samples';
import type { Environment } from '../runtime/environment';
import type { Metrics } from './metrics';

/** The samples of all cells; null for a cell whose database could not be asked. */
export type Samples = () => Promise<{ environment: string; cell: string; sample: CellSample | null }[]>;

const ASK_EVERY_MS = 5_000;

/** The database is asked at most once in five seconds, however many callers ask for the samples. */
export function createSamples(environments: readonly Environment[]): Samples {
  const all: { environment: string; cell: Cell }[] = environments.flatMap(({ name: environment, cells }) =>
    [...cells.values()].map((cell) => ({ environment, cell })),
  );
  const ask = async ({ environment, cell }: (typeof all)[number]) => ({
    environment,
    cell: cell.schema,
    sample: await sampleCell(cell).catch(() => null),
  });
  let last: { at: number; samples: ReturnType<Samples> } | null = null;
  return () => {
    const now = Date.now();
    if (!last || now - last.at > ASK_EVERY_MS) last = { at: now, samples: Promise.all(all.map(ask)) };
    return last.samples;
  };
}

/** What is measured of each cell. @param upSeconds for how long the process has looked. */
const GAUGES: readonly {
  name: string;
  help: string;
  of: (sample: CellSample, upSeconds: number) => number;
}[] = [
  {
    name: 'ledger_imbalance_kobo',
    help: 'Sum of all entries of the cell, as the reconciliation has last summed them, with what has come since; anything but 0 is an alarm',
    of: (sample) => sample.imbalanceKobo,
  },
  {
    name: 'intention_oldest_seconds',
    help: 'Age of the oldest workflow that was committed and has not started',
    of: (sample) => sample.intentionOldestSeconds,
  },
  {
    name: 'transfer_processing_oldest_seconds',
    help: 'Age of the oldest bank transfer without an outcome',
    of: (sample) => sample.transferOldestSeconds,
  },
  {
    name: 'webhook_oldest_pending_seconds',
    help: 'Time since the oldest delivery was due at an endpoint that does not fail and at which nobody is at work',
    of: (sample) => sample.webhookOldestSeconds,
  },
  {
    name: 'wallet_pending_oldest_seconds',
    help: 'How long a wallet has waited for its account number, since nothing of its owner is missing',
    of: (sample) => sample.walletOldestSeconds,
  },
  {
    name: 'verification_pending_oldest_seconds',
    help: 'Age of the oldest verification of a BVN or NIN without a result',
    of: (sample) => sample.verificationOldestSeconds,
  },
  {
    name: 'reconciliation_last_seconds',
    help: 'Time since the last reconciliation of the cell has ended; before the first one, since the process has started',
    of: (sample, upSeconds) => sample.reconciledSeconds ?? upSeconds,
  },
];

/**
 * Adds the gauges. A cell whose database cannot be asked shows no value, because an old value would look healthy.
 */
export function registerSamples(
  metrics: Metrics,
  environments: readonly Environment[],
  samples: Samples,
): void {
  const registers = [metrics.registry];
  const startedAt = performance.now();
  for (const { name, help, of } of GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: ['environment', 'cell'],
      registers,
      async collect() {
        this.reset();
        const upSeconds = (performance.now() - startedAt) / 1_000;
        for (const { environment, cell, sample } of await samples()) {
          if (sample) this.set({ environment, cell }, of(sample, upSeconds));
        }
      },
    });
  }
  new Gauge({
    name: 'recon_breaks_open',
    help: 'Open findings of reconciliation, by class; anything but 0 is for an operator',
    labelNames: ['environment', 'cell', 'class'],
    registers,
    async collect() {
      this.reset();
      for (const { environment, cell, sample } of await samples()) {
        for (const of of Object.keys(FINDING_CLASSES) as FindingClass[]) {
          if (sample) this.set({ environment, cell, class: of }, sample.findings.get(of) ?? 0);
        }
      }
    },
  });
  new Gauge({
    name: 'suspense_difference_kobo',
    help: 'Balance of an account of suspense less its open findings; anything but 0 is an alarm',
    labelNames: ['environment', 'cell', 'account'],
    registers,
    async collect() {
      this.reset();
      for (const { environment, cell, sample } of await samples()) {
        for (const { account, balanceKobo, explainedKobo } of sample?.suspense ?? []) {
          this.set({ environment, cell, account }, balanceKobo - explainedKobo);
        }
      }
    },
  });
  new Gauge({
    name: 'db_pool_waiting',
    help: 'Requests that wait for a database connection',
    labelNames: ['environment'],
    registers,
    collect() {
      for (const { name, pool } of environments) this.set({ environment: name }, pool.waitingCount);
    },
  });
}
