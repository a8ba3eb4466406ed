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

/** @param atOnce how many run at once. However many wait, none is refused. */
export function createTurns(atOnce: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < atOnce) running++;
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

/** Who wants a turn. Turns are shared out among callers of different names. */
export interface TurnOf {
  name: string;
  /** Whether the caller is known: those who are come before all who are not. */
  isKnown: boolean;
}

/** Runs `work` when the turn of its caller has come, and gives what it gives. */
export type FairTurns = <Result>(caller: TurnOf, work: () => Promise<Result>) => Promise<Result>;

interface Waiter {
  begin: () => void;
  refuse: (error: Error) => void;
}

/**
 * The same with a queue for each name, one turn each in their order, so that a name with many pieces of work makes nobody
 * else wait for more than one of them. Where the places are full, whoever has fewer waiting takes the last place of the
 * name that has most, which gets an UnavailableError with `message`.
 * @param atOnce how many run at once.
 */
export function createFairTurns(
  atOnce: number,
  { waitingMax, message }: { waitingMax: number; message: string },
): FairTurns {
  let running = 0;
  let waiting = 0;
  /** The names that wait, in the order of their turns. */
  const queues = { known: new Map<string, Waiter[]>(), unknown: new Map<string, Waiter[]>() };

  function next(): Waiter | null {
    const queue = queues.known.size > 0 ? queues.known : queues.unknown;
    const [first] = queue;
    if (!first) return null;
    const [name, waiters] = first;
    const waiter = waiters.shift() ?? null;
    // Whoever has more to do comes after the others.
    queue.delete(name);
    if (waiters.length > 0) queue.set(name, waiters);
    return waiter;
  }

  /** Takes a place from the name with most of them. @returns whether the caller has a better right to it. */
  function displaceFor(caller: TurnOf): boolean {
    const hasUnknown = queues.unknown.size > 0;
    if (!caller.isKnown && !hasUnknown) return false;
    const queue = hasUnknown ? queues.unknown : queues.known;
    const [name, waiters] = [...queue].reduce((most, one) => (one[1].length > most[1].length ? one : most));
    const own = queue.get(caller.name)?.length ?? 0;
    const isBetter = caller.isKnown && hasUnknown;
    if (!isBetter && waiters.length <= own + 1) return false;
    waiters.pop()?.refuse(new UnavailableError(message));
    if (waiters.length === 0) queue.delete(name);
    waiting--;
    return true;
  }

  async function wait(caller: TurnOf): Promise<void> {
    if (waiting >= waitingMax && !displaceFor(caller)) throw new UnavailableError(message);
    const queue = caller.isKnown ? queues.known : queues.unknown;
    waiting++;
    await new Promise<void>((begin, refuse) => {
      const waiters = queue.get(caller.name) ?? [];
      waiters.push({ begin, refuse });
      queue.set(caller.name, waiters);
    });
  }

  return async (caller, work) => {
    if (running < atOnce) running++;
    else await wait(caller);
    try {
      return await work();
    } finally {
      const waiter = next();
      if (waiter) {
        waiting--;
        waiter.begin();
      } else running--;
    }
  };
}
