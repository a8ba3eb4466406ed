/** Finds out whether a Temporal server really serves. An open port does not prove that. */
import type { ConnectionLike } from '@temporalio/client';
import { within } from './temporal-connection';

/** No workflow has this id: looking for it makes the server read what it has stored. */
const NOBODY = 'health-look';
const NOT_FOUND = 5;

/**
 * Looks for a workflow that does not exist. A server that serves the namespace answers that there is none.
 * @param withinMs how long an answer may take.
 * @returns false when it does not answer, does not know the namespace, or cannot read its store.
 */
export async function servesNamespace(
  connection: ConnectionLike,
  namespace: string,
  withinMs: number,
): Promise<boolean> {
  try {
    await within(withinMs, () =>
      connection.workflowService.describeWorkflowExecution({
        namespace,
        execution: { workflowId: NOBODY },
      }),
    );
    return true;
  } catch (error) {
    const { code, details } = error as { code?: number; details?: string };
    // An unknown namespace is NOT_FOUND as well.
    return code === NOT_FOUND && !/namespace/i.test(details ?? '');
  }
}
