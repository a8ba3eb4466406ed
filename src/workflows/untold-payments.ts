/** Looks in the companies' lists for payments of which no notice has come. Two Schedules run it: over two days, and over a week. */
import { step } from './steps';
import { movesToTheCurrentBuild } from './versioning';

/** To look twice is harmless. One try is enough, because a Schedule runs it again soon. */
const findUntoldPayments = step(
  'findUntoldPayments',
  { startToCloseTimeout: '10m', heartbeatTimeout: '1m', retry: { maximumAttempts: 1 } },
  'Look in the companies’ lists for payments that are not booked',
);

export async function untoldPayments(input: { hours: number }): Promise<number> {
  return findUntoldPayments(input.hours);
}

movesToTheCurrentBuild(untoldPayments);
