/** Bare workflows on the platform's own Temporal, called from the bench as the API calls ours. */
import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { bareSession, bareSteps, touch } from '../yardsticks/bare-worker/workflows';
import { command } from './program';
import { BARE_WORKER } from './programs';
import { until } from './until';
import type { WholePlatform } from './whole-platform';

/** How many workflows the platform's relay starts at once. */
const STARTS_AT_ONCE = 20;
const TASK_QUEUE = 'bare';

export interface BareTemporal {
  /**
   * Runs `workflows` workflows, each of `activities` empty activities.
   * @returns seconds from the first start to the last activity.
   */
  runSteps(workflows: number, activities: number): Promise<number>;
  /** Starts a session with an update. @returns its id. */
  begin(): Promise<string>;
  /** An update on a running session. */
  touch(session: string, last: boolean): Promise<void>;
}

let opened: Promise<BareTemporal> | undefined;

/** The shared instance. It is shared because its worker takes seconds to start. */
export const bareTemporal = (platform: WholePlatform): Promise<BareTemporal> =>
  (opened ??= openBareTemporal(platform));

async function openBareTemporal(platform: WholePlatform): Promise<BareTemporal> {
  const settings = { TEMPORAL_ADDRESS: platform.temporal.address, TASK_QUEUE };
  const worker = await platform.start(BARE_WORKER, settings);
  const { workflow } = platform.temporal.client;
  return {
    async runSteps(workflows, activities) {
      const before = await command<number>(worker, 'done');
      const startedAt = performance.now();
      let waiting = workflows;
      const start = async (): Promise<void> => {
        while (waiting-- > 0) {
          await workflow.start(bareSteps, {
            taskQueue: TASK_QUEUE,
            workflowId: randomUUID(),
            args: [activities],
          });
        }
      };
      await Promise.all(Array.from({ length: STARTS_AT_ONCE }, start));
      const expected = before + workflows * activities;
      await until(
        async () => (await command<number>(worker, 'done')) >= expected,
        'bare workflows stand still',
      );
      return (performance.now() - startedAt) / 1_000;
    },
    async begin() {
      const workflowId = randomUUID();
      const startWorkflowOperation = new WithStartWorkflowOperation(bareSession, {
        taskQueue: TASK_QUEUE,
        workflowId,
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      await workflow.executeUpdateWithStart(touch, { args: [false], startWorkflowOperation });
      return workflowId;
    },
    touch: (session, last) =>
      workflow
        .getHandle(session)
        .executeUpdate(touch, { args: [last] })
        .then(() => undefined),
  };
}
