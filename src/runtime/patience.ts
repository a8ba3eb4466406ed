/** Waits, at the start of a process, for a server that does not answer yet. */
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_WAIT_MS = 500;
/** What a process waits for may come back at any moment, and callers wait for the process. */
const WAIT_MAX_MS = 2_000;

/**
 * Repeats `work` until it succeeds, with growing waits. What it needs may start later than this process.
 * @param onFailure is told each failure and how long the next try waits.
 * @param signal ends the waiting. @throws AbortError then.
 */
export async function untilItWorks<Result>(
  work: () => Promise<Result>,
  onFailure: (error: unknown, waitMs: number) => void,
  signal?: AbortSignal,
): Promise<Result> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, WAIT_MAX_MS)) {
    try {
      return await work();
    } catch (error) {
      onFailure(error, waitMs);
      await sleep(waitMs, undefined, { signal });
    }
  }
}
