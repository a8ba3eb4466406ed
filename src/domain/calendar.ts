/**
 * When a calendar rule is due. All days and times are those of Lagos, which is one hour ahead of UTC in every season, so
 * a day has 24 hours and every time of it exists once.
 */
import { assert } from './assert';
import { LAGOS_AHEAD_MS } from './days';

export const CALENDAR_ZONE = 'Africa/Lagos';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export const PERIODS = ['day', 'week', 'month'] as const;
/** In the order in which Date counts them. */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** Which days of the calendar. A month that has no such day has its last one instead: 31 is the last day of every month. */
export type DaysOfRule =
  | { every: 'day' }
  | { every: 'week'; weekday: Weekday }
  | { every: 'month'; dayOfMonth: number };

export type CalendarRule = DaysOfRule & {
  /** The time of the day, as `09:00`. */
  at: string;
  /** The first day that counts, as `2026-11-30`; null for the first one that comes. */
  startsOn: string | null;
  /** The last day that counts; null for no end. */
  endsOn: string | null;
};

/** The first time after a moment at which the rule is due; null where there is none before its end. */
export function dueAfter(rule: CalendarRule, moment: Date): Date | null {
  const first = Math.max(dayOf(moment), rule.startsOn === null ? -Infinity : dayNumber(rule.startsOn));
  let day = dayFrom(rule, first);
  if (timeOn(day, rule.at) <= moment) day = dayFrom(rule, day + 1);
  return rule.endsOn !== null && day > dayNumber(rule.endsOn) ? null : timeOn(day, rule.at);
}

/** The hour and the minute of `09:00`. */
export function hourAndMinute(at: string): [hour: number, minute: number] {
  const [hour, minute] = at.split(':').map(Number);
  assert(hour !== undefined && minute !== undefined, 'a time of the day has an hour and a minute');
  return [hour, minute];
}

/** The first day of the rule from a day on. Days are counted from 1970-01-01. */
function dayFrom(rule: DaysOfRule, from: number): number {
  switch (rule.every) {
    case 'day':
      return from;
    case 'week':
      return from + ((WEEKDAYS.indexOf(rule.weekday) - weekdayOf(from) + 7) % 7);
    case 'month': {
      const [year, month] = yearAndMonth(from);
      const day = dayInMonth(year, month, rule.dayOfMonth);
      return day >= from ? day : dayInMonth(year, month + 1, rule.dayOfMonth);
    }
  }
}

const dayInMonth = (year: number, month: number, day: number): number => {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, last)) / DAY_MS;
};

const yearAndMonth = (day: number): [year: number, month: number] => {
  const date = new Date(day * DAY_MS);
  return [date.getUTCFullYear(), date.getUTCMonth()];
};

const weekdayOf = (day: number): number => new Date(day * DAY_MS).getUTCDay();
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;
const dayOf = (moment: Date): number => Math.floor((moment.getTime() + LAGOS_AHEAD_MS) / DAY_MS);

function timeOn(day: number, at: string): Date {
  const [hour, minute] = hourAndMinute(at);
  return new Date(day * DAY_MS + (hour * 60 + minute) * MINUTE_MS - LAGOS_AHEAD_MS);
}
