/** Run by a Schedule: deletes what nobody needs any more. */
import { step } from './steps';

/** Deleting goes on where it stopped; one try is enough, because the next run of the Schedule is soon. */
const forgetOld = step(
  'forgetOld',
  { startToCloseTimeout: '10m', heartbeatTimeout: '1m', retry: { maximumAttempts: 1 } },
  'Delete what nobody needs any more',
);

export async function retention(): Promise<Record<string, number>> {
  return forgetOld();
}
