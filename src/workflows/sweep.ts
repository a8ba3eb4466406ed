/** Run by a Schedule: starts what a crash or an outage left behind. */
import type { Activities } from '../activities';
import { step } from './steps';

/** Starting twice is harmless; one try is enough, because the next run of the Schedule is soon. */
const sweepUp = step(
  'sweepUp',
  { startToCloseTimeout: '1m', retry: { maximumAttempts: 1 } },
  'Start what a crash or an outage left behind',
);

export async function sweep(): ReturnType<Activities['sweepUp']> {
  return sweepUp();
}
