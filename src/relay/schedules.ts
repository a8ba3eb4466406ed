/**
 * The Schedules of scheduled transfers. Temporal's clock only says when to look: what is due stands in Postgres, so a
 * Schedule that comes late, twice or too often pays nothing twice, and one that is lost is made again by the sweep.
 */
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptionsStartWorkflowAction,
  type WorkflowOptions,
} from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { present } from '../domain/assert';
import { CALENDAR_ZONE, hourAndMinute, WEEKDAYS, type CalendarRule } from '../domain/calendar';
import type { Intention } from '../domain/intentions';
import type { ScheduleClock } from '../contract/intentions';
import type { ScheduledTransferInput } from '../contract/messages';
import { startOptions } from './start-options';

/** A due time that is so near may be over before the Schedule knows it, so its workflow begins at once and waits. */
const NEAR_MS = 60_000;
/** A run looks for missing money for a day. One that takes longer hangs, and another one does its work. */
const RUN_TIMEOUT = '26h';
/** The last day of a month that has no such day may be any of these; on the others there is nothing to do. */
const SHORTEST_MONTH = 28;

/**
 * Makes the Schedule, or has an existing one start its workflow now. A second start of the workflow finds in Postgres what
 * the first one has done.
 */
export async function makeSchedule(temporal: Client, intention: Intention, taskQueue: string): Promise<void> {
  const { clock, ...input } = intention.input as unknown as ScheduledTransferInput & { clock: ScheduleClock };
  const { workflowId: scheduleId, workflowType, title } = intention;
  const options = startOptions(intention, taskQueue);
  const typedSearchAttributes = present(options.typedSearchAttributes, 'the search attributes of a start');
  const { dueAt, rule, firstDueAt } = clock;
  // The client sends the priority of an action, though its type does not name it.
  const action: ScheduleOptionsStartWorkflowAction<Workflow> & Pick<WorkflowOptions, 'priority'> = {
    type: 'startWorkflow',
    workflowType,
    workflowId: scheduleId,
    taskQueue,
    args: [input],
    workflowRunTimeout: RUN_TIMEOUT,
    workflowTaskTimeout: present(options.workflowTaskTimeout, 'the time of a task'),
    staticSummary: title,
    typedSearchAttributes,
    priority: options.priority,
  };
  try {
    await temporal.schedule.create({
      scheduleId,
      spec: {
        cronExpressions: [rule === null ? once(new Date(dueAt ?? firstDueAt)) : byRule(rule)],
        timezone: rule === null ? 'UTC' : CALENDAR_ZONE,
        startAt: new Date(Date.parse(firstDueAt) - NEAR_MS),
      },
      policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: '1m' },
      action,
      state: { triggerImmediately: Date.parse(firstDueAt) - Date.now() < NEAR_MS },
      typedSearchAttributes,
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await temporal.schedule.getHandle(scheduleId).trigger(ScheduleOverlapPolicy.ALLOW_ALL);
  }
}

/** Takes a Schedule away. A second call finds none. */
export async function endSchedule(temporal: Client, scheduleId: string): Promise<void> {
  try {
    await temporal.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

/** Second, minute, hour, day of the month, month, day of the week, year. */
const once = (moment: Date): string =>
  [
    moment.getUTCSeconds(),
    moment.getUTCMinutes(),
    moment.getUTCHours(),
    moment.getUTCDate(),
    moment.getUTCMonth() + 1,
    '*',
    moment.getUTCFullYear(),
  ].join(' ');

/** Minute, hour, day of the month, month, day of the week. */
function byRule(rule: CalendarRule): string {
  const [hour, minute] = hourAndMinute(rule.at);
  const time = `${String(minute)} ${String(hour)}`;
  switch (rule.every) {
    case 'day':
      return `${time} * * *`;
    case 'week':
      return `${time} * * ${String(WEEKDAYS.indexOf(rule.weekday))}`;
    case 'month': {
      const { dayOfMonth: day } = rule;
      const days = day <= SHORTEST_MONTH ? String(day) : `${String(SHORTEST_MONTH)}-${String(day)}`;
      return `${time} ${days} * *`;
    }
  }
}
