/** Naira as text: two decimal places, no separators (D50). */
import fc from 'fast-check';
import { CURRENCY, KOBO_MAX, koboOfNaira, nairaOfKobo, nairaText } from '../../../src/domain/money';

test.each([
  [0, '0.00'],
  [1, '0.01'],
  [9, '0.09'],
  [10, '0.10'],
  [99, '0.99'],
  [100, '1.00'],
  [101, '1.01'],
  [123_450, '1234.50'],
  [100_000_000, '1000000.00'],
  [-1, '-0.01'],
  [-123_450, '-1234.50'],
  [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
])('%d kobo is %s naira', (amountKobo, text) => expect(nairaText(amountKobo)).toBe(text));

test('the text is exact for every amount', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (amountKobo) => {
      const text = nairaText(amountKobo);
      expect(text).toMatch(/^-?\d+\.\d\d$/);
      expect(BigInt(text.replace('.', ''))).toBe(BigInt(amountKobo));
    }),
  );
});

test('the only currency is NGN, and the largest amount is the largest exact integer', () => {
  expect(CURRENCY).toBe('NGN');
  expect(KOBO_MAX).toBe(9_007_199_254_740_991);
});

test.each<[naira: unknown, kobo: number | null]>([
  [0, 0],
  [0.1, 10],
  [0.07, 7],
  [1.15, 115],
  [5000, 500_000],
  [4_503_599_627_370.49, 450_359_962_737_049],
  [9_999_999_999_999.99, 999_999_999_999_999],
  [10_000_000_000_000, null],
  [1e21, null],
  [0.001, null],
  [-1, null],
  ['1.00', null],
  [NaN, null],
  [undefined, null],
])('%p naira are %p kobo, and back', (naira, kobo) => {
  expect(koboOfNaira(naira)).toBe(kobo);
  if (kobo !== null) expect(nairaOfKobo(kobo)).toBe(naira);
});
