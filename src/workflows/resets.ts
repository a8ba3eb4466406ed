/** How a workflow ends whose resource went with a sandbox reset: quietly, and without effect (R13). */
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { RESET } from '../domain/resets';
import { show } from './reading';

/** Whether an activity found its resource gone; what a local activity throws arrives without a wrapping. */
export function isReset(error: unknown): boolean {
  const thrown = error instanceof ActivityFailure ? error.cause : error;
  return thrown instanceof ApplicationFailure && thrown.type === RESET;
}

/** Does the work of a workflow, or ends it where a reset came between. */
export async function unlessReset<Result>(work: () => Promise<Result>): Promise<Result | 'reset'> {
  try {
    return await work();
  } catch (error) {
    if (!isReset(error)) throw error;
    return showReset();
  }
}

/** The end of such a workflow, as an operator reads it. */
export function showReset(): 'reset' {
  show('reset', 'a sandbox reset has deleted what this workflow was for');
  return 'reset';
}
