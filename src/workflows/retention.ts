/** Run by a Schedule: deletes what nobody needs any more. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';

/** Deleting goes on where it stopped; one try is enough, because the next run of the Schedule is soon. */
const { forgetOld } = proxyActivities<Pick<Activities, 'forgetOld'>>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 1 },
});

export async function retention(): Promise<Record<string, number>> {
  return forgetOld();
}
