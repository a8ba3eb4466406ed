/** How workflows take their steps: what is tried again and how often, and how a provider is asked until it has answered. */
import { ActivityFailure, condition, type ActivityOptions } from '@temporalio/workflow';
import { isReset } from './resets';

/** One idempotent commit: it is repeated until it has happened. */
export const COMMIT: ActivityOptions = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
};

/** A call to the bank behind a transfer, keyed by the transfer's id. Giving up means that nothing is known. */
export const BANK_CALL: ActivityOptions = {
  startToCloseTimeout: '15s',
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
};

/** When to ask again after even the activity that would know the schedule gave up. */
export const ASK_AGAIN_MS = 60_000;

/** What a provider answered, or `unknown`: one that could not be asked has told us nothing. */
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
