/**
 * P2P over HTTP beside three designs that a team would pick instead, on the same tables, wallets and endpoint; and
 * what a transfer costs by itself, which no slow yardstick can flatter (R42).
 */
import type { Row, Scenario } from '../scenario';
import { p2pSide } from '../support/p2p';
import { API, ONE_FUNCTION, PREPARED, USUAL_DESIGN } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns } from '../support/turns';

const OURS = 'P2P over HTTP, 64 connections, 1,000 wallets';

const besideRow = (name: string, yardstick: string, floor: number, goal: number): Row => ({
  name,
  ours: OURS,
  yardstick,
  unit: '/s',
  ratio: 'at least',
  floor,
  goal,
});

const costRow = (
  name: string,
  what: string,
  bounds: Pick<Row, 'unit' | 'floor' | 'goal' | 'whereYardstickIs'>,
): Row => ({
  name,
  ours: `${OURS}: ${what}`,
  yardstick: 'the usual design with one function call for each transfer',
  ratio: 'at most',
  absolute: true,
  ...bounds,
});

export const p2p: Scenario = {
  rows: [
    besideRow('p2p', 'the usual design', 12, 15),
    besideRow('p2p-prepared', 'the usual design with named statements', 6.5, 8),
    besideRow('p2p-function', 'the usual design with one function call for each transfer', 3.3, 4),
    costRow('p2p-cpu', 'processor time of API and Postgres for a transfer', {
      unit: 'us',
      floor: 330,
      goal: 250,
      whereYardstickIs: 1_600,
    }),
    costRow('p2p-wal', 'write-ahead log of a transfer', { unit: 'KB', floor: 4.5, goal: 3.2 }),
  ],
  async run({ size, figure, usage }) {
    const { platform, wallets, program } = await stand();
    const side = async (entry: string) => p2pSide(platform, [await program(entry)], { wallets });
    const sides = {
      ours: await side(API),
      usual: await side(USUAL_DESIGN),
      prepared: await side(PREPARED),
      function: await side(ONE_FUNCTION),
    };
    await takeTurns(size, sides, ({ ours, usual, prepared, function: one }) => {
      figure('p2p', ours.perSecond, usual.perSecond);
      figure('p2p-prepared', ours.perSecond, prepared.perSecond);
      figure('p2p-function', ours.perSecond, one.perSecond);
      figure('p2p-cpu', ours.cpuMicros, one.cpuMicros);
      figure('p2p-wal', ours.walKb, one.walKb);
      usage('p2p', ours.usage);
      usage('p2p-prepared', prepared.usage);
      usage('p2p-function', one.usage);
    });
  },
};
