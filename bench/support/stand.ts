/**
 * Where the rows of P2P are measured: a platform without Temporal, a thousand wallets with money and one endpoint
 * that gets the event of every transfer. The rows share it, because it takes longer to come up than a row needs;
 * the programs of other rows are idle meanwhile, and ours and its yardstick always work on the same tables.
 */
import { FUND_KOBO, subscribe } from './p2p';
import { openBenchPlatform, type BenchPlatform, type Program } from './platform';

/** How many wallets the random case has. */
export const WALLETS = 1_000;

export interface Stand {
  platform: BenchPlatform;
  wallets: readonly string[];
  /** A built program, which is started when it is asked for first; another `instance` is another process of it. */
  program(entry: string, settings?: Record<string, string>, instance?: number): Promise<Program>;
}

let opened: Promise<Stand> | undefined;

/** The shared stand. */
export const stand = (): Promise<Stand> => (opened ??= openStand());

export async function closeStand(): Promise<void> {
  await (await opened)?.platform.close();
}

async function openStand(): Promise<Stand> {
  const platform = await openBenchPlatform();
  const wallets = await platform.wallets(WALLETS, FUND_KOBO);
  await subscribe(platform);
  const programs = new Map<string, Promise<Program>>();
  return {
    platform,
    wallets,
    program(entry, settings = {}, instance = 1) {
      const name = JSON.stringify([entry, settings, instance]);
      const program = programs.get(name) ?? platform.start(entry, settings);
      programs.set(name, program);
      return program;
    },
  };
}

/** Opens a platform for one row alone, and removes it afterwards, whatever happened. */
export async function withPlatform(work: (platform: BenchPlatform) => Promise<void>): Promise<void> {
  const platform = await openBenchPlatform();
  try {
    await work(platform);
  } finally {
    await platform.close();
  }
}
