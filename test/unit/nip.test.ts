/** NIP response codes: the failures give money back, and every other code must not. */
import {
  meaningOfNipCode,
  NIP_RESPONSE_CODES,
  outcomeOfNipCode,
  type NipOutcome,
} from '../../src/domain/nip';

const published: Record<NipOutcome, string> = {
  success: '00',
  failed: '03 05 06 07 08 12 13 14 15 16 17 18 21 30 51 57 58 61 65 69 70 71 81 A1 A4 A5',
  failed_confirm: '91 92',
  unknown: '01 02 09 25 26 68 94 96 97 98 99 A9',
  unknown_manual: '34 35 63',
};
const rows = Object.entries(published).flatMap(([outcome, codes]) =>
  codes.split(' ').map((code) => [code, outcome] as const),
);

test.each(rows)('code %s is %s', (code, outcome) => {
  expect(outcomeOfNipCode(code)).toBe(outcome);
  expect(meaningOfNipCode(code)).toMatch(/\w/);
});

test('these rows cover every code of the table once', () => {
  expect(NIP_RESPONSE_CODES.map(({ code }) => code).sort()).toEqual(rows.map(([code]) => code).sort());
});

test.each([
  null,
  '',
  '0',
  '000',
  ' 00',
  '00 ',
  '7',
  '500',
  '04',
  'a1',
  'XX',
  'constructor',
  '__proto__',
  '<xml/>',
])('code %p, which is not published, is unknown and moves no money', (code) =>
  expect(outcomeOfNipCode(code)).toBe('unknown'),
);

test('a code that is not published has no meaning', () => {
  expect(meaningOfNipCode('500')).toBeNull();
});
