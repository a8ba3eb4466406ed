/** Every transfer pays ONE wallet: beside random pairs, and beside the usual design with the same wallet. */
import type { Row, Scenario } from '../scenario';
import { p2pSide } from '../support/p2p';
import { API, USUAL_DESIGN } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns } from '../support/turns';

const hotRow = (name: string, yardstick: string, floor: number, goal: number): Row => ({
  name,
  ours: 'P2P over HTTP, 64 connections, every transfer paying ONE wallet',
  yardstick,
  unit: '/s',
  ratio: 'at least',
  floor,
  goal,
});

export const p2pHot: Scenario = {
  rows: [
    hotRow('p2p-hot', 'random pairs of 1,000 wallets', 0.85, 0.95),
    hotRow('p2p-hot-usual', 'the usual design on one wallet', 15, 20),
  ],
  async run({ size, figure, usage }) {
    const { platform, wallets, program } = await stand();
    const api = await program(API);
    const usualDesign = await program(USUAL_DESIGN);
    const paying = { wallets, payee: wallets[0] as string };
    const sides = {
      random: p2pSide(platform, [api], { wallets }),
      hot: p2pSide(platform, [api], paying),
      usual: p2pSide(platform, [usualDesign], paying),
    };
    await takeTurns(size, sides, ({ random, hot, usual }) => {
      figure('p2p-hot', hot.perSecond, random.perSecond);
      figure('p2p-hot-usual', hot.perSecond, usual.perSecond);
      usage('p2p-hot', hot.usage);
      usage('p2p-hot-usual', hot.usage);
    });
  },
};
