/**
 * How long a company has asked us not to call: by `Retry-After` (RFC 9110), or by `X-RateLimit-Reset`, which companies use
 * beside it. The longer of the two is obeyed.
 */
import type { Reply } from './http';
import { readRetryAfter } from './webhooks/retry-after';

/** Too many requests, and out of service. With any other status a wait is about something else. */
const ASKS_TO_WAIT: readonly number[] = [429, 503];
/** After a longer time a company is asked again all the same: what it says of tomorrow may have been said by mistake. */
const WAIT_MAX_MS = 600_000;
/** From here on a number of seconds is a time since 1970, and no duration. */
const SECONDS_OF_A_DATE = 1_000_000_000;

type Answered = Extract<Reply, { kind: 'answered' }>;

/** @returns milliseconds; null where the company has not asked for a wait. */
export function askedToWaitMs({ status, headers }: Pick<Answered, 'status' | 'headers'>): number | null {
  if (!ASKS_TO_WAIT.includes(status)) return null;
  const nowMs = Date.now();
  const seconds = readRetryAfter(headers['retry-after'], nowMs);
  const waits = [
    seconds === null ? null : Math.min(seconds * 1_000, WAIT_MAX_MS),
    readReset(headers['x-ratelimit-reset'], nowMs),
  ].filter((wait) => wait !== null);
  return waits.length === 0 ? null : Math.max(...waits);
}

/** Companies mean a duration or a date by its number of seconds, so both are read. */
function readReset(header: string | string[] | undefined, nowMs: number): number | null {
  const seconds = typeof header === 'string' && /^[0-9]{1,12}$/.test(header) ? Number(header) : null;
  if (seconds === null) return null;
  const waitMs = seconds >= SECONDS_OF_A_DATE ? seconds * 1_000 - nowMs : seconds * 1_000;
  return waitMs >= 0 && waitMs <= WAIT_MAX_MS ? waitMs : null;
}
