/**
 * P2P while everything else goes on as well: 200 bank transfers a second are accepted and finished, and every
 * payment's webhook is delivered. In the runs of P2P alone the same events are written for the same endpoint,
 * which is switched off. After each run the backlog is finished, so that the platform is idle when the next run
 * begins.
 */
import type { Row, Scenario } from '../scenario';
import { CELL } from '../support/cell';
import { FUND_KOBO, wholeP2p } from '../support/p2p';
import type { LoadOptions, LoadResult } from '../support/load';
import { pace } from '../support/pace';
import { openPayments } from '../support/payments';
import { openReceivers } from '../support/receivers';
import { wholePlatform } from '../support/whole-platform';

const ROW: Row = {
  name: 'p2p-mixed',
  ours: 'P2P while 200 bank transfers/s are accepted and webhooks are delivered, 64 connections',
  yardstick: 'P2P alone',
  unit: '/s',
  ratio: 'at least',
  // How the processor is shared between the processes of one machine is the machine's decision.
  floor: null,
  goal: null,
};

const WALLETS = 1_000;
const BANK_TRANSFERS_PER_SECOND = 200;

/** Seconds of warm-up before each side of a run. It is short, because everything is warm already. */
const SHORT = 0.1;

type Time = Required<Pick<LoadOptions, 'seconds' | 'warmUpSeconds'>>;

const wordsOf = (ours: Beside, alone: LoadResult): string =>
  `p99 ${ours.p99Ms.toFixed(0)} ms, alone ${alone.p99Ms.toFixed(0)} ms; the last of ${ours.bankTransfers} bank ` +
  `transfers was final ${ours.finalAfterS.toFixed(0)} s after the load, the last webhook delivered ` +
  `${ours.deliveredAfterS.toFixed(0)} s after it`;

/** P2P with what came of everything else. */
interface Beside extends LoadResult {
  bankTransfers: number;
  finalAfterS: number;
  deliveredAfterS: number;
}

export const mixed: Scenario = {
  rows: [ROW],
  async run(report) {
    const platform = await wholePlatform();
    const receivers = await openReceivers(platform, { count: 1, andOneHangs: false });
    const payments = await openPayments(platform);
    const wallets = await platform.wallets(WALLETS, FUND_KOBO);
    const switchEndpoints = (on: boolean) =>
      platform.sql(`UPDATE ${CELL}.webhook_endpoints SET is_active = $2 WHERE id = ANY($1)`, [
        receivers.endpointIds,
        on,
      ]);
    const { runs, seconds, warmUpSeconds } = report.size;
    const p2p = wholeP2p(platform, wallets);
    const alone = async (time: Time): Promise<LoadResult> => {
      await switchEndpoints(false);
      return p2p(time);
    };
    const beside = async (time: Time): Promise<Beside> => {
      await switchEndpoints(true);
      const bank = pace(BANK_TRANSFERS_PER_SECOND, time.warmUpSeconds + time.seconds, payments.payBank);
      const [load, bankTransfers] = await Promise.all([p2p(time), bank]);
      const endedAt = performance.now();
      const sinceThen = (): number => (performance.now() - endedAt) / 1_000;
      await payments.allFinal();
      const finalAfterS = sinceThen();
      await receivers.allRecorded();
      await payments.check();
      return { ...load, bankTransfers, finalAfterS, deliveredAfterS: sinceThen() };
    };

    await p2p({ seconds: warmUpSeconds, warmUpSeconds: 0 });
    await receivers.allRecorded();
    for (let run = 0; run < runs; run++) {
      const yardstick = await alone({ seconds, warmUpSeconds: SHORT });
      const ours = await beside({ seconds, warmUpSeconds: SHORT });
      report.figure(ROW.name, ours.perSecond, yardstick.perSecond);
      report.usage(ROW.name, ours.usage);
      if (run === runs - 1) report.claim(ROW.name, true, wordsOf(ours, yardstick));
    }
    await receivers.close();
  },
};
