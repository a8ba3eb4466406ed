/**
 * The rate limit over all processes (D122, R26): a process adds all its waiting requests to the windows of their
 * partners with one statement for each cell, and the requests that come meanwhile with the next one. While much of
 * a limit is left, the process takes some places ahead, so that most requests need not wait for the count, and gives
 * back what is not used. Near the limit it takes every place one by one.
 */
import { addToWindows, giveBack } from '../db/partners/rate';
import type { Cell } from '../db/pg/postgres';
import { present } from '../domain/assert';
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
  /** The places of the window that this process has taken and not given out yet: from `next` to `last`. */
  next: number;
  last: number;
  /** When the partner was given a place, by the clock of `performance.now`. */
  usedAtMs: number;
  /** The minute with which the window began, since 1970. */
  minute: number;
  /** When the window ends, by the clock of `performance.now`. It is never later than by the clock of Postgres. */
  endsAtMs: number;
}

/**
 * How much a process may take ahead: a thousandth of what is left, and nothing when less than this is left, so that it
 * has given back what it does not need long before the limit is reached.
 */
const AHEAD_FROM = 2_000;
const AHEAD_SHARE = 1_000;
const AHEAD_MAX = 1_000;
/** A partner that has not called for so long gives back what was taken ahead for it. */
const GIVE_BACK_AFTER_MS = 500;

/** The partners of one cell. Every cell is counted by statements of its own. */
interface Counting {
  cell: Cell;
  counts: Map<string, Count>;
  /** The partners whose requests wait for the next statement. */
  due: Map<string, Count>;
  /** Whether a statement is under way. */
  isUnderWay: boolean;
  /** Runs while there are places that were taken ahead. */
  returning: NodeJS.Timeout | null;
}

/** @param limits requests per minute of each tier (D121). */
export function createRateLimiter(limits: Record<Tier, number>): RateLimiter {
  // A partner has a window in each environment (D122), and no cell belongs to two.
  const cells = new Map<string, Counting>();

  return (cell, partner) => {
    let counting = cells.get(cell.schema);
    if (!counting) {
      counting = { cell, counts: new Map(), due: new Map(), isUnderWay: false, returning: null };
      cells.set(cell.schema, counting);
    }
    const limit = limits[partner.tier];
    let of = counting.counts.get(partner.id);
    if (!of) {
      of = { limit, waiting: [], next: 1, last: 0, usedAtMs: 0, minute: 0, endsAtMs: 0 };
      counting.counts.set(partner.id, of);
    }
    of.limit = limit;
    // A window that is used up stays so until it ends, so refusals cost no statement.
    const isKnown = of.next <= of.last || of.next > of.limit;
    if (isKnown && performance.now() < of.endsAtMs) return give(of);
    return new Promise((resolve, reject) => {
      of.waiting.push({ resolve, reject });
      counting.due.set(partner.id, of);
      if (!counting.isUnderWay) void countAll(counting);
    });
  };
}

/** Counts what waits in one cell, until nothing waits. It never rejects. */
async function countAll(counting: Counting): Promise<void> {
  counting.isUnderWay = true;
  // Requests that arrive in the same turn of the event loop are counted together.
  await Promise.resolve();
  while (counting.due.size > 0) {
    const asked = [...counting.due].map(([partnerId, of]) => {
      const waiting = of.waiting.splice(0);
      return { partnerId, of, waiting, places: waiting.length + aheadOf(of) };
    });
    counting.due.clear();
    try {
      const askedAtMs = performance.now();
      const places = new Map(asked.map((one) => [one.partnerId, one.places]));
      const windows = await addToWindows(counting.cell, places);
      for (const { partnerId, of, waiting, places } of asked) {
        const window = present(windows.get(partnerId), 'the window of a partner');
        of.next = window.usedBefore + 1;
        of.last = window.usedBefore + places;
        of.endsAtMs = askedAtMs + window.resetMs;
        of.minute = window.minute;
        for (const { resolve } of waiting) resolve(give(of));
        if (of.next <= of.last) returnLater(counting);
      }
    } catch (error) {
      // Those who came meanwhile have waited for the same silent database, and do not wait for it twice (G29).
      const late = [...counting.due.values()].flatMap((of) => of.waiting.splice(0));
      counting.due.clear();
      for (const { reject } of [...asked.flatMap(({ waiting }) => waiting), ...late]) reject(error);
    }
  }
  counting.isUnderWay = false;
}

/** Gives back what is not needed, again and again until nothing is left. */
function returnLater(counting: Counting): void {
  counting.returning ??= setTimeout(() => {
    counting.returning = null;
    const nowMs = performance.now();
    const ahead = [...counting.counts].filter(([, of]) => of.next <= of.last && nowMs < of.endsAtMs);
    const idle = ahead.filter(([, of]) => of.usedAtMs < nowMs - GIVE_BACK_AFTER_MS);
    const unused = idle.map(([partnerId, of]) => {
      const places = of.last - of.next + 1;
      of.last = of.next - 1;
      return { partnerId, minute: of.minute, places };
    });
    // What is not given back is lost until the minute ends, which harms less than giving it back twice.
    if (unused.length > 0) void giveBack(counting.cell, unused).catch(() => undefined);
    if (ahead.length > idle.length) returnLater(counting);
  }, GIVE_BACK_AFTER_MS).unref();
}

/** How many places are taken beside those for the requests that wait. */
function aheadOf({ limit, last, endsAtMs }: Count): number {
  const left = performance.now() < endsAtMs ? limit - last : 0;
  return left < AHEAD_FROM ? 0 : Math.min(AHEAD_MAX, Math.floor(left / AHEAD_SHARE));
}

/** The next of the places that this process has taken. */
function give(of: Count): Allowance {
  const place = of.next++;
  of.usedAtMs = performance.now();
  return {
    allowed: place <= of.limit,
    limit: of.limit,
    remaining: Math.max(0, of.limit - place),
    resetSeconds: Math.max(1, Math.ceil((of.endsAtMs - performance.now()) / 1_000)),
  };
}
