/** Waits for what is not instant by looking again and again, never by sleeping for a guessed time. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 25;
/** Far more than anything here takes, even beside other loads: only a test that fails waits so long. */
const WITHIN_MS = 30_000;

/**
 * Looks until there is something to see.
 * @param look gives undefined, null or false as long as it is not there.
 * @throws Error naming `what` when `withinMs` have passed; whatever `look` throws.
 */
export async function until<Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  withinMs = WITHIN_MS,
): Promise<Exclude<Seen, undefined | null | false>> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false) {
      return seen as Exclude<Seen, undefined | null | false>;
    }
    if (Date.now() > giveUpAt) throw new Error(`not seen within ${withinMs / 1_000} s: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}
