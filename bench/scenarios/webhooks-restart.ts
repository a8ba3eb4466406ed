/**
 * How long an event waits at most for its first attempt at a healthy receiver while the worker is replaced by another one,
 * with payments all the time and one more endpoint that hangs.
 */
import type { Row, Scenario } from '../scenario';
import { pace } from '../support/pace';
import { openPayments } from '../support/payments';
import { openReceivers } from '../support/receivers';
import { wholePlatform } from '../support/whole-platform';

const ROW: Row = {
  name: 'webhooks-restart',
  ours: 'the longest wait of an event for its first attempt at 4 healthy receivers, while the worker is replaced',
  yardstick: 'the same without a restart',
  unit: 's',
  ratio: 'at most',
  floor: 5,
  goal: 2,
  absolute: true,
};

const HEALTHY = 4;
const PAYMENTS_PER_SECOND = 20;
/** Longer than a worker takes to start and another one to end, also on a busy machine. */
const LEAST_SECONDS = 15;

export const webhooksRestart: Scenario = {
  rows: [ROW],
  async run(report) {
    const platform = await wholePlatform();
    const receivers = await openReceivers(platform, { count: HEALTHY, andOneHangs: true });
    const payments = await openPayments(platform);
    const seconds = Math.max(report.size.seconds, LEAST_SECONDS);
    const longestWait = async (meanwhile: () => Promise<void>): Promise<number> => {
      await receivers.forget();
      const [events] = await Promise.all([
        pace(PAYMENTS_PER_SECOND, seconds, payments.payWallet),
        meanwhile(),
      ]);
      return (await receivers.arrived(events * HEALTHY)).longestMs / 1_000;
    };
    for (let run = 0; run < report.size.runs; run++) {
      const without = await longestWait(() => Promise.resolve());
      report.figure(ROW.name, await longestWait(platform.replaceWorker), without);
    }
    await payments.check();
    await receivers.allRecorded();
    await receivers.close();
  },
};
