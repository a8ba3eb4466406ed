/** One caller who waits for each answer: beside one durable SQL call. */
import type { Scenario } from '../scenario';
import { withSteadyFlush } from '../support/flush';
import { besideOneCall, measureP50 } from '../support/one-caller';
import { p2pRequests, p2pSide } from '../support/p2p';
import { API, ONE_CALL } from '../support/programs';
import { stand } from '../support/stand';

export const p2pOne: Scenario = {
  rows: [
    {
      name: 'p2p-one',
      ours: 'P2P over HTTP, 1 connection, p50, where a flush takes a millisecond',
      yardstick: 'one durable SQL call through a bare Express app',
      unit: 'ms',
      ratio: 'at most',
      floor: 2,
      goal: 1.5,
    },
    {
      name: 'p2p-one-here',
      ours: 'the same, with a flush as the disk of this machine does it',
      yardstick: 'one durable SQL call through a bare Express app',
      unit: 'ms',
      ratio: 'at most',
      floor: null,
      goal: null,
    },
  ],
  async run(report) {
    const { platform, wallets, program } = await stand();
    const api = await program(API);
    const oneCall = await program(ONE_CALL);
    const side = (connections: number) => p2pSide(platform, [api], { wallets, connections });
    const sides = await besideOneCall(report.size, side, oneCall, p2pRequests(platform, { wallets }));
    await withSteadyFlush(platform, () => measureP50('p2p-one', sides, report));
    await measureP50('p2p-one-here', sides, report);
  },
};
