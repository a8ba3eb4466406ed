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
