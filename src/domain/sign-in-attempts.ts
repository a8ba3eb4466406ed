/**
 * How long somebody has to wait after wrong sign-ins in a row. They are counted for the account and for the
 * network that they come from, so that neither many networks nor many accounts give an attacker more tries. The
 * waits grow up to a quarter of an hour: an account is never locked for good.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The waits after the wrong sign-ins that are free; the last one repeats. */
const WAITS_MS: readonly number[] = [1, 2, 4, 8, 15].map((minutes) => minutes * MINUTE_MS);

export interface AttemptRule {
  /** So many wrong sign-ins in a row have no wait. */
  free: number;
  /** After so long without a wrong sign-in the count begins anew. */
  forgottenAfterMs: number;
}

/** By what is counted. Many people may share one network. */
export const ATTEMPT_RULES = {
  account: { free: 10, forgottenAfterMs: 24 * HOUR_MS },
  network: { free: 50, forgottenAfterMs: HOUR_MS },
} as const satisfies Record<string, AttemptRule>;

/**
 * For how long a network from which a user has signed in counts by itself for this user: guesses that come from
 * elsewhere do not make the user wait there.
 */
export const NETWORK_KNOWN_DAYS = 30;

/** What was counted so far. The times are those of the database's clock. */
export interface Attempts {
  inARow: number;
  lastAt: Date;
  waitUntil: Date | null;
}

/** @returns for how long this one has still to wait, in milliseconds, or null. */
export function waitOf({ waitUntil }: Pick<Attempts, 'waitUntil'>, now: Date): number | null {
  const leftMs = waitUntil === null ? 0 : waitUntil.getTime() - now.getTime();
  return leftMs > 0 ? leftMs : null;
}

/** The count with one attempt more. It is counted before it is known whether it is right. */
export function withOneMore(before: Attempts, rule: AttemptRule, now: Date): Attempts {
  const isOld = now.getTime() - before.lastAt.getTime() > rule.forgottenAfterMs;
  const inARow = isOld ? 1 : before.inARow + 1;
  const beyond = inARow - rule.free;
  const waitMs = beyond < 0 ? 0 : (WAITS_MS[Math.min(beyond, WAITS_MS.length - 1)] ?? 0);
  return { inARow, lastAt: now, waitUntil: waitMs === 0 ? null : new Date(now.getTime() + waitMs) };
}
