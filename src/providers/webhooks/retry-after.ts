/** Reads the header `Retry-After` (RFC 9110), by which a receiver asks not to be called for some time. */

/** A longer time counts as one day (D161). */
const MAX_SECONDS = 86_400;

/**
 * Seconds to wait by a `Retry-After` header: a number of seconds, or the date of the next attempt.
 * @returns 0 to 86400; null when there is no header or it is neither of the two.
 */
export function readRetryAfter(header: string | string[] | undefined, nowMs: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^[0-9]+$/.test(text)) return Math.min(Number(text), MAX_SECONDS);
  const atMs = /^[A-Z][a-z]{2,8}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) return null;
  return Math.min(Math.max(Math.ceil((atMs - nowMs) / 1_000), 0), MAX_SECONDS);
}
