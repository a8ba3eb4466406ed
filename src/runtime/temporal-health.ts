/**
 * Finds out whether a Temporal server really serves, which an open port does not prove, and whether workers take its
 * tasks.
 */
import type { ConnectionLike } from '@temporalio/client';
import { NOBODY, saysNobody } from './health-look';
import { within } from './temporal-connection';

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
    return saysNobody(code, details);
  }
}

/** The kinds of tasks that a queue has, with their numbers in the protocol of Temporal. */
export const TASK_KINDS = { workflow: 1, activity: 2 } as const;
export type TaskKind = keyof typeof TASK_KINDS;

export interface TaskQueueSight {
  /** The age in seconds of the oldest task that no worker has taken; 0 when none waits. */
  backlogSeconds: number;
  /** How many workers have asked for tasks within the last minute and a half. */
  workers: number;
}

/** A worker without tasks asks once a minute. */
const SEEN_WITHIN_SECONDS = 90;

/**
 * Asks Temporal about one queue of the namespace.
 * @param withinMs how long an answer may take.
 * @throws while Temporal does not answer.
 */
export async function lookAtTaskQueue(
  connection: ConnectionLike,
  queue: { namespace: string; taskQueue: string; kind: TaskKind },
  withinMs: number,
): Promise<TaskQueueSight> {
  // The enum of the kinds is in a package of the protocol, which production does not have.
  const asked: object = {
    namespace: queue.namespace,
    taskQueue: { name: queue.taskQueue },
    taskQueueType: TASK_KINDS[queue.kind],
    reportStats: true,
  };
  const { stats, pollers } = await within(withinMs, () =>
    connection.workflowService.describeTaskQueue(asked),
  );
  const age = stats?.approximateBacklogAge;
  const since = Date.now() / 1_000 - SEEN_WITHIN_SECONDS;
  const seen = pollers.filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) > since);
  return {
    backlogSeconds: Number(age?.seconds ?? 0) + (age?.nanos ?? 0) / 1e9,
    workers: new Set(seen.map(({ identity }) => identity)).size,
  };
}
