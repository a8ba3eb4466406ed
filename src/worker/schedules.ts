/** What runs by the clock in each namespace: Temporal Schedules, made by whichever worker starts first. */
import { isDeepStrictEqual } from 'node:util';
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
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

/**
 * By the id of the Schedule, which is also the workflow's. One run at a time; a further one is skipped (D110,
 * R16).
 */
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
    summary: 'Reconciles what is new, and a part of the rest',
  },
  'reconcile-all': {
    workflowType: 'reconcile',
    everyMs: config.RECONCILE_ALL_EVERY_MS,
    args: [{ everything: true }],
    summary: 'Reconciles everything',
  },
  'untold-payments': {
    workflowType: 'untoldPayments',
    everyMs: 15 * 60_000,
    args: [{ hours: 48 }],
    summary: 'Looks for payments of the last two days of which no notice has come',
  },
  'untold-payments-week': {
    workflowType: 'untoldPayments',
    everyMs: 24 * 3_600_000,
    args: [{ hours: 7 * 24 }],
    summary: 'Looks for payments of the last week of which no notice has come',
  },
  'bank-lists': {
    workflowType: 'bankLists',
    everyMs: 24 * 3_600_000,
    args: [],
    summary: 'Reads the companies’ lists of banks, and adds the banks that are new',
  },
  retention: {
    workflowType: 'retention',
    everyMs: config.RETENTION_EVERY_MS,
    args: [],
    summary: 'Deletes what nobody needs any more',
  },
});

/**
 * A run that has not ended after so many periods hangs, for example because its tasks keep failing after a restore of
 * Temporal. Temporal then ends it, and the next period begins another, which does what the run has not done; until then
 * it would hold up every further one.
 */
const LONGEST_PERIODS = 10;
/**
 * Whatever the period is: a run over much needs some time. `enough` is more than a run takes that does not look at
 * everything, so only a longer period allows more, and after a day nothing is gained by waiting.
 */
const LONGEST_MS = { least: 20_000, enough: 600_000, most: 86_400_000 };
const longestMs = (everyMs: number): number =>
  Math.min(
    Math.max(LONGEST_PERIODS * everyMs, LONGEST_MS.least),
    Math.max(everyMs, LONGEST_MS.enough),
    LONGEST_MS.most,
  );

/**
 * Creates the Schedules, and updates those that exist to this configuration. One that is as it should be is only looked at: an
 * update is work for Temporal, and a start waits for it.
 */
export async function bringSchedules(temporal: Client, config: Config): Promise<void> {
  await Promise.all(
    optionsOf(config).map(async (options) => {
      const { spec, action, scheduleId } = options;
      const schedule = temporal.schedule.getHandle(scheduleId);
      const found = await schedule.describe().catch((error: unknown) => {
        if (error instanceof ScheduleNotFoundError) return null;
        throw error;
      });
      const wanted = { spec, action: { ...action, workflowId: scheduleId } };
      const isDone = found
        ? isDeepStrictEqual(stated({ spec: found.spec, action: found.action }), stated(wanted))
        : await create(temporal, options);
      if (!isDone) await schedule.update((old) => ({ ...old, ...wanted }));
    }),
  );
}

/** A value without what says nothing: an answer of Temporal names every field, also those that nobody has set. */
function stated(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(stated);
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : value;
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const said = stated(field);
    return said === undefined ? [] : [[name, said]];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** Creates the Schedules that are missing, because a Temporal that was replaced by an empty one has none (R16). */
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
      workflowRunTimeout: longestMs(everyMs),
      staticSummary: summary,
    },
  }));
}
