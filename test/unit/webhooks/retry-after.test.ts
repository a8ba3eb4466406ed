/** Retry-After: both of its forms, and values that have neither form. */
import { readRetryAfter } from '../../../src/providers/webhooks/retry-after';

const NOW_MS = Date.parse('2026-11-21T00:00:00.500Z');

test.each([
  ['0', 0],
  ['120', 120],
  [' 7 ', 7],
  [['30', '60'], 30],
  ['86401', 86_400],
  ['9'.repeat(400), 86_400],
  ['Sat, 21 Nov 2026 00:01:00 GMT', 60],
  ['Sat, 21 Nov 2026 00:00:01 GMT', 1],
  ['Saturday, 21-Nov-26 00:02:00 GMT', 120],
  ['Fri, 20 Nov 2026 00:00:00 GMT', 0],
  ['Sat, 21 Nov 2099 00:00:00 GMT', 86_400],
  [undefined, null],
  ['', null],
  ['soon', null],
  ['-5', null],
  ['1.5', null],
  ['1e3', null],
  ['0x10', null],
  ['2026-11-21T00:01:00Z', null],
  ['Sat, 99 Nov 2026 00:01:00 GMT', null],
])('%p asks for %p seconds', (header, seconds) => {
  expect(readRetryAfter(header, NOW_MS)).toBe(seconds);
});
