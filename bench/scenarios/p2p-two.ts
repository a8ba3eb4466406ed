/** Two API processes write to one Postgres, while a neighbour of the busy partner makes a payment now and then. */
import { present } from '../../src/domain/assert';
import type { Scenario } from '../scenario';
import { FUND_KOBO, p2pSide } from '../support/p2p';
import type { BenchPlatform, Program } from '../support/platform';
import { API } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns, type Side } from '../support/turns';

const NEIGHBOURS_WALLETS = 10;

export const p2pTwo: Scenario = {
  rows: [
    {
      name: 'p2p-two',
      ours: 'P2P over HTTP, 64 connections, two API processes on one Postgres',
      yardstick: 'one API process',
      unit: '/s',
      ratio: 'at least',
      // One process fills two cores, so another one can only cost; what it may cost is in docs/decisions/0047.
      floor: 0.85,
      goal: 1,
    },
  ],
  async run({ size, figure, claim, usage }) {
    const { platform, wallets, program } = await stand();
    const neighbour = await platform.partner();
    const theirs = await platform.wallets(NEIGHBOURS_WALLETS, FUND_KOBO, neighbour.partnerId);
    let answered = 0;
    const side = (programs: readonly Program[]): Side => {
      const busy = p2pSide(platform, programs, { wallets });
      const light = p2pSide(platform, programs, { wallets: theirs, by: neighbour, connections: 1 });
      return async (time) => {
        const [result, beside] = await Promise.all([busy(time), light(time)]);
        answered += beside.requests;
        return result;
      };
    };
    const one = await program(API);
    const other = await program(API, {}, 2);
    const before = await deadlocks(platform);
    await takeTurns(size, { two: side([one, other]), alone: side([one]) }, ({ two, alone }) => {
      figure('p2p-two', two.perSecond, alone.perSecond);
      usage('p2p-two', two.usage);
    });
    const met = (await deadlocks(platform)) - before;
    claim('p2p-two', met === 0, `${met} deadlocks`);
    // A refusal would have ended the load.
    claim('p2p-two', answered > 0, `a neighbour's ${answered} payments went through, none refused`);
  },
};

async function deadlocks(platform: BenchPlatform): Promise<number> {
  const { rows } = await platform.sql<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(present(rows[0], 'this database').deadlocks);
}
