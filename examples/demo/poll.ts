/** Waits for what the platform does after its answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { BrokenPromise } from './check';

const LOOK_EVERY_MS = 200;

/**
 * Repeats `look` until it gives something other than undefined.
 * @throws BrokenPromise naming `what` when `limitMs` have passed.
 */
export async function poll<Found>(
  what: string,
  limitMs: number,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline)
      throw new BrokenPromise(`${what} took longer than ${String(limitMs / 1_000)} s`);
    await sleep(LOOK_EVERY_MS);
  }
}
