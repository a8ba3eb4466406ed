/** Waits until a program that serves should get work, by its own word on `/ready`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../src/administration/project';
import { ask } from './ask';

const ASK_EVERY_MS = 100;

/** What a program says on `/ready`. */
interface Readiness {
  readonly status: 'ready' | 'not_ready';
  readonly why: readonly string[];
  readonly checks: { readonly migrations: boolean; readonly cells: boolean };
}

/** A program that ended is started again by the supervisor, which gives up by itself. */
const SILENT: Readiness = {
  status: 'not_ready',
  why: ['Its operator port does not answer'],
  checks: { migrations: false, cells: false },
};

/**
 * Asks until the program is ready. It connects to Postgres only when it is asked, and on a busy machine its first
 * connections come later than it waits for them.
 * @param name of the program, for messages.
 * @param probes address of its operator port.
 * @throws StartError with the program's own reasons when it never will be ready, or not in time.
 */
export async function untilReady(name: string, probes: string, withinMs: number): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    const { status, why, checks } = await ask(`${probes}/ready`)
      .then(({ body }) => JSON.parse(body) as Readiness)
      .catch(() => SILENT);
    if (status === 'ready') return;
    const servesTooFewCells = checks.migrations && !checks.cells;
    if (servesTooFewCells || Date.now() > giveUpAt)
      throw new StartError(`${name} is not ready. ${why.join('. ')}`);
    await sleep(ASK_EVERY_MS);
  }
}
