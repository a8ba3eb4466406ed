/** P2P over HTTP as a share of what the same application does when it answers from memory. */
import type { Scenario } from '../scenario';
import { load } from '../support/load';
import { CONNECTIONS, p2pRequests, p2pSide } from '../support/p2p';
import { API, MEMORY } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns, type Side } from '../support/turns';

export const p2pMemory: Scenario = {
  rows: [
    {
      name: 'p2p-memory',
      ours: 'P2P over HTTP, 64 connections, 1,000 wallets',
      yardstick: 'the same application answering from memory',
      unit: '/s',
      ratio: 'at least',
      floor: 0.35,
      goal: 0.6,
    },
  ],
  async run({ size, figure, usage }) {
    const { platform, wallets, program } = await stand();
    const api = await program(API);
    const memory = await program(MEMORY);
    const next = p2pRequests(platform, { wallets });
    const fromMemory: Side = (time) => load({ ...time, port: memory.port, connections: CONNECTIONS, next });
    const sides = { ours: p2pSide(platform, [api], { wallets }), fromMemory };
    await takeTurns(size, sides, ({ ours, fromMemory: its }) => {
      figure('p2p-memory', ours.perSecond, its.perSecond);
      usage('p2p-memory', ours.usage);
    });
  },
};
