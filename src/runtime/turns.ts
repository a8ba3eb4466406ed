/** Limits how many pieces of work run at once. The others wait in the order in which they came. */
import { UnavailableError } from './unavailable';

/** Runs `work` when its turn has come, and gives what it gives. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The same for work on many things, each with turns of its own. A thing that nobody works on takes no memory. */
export type TurnsByName = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** @param atOnce how many run at once on one thing. */
export function createTurnsByName(atOnce: number): TurnsByName {
  const busy = new Map<string, { turns: Turns; users: number }>();
  return async (name, work) => {
    const here = busy.get(name) ?? { turns: createTurns(atOnce), users: 0 };
    busy.set(name, here);
    here.users++;
    try {
      return await here.turns(work);
    } finally {
      if (--here.users === 0) busy.delete(name);
    }
  };
}

/**
 * @param atOnce how many run at once.
 * @param crowd how many may wait; without it there is no limit. Work beyond the limit is not begun and gets an
 *   UnavailableError with `message`.
 */
export function createTurns(atOnce: number, crowd?: { waitingMax: number; message: string }): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < atOnce) running++;
    else if (crowd && waiting.length >= crowd.waitingMax) throw new UnavailableError(crowd.message);
    // Work that ends gives its place to the next one, so the count does not change.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
