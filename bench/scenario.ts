/**
 * What a bench is: rows that promise how a figure of ours relates to a yardstick's, and one scenario that
 * measures some of them in the same run, on the same cores.
 */

/** How much is measured. `tiny` only shows that a bench still works; its figures mean nothing. */
export interface Size {
  name: 'full' | 'quick' | 'tiny';
  /** How often each figure is measured; ours and the yardstick's take turns. */
  runs: number;
  /** How long the load lasts that counts, each time. */
  seconds: number;
  /** How long the load before it lasts, which does not count: caches fill and code gets warm. */
  warmUpSeconds: number;
  /** How many partners call where many do. */
  manyPartners: number;
  /** How large the large tables are. */
  manyWallets: number;
  manyTransactions: number;
  /** How long memory is watched under load. */
  memorySeconds: number;
  /** Whether an answer of a busy platform is no failure: beside other steps of the check it may turn a request away. */
  repeatsBusy: boolean;
}

export const SIZES: Record<Size['name'], Size> = {
  full: {
    name: 'full',
    runs: 7,
    seconds: 8,
    warmUpSeconds: 3,
    manyPartners: 100,
    manyWallets: 1_000_000,
    manyTransactions: 5_000_000,
    memorySeconds: 600,
    repeatsBusy: false,
  },
  quick: {
    name: 'quick',
    runs: 3,
    seconds: 0.4,
    warmUpSeconds: 0.3,
    manyPartners: 100,
    manyWallets: 5_000,
    manyTransactions: 20_000,
    memorySeconds: 3,
    repeatsBusy: false,
  },
  tiny: {
    name: 'tiny',
    runs: 1,
    seconds: 0.2,
    warmUpSeconds: 0.1,
    manyPartners: 10,
    manyWallets: 200,
    manyTransactions: 2_000,
    memorySeconds: 1,
    repeatsBusy: true,
  },
};

/** One line of the table. */
export interface Row {
  /** What `npm run bench -- NAME` asks for. */
  name: string;
  /** What is measured of ours: `P2P over HTTP, 64 connections, 1,000 wallets`. */
  ours: string;
  yardstick: string;
  /** The unit of both figures. */
  unit: '/s' | 'ms' | 's' | 'MB' | 'us' | 'KB';
  /** The ratio of our median to the yardstick's is to reach floor and goal, or to stay below them. */
  ratio: 'at least' | 'at most';
  /** null where the figure is only shown. */
  floor: number | null;
  goal: number | null;
  /** Floor and goal are figures that our median itself is held to; the ratio is only shown. */
  absolute?: true;
  /**
   * Floor and goal are meant for a machine on which the yardstick's median is this figure; on another one they are longer
   * or shorter in the same measure (docs/decisions/0049).
   */
  whereYardstickIs?: number;
}

/** One process while something was measured. */
export interface Usage {
  name: string;
  /** Of one core, in percent. */
  cpuPercent: number;
  cpuSeconds: number;
  memoryMb: number;
}

/** What a scenario reports while it runs. */
export interface Report {
  size: Size;
  /** One run of one row: ours beside the yardstick's. */
  figure(row: string, ours: number, yardstick: number): void;
  /** Something else that must be true of the row, with its figures in `words`; false fails the bench. */
  claim(row: string, holds: boolean, words: string): void;
  /** What each process took while the row was measured; the last report stays. */
  usage(row: string, processes: readonly Usage[]): void;
  /** Shows progress to the person who waits. */
  say(line: string): void;
}

export interface Scenario {
  rows: readonly Row[];
  /** Measures all its rows, checks the books after every run, and leaves nothing running. */
  run(report: Report): Promise<void>;
}
