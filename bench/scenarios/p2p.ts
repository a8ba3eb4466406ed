/** P2P over HTTP beside the usual design, on the same tables, wallets and endpoint. */
import type { Scenario } from '../scenario';
import { p2pSide } from '../support/p2p';
import { API, USUAL_DESIGN } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns } from '../support/turns';

export const p2p: Scenario = {
  rows: [
    {
      name: 'p2p',
      ours: 'P2P over HTTP, 64 connections, 1,000 wallets',
      yardstick: 'the usual design',
      unit: '/s',
      ratio: 'at least',
      floor: 10,
      goal: 15,
    },
  ],
  async run({ size, figure, usage }) {
    const { platform, wallets, program } = await stand();
    const api = await program(API);
    const usualDesign = await program(USUAL_DESIGN);
    const sides = {
      ours: p2pSide(platform, [api], { wallets }),
      usual: p2pSide(platform, [usualDesign], { wallets }),
    };
    await takeTurns(size, sides, ({ ours, usual }) => {
      figure('p2p', ours.perSecond, usual.perSecond);
      usage('p2p', ours.usage);
    });
  },
};
