/** What all processes of an environment know together about calls to companies (`src/providers/guard.ts`). */
import type pg from 'pg';
import type { Logger } from 'pino';
import { changeBreakers, pauseCalls, takePlace, waitInLine } from '../db/payments/provider-calls';
import type { GuardPorts } from '../providers/guard';

export const guardPorts = (pool: pg.Pool, directory: string, logger: Logger): GuardPorts => ({
  takePlace: (of, places) => takePlace(pool, directory, of, places),
  waitInLine: (of, places) => waitInLine(pool, directory, of, places),
  pause: (provider, works, forMs) => pauseCalls(pool, directory, provider, works, forMs),
  change: (of, decide) => changeBreakers(pool, directory, of, decide),
  onError(error, provider) {
    logger.warn({ err: error, provider }, 'A call to a company could not be counted');
  },
});
