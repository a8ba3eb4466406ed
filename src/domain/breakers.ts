/**
 * The breaker before a company that pays out: while half of its answers to orders are unknown, it gets none. Questions
 * always pass, because only they tell what became of the orders before. There is one breaker for a company, and one for a
 * company with each bank.
 */

export interface Breaker {
  /** When the counted calls began. */
  windowFrom: Date;
  calls: number;
  unknown: number;
  /** When it opened first; null while it is closed. */
  openedAt: Date | null;
  /** Until then nothing is sent, or until then somebody else's probe is under way; null while it is closed. */
  openUntil: Date | null;
  /** A probe is under way. */
  isProbing: boolean;
}

/** The breaker of a company, for one bank, or for all of them (null). */
export interface KeptBreaker extends Breaker {
  provider: string;
  bankCode: string | null;
}

/** Of so many calls, within so long, half unknown opens it. */
export const BREAKER_CALLS = 20;
export const BREAKER_WINDOW_MS = 60_000;
/** So long it stays open before a probe. A probe without an answer counts as lost after the same time. */
export const BREAKER_OPEN_MS = 30_000;

export const newBreaker = (now: Date): Breaker => ({
  windowFrom: now,
  calls: 0,
  unknown: 0,
  openedAt: null,
  openUntil: null,
  isProbing: false,
});

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/** How long until an order may be sent, in milliseconds; 0 where one may be sent now, as a probe where it is open. */
export const closedForMs = ({ openUntil }: Pick<Breaker, 'openUntil'>, now: Date): number =>
  Math.max(0, (openUntil?.getTime() ?? 0) - now.getTime());

/** While transfers wait, somebody tries once in a minute at the latest. */
const WANTED_WITHIN_MS = 120_000;

/**
 * For how long orders have been kept back, in milliseconds; 0 where the breaker is closed. One that nobody wanted to pass
 * lately counts as closed, because the next order is its probe.
 */
export const openForMs = (
  { openedAt, openUntil }: Pick<Breaker, 'openedAt' | 'openUntil'>,
  now: Date,
): number =>
  openedAt && openUntil && now.getTime() - openUntil.getTime() < WANTED_WITHIN_MS
    ? Math.max(0, now.getTime() - openedAt.getTime())
    : 0;

/** An order is about to be sent. Where the breaker is open it is the probe, and no other one is sent beside it. */
export const withCall = (breaker: Breaker, now: Date): Breaker =>
  breaker.openUntil === null || closedForMs(breaker, now) > 0
    ? breaker
    : { ...breaker, isProbing: true, openUntil: later(now, BREAKER_OPEN_MS) };

/**
 * An order was answered, or was not. While the breaker is open only the answer to its probe counts, because the others
 * were sent before it opened.
 */
export function afterCall(breaker: Breaker, isUnknown: boolean, now: Date): Breaker {
  if (breaker.openUntil !== null) {
    if (!breaker.isProbing) return breaker;
    return isUnknown
      ? { ...breaker, isProbing: false, openUntil: later(now, BREAKER_OPEN_MS) }
      : newBreaker(now);
  }
  const isOver =
    breaker.calls >= BREAKER_CALLS || now.getTime() - breaker.windowFrom.getTime() >= BREAKER_WINDOW_MS;
  const window = isOver ? newBreaker(now) : breaker;
  const counted = { ...window, calls: window.calls + 1, unknown: window.unknown + Number(isUnknown) };
  return counted.unknown * 2 >= BREAKER_CALLS
    ? { ...counted, openedAt: now, openUntil: later(now, BREAKER_OPEN_MS) }
    : counted;
}
