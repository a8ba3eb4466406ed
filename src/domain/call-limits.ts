/**
 * How the calls that a company allows in a minute are shared out. Questions have a third for themselves, so that orders never
 * keep us from learning what became of the orders before.
 */

export const CALL_WORKS = ['orders', 'questions'] as const;
export type CallWork = (typeof CALL_WORKS)[number];

/** How many calls of each kind a minute has. Together they are never more than the company allows. */
export function placesOf(callsPerMinute: number): Record<CallWork, number> {
  const questions = Math.floor(callsPerMinute / 3);
  return { questions, orders: callsPerMinute - questions };
}

/** Whoever waits comes again within so many minutes, however long the line is. */
export const LINE_MINUTES_MAX = 10;

/**
 * How long until it is somebody's turn, in milliseconds. Those who wait come one after the other, as the company allows it, and
 * not all in the moment in which it takes calls again: what is done for them then grows with what the company takes, and not
 * with how many wait.
 * @param place in the line, from 1.
 * @param places how many calls a minute has.
 */
export const turnMs = (place: number, places: number): number => Math.floor(((place - 1) / places) * 60_000);
