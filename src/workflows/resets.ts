/**
 * How a workflow ends whose resource was deleted by a sandbox reset: without an error and without effect (R13).
 */
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { RESET } from '../domain/resets';
import { show } from './reading';

/** Whether an activity found its resource gone. The failure of a local activity is not wrapped in another one. */
export function isReset(error: unknown): boolean {
  const thrown = error instanceof ActivityFailure ? error.cause : error;
  return thrown instanceof ApplicationFailure && thrown.type === RESET;
}

/** Does the work of a workflow, or ends the workflow if a reset has deleted its resource. */
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
