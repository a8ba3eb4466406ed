/** Waits for what other processes do. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;
const GIVE_UP_AFTER_MS = 300_000;

/** Waits until `isSo` gives true. @throws an Error that says `orElse` when that takes too long. */
export async function until(isSo: () => Promise<boolean>, orElse: string): Promise<void> {
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(orElse);
    await sleep(LOOK_EVERY_MS);
  }
}
