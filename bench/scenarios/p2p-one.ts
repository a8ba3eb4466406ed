/**
 * One caller who waits for each answer: beside one durable SQL call. Before, both have served many callers, as a
 * process in service has, and then a few callers, whose requests run the same code as those of one caller. One
 * caller alone would need minutes until that code is compiled.
 */
import type { Scenario } from '../scenario';
import { load } from '../support/load';
import { CONNECTIONS, p2pRequests, p2pSide } from '../support/p2p';
import { API, ONE_CALL } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns, type Side } from '../support/turns';

/** Not more than the writer decides from memory in one batch. */
const A_FEW = 4;

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
    const next = p2pRequests(platform, { wallets });
    const call =
      (connections: number): Side =>
      (time) =>
        load({ ...time, port: oneCall.port, connections, next });
    const warmUp = { seconds: size.warmUpSeconds, warmUpSeconds: 0 };
    for (const connections of [CONNECTIONS, A_FEW]) {
      await p2pSide(platform, [api], { wallets, connections })(warmUp);
      await call(connections)(warmUp);
    }
    const sides = { ours: p2pSide(platform, [api], { wallets, connections: 1 }), call: call(1) };
    await takeTurns(size, sides, ({ ours, call: its }) => {
      figure('p2p-one', ours.p50Ms, its.p50Ms);
      usage('p2p-one', ours.usage);
    });
  },
};
