/**
 * Bank transfers: how fast they are accepted beside P2P transfers, and how fast the backlog is finished beside
 * workflows of as many activities that do nothing.
 */
import type { Row, Scenario } from '../scenario';
import { loadBank, openPayments, together } from '../support/payments';
import { bareTemporal } from '../support/bare-temporal';
import { FUND_KOBO, loadP2p, subscribe } from '../support/p2p';
import { openBenchPlatform } from '../support/platform';
import { API } from '../support/programs';
import { openTemporal } from '../support/temporal';
import { watchUsage } from '../support/usage';
import { bringTemporalServer, hasTemporalServer, openTemporalServer } from '../support/temporal-server';
import { openWholePlatform, wholePlatform, type WholePlatform } from '../support/whole-platform';

const CONNECTIONS = 64;
const WALLETS = 1_000;

const ACCEPT: Row = {
  name: 'bank-accept',
  ours: `bank transfers accepted, ${CONNECTIONS} connections, 1,000 wallets`,
  yardstick: 'P2P transfers of the same API',
  unit: '/s',
  ratio: 'at least',
  floor: 0.8,
  goal: 0.8,
};

/**
 * Temporal runs and every accepted transfer's workflow is started on the same cores as fast as the relay does it.
 * No worker runs, because it would finish the bank transfers while the P2P transfers are measured. Each run has an
 * API of its own, so that no starts are left over from one run to the next.
 */
export const bankAccept: Scenario = {
  rows: [ACCEPT],
  async run(report) {
    const [platform, temporal] = await Promise.all([openBenchPlatform(), openTemporal()]);
    try {
      const wallets = await platform.wallets(WALLETS, FUND_KOBO);
      await subscribe(platform);
      const { runs, seconds, warmUpSeconds } = report.size;
      const database = { name: 'Postgres', pid: platform.postgresPid };
      const accept = async (address: string) => {
        const api = await platform.start(API, { TEMPORAL_ADDRESS: address });
        const watched = [{ name: 'API', pid: api.pid }, database, { name: 'Temporal', pid: temporal.pid }];
        const common = { port: api.port, connections: CONNECTIONS, wallets, seconds, warmUpSeconds, watched };
        const p2p = await loadP2p(platform, common);
        const bank = await loadBank(platform, common);
        await api.stop();
        return { bank, p2p };
      };
      for (let run = 0; run < runs; run++) {
        const { bank, p2p } = await accept(temporal.address);
        report.figure(ACCEPT.name, bank.perSecond, p2p.perSecond);
        report.usage(ACCEPT.name, bank.usage);
      }
      const { bank, p2p } = await accept(NOBODY);
      const share = ((bank.perSecond / p2p.perSecond) * 100).toFixed(0);
      report.claim(
        ACCEPT.name,
        true,
        `while Temporal is away ${bank.perSecond.toFixed(0)}/s are accepted, ${share} % of P2P`,
      );
    } finally {
      await platform.close();
      await temporal.stop();
    }
  },
};

/** An address where no Temporal answers. */
const NOBODY = '127.0.0.1:1';

const FINISH: Row = {
  name: 'bank-finish',
  ours: 'a backlog of bank transfers, finished in the ledger',
  yardstick: 'workflows of two empty activities, started as the relay starts ours',
  unit: '/s',
  ratio: 'at least',
  floor: 0.8,
  goal: 0.8,
};

/** Submit and settle: the bank answers at once. */
const ACTIVITIES = 2;
const TRANSFERS_PER_SECOND = 50;

export const bankFinish: Scenario = {
  rows: [FINISH],
  async run(report) {
    const platform = await wholePlatform();
    const bare = await bareTemporal(platform);
    const { finish, payments } = await finishing(platform);
    const { runs, seconds, warmUpSeconds } = report.size;
    const few = Math.ceil(TRANSFERS_PER_SECOND * warmUpSeconds);
    await bare.runSteps(few, ACTIVITIES);
    await finish(few);
    const transfers = Math.ceil(TRANSFERS_PER_SECOND * seconds);
    for (let run = 0; run < runs; run++) {
      const yardstickS = await bare.runSteps(transfers, ACTIVITIES);
      const usage = watchUsage(platform.watched);
      const { acceptedS, finishedS } = await finish(transfers);
      report.usage(FINISH.name, usage());
      report.figure(FINISH.name, transfers / finishedS, transfers / yardstickS);
      await payments.check();
      if (run < runs - 1) continue;
      report.claim(
        FINISH.name,
        true,
        `a backlog of ${transfers}, accepted within ${acceptedS.toFixed(1)} s, is empty ${finishedS.toFixed(1)} s ` +
          'after its first request',
      );
    }
  },
};

/** Sends bank transfers all at once and waits until the ledger has the end of each. */
async function finishing(platform: WholePlatform) {
  const payments = await openPayments(platform);
  const finish = async (transfers: number): Promise<{ acceptedS: number; finishedS: number }> => {
    const startedAt = performance.now();
    const elapsed = (): number => (performance.now() - startedAt) / 1_000;
    await together(CONNECTIONS, transfers, payments.payBank);
    const acceptedS = elapsed();
    await payments.allFinal();
    return { acceptedS, finishedS: elapsed() };
  };
  return { finish, payments };
}

const SERVER: Row = {
  name: 'bank-finish-server',
  ours: 'a backlog of bank transfers, finished with the production server of Temporal on the same Postgres',
  yardstick: 'the same with its development server',
  unit: '/s',
  ratio: 'at least',
  floor: null,
  goal: null,
};

/** The two platforms take turns; the one that waits is idle, and has nothing under way. */
export const bankFinishServer: Scenario = {
  rows: [SERVER],
  async run(report) {
    const { name, runs, seconds, warmUpSeconds } = report.size;
    if (name === 'tiny' && !hasTemporalServer()) {
      report.say("  Temporal's production server is not on this machine, so it is not tried");
      return;
    }
    await bringTemporalServer(report.say);
    const development = await wholePlatform();
    const production = await openWholePlatform(openTemporalServer);
    try {
      const [ours, yardstick] = [await finishing(production), await finishing(development)];
      const few = Math.ceil(TRANSFERS_PER_SECOND * warmUpSeconds);
      for (const { finish } of [ours, yardstick]) await finish(few);
      const transfers = Math.ceil(TRANSFERS_PER_SECOND * seconds);
      for (let run = 0; run < runs; run++) {
        const { finishedS: yardstickS } = await yardstick.finish(transfers);
        const usage = watchUsage(production.watched);
        const { finishedS } = await ours.finish(transfers);
        report.usage(SERVER.name, usage());
        report.figure(SERVER.name, transfers / finishedS, transfers / yardstickS);
        for (const { payments } of [ours, yardstick]) await payments.check();
      }
    } finally {
      await production.close();
    }
  },
};
