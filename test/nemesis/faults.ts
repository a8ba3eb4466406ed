/** What is done to the platform, one row per fault. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './load';
import { pick } from './random';
import { APIS, PROGRAMS, WORKERS, type ProgramName, type Stage } from './stage';

/** What a fault may stop. `nothing`: no request may be answered 503, and no connection may be reset without notice. */
export type Stops = 'everything' | 'workflows' | 'nothing';

export interface Fault {
  readonly name: string;
  readonly stops: Stops;
  /** Whether the check of a change has the time for it. */
  readonly isShort?: true;
  /** Does it, and undoes it. */
  run(stage: Stage, random: () => number, load: Load): Promise<void>;
}

const program = (stage: Stage, random: () => number, names: readonly ProgramName[]) =>
  stage.programs[pick(random, names)];

const killed =
  (names: readonly ProgramName[]) =>
  async (stage: Stage, random: () => number): Promise<void> => {
    const one = program(stage, random, names);
    await one.kill();
    await sleep(500);
    await one.start();
  };

const frozen =
  (names: readonly ProgramName[], forMs: number) =>
  async (stage: Stage, random: () => number): Promise<void> => {
    const one = program(stage, random, names);
    one.freeze();
    await sleep(forMs);
    one.wake();
  };

/** The network of one or of all programs to Postgres is bad for a while. */
const network =
  (mood: 'hold' | 'delay' | 'loseAnswers', forMs: number, names = PROGRAMS as readonly ProgramName[]) =>
  async (stage: Stage): Promise<void> => {
    const proxies = names.map((name) => stage.programs[name].postgres);
    for (const proxy of proxies) proxy.setMood(mood);
    await sleep(forMs);
    for (const proxy of proxies) proxy.setMood('pass');
  };

const temporalNetwork =
  (mood: 'hold' | 'delay' | 'loseAnswers' | 'refuse', forMs: number) =>
  async ({ temporal }: Stage): Promise<void> => {
    temporal.network.setMood(mood);
    await sleep(forMs);
    temporal.network.setMood('pass');
  };

/** One after the other is told to end, and started again. */
const rolling =
  (names: readonly ProgramName[]) =>
  async (stage: Stage): Promise<void> => {
    for (const name of names) {
      await stage.programs[name].stop();
      await stage.programs[name].start();
    }
  };

export const FAULTS: readonly Fault[] = [
  { name: 'rolling restart of the workers', stops: 'nothing', isShort: true, run: rolling(WORKERS) },
  { name: 'rolling restart of the APIs', stops: 'nothing', isShort: true, run: rolling(APIS) },
  { name: 'kill -9 of an API', stops: 'everything', isShort: true, run: killed(APIS) },
  { name: 'kill -9 of a worker', stops: 'workflows', isShort: true, run: killed(WORKERS) },
  {
    name: 'kill -9 of Temporal',
    stops: 'workflows',
    isShort: true,
    async run({ temporal }) {
      await temporal.kill();
      await sleep(500);
      await temporal.start();
    },
  },
  { name: 'crash of Postgres', stops: 'everything', isShort: true, run: (stage) => stage.crashPostgres() },
  {
    name: 'Postgres: every connection reset',
    stops: 'everything',
    isShort: true,
    run: (stage) => resetAll(stage),
  },
  {
    name: 'Postgres: silent for 10 s',
    stops: 'everything',
    isShort: true,
    run: network('hold', 10_000),
  },
  {
    name: 'Postgres: 3 of 100 answers lost for 6 s',
    stops: 'everything',
    isShort: true,
    run: network('loseAnswers', 6_000),
  },
  { name: 'Postgres: 150 ms away for 10 s', stops: 'everything', run: network('delay', 10_000) },
  { name: 'Temporal: away for 10 s', stops: 'workflows', run: temporalNetwork('refuse', 10_000) },
  { name: 'Temporal: silent for 10 s', stops: 'workflows', run: temporalNetwork('hold', 10_000) },
  {
    name: 'Temporal: 3 of 100 answers lost for 6 s',
    stops: 'workflows',
    isShort: true,
    run: temporalNetwork('loseAnswers', 6_000),
  },
  { name: 'Temporal: 150 ms away for 10 s', stops: 'workflows', run: temporalNetwork('delay', 10_000) },
  { name: 'an API stops for 10 s', stops: 'everything', run: frozen(APIS, 10_000) },
  { name: 'a worker stops for 20 s', stops: 'workflows', run: frozen(WORKERS, 20_000) },
  {
    name: 'kill -9 of everything but Postgres',
    stops: 'everything',
    isShort: true,
    async run(stage) {
      await Promise.all([...Object.values(stage.programs), stage.temporal].map((one) => one.kill()));
      await Promise.all([...Object.values(stage.programs), stage.temporal].map((one) => one.start()));
    },
  },
  {
    name: 'Temporal stops for 20 s',
    stops: 'workflows',
    async run({ temporal }) {
      temporal.freeze();
      await sleep(20_000);
      temporal.wake();
    },
  },
  { name: 'a worker stops for 40 s', stops: 'workflows', run: frozen(WORKERS, 40_000) },
  { name: 'an API stops for 40 s', stops: 'everything', run: frozen(APIS, 40_000) },
  {
    name: 'Postgres: silent for one API for 20 s',
    stops: 'everything',
    run: network('hold', 20_000, ['api-1']),
  },
  {
    name: 'Postgres: silent for one worker for 20 s',
    stops: 'workflows',
    run: network('hold', 20_000, ['worker-1']),
  },
  {
    name: 'the ledger is lost and restored from a backup',
    stops: 'everything',
    isShort: true,
    async run(stage, _random, load) {
      // Nothing is accepted between the backup and the loss, because a restore cannot know of it. Workflows go on.
      await load.pause();
      await stage.backUp();
      await Promise.all(Object.values(stage.programs).map((one) => one.kill()));
      await stage.restore();
      await Promise.all(Object.values(stage.programs).map((one) => one.start()));
      load.resume();
    },
  },
];

function resetAll(stage: Stage): Promise<void> {
  for (const name of PROGRAMS) stage.programs[name].postgres.reset();
  return Promise.resolve();
}
