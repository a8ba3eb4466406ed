/** How a workflow ends whose resource went with a sandbox reset: quietly, and without effect (R13). */
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { RESET } from '../domain/resets';
import { show } from './reading';

/** Whether an activity found its resource gone. */
export const isReset = (error: unknown): boolean =>
  error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === RESET;

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
  show('reset', '**reset** · its resource is gone with the partner’s sandbox');
  return 'reset';
}
