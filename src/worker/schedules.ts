/** What runs by the clock in each namespace: Temporal Schedules, made by whichever worker starts first. */
import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import type { Config } from '../runtime/config';

interface Recurring {
  workflowType: string;
  everyMs: number;
  args: unknown[];
  summary: string;
}

/** By the Schedule's id, which is its workflow's too: one runs at a time, a further one is skipped (D110, R16). */
const recurring = (config: Config): Record<string, Recurring> => ({
  sweep: {
    workflowType: 'sweep',
    everyMs: config.SWEEP_EVERY_MS,
    args: [],
    summary: 'Starts what a crash or an outage left behind',
  },
  reconcile: {
    workflowType: 'reconcile',
    everyMs: config.RECONCILE_EVERY_MS,
    args: [{ everything: false }],
    summary: 'Holds what is new, and a slice of the rest, against what must hold',
  },
  'reconcile-all': {
    workflowType: 'reconcile',
    everyMs: config.RECONCILE_ALL_EVERY_MS,
    args: [{ everything: true }],
    summary: 'Holds everything against what must hold',
  },
  retention: {
    workflowType: 'retention',
    everyMs: config.RETENTION_EVERY_MS,
    args: [],
    summary: 'Deletes what nobody needs any more',
  },
});

/** Creates the Schedules, or brings older ones to today's shape. */
export async function bringSchedules(temporal: Client, config: Config): Promise<void> {
  for (const options of optionsOf(config)) {
    if (await create(temporal, options)) continue;
    const { spec, action } = options;
    await temporal.schedule
      .getHandle(options.scheduleId)
      .update((old) => ({ ...old, spec, action: { ...action, workflowId: options.scheduleId } }));
  }
}

/** Creates those that are missing: a Temporal that was replaced by an empty one knows none (R16). */
export async function keepSchedules(temporal: Client, config: Config): Promise<void> {
  for (const options of optionsOf(config)) await create(temporal, options);
}

async function create(temporal: Client, options: ScheduleOptions): Promise<boolean> {
  try {
    await temporal.schedule.create(options);
    return true;
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false;
    throw error;
  }
}

function optionsOf(config: Config): ScheduleOptions[] {
  return Object.entries(recurring(config)).map(([scheduleId, { workflowType, everyMs, args, summary }]) => ({
    scheduleId,
    spec: { intervals: [{ every: everyMs }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
    action: {
      type: 'startWorkflow',
      workflowType,
      workflowId: scheduleId,
      taskQueue: config.TEMPORAL_TASK_QUEUE,
      args,
      staticSummary: summary,
    },
  }));
}
