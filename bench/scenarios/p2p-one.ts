/** One caller who waits for each answer: beside one durable SQL call. */
import type { Scenario } from '../scenario';
import { besideOneCall } from '../support/one-caller';
import { p2pRequests, p2pSide } from '../support/p2p';
import { API, ONE_CALL } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns } from '../support/turns';

export const p2pOne: Scenario = {
  rows: [
    {
      name: 'p2p-one',
      ours: 'P2P over HTTP, 1 connection, p50',
      yardstick: 'one durable SQL call through a bare Express app',
      unit: 'ms',
      ratio: 'at most',
      floor: 2,
      goal: 1.5,
    },
  ],
  async run({ size, figure, usage }) {
    const { platform, wallets, program } = await stand();
    const api = await program(API);
    const oneCall = await program(ONE_CALL);
    const side = (connections: number) => p2pSide(platform, [api], { wallets, connections });
    const sides = await besideOneCall(size, side, oneCall, p2pRequests(platform, { wallets }));
    await takeTurns(size, sides, ({ ours, call: its }) => {
      figure('p2p-one', ours.p50Ms, its.p50Ms);
      usage('p2p-one', ours.usage);
    });
  },
};
