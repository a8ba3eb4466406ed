/** What needs a company outside that nobody has configured is refused before anything is written, and says so (R22). */
import { refuse, type Refused } from '../domain/outcome';

/** @param what the kind of provider, as the message names it: `bank`, `payment`. */
export const notConfigured = (what: string): Refused =>
  refuse('SERVICE_UNAVAILABLE', { message: `No ${what} provider is configured for this environment` });
