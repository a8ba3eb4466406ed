/** Looks at the companies' lists of banks. A Schedule runs it once a day. */
import { step } from './steps';
import { movesToTheCurrentBuild } from './versioning';

/** To look twice is harmless. Tries are few, because a Schedule runs it again on the next day. */
const refreshBanks = step(
  'refreshBanks',
  { startToCloseTimeout: '5m', heartbeatTimeout: '1m', retry: { maximumAttempts: 3 } },
  'Ask the companies for their lists of banks',
);

/** @returns how many banks are new by company; null where a list was not told. */
export async function bankLists(): Promise<Record<string, number | null>> {
  return refreshBanks();
}

movesToTheCurrentBuild(bankLists);
