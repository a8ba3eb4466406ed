/**
 * The refusal of an operation that needs a provider which is not configured. It comes before anything is written
 * (R22).
 */
import { refuse, type Refused } from '../domain/outcome';

/** @param what the kind of provider, as the message names it: `bank`, `payment`. */
export const notConfigured = (what: string): Refused =>
  refuse('SERVICE_UNAVAILABLE', {
    message: `No ${what} provider is configured for this environment`,
    isNotConfigured: true,
  });
