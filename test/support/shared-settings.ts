/**
 * The settings of the platform that files share. It fits most files: no limit that a test does not ask for, and live
 * with a simulator behind it.
 */
import { TEST_CELLS } from '../setup/cells';
import { PLATFORM_SETTINGS, REHEARSAL } from './settings';

export const settingsOfShared = (databaseUrl: string, temporalAddress: string): Record<string, string> => ({
  ...PLATFORM_SETTINGS,
  RATE_LIMIT_UNAUTHENTICATED: '1000000',
  ...REHEARSAL,
  // As published, because as many files use it at once as Jest has processes.
  DATABASE_POOL_MAX: '10',
  // Long enough to be seen pending, short enough to be waited for.
  SANDBOX_KYC_UNAVAILABLE_MS: '2500',
  DATABASE_URL: databaseUrl,
  TEMPORAL_ADDRESS: temporalAddress,
  CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
});
