/**
 * Payments in live, where each wallet is under the limits of its tier: they are checked in the statement that writes the
 * payment, and the day of the payer is counted (D123).
 */
import type { Scenario } from '../scenario';
import { p2pSide, subscribe } from '../support/p2p';
import { API } from '../support/programs';
import { stand, WALLETS } from '../support/stand';
import { takeTurns } from '../support/turns';

/** Half of the largest balance that the tier allows. */
const FUND_KOBO = 25_000_000;

export const p2pLive: Scenario = {
  rows: [
    {
      name: 'p2p-live',
      ours: 'P2P over HTTP, 64 connections, in live: 1,000 wallets under limits',
      yardstick: 'the same in the sandbox, without limits',
      unit: '/s',
      ratio: 'at least',
      floor: 0.85,
      goal: 0.95,
    },
  ],
  async run({ size, figure, usage }) {
    const { platform, wallets, program } = await stand();
    const api = await program(API);
    const inLive = await platform.inLive(WALLETS, FUND_KOBO);
    await subscribe(platform, inLive.by);
    const sides = {
      live: p2pSide(platform, [api], inLive),
      sandbox: p2pSide(platform, [api], { wallets }),
    };
    await takeTurns(size, sides, ({ live, sandbox }) => {
      figure('p2p-live', live.perSecond, sandbox.perSecond);
      usage('p2p-live', live.usage);
    });
  },
};
