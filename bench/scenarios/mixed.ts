/**
 * P2P while everything else goes on as well: 200 bank transfers a second are accepted and finished, and every
 * payment's webhook is delivered. Alone the same events are written for the same endpoint, which is switched
 * off. After each run the backlog is worked off, so that the next one begins idle.
 */
import type { Row, Scenario } from '../scenario';
import { CELL } from '../support/cell';
import { FUND_KOBO, loadP2p } from '../support/p2p';
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
  floor: 0.6,
  goal: 0.6,
};

const CONNECTIONS = 64;
const WALLETS = 1_000;
const BANK_TRANSFERS_PER_SECOND = 200;

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
    const p2p = () =>
      loadP2p(platform, {
        port: platform.api.port,
        connections: CONNECTIONS,
        wallets,
        seconds,
        warmUpSeconds,
        watched: platform.watched,
      });

    for (let run = 0; run < runs; run++) {
      await switchEndpoints(false);
      const alone = await p2p();
      await switchEndpoints(true);
      const [beside, accepted] = await Promise.all([
        p2p(),
        pace(BANK_TRANSFERS_PER_SECOND, warmUpSeconds + seconds, payments.payBank),
      ]);
      report.figure(ROW.name, beside.perSecond, alone.perSecond);
      report.usage(ROW.name, beside.usage);
      const endedAt = performance.now();
      const sinceThen = (): string => ((performance.now() - endedAt) / 1_000).toFixed(0);
      await payments.allFinal();
      const finishedS = sinceThen();
      await receivers.allRecorded();
      await payments.check();
      if (run < runs - 1) continue;
      report.claim(
        ROW.name,
        true,
        `p99 ${beside.p99Ms.toFixed(0)} ms (alone ${alone.p99Ms.toFixed(0)} ms); the last of ${accepted} bank ` +
          `transfers was final ${finishedS} s after the load, the last webhook delivered ${sinceThen()} s after it`,
      );
    }
    await receivers.close();
  },
};
