/** Starts the workflows that a crash or an outage has not started. A Schedule runs it. */
import type { Activities } from '../activities';
import { step } from './steps';
import { movesToTheCurrentBuild } from './versioning';

/** To start a workflow twice is harmless. One try is enough, because the Schedule runs it again soon. */
const sweepUp = step(
  'sweepUp',
  { startToCloseTimeout: '1m', retry: { maximumAttempts: 1 } },
  'Start what a crash or an outage left behind',
);

export async function sweep(): ReturnType<Activities['sweepUp']> {
  return sweepUp();
}

movesToTheCurrentBuild(sweep);
