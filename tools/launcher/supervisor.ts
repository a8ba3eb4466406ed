/**
 * Keeps what `npm start` has started alive. A part that ends, or that no longer answers, is told in one
 * sentence and started again at the same address; one that keeps failing ends the whole sandbox with a sentence.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Printer } from './print';

/** One of the programs of a sandbox. */
export interface Part {
  readonly name: string;
  /** Starts it, at the same address each time. @throws StartError when it does not come up. */
  start(): Promise<Run>;
  /** Whether it answers now. It may throw, and it may take as long as it likes: the supervisor has its own limit. */
  isWell(): Promise<boolean>;
  /** Where its log is, as a person would type it. */
  readonly log: string;
}

/** A part that runs. */
interface Run {
  /** Says how it ended, once it has: `exit code 1`. */
  readonly ended: Promise<string>;
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

/** A busy machine is slow; only a part that gave no answer for half a minute is taken for hung. */
const TIMES: SupervisorTimes = {
  lookEveryMs: 5_000,
  answerWithinMs: 8_000,
  firstWaitMs: 500,
  failuresMax: 5,
  failuresWithinMs: 600_000,
};
/** Looks without an answer, one after another, after which a part is started again. */
const SILENT_LOOKS_MAX = 3;

export interface Supervisor {
  /** Starts the part, and from then on keeps it running until `stop`. */
  bring(part: Part): Promise<void>;
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
  const runs: { name: string; run: Run }[] = [];
  const stopped = new AbortController();
  let stopping: Promise<void> | undefined;

  async function keep(part: Part, place: { run: Run }): Promise<void> {
    const failures: number[] = [];
    for (;;) {
      const trouble = await troubleOf(part, place.run, times, stopped.signal);
      if (trouble === null) return;
      print.line(`  ! ${part.name} ${trouble}. It is started again; its log is ${part.log}`);
      await place.run.stop();
      const run = await startAgain(part, failures);
      if (run === null) return;
      place.run = run;
    }
  }

  /** Tries until the part runs. @returns null when it failed too often, or when all are being stopped. */
  async function startAgain(part: Part, failures: number[]): Promise<Run | null> {
    for (;;) {
      failures.push(Date.now());
      const recent = failures.filter((at) => at > Date.now() - times.failuresWithinMs).length;
      if (recent > times.failuresMax) {
        giveUp(`${part.name} failed ${String(recent)} times in a short while. Its log is ${part.log}`);
        return null;
      }
      await sleep(times.firstWaitMs * 2 ** (recent - 1));
      if (stopped.signal.aborted) return null;
      const startedAt = Date.now();
      try {
        const run = await part.start();
        // The end came while it was starting: nobody else knows of this run.
        if (isAborted(stopped.signal)) await run.stop();
        else print.done(part.name, 'runs again', startedAt);
        return run;
      } catch (error) {
        print.line(`  ! ${part.name} did not start again: ${(error as Error).message}`);
      }
    }
  }

  return {
    async bring(part) {
      const place = { name: part.name, run: await part.start() };
      runs.push(place);
      void keep(part, place);
    },
    stop() {
      stopping ??= (async () => {
        stopped.abort();
        for (const { run } of runs.reverse()) {
          // One that cannot be stopped must not keep the others running; it ends with us.
          await run.stop().catch(() => undefined);
        }
      })();
      return stopping;
    },
  };
}

/** Waits until something is wrong with a running part. @returns what, in words; null when all are being stopped. */
async function troubleOf(
  part: Part,
  run: Run,
  times: SupervisorTimes,
  stopped: AbortSignal,
): Promise<string | null> {
  const end: { how: string | null } = { how: null };
  const noticed = new AbortController();
  void run.ended.then((how) => {
    end.how = how;
    noticed.abort();
  });
  const either = AbortSignal.any([stopped, noticed.signal]);
  for (let silentLooks = 0; silentLooks < SILENT_LOOKS_MAX;) {
    await pause(times.lookEveryMs, either);
    if (stopped.aborted) return null;
    if (end.how !== null) return `ended (${end.how})`;
    const answered = new AbortController();
    const tooLate = pause(times.answerWithinMs, AbortSignal.any([either, answered.signal]));
    const isWell = await Promise.race([part.isWell().catch(() => false), tooLate]);
    answered.abort();
    silentLooks = isWell === true ? 0 : silentLooks + 1;
  }
  return 'does not answer any more';
}

/** Waits so long, or until the signal. */
const pause = (ms: number, signal: AbortSignal): Promise<null> =>
  sleep(ms, null, { signal, ref: false }).catch(() => null);

/** Asked anew: the compiler believes what it saw before the last wait. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
