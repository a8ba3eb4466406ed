/** Deletes rows that nobody needs any more. A Schedule runs it. */
import { step } from './steps';
import { movesToTheCurrentBuild } from './versioning';

/** The next run goes on where this one stops. One try is enough, because a Schedule runs it again soon. */
const forgetOld = step(
  'forgetOld',
  { startToCloseTimeout: '10m', heartbeatTimeout: '1m', retry: { maximumAttempts: 1 } },
  'Delete what nobody needs any more',
);

export async function retention(): Promise<Record<string, number>> {
  return forgetOld();
}

movesToTheCurrentBuild(retention);
