/** P2P over HTTP beside the usual design, on the same tables, wallets and endpoint. */
import type { Scenario } from '../scenario';
import { FUND_KOBO, loadP2p, subscribe } from '../support/p2p';
import { openBenchPlatform } from '../support/platform';
import { API, USUAL_DESIGN } from '../support/programs';
import { takeTurns } from '../support/turns';

const CONNECTIONS = 64;
const WALLETS = 1_000;

export const p2p: Scenario = {
  rows: [
    {
      name: 'p2p',
      ours: `P2P over HTTP, ${CONNECTIONS} connections, 1,000 wallets`,
      yardstick: 'the usual design',
      unit: '/s',
      ratio: 'at least',
      floor: 10,
      goal: 15,
    },
  ],
  async run(report) {
    const platform = await openBenchPlatform();
    try {
      const wallets = await platform.wallets(WALLETS, FUND_KOBO);
      await subscribe(platform);
      await platform.sql('CHECKPOINT');
      const api = await platform.start(API);
      const usual = await platform.start(USUAL_DESIGN);
      const common = { wallets, connections: CONNECTIONS };
      const database = { name: 'Postgres', pid: platform.postgresPid };
      await takeTurns(
        report.size,
        {
          ours: (time) =>
            loadP2p(platform, {
              ...common,
              ...time,
              port: api.port,
              watched: [{ name: 'API', pid: api.pid }, database],
            }),
          usual: (time) => loadP2p(platform, { ...common, ...time, port: usual.port }),
        },
        ({ ours, usual: its }) => {
          report.figure('p2p', ours.perSecond, its.perSecond);
          report.usage('p2p', ours.usage);
        },
      );
    } finally {
      await platform.close();
    }
  },
};
