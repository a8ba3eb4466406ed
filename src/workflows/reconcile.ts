/**
 * Looks for contradictions in the books. Two Schedules run it: often over what is new, and once a day over
 * everything (R16, G34).
 */
import { ActivityFailure, type ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { needAttention, show } from './reading';
import { step } from './steps';
import { movesToTheCurrentBuild } from './versioning';

/** To check a cell twice is harmless. One try is enough, because a Schedule runs it again soon. */
const ONCE: ActivityOptions = {
  startToCloseTimeout: '6h',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 1 },
};
const cellNames = step('cellNames', ONCE, 'List the cells');
const reconcileCell = step('reconcileCell', ONCE, 'Check the books of one cell');

type Reconciled = Awaited<ReturnType<Activities['reconcileCell']>>;

/** @returns what was done in each cell; null for a cell that could not be checked now. */
export async function reconcile(input: { everything: boolean }): Promise<Record<string, Reconciled | null>> {
  const done: Record<string, Reconciled | null> = {};
  for (const name of await cellNames()) {
    try {
      done[name] = await reconcileCell(name, input.everything);
    } catch (error) {
      // A cell that fails does not stop the others.
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
    ...missed.map((name) => `Cell \`${name}\` could not be checked; the next run checks it.`),
  );
  return done;
}

movesToTheCurrentBuild(reconcile);
