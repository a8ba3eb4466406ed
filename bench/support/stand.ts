/** Where a row is measured: a platform of its own, which is gone afterwards whatever happened. */
import { FUND_KOBO, subscribe } from './p2p';
import { openBenchPlatform, type BenchPlatform } from './platform';

/** How many wallets the random case has. */
export const WALLETS = 1_000;

export async function withPlatform(work: (platform: BenchPlatform) => Promise<void>): Promise<void> {
  const platform = await openBenchPlatform();
  try {
    await work(platform);
  } finally {
    await platform.close();
  }
}

/** With a thousand wallets with money, and one endpoint that hears of every completed transfer. */
export function withWallets(
  work: (platform: BenchPlatform, wallets: readonly string[]) => Promise<void>,
): Promise<void> {
  return withPlatform(async (platform) => {
    const wallets = await platform.wallets(WALLETS, FUND_KOBO);
    await subscribe(platform);
    await platform.sql('CHECKPOINT');
    await work(platform, wallets);
  });
}
