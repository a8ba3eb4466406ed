/**
 * Workers that run their workflows in one thread. Each thread has a copy of the workflows and of what runs them, 27 MB, and takes
 * a third of a second of processor time to start. In a sandbox nothing happens in live, so its workflows need no thread of
 * their own; in production each environment has one, and neither waits for the other.
 */
import { Worker } from '@temporalio/worker';
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface';

/** @returns a Worker whose instances share a thread, which ends with the last of them. All must run the same bundle. */
export function workerOfOneThread(): Pick<typeof Worker, 'create'> {
  let shared: Promise<WorkflowCreator> | undefined;
  let users = 0;
  return class OneThread extends Worker {
    protected static override async createWorkflowCreator(
      ...given: [never, never, never]
    ): Promise<WorkflowCreator> {
      shared ??= super.createWorkflowCreator(...given);
      const thread = await shared.catch((error: unknown) => {
        shared = undefined;
        throw error;
      });
      users += 1;
      return {
        createWorkflow: (options) => thread.createWorkflow(options),
        async destroy() {
          users -= 1;
          if (users === 0) await thread.destroy();
        },
      };
    }
  };
}
