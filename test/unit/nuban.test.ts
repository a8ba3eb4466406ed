/** NUBAN: account numbers by CBN's rule of 2020, against published numbers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isNuban, isReservedNuban, nubanFor } from '../../src/domain/nuban';

interface Row {
  code: string;
  serial: number;
  nuban: string;
}
const rows = JSON.parse(readFileSync(join(__dirname, '../vectors/nuban.json'), 'utf8')) as Row[];

test.each(rows)('$code with serial $serial is $nuban ($source)', ({ code, serial, nuban }) => {
  expect(nubanFor(code, serial)).toBe(nuban);
  expect(isNuban(code, nuban)).toBe(true);
});

test.each([
  ['011', '000011'],
  ['50515', '950515'],
  ['50999', '950999'],
])('the code %s numbers accounts as %s does', (short, long) => {
  expect(nubanFor(short, 100_000_001)).toBe(nubanFor(long, 100_000_001));
});

test('a number with another check digit is not a NUBAN of the institution', () => {
  const fitting = Array.from('0123456789').filter((digit) => isNuban('50999', `100000001${digit}`));
  expect(fitting).toEqual(['5']);
});

test('one mistyped digit is always noticed', () => {
  const digit = fc.integer({ min: 1, max: 9 });
  const serial = fc.integer({ min: 0, max: 999_999_999 });
  fc.assert(
    fc.property(serial, fc.integer({ min: 0, max: 9 }), digit, (number, place, shift) => {
      const digits = Array.from(nubanFor('50999', number));
      digits[place] = String((Number(digits[place]) + shift) % 10);
      return !isNuban('50999', digits.join(''));
    }),
  );
});

test.each(['', '123456789', '12345678901', '10000000l5', '１００００００015', ' 1000000015'])(
  '"%s" is not an account number',
  (text) => expect(isNuban('50999', text)).toBe(false),
);

test.each([
  ['', 1],
  ['11', 1],
  ['0011', 1],
  ['0509999', 1],
  ['35A', 1],
  ['0 1', 1],
  ['011', -1],
  ['011', 1.5],
  ['011', Number.NaN],
  ['011', 1_000_000_000],
])('institution "%s" with serial %d is a bug of the caller', (code, serial) => {
  expect(() => nubanFor(code, serial)).toThrow(RangeError);
});

test.each([
  [100_006_000, '1000060000', true],
  [100_017_000, '1000170000', true],
  [100_005_999, '1000059996', false],
])('serial %d gives %s, kept back: %s', (serial, nuban, isReserved) => {
  expect(nubanFor('50999', serial)).toBe(nuban);
  expect(isReservedNuban(nuban)).toBe(isReserved);
});

test.each([
  ['0123450404', true],
  ['0123404040', false],
  ['0000012345', false],
])('%s has a reserved ending: %s', (accountNumber, isReserved) => {
  expect(isReservedNuban(accountNumber)).toBe(isReserved);
});
