/**
 * Keeps the parts of the sandbox running. A part that ends, or that no longer answers, is started again at the
 * same address. A part that keeps failing ends the whole sandbox. One sentence tells of each.
 */
import { once } from 'node:events';
import { shown, type Printer } from './print';
import { within } from './processes';

/** One of the programs of a sandbox. */
export interface Part<R extends Run = Run> {
  readonly name: string;
  /** Starts it, at the same address each time. @throws StartError when it does not come up. */
  start(): Promise<R>;
  /** Whether it answers now. An error counts as no, and the supervisor limits the time. */
  isWell(run: R): Promise<boolean>;
}

/** A part that runs. */
interface Run {
  /** Says how it ended, once it has: `exit code 1`. */
  readonly ended: Promise<string>;
  readonly logFile: string;
  /** Stops it, and returns when it is gone. Harmless when it has ended. */
  stop(): Promise<void>;
}

export interface SupervisorTimes {
  /** Between two looks at a part that runs. */
  readonly lookEveryMs: number;
  /** A look that takes longer counts as no answer. */
  readonly answerWithinMs: number;
  /** The first wait before a new start; each further one within `failuresWithinMs` doubles it. */
  readonly firstWaitMs: number;
  /** So many failures within this time end the sandbox. */
  readonly failuresMax: number;
  readonly failuresWithinMs: number;
}

/** A busy machine is slow, so a part counts as hung only after half a minute without an answer. */
const TIMES: SupervisorTimes = {
  lookEveryMs: 5_000,
  answerWithinMs: 8_000,
  firstWaitMs: 500,
  failuresMax: 5,
  failuresWithinMs: 600_000,
};
/** Looks without an answer, one after another, after which a part is started again. */
const SILENT_LOOKS_MAX = 3;

const TIME_TO_LOOK = Symbol('time to look');

export interface Supervisor {
  /** Starts the part, and from then on keeps it running until `stop`. */
  bring<R extends Run>(part: Part<R>): Promise<R>;
  /** Stops all parts, the last one started first. May be called again. */
  stop(): Promise<void>;
}

/**
 * @param giveUp is told, in a sentence, that a part cannot be kept running.
 */
export function createSupervisor(
  print: Printer,
  giveUp: (sentence: string) => void,
  times: SupervisorTimes = TIMES,
): Supervisor {
  const runs: { run: Run }[] = [];
  const end = new AbortController();
  const stopped = once(end.signal, 'abort').then(() => null);
  // This is a function because the compiler keeps the value from before an `await`.
  const isStopping = (): boolean => end.signal.aborted;
  let stopping: Promise<void> | undefined;

  async function keep<R extends Run>(part: Part<R>, place: { run: R }): Promise<void> {
    const failures: number[] = [];
    for (;;) {
      const trouble = await troubleOf(part, place.run, times, stopped);
      if (trouble === null) return;
      const log = shown(place.run.logFile);
      print.line(`  ! ${part.name} ${trouble}. It is started again; its log is ${log}`);
      await place.run.stop();
      const run = await startAgain(part, failures, log);
      if (run === null) return;
      place.run = run;
    }
  }

  /** Tries until the part runs. @returns null when it failed too often, or when all parts are being stopped. */
  async function startAgain<R extends Run>(
    part: Part<R>,
    failures: number[],
    log: string,
  ): Promise<R | null> {
    for (;;) {
      failures.push(Date.now());
      const recent = failures.filter((at) => at > Date.now() - times.failuresWithinMs).length;
      if (recent > times.failuresMax) {
        giveUp(`${part.name} failed ${String(recent)} times in a short while. Its log is ${log}`);
        return null;
      }
      await within(stopped, times.firstWaitMs * 2 ** (recent - 1), null);
      if (isStopping()) return null;
      const startedAt = Date.now();
      try {
        const run = await part.start();
        // All parts were stopped while this one was starting. Only this function knows of its run.
        if (isStopping()) await run.stop();
        else print.done(part.name, 'runs again', startedAt);
        return run;
      } catch (error) {
        print.line(`  ! ${part.name} did not start again: ${(error as Error).message}`);
      }
    }
  }

  return {
    async bring(part) {
      const run = await part.start();
      const place = { run };
      runs.push(place);
      void keep(part, place);
      return run;
    },
    stop() {
      stopping ??= (async () => {
        end.abort();
        for (const { run } of runs.reverse()) {
          // A part that cannot be stopped must not keep the others running. It ends with our own process.
          await run.stop().catch(() => undefined);
        }
      })();
      return stopping;
    },
  };
}

/**
 * Waits until something is wrong with a running part.
 * @returns what is wrong, in words; null when all parts are being stopped.
 */
async function troubleOf<R extends Run>(
  part: Part<R>,
  run: R,
  times: SupervisorTimes,
  stopped: Promise<null>,
): Promise<string | null> {
  const over = Promise.race([stopped, run.ended.then((how) => `ended (${how})`)]);
  for (let silentLooks = 0; silentLooks < SILENT_LOOKS_MAX;) {
    const early = await within(over, times.lookEveryMs, TIME_TO_LOOK);
    if (early !== TIME_TO_LOOK) return early;
    const look = Promise.race([over, part.isWell(run).catch(() => false)]);
    const isWell = await within(look, times.answerWithinMs, false);
    if (typeof isWell !== 'boolean') return isWell;
    silentLooks = isWell ? 0 : silentLooks + 1;
  }
  return 'does not answer any more';
}
