/**
 * The limits of callers without a credential: per address (D122, D150), and per address and email at login (D101).
 * They are counted over all processes. A flood of such calls does not load the database: a process has one
 * counting statement under way at a time, calls that come meanwhile are counted by the next one, and a caller that
 * is over the limit is refused from memory. When Postgres is away or slow, each process counts by itself: guessing
 * stays slow, and no caller waits for a refusal.
 */
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Queryable } from '../db/pg/postgres';
import { idOf, type From } from '../operations/partners/guessing';
import { addToStrangerWindows, forgetStrangerWindows, type Window } from '../db/partners/rate';

/** Counts a call. @returns null if it may be answered, or else how long to wait. */
type Count = (who: string) => Promise<{ retryAfterSeconds: number } | null>;

export interface StrangerLimits {
  /** A failed authentication, or a call that needs none. */
  ofAddress: Count;
  /** The keys that an address may try in this process: each try is looked up in the database. */
  tries: KeyTries;
  /** A login: `who` is the address and the email. */
  ofLogin: Count;
  /** A name enquiry: `who` is the environment and the partner, whose limit is of the same kind (D171). */
  ofNameEnquiry: Count;
  /** A BVN or NIN of a customer: `who` is the environment and the partner. */
  ofVerification: Count;
}

/**
 * Bounds the look-ups of keys that turn out to be unknown, so that somebody who sends one invented key after the
 * other costs no more statements than a minute's failures (D150).
 */
export interface KeyTries {
  /** Takes one of the address's tries of this minute. @returns false when none is left: nothing is looked up. */
  take(address: string): boolean;
  /** Gives a try back: the key was good. */
  giveBack(address: string): void;
}

/** How long a call waits for the exact count. */
const WAIT_MS = 1_000;
/** How long Postgres is not asked after it failed to count or was too slow. */
const AWAY_MS = 5_000;
const WINDOW_MS = 60_000;
const BATCH_MAX = 1_000;
const WAITING_MAX = 10_000;
const REMEMBERED_MAX = 100_000;

/**
 * @param perMinute calls that are answered: per address, per address and email at login, and name enquiries and
 * verifications of a partner.
 */
export function createStrangerLimits(
  db: Queryable,
  perMinute: { address: number; login: number; nameEnquiry: number; verification: number },
): StrangerLimits {
  const askAll = createSharedCounter(db);
  return {
    ofAddress: createLimit('address', perMinute.address, askAll),
    tries: createKeyTries(perMinute.address),
    ofLogin: createLimit('login', perMinute.login, askAll),
    ofNameEnquiry: createLimit('name enquiry', perMinute.nameEnquiry, askAll),
    ofVerification: createLimit('verification', perMinute.verification, askAll),
  };
}

/**
 * The text that is counted for an address. An IPv6 address is counted by its /64, which belongs to one customer. A
 * text that is no address, because a proxy may forward anything, is counted as it is.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  // The zone of a link-local address says nothing about who calls.
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  return isIPv6(parsed.toString()) ? parsed.toByteArray().slice(0, 8).join('.') : parsed.toString();
}

/** Where a call comes from, for all that counts wrong attempts. */
export const originOf = (address: string): From => ({ address, network: networkOf(address) });

/** Asks for the count over all processes; null if the answer does not come in time. */
type Ask = (id: string) => Promise<Window | null>;

function createLimit(kind: string, perMinute: number, ask: Ask): Count {
  const seen = new Map<string, { used: number; until: number }>();
  return async (who) => {
    const now = performance.now();
    const id = idOf(kind, who).toString('hex');
    let own = seen.get(id);
    if (!own || own.until <= now) {
      if (seen.size >= REMEMBERED_MAX) seen.clear();
      own = { used: 0, until: now + WINDOW_MS };
      seen.set(id, own);
    }
    own.used += 1;
    if (own.used <= perMinute) {
      const window = await ask(id);
      if (window) {
        own.used = Math.max(own.used, window.usedBefore + 1);
        own.until = performance.now() + window.resetSeconds * 1_000;
        if (window.usedBefore < perMinute) return null;
      } else if (own.used <= perMinute) return null;
    }
    return { retryAfterSeconds: Math.max(1, Math.ceil((own.until - performance.now()) / 1_000)) };
  };
}

function createKeyTries(perMinute: number): KeyTries {
  const tried = new Map<string, { used: number; until: number }>();
  return {
    take(address) {
      const now = performance.now();
      let own = tried.get(address);
      if (!own || own.until <= now) {
        if (tried.size >= REMEMBERED_MAX) tried.clear();
        own = { used: 0, until: now + WINDOW_MS };
        tried.set(address, own);
      }
      if (own.used >= perMinute) return false;
      own.used += 1;
      return true;
    },
    giveBack(address) {
      const own = tried.get(address);
      if (own && own.used > 0) own.used -= 1;
    },
  };
}

function createSharedCounter(db: Queryable): Ask {
  let waiting: { id: string; resolve: (window: Window | null) => void }[] = [];
  let counting = false;
  let awayUntil = 0;
  let tidyAt = 0;

  async function countAll(): Promise<void> {
    counting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        const calls = new Map<string, number>();
        for (const { id } of batch) calls.set(id, (calls.get(id) ?? 0) + 1);
        const windows = await addToStrangerWindows(db, calls);
        for (const { id, resolve } of batch) {
          const window = windows.get(id) ?? null;
          resolve(window && { ...window });
          if (window) window.usedBefore += 1;
        }
        await tidy();
      } catch {
        awayUntil = performance.now() + AWAY_MS;
        for (const { resolve } of [...batch, ...waiting]) resolve(null);
        waiting = [];
      }
    }
    counting = false;
  }

  async function tidy(): Promise<void> {
    if (performance.now() < tidyAt) return;
    tidyAt = performance.now() + WINDOW_MS;
    await forgetStrangerWindows(db);
  }

  return (id) => {
    if (performance.now() < awayUntil || waiting.length >= WAITING_MAX) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        awayUntil = performance.now() + AWAY_MS;
        resolve(null);
      }, WAIT_MS);
      const answered = (window: Window | null): void => {
        clearTimeout(timer);
        resolve(window);
      };
      waiting.push({ id, resolve: answered });
      if (!counting) void countAll();
    });
  };
}
