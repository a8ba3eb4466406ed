/** When calendar rules are due: month ends, leap years, and the clock of Lagos (D205). */
import { CALENDAR_ZONE, dueAfter, type CalendarRule, type DaysOfRule } from '../../../src/domain/calendar';

const rule = (days: DaysOfRule, more: Partial<CalendarRule> = {}): CalendarRule =>
  ({ at: '09:00', startsOn: null, endsOn: null, ...days, ...more }) as CalendarRule;
const DAILY: DaysOfRule = { every: 'day' };
const monthly = (dayOfMonth: number): DaysOfRule => ({ every: 'month', dayOfMonth });

/** The first due times after a moment, as Lagos reads them: `2026-11-30 09:00`. */
function times(asked: CalendarRule, after: string, count: number): (string | null)[] {
  const found: (string | null)[] = [];
  let moment: Date | null = new Date(after);
  while (moment && found.length < count) {
    moment = dueAfter(asked, moment);
    found.push(moment && inLagos(moment));
  }
  return found;
}
const reader = new Intl.DateTimeFormat('sv-SE', {
  timeZone: CALENDAR_ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
});
const inLagos = (moment: Date): string => reader.format(moment);

describe('the last day of a month', () => {
  test.each<[string, number, string, string[]]>([
    ['31 in a year without a leap day', 31, '2027-01-01T00:00:00Z', ['01-31', '02-28', '03-31', '04-30']],
    ['31 in a leap year', 31, '2028-01-31T08:00:00Z', ['02-29', '03-31', '04-30', '05-31']],
    ['30', 30, '2027-01-31T00:00:00Z', ['02-28', '03-30', '04-30', '05-30']],
    ['29 in a leap year', 29, '2028-01-30T00:00:00Z', ['02-29', '03-29', '04-29', '05-29']],
    [
      '29 in a century that is no leap year',
      29,
      '2100-01-30T00:00:00Z',
      ['02-28', '03-29', '04-29', '05-29'],
    ],
    ['28', 28, '2027-01-30T00:00:00Z', ['02-28', '03-28', '04-28', '05-28']],
    ['over the end of a year', 31, '2026-11-30T08:00:00Z', ['12-31', '01-31', '02-28', '03-31']],
  ])('%s', (_name, day, after, due) => {
    const found = times(rule(monthly(day)), after, 4);
    expect(found.map((time) => time!.slice(5, 10))).toEqual(due);
    expect(found.every((time) => time!.endsWith(' 09:00'))).toBe(true);
  });
});

test.each<[string, DaysOfRule, string, string]>([
  ['a millisecond before it', DAILY, '2026-11-30T07:59:59.999Z', '2026-11-30 09:00'],
  ['at the time itself', DAILY, '2026-11-30T08:00:00.000Z', '2026-12-01 09:00'],
  ['late in the day of Lagos, which is the next one', DAILY, '2026-11-29T23:30:00Z', '2026-11-30 09:00'],
  [
    'the same weekday, before',
    { every: 'week', weekday: 'monday' },
    '2026-11-30T07:00:00Z',
    '2026-11-30 09:00',
  ],
  [
    'the same weekday, after',
    { every: 'week', weekday: 'monday' },
    '2026-11-30T08:00:00Z',
    '2026-12-07 09:00',
  ],
  ['a Sunday', { every: 'week', weekday: 'sunday' }, '2026-11-30T08:00:00Z', '2026-12-06 09:00'],
  ['a Saturday', { every: 'week', weekday: 'saturday' }, '2026-12-27T23:00:00Z', '2027-01-02 09:00'],
  ['the day of the month, after', monthly(30), '2026-11-30T08:00:00Z', '2026-12-30 09:00'],
])('the next time after %s', (_name, days, after, due) => {
  expect(times(rule(days), after, 1)).toEqual([due]);
});

test('the time of the day is the same through the years, for Lagos knows no summer time', () => {
  const found = times(rule(DAILY, { at: '00:30' }), '2024-01-01T00:00:00Z', 1_500);
  expect(new Set(found.map((time) => time!.slice(11)))).toEqual(new Set(['00:30']));
  expect(new Set(found).size).toBe(1_500);
  expect(found.at(-1)).toBe('2028-02-09 00:30');
});

test('the first and the last day count, and the days around them do not', () => {
  const bounded = rule(DAILY, { startsOn: '2026-12-01', endsOn: '2026-12-02' });
  expect(times(bounded, '2026-11-01T00:00:00Z', 9)).toEqual(['2026-12-01 09:00', '2026-12-02 09:00', null]);
  const never = rule(monthly(31), { startsOn: '2027-02-01', endsOn: '2027-02-27' });
  expect(times(never, '2026-11-01T00:00:00Z', 1)).toEqual([null]);
});
