/** Run by a Schedule: starts what a crash or an outage left behind. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';

/** Starting twice is harmless; one try is enough, because the next run of the Schedule is soon. */
const { sweepUp } = proxyActivities<Pick<Activities, 'sweepUp'>>({
  startToCloseTimeout: '1m',
  retry: { maximumAttempts: 1 },
});

export async function sweep(): ReturnType<Activities['sweepUp']> {
  return sweepUp();
}
