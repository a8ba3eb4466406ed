/**
 * The steps of workflows: which are tried again and how often, and how a provider is asked until it has answered.
 */
import {
  ActivityFailure,
  condition,
  proxyActivities,
  proxyLocalActivities,
  TemporalFailure,
  type ActivityInterfaceFor,
  type ActivityOptions,
  type LocalActivityOptions,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { isReset } from './resets';

type Steps = ActivityInterfaceFor<Activities>;

/**
 * One activity as a step of a workflow.
 * @param summary what operators read beside the activity's name.
 */
export const step = <Name extends keyof Activities>(
  name: Name,
  options: ActivityOptions,
  summary: string,
): Steps[Name] => proxyActivities<Activities>({ ...options, summary })[name];

/** The same as a local activity, inside the workflow's own task, for one short commit that a caller waits for. */
export const localStep = <Name extends keyof Activities>(
  name: Name,
  options: LocalActivityOptions,
  summary: string,
): Steps[Name] => proxyLocalActivities<Activities>({ ...options, summary })[name];

/** One idempotent commit, which is repeated until it has happened. */
export const COMMIT: ActivityOptions = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
};

/**
 * The first try of such a commit, inside the workflow's own task. There is only one such try, because messages to
 * the workflow wait while a task runs.
 */
export const COMMIT_AT_ONCE: LocalActivityOptions = {
  startToCloseTimeout: '3s',
  retry: { maximumAttempts: 1 },
};

/**
 * Settles inside the workflow's own task, which saves two round trips to Temporal's server. If that fails, because
 * rows are locked or Postgres is away, the server repeats it as `COMMIT` says. The commit is guarded, so a try
 * whose answer was lost is harmless.
 */
export async function settleAtOnce<Result>(
  atOnce: () => Promise<Result>,
  repeatedly: () => Promise<Result>,
): Promise<Result> {
  try {
    return await atOnce();
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isReset(error)) throw error;
    return repeatedly();
  }
}

/**
 * A call to the bank behind a transfer, keyed by the transfer's id. When its tries are used up, nothing is known
 * about the order.
 */
export const BANK_CALL: ActivityOptions = {
  // Two calls of at most 12 seconds each: the name or a question, and the order.
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
};

/** When to ask again if the activity that knows the schedule has failed as well. */
export const ASK_AGAIN_MS = 60_000;

/** What a provider answered, or `unknown` if it could not be asked. */
export async function unlessKnown<Answer>(asked: Promise<Answer>, unknown: Answer): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isReset(error)) throw error;
    return unknown;
  }
}

/**
 * Waits for a reason to ask a provider again. Without a period only a callback or an operator gives one (D58).
 * @returns false when the period passed without one.
 */
export async function wokenWithin(periodMs: number | null, reason: () => boolean): Promise<boolean> {
  if (periodMs !== null) return condition(reason, periodMs, { summary: 'ask the provider again' });
  await condition(reason);
  return true;
}
