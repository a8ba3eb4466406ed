/** Days as the banks of Nigeria count them: from midnight to midnight in Lagos, where the clock is never changed. */

/** A day as `2026-11-25`. */
export type Day = string;

/** In Lagos it has been one hour later than UTC all year since 1919. */
export const LAGOS_AHEAD_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** By this hour of the next day a day must be closed. */
const CLOSED_BY_HOUR = 12;

/** The day that was asked for last, because most of what is asked is of one day, for each request. */
let last: { number: number; day: Day } = { number: Number.NaN, day: '' };

export function dayOf(at: Date): Day {
  const lagosMs = at.getTime() + LAGOS_AHEAD_MS;
  const number = Math.floor(lagosMs / DAY_MS);
  if (number !== last.number) {
    last = { number, day: new Date(lagosMs).toISOString().slice(0, 'YYYY-MM-DD'.length) };
  }
  return last.day;
}

/** The first moment of a day. */
export const beginningOf = (day: Day): Date => new Date(Date.parse(`${day}T00:00:00Z`) - LAGOS_AHEAD_MS);

/** The day that is so many days later; earlier with a number below 0. */
export const dayAfter = (day: Day, days = 1): Day =>
  dayOf(new Date(beginningOf(day).getTime() + days * DAY_MS));

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(beginningOf(text)) === text;

/** From when on a day that is not closed is late. */
export const closedBy = (day: Day): Date =>
  new Date(beginningOf(dayAfter(day)).getTime() + CLOSED_BY_HOUR * 3_600_000);

/** The banking day that is so many before a day. Public holidays count as banking days: nobody tells us of them. */
export function bankingDayBefore(day: Day, bankingDays: number): Day {
  let [before, left] = [day, bankingDays];
  while (left > 0) {
    before = dayAfter(before, -1);
    if (![0, 6].includes(new Date(before).getUTCDay())) left -= 1;
  }
  return before;
}
