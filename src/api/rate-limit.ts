/**
 * The rate limit over all processes (D122, R26): a process adds its waiting requests to the partner's window with
 * one statement, and the requests that come meanwhile with the next one. While much of the limit is left, the
 * process takes some places ahead, so that most requests need not wait for the count. Near the limit it takes
 * every place one by one.
 */
import { addToWindow } from '../db/partners/rate';
import type { Cell } from '../db/pg/postgres';
import type { Partner, Tier } from '../domain/partners';

export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export type RateLimiter = (cell: Cell, partner: Partner) => Allowance | Promise<Allowance>;

interface Waiting {
  resolve: (allowance: Allowance) => void;
  reject: (error: unknown) => void;
}

/** What this process knows about the window of a partner. */
interface Count {
  limit: number;
  waiting: Waiting[];
  /** Whether a statement is under way. */
  counting: boolean;
  /** The places of the window that this process has taken and not given out yet: from `next` to `last`. */
  next: number;
  last: number;
  /** When the window ends, by the clock of `performance.now`. It is never later than by the clock of Postgres. */
  endsAtMs: number;
}

/**
 * How much a process may take ahead: a thousandth of what is left, so that another process refuses at most that
 * much too early. It takes nothing ahead when less than this is left, so that small limits are exact to the last
 * request.
 */
const AHEAD_FROM = 10_000;
const AHEAD_SHARE = 1_000;
const AHEAD_MAX = 1_000;

/** @param limits requests per minute of each tier (D121). */
export function createRateLimiter(limits: Record<Tier, number>): RateLimiter {
  const counts = new Map<string, Count>();

  async function count(cell: Cell, partnerId: string, of: Count): Promise<void> {
    of.counting = true;
    while (of.waiting.length > 0) {
      const waiting = of.waiting.splice(0);
      const left = performance.now() < of.endsAtMs ? of.limit - of.last : 0;
      const ahead = left < AHEAD_FROM ? 0 : Math.min(AHEAD_MAX, Math.floor(left / AHEAD_SHARE));
      try {
        const askedAtMs = performance.now();
        const window = await addToWindow(cell, partnerId, waiting.length + ahead);
        of.next = window.usedBefore + 1;
        of.last = window.usedBefore + waiting.length + ahead;
        of.endsAtMs = askedAtMs + window.resetMs;
        for (const { resolve } of waiting) resolve(give(of));
      } catch (error) {
        // Those who came meanwhile have waited for the same silent database, and do not wait for it twice (G29).
        for (const { reject } of [...waiting, ...of.waiting.splice(0)]) reject(error);
      }
    }
    of.counting = false;
  }

  return (cell, partner) => {
    const limit = limits[partner.tier];
    // A partner has a window in each environment (D122), and no cell belongs to two.
    const id = `${cell.schema}/${partner.id}`;
    let of = counts.get(id);
    if (!of) {
      of = { limit, waiting: [], counting: false, next: 1, last: 0, endsAtMs: 0 };
      counts.set(id, of);
    }
    of.limit = limit;
    // A window that is used up stays so until it ends, so refusals cost no statement.
    const isKnown = of.next <= of.last || of.next > of.limit;
    if (isKnown && performance.now() < of.endsAtMs) return give(of);
    return new Promise((resolve, reject) => {
      of.waiting.push({ resolve, reject });
      if (!of.counting) void count(cell, partner.id, of);
    });
  };
}

/** The next of the places that this process has taken. */
function give(of: Count): Allowance {
  const place = of.next++;
  return {
    allowed: place <= of.limit,
    limit: of.limit,
    remaining: Math.max(0, of.limit - place),
    resetSeconds: Math.max(1, Math.ceil((of.endsAtMs - performance.now()) / 1_000)),
  };
}
