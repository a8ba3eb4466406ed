/** Gives memory back while there is nothing to do: a sandbox is idle most of the time, beside everything else on a machine. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { endPack } from './pack';

const LOOK_EVERY_MS = 5_000;
/** Of the time of one processor, since the last look. */
const IDLE_SHARE = 0.05;
/** The first one moves what is left out of the young generation; a later one finds that it can be small. */
const COLLECTIONS = 3;

/**
 * Collects garbage, which takes a tenth of a second, when the process has been idle for some seconds after its start or after
 * work. Node by itself does it only when it needs the room.
 */
export function freeMemoryWhenIdle(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let idleLooks = 0;
  let before = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const isIdle = (user + system) / 1_000 < LOOK_EVERY_MS * IDLE_SHARE;
    idleLooks = isIdle ? idleLooks + 1 : 0;
    if (!isIdle || idleLooks > COLLECTIONS) return;
    endPack();
    collect();
  }, LOOK_EVERY_MS).unref();
}

/**
 * Keeps the young generation of the threads small that this process starts from now on. Those that run workflows would take
 * 32 MB each for it, and have little to do in a sandbox.
 */
export const keepThreadsSmall = (): void => setFlagsFromString('--max-semi-space-size=2');
