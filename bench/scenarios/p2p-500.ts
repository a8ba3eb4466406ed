/** Far more callers than database connections: they wait for their turn, and the API never stops answering. */
import type { Scenario } from '../scenario';
import { p2pSide } from '../support/p2p';
import { API } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns } from '../support/turns';

const STILL_MS = 1_000;

export const p2p500: Scenario = {
  rows: [
    {
      name: 'p2p-500',
      ours: 'P2P over HTTP, 500 connections, a pool of one',
      yardstick: '64 connections, the usual pool',
      unit: '/s',
      ratio: 'at least',
      floor: 0.8,
      goal: 1,
    },
  ],
  async run({ size, figure, claim, usage }) {
    const { platform, wallets, program } = await stand();
    const narrow = await program(API, { DATABASE_POOL_MAX: '1' });
    const wide = await program(API);
    const sides = {
      many: p2pSide(platform, [narrow], { wallets, connections: 500 }),
      few: p2pSide(platform, [wide], { wallets }),
    };
    let stillMs = 0;
    await takeTurns(size, sides, ({ many, few }) => {
      figure('p2p-500', many.perSecond, few.perSecond);
      usage('p2p-500', many.usage);
      stillMs = Math.max(stillMs, many.stillMs);
    });
    claim('p2p-500', stillMs < STILL_MS, `never still: at most ${Math.round(stillMs)} ms without an answer`);
  },
};
