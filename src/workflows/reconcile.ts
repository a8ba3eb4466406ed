/** Run by two Schedules, often over what is new and once a day over everything: finds what should not be (R16, G34). */
import { ActivityFailure, type ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { needAttention, show } from './reading';
import { step } from './steps';

/** Going over a cell twice is harmless; one try is enough, because the next run of the Schedule is soon. */
const ONCE: ActivityOptions = {
  startToCloseTimeout: '6h',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 1 },
};
const cellNames = step('cellNames', ONCE, 'List the cells');
const reconcileCell = step('reconcileCell', ONCE, 'Hold one cell against what must hold');

type Reconciled = Awaited<ReturnType<Activities['reconcileCell']>>;

/** @returns what was done in each cell; null for one that could not be gone over now. */
export async function reconcile(input: { everything: boolean }): Promise<Record<string, Reconciled | null>> {
  const done: Record<string, Reconciled | null> = {};
  for (const name of await cellNames()) {
    try {
      done[name] = await reconcileCell(name, input.everything);
    } catch (error) {
      // One cell's trouble is not the others'.
      if (!(error instanceof ActivityFailure)) throw error;
      done[name] = null;
    }
  }
  const found = Object.values(done).reduce((sum, one) => sum + (one?.found ?? 0), 0);
  if (found > 0) needAttention(true);
  const missed = Object.keys(done).filter((name) => done[name] === null);
  show(
    found > 0 ? 'findings' : 'clean',
    `${String(found)} findings`,
    'Operators list the findings with `GET /ops/:environment/findings`.',
    ...missed.map((name) => `Cell \`${name}\` could not be gone over; the next run goes over it.`),
  );
  return done;
}
