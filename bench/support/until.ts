/** Waits for what other processes do. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;
const GIVE_UP_AFTER_MS = 300_000;

/** Looks until it is so. @throws what is wrong, in these words, when it does not come to be. */
export async function until(isSo: () => Promise<boolean>, orElse: string): Promise<void> {
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(orElse);
    await sleep(LOOK_EVERY_MS);
  }
}
