/**
 * A program is killed without any warning and started again, as a supervisor would: how long until it works (G32).
 * The API is ready when it answers a payment; the worker, when it has finished a bank transfer that was accepted while
 * no worker ran.
 */
import type { Row, Scenario } from '../scenario';
import { openPayments } from '../support/payments';
import { timeOf } from '../support/time';
import { wholePlatform } from '../support/whole-platform';

const row = (name: string, ours: string, yardstick: string, floor: number): Row => ({
  name,
  ours,
  yardstick,
  unit: 's',
  ratio: 'at most',
  floor,
  goal: floor,
  absolute: true,
});

const API = row('recover-api', 'the API after a kill, until it has answered a payment', 'one payment', 3);
const WORKER = row(
  'recover-worker',
  'the worker after a kill, until it has finished a bank transfer that was accepted without it',
  'the same transfer with a worker that runs',
  10,
);

export const recovery: Scenario = {
  rows: [API, WORKER],
  async run(report) {
    const platform = await wholePlatform();
    const payments = await openPayments(platform);
    const finishOne = async (): Promise<void> => {
      await payments.payBank();
      await payments.allFinal();
    };
    for (let run = 0; run < report.size.runs; run++) {
      const payment = await secondsOf(payments.payWallet);
      const startApi = await platform.kill('api');
      const api = await secondsOf(async () => {
        await startApi();
        await payments.payWallet();
      });
      report.figure(API.name, api, payment);

      const transfer = await secondsOf(finishOne);
      const startWorker = await platform.kill('worker');
      await payments.payBank();
      const worker = await secondsOf(async () => {
        await startWorker();
        await payments.allFinal();
      });
      report.figure(WORKER.name, worker, transfer);
      await payments.check();
    }
  },
};

const secondsOf = async (work: () => Promise<void>): Promise<number> => (await timeOf(work)) / 1_000;
