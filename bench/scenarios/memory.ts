/**
 * Memory of API and worker under a steady load of everything: payments between wallets, payments to banks,
 * webhooks. What code, heap and caches need is there after the first fifth; from then on nothing may be added. The heap of a
 * worker goes up and down for minutes, so three tenths together are what the end is compared with.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row, Scenario } from '../scenario';
import { pace } from '../support/pace';
import { openPayments } from '../support/payments';
import { percentile } from '../support/percentile';
import { openReceivers } from '../support/receivers';
import { memoryOf } from '../support/usage';
import { wholePlatform } from '../support/whole-platform';

const PROCESSES = ['api', 'worker'] as const;
type Watched = (typeof PROCESSES)[number];

const rowOf = (name: Watched): Row => ({
  name: `memory-${name}`,
  ours: `memory of the ${name === 'api' ? 'API' : name} at the end of the load, median of a tenth`,
  yardstick: 'its memory after the first fifth, median of three tenths',
  unit: 'MB',
  ratio: 'at most',
  floor: 1.15,
  goal: 1.05,
});

const P2P_PER_SECOND = 200;
const BANK_PER_SECOND = 5;
const SAMPLES = 100;

export const memory: Scenario = {
  rows: PROCESSES.map(rowOf),
  async run(report) {
    const platform = await wholePlatform();
    const receivers = await openReceivers(platform, { count: 1, andOneHangs: false });
    const payments = await openPayments(platform);
    const seconds = report.size.memorySeconds;
    const samples: Record<Watched, number[]> = { api: [], worker: [] };
    const watch = async (): Promise<void> => {
      for (let sample = 0; sample < SAMPLES; sample++) {
        await sleep((seconds * 1_000) / SAMPLES);
        for (const name of PROCESSES) samples[name].push(memoryOf(platform[name].pid));
      }
    };
    await Promise.all([
      watch(),
      pace(P2P_PER_SECOND, seconds, payments.payWallet),
      pace(BANK_PER_SECOND, seconds, payments.payBank),
    ]);
    for (const name of PROCESSES) {
      const row = `memory-${name}`;
      const tenth = (number: number, count = 1): number =>
        percentile(samples[name].slice(number * (SAMPLES / 10), (number + count) * (SAMPLES / 10)), 0.5);
      report.figure(row, tenth(9), tenth(2, 3));
      const tenths = Array.from({ length: 10 }, (_, number) => tenth(number).toFixed(0)).join(', ');
      report.claim(
        row,
        true,
        `${seconds} s of ${P2P_PER_SECOND} P2P and ${BANK_PER_SECOND} bank transfers/s with their webhooks; ` +
          `medians of each tenth, in MB: ${tenths}`,
      );
    }
    await payments.allFinal();
    await receivers.allRecorded();
    await payments.check();
    await receivers.close();
  },
};
