/**
 * Dispatchers that stay for what becomes due next. While some stay in a cell, one statement asks for all of them at which
 * something is due, so that an event costs no message to Temporal and no step of a workflow. Without them nothing is asked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { endpointsWithDue } from '../db/events/dispatchers';
import type { Cell } from '../db/pg/postgres';

/** How late an event comes at most, because nobody tells of it. */
const LOOK_EVERY_MS = 50;
/** After a look that failed, such as while Postgres is away. */
const LOOK_AGAIN_MS = 500;
/** In one environment of a process, beside those that send (webhook-places.ts). The other dispatchers go, and are woken. */
const STAYS_MAX = 80;

interface Stay {
  endpointId: string;
  leave: (isDue: boolean) => void;
}

export interface Stays {
  /**
   * Stays until something is due at the endpoint, for so long at most.
   * @param end ends it at once.
   * @returns whether something is due; false also where there is no room for one more that stays.
   */
  untilDue(cell: Cell, endpointId: string, forMs: number, end: AbortSignal): Promise<boolean>;
}

export function createStays(): Stays {
  const staying = new Map<Cell, Set<Stay>>();
  let count = 0;

  /** Looks as long as somebody stays in the cell. */
  async function keepLooking(cell: Cell, here: Set<Stay>): Promise<void> {
    while (here.size > 0) {
      let pauseMs = LOOK_EVERY_MS;
      try {
        const due = new Set(
          await endpointsWithDue(
            cell,
            [...here].map(({ endpointId }) => endpointId),
          ),
        );
        for (const { endpointId, leave } of here) if (due.has(endpointId)) leave(true);
      } catch {
        // Whoever stays meets the failure itself when its time is over.
        pauseMs = LOOK_AGAIN_MS;
      }
      await sleep(pauseMs);
    }
    staying.delete(cell);
  }

  function join(cell: Cell, stay: Stay): Set<Stay> {
    const known = staying.get(cell);
    const here = known ?? new Set();
    here.add(stay);
    if (known) return here;
    staying.set(cell, here);
    void keepLooking(cell, here);
    return here;
  }

  return {
    untilDue(cell, endpointId, forMs, end) {
      if (count >= STAYS_MAX || forMs <= 0 || end.aborted) return Promise.resolve(false);
      count += 1;
      return new Promise<boolean>((resolve) => {
        const timer = setTimeout(leave, forMs, false);
        const abort = (): void => leave(false);
        end.addEventListener('abort', abort);
        const stay = { endpointId, leave };
        const here = join(cell, stay);
        function leave(isDue: boolean): void {
          if (!here.delete(stay)) return;
          count -= 1;
          clearTimeout(timer);
          end.removeEventListener('abort', abort);
          resolve(isDue);
        }
      });
    },
  };
}
