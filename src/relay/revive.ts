/**
 * Workflows that should be open and are not, because somebody terminated them, they failed, or Temporal was
 * replaced by an empty one (R16).
 */
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Intention } from '../domain/intentions';
import { within } from '../runtime/temporal-connection';
import { startOptions } from './start-options';

const CALL_MS = 5_000;
const AT_ONCE = 20;

export interface MissingWorkflow {
  intention: Intention;
  /** What Temporal says about it: the status with which it closed, or `NOT_FOUND`. */
  was: string;
}

/** Gives the workflows among these that are not open. @throws while Temporal is away. */
export async function missingWorkflows(
  temporal: Client,
  intentions: readonly Intention[],
): Promise<MissingWorkflow[]> {
  const missing: MissingWorkflow[] = [];
  for (let begin = 0; begin < intentions.length; begin += AT_ONCE) {
    const some = intentions.slice(begin, begin + AT_ONCE);
    const states = await Promise.all(some.map(({ workflowId }) => stateOf(temporal, workflowId)));
    some.forEach((intention, index) => {
      const was = states[index] ?? 'UNKNOWN';
      if (!OPEN.includes(was)) missing.push({ intention, was });
    });
  }
  return missing;
}

const OPEN = ['RUNNING', 'PAUSED', 'CONTINUED_AS_NEW'];

async function stateOf(temporal: Client, workflowId: string): Promise<string> {
  try {
    const described = await within(CALL_MS, () => temporal.workflow.getHandle(workflowId).describe());
    return described.status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
    throw error;
  }
}

/**
 * Starts a workflow again. The workflow reads its row first, so a second run for something that has ended does
 * nothing.
 * @returns false if Temporal says that the workflow has completed: then the row and the workflow contradict each
 * other.
 */
export async function revive(temporal: Client, taskQueue: string, intention: Intention): Promise<boolean> {
  try {
    await within(CALL_MS, () =>
      temporal.workflow.start(intention.workflowType, {
        ...startOptions(intention, taskQueue),
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
