/**
 * What it costs a payment that Postgres itself compares each balance with the wallet's newest entry
 * (`migrations/ledger-guards.ts`): the same API on the same tables with and without that comparison.
 */
import { present } from '../../src/domain/assert';
import type { Scenario } from '../scenario';
import { CELL } from '../support/cell';
import { p2pSide } from '../support/p2p';
import type { BenchPlatform } from '../support/platform';
import { API } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns } from '../support/turns';

export const p2pGuards: Scenario = {
  rows: [
    {
      name: 'p2p-guards',
      ours: 'P2P over HTTP, 64 connections: processor time of API and Postgres, each balance compared with its newest entry',
      yardstick: 'the same without that comparison',
      unit: 'us',
      ratio: 'at most',
      floor: 1.08,
      goal: 1.03,
    },
  ],
  async run({ size, figure, usage }) {
    const { platform, wallets, program } = await stand();
    const pay = p2pSide(platform, [await program(API)], { wallets });
    const guards = await guardsOf(platform);
    const sides = {
      with: (time: Parameters<typeof pay>[0]) => pay(time),
      without: async (time: Parameters<typeof pay>[0]) => {
        await guards.takeAway();
        try {
          return await pay(time);
        } finally {
          await guards.bringBack();
        }
      },
    };
    // Short turns: what the machine does meanwhile then falls on both sides.
    const turns = { ...size, runs: size.runs * 2 };
    await takeTurns(turns, sides, (round) => {
      figure('p2p-guards', round.with.cpuMicros, round.without.cpuMicros);
      usage('p2p-guards', round.with.usage);
    });
  },
};

const TRIGGERS = ['accounts_opened_match_entries', 'accounts_match_entries', 'accounts_match_at_commit'];

/** Entries are compared in the trigger that looks at their sums, too: without it, the function lacks those lines. */
async function guardsOf({ sql }: BenchPlatform) {
  const { rows } = await sql<{ text: string }>(
    `SELECT pg_get_functiondef('${CELL}.refuse_wrong_entries()'::regprocedure) AS text`,
  );
  const { text } = present(rows[0], 'the trigger of entries');
  const without = text.replace(/ OR bool_or\([\s\S]*?IS NOT TRUE\)/, '');
  if (without === text) throw new Error('bug: the trigger of entries compares nothing with accounts');
  const turn = async (how: 'ENABLE' | 'DISABLE'): Promise<void> => {
    for (const name of TRIGGERS) await sql(`ALTER TABLE ${CELL}.accounts ${how} TRIGGER ${name}`);
  };
  return {
    async takeAway(): Promise<void> {
      await turn('DISABLE');
      await sql(without);
    },
    async bringBack(): Promise<void> {
      await sql(text);
      await turn('ENABLE');
    },
  };
}
