/**
 * Started on an analysed EMPTY database and grown under way: a plan that was made for empty tables must not be
 * kept for full ones.
 */
import type { Report, Scenario } from '../scenario';
import type { LoadResult } from '../support/load';
import { FUND_KOBO, p2pSide, subscribe } from '../support/p2p';
import type { BenchPlatform } from '../support/platform';
import { API } from '../support/programs';
import { stand, WALLETS, withPlatform } from '../support/stand';

const STILL_MS = 1_000;

export const p2pGrown: Scenario = {
  rows: [
    {
      name: 'p2p-grown',
      ours: 'P2P over HTTP, 64 connections, started on an analysed empty database, 100,000 wallets since',
      yardstick: 'random pairs of 1,000 wallets',
      unit: '/s',
      ratio: 'at least',
      floor: 0.9,
      goal: 1,
    },
  ],
  async run(report) {
    const { platform: small, wallets, program } = await stand();
    const { seconds, warmUpSeconds, runs } = report.size;
    const random = p2pSide(small, [await program(API)], { wallets });
    await random({ seconds: warmUpSeconds, warmUpSeconds: 0 });
    for (let run = 0; run < runs; run++) {
      await withPlatform(async (platform) => {
        const grown = await growUnderLoad(platform, report);
        const its = await random({ seconds, warmUpSeconds: 0.1 });
        report.figure('p2p-grown', grown.perSecond, its.perSecond);
        report.usage('p2p-grown', grown.usage);
      });
    }
  },
};

/** @returns the load once all wallets are there, by the process that has served since there were none. */
async function growUnderLoad(platform: BenchPlatform, { size, claim }: Report): Promise<LoadResult> {
  await subscribe(platform);
  await platform.sql('VACUUM ANALYZE');
  const api = await platform.start(API);
  const goal = size.manyWallets / 10;
  const atOnce = Math.min(WALLETS, goal / 2);
  const wallets = await platform.wallets(atOnce, FUND_KOBO);
  const side = p2pSide(platform, [api], { wallets });
  const grown = (async () => {
    while (wallets.length < goal) wallets.push(...(await platform.wallets(atOnce, FUND_KOBO)));
  })();
  let stillMs = 0;
  do {
    const meanwhile = await side({ seconds: size.warmUpSeconds, warmUpSeconds: 0 });
    stillMs = Math.max(stillMs, meanwhile.stillMs);
  } while (wallets.length < goal);
  await grown;
  claim('p2p-grown', stillMs < STILL_MS, `at most ${Math.round(stillMs)} ms without an answer while it grew`);
  return side({ seconds: size.seconds, warmUpSeconds: 0.1 });
}
