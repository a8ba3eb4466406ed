/** For how long silence about payments from outside counts. */
import { quietMs } from '../../../src/domain/inbound';

const lagos = (time: string): Date => new Date(`2026-03-02T${time}:00+01:00`);

test.each<[what: string, last: string | null, now: string, minutes: number]>([
  ['a payment by day', '12:00', '13:30', 90],
  ['nothing yet, counted from the morning', null, '10:00', 120],
  ['the last one before the morning', '03:00', '08:01', 1],
  ['before the morning', null, '07:59', 0],
  ['at the end of the day', '17:00', '19:59', 179],
  ['in the evening', '17:00', '20:00', 0],
])('%s', (_what, last, now, minutes) => {
  expect(quietMs(last === null ? null : lagos(last), lagos(now))).toBe(minutes * 60_000);
});
