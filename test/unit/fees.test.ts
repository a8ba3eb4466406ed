/** Fees: the published rates, their rounding at every edge, and VAT inside them, against big integers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { stampDutyKobo, vatInFeeKobo } from '../../src/domain/fees';
import { feesFor } from '../../src/domain/kinds';
import type { TransactionType } from '../../src/domain/transaction-types';

interface Row {
  amountKobo: number;
  customerFeeKobo: number;
  vatKobo: number;
}
const vectors = JSON.parse(readFileSync(join(__dirname, '../vectors/p2p-fees.json'), 'utf8')) as Row[];
const MAX = Number.MAX_SAFE_INTEGER;
const anyAmount = fc.oneof(fc.maxSafeNat(), fc.nat(5_000_000), fc.integer({ min: MAX - 5_000, max: MAX }));
const positiveAmount = anyAmount.filter((amount) => amount > 0);

describe('wallet to wallet: 0.5 %, rounded down, at most 200 naira', () => {
  test.each(vectors)('$amountKobo kobo costs $customerFeeKobo', (row) => {
    expect(feesFor('p2p_transfer', row.amountKobo)).toEqual({
      customerFeeKobo: row.customerFeeKobo,
      merchantFeeKobo: 0,
      platformFeeKobo: row.customerFeeKobo,
      mfbCostKobo: 0,
      netAmountKobo: row.amountKobo,
    });
    expect(vatInFeeKobo(row.customerFeeKobo)).toBe(row.vatKobo);
  });

  test.each([
    [1, 0],
    [199, 0],
    [200, 1],
    [201, 1],
    [399, 1],
    [400, 2],
    [3_999_799, 19_998],
    [3_999_800, 19_999],
    [3_999_999, 19_999],
    [4_000_000, 20_000],
    [4_000_001, 20_000],
    [4_000_200, 20_000],
    [MAX - 1, 20_000],
    [MAX, 20_000],
  ])('at the edge, %d kobo costs %d', (amountKobo, feeKobo) => {
    expect(feesFor('p2p_transfer', amountKobo).customerFeeKobo).toBe(feeKobo);
  });

  test('equals the formula in big integers, for every amount', () => {
    fc.assert(
      fc.property(positiveAmount, (amount) => {
        const exact = (BigInt(amount) * 5n) / 1000n;
        const capped = exact > 20_000n ? 20_000n : exact;
        expect(BigInt(feesFor('p2p_transfer', amount).customerFeeKobo)).toBe(capped);
      }),
      { numRuns: 2_000 },
    );
  });

  test('never falls as the amount grows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000_000 }), (amount) => {
        const fee = feesFor('p2p_transfer', amount).customerFeeKobo;
        const next = feesFor('p2p_transfer', amount + 1).customerFeeKobo;
        expect(next === fee || next === fee + 1).toBe(true);
      }),
    );
  });
});

describe('to a bank: 50 naira flat; our own cost by the band of CBN', () => {
  test.each([
    [1, 1_000],
    [500_000, 1_000],
    [500_001, 2_500],
    [5_000_000, 2_500],
    [5_000_001, 5_000],
    [MAX, 5_000],
  ])('%d kobo costs the customer 5000 and us %d', (amountKobo, mfbCostKobo) => {
    expect(feesFor('bank_transfer', amountKobo)).toEqual({
      customerFeeKobo: 5_000,
      merchantFeeKobo: 0,
      platformFeeKobo: 5_000,
      mfbCostKobo,
      netAmountKobo: amountKobo,
    });
  });
});

test.each<[amountKobo: number, dutyKobo: number]>([
  [999_999, 0],
  [1_000_000, 5_000],
  [Number.MAX_SAFE_INTEGER, 5_000],
])('a transfer of %i kobo has %i of stamp duty', (amountKobo, dutyKobo) => {
  expect(stampDutyKobo(amountKobo)).toBe(dutyKobo);
});

const free: TransactionType[] = [
  'wallet_funding',
  'wallet_credit',
  'wallet_debit',
  'ussd_payment',
  'qr_payment',
  'split_payment',
  'fee_deduction',
  'reversal',
  'settlement_payout',
];
test.each(free)('%s is free', (type) => {
  expect(feesFor(type, 4_000_000)).toEqual({
    customerFeeKobo: 0,
    merchantFeeKobo: 0,
    platformFeeKobo: 0,
    mfbCostKobo: 0,
    netAmountKobo: 4_000_000,
  });
});

describe('VAT inside a fee: 75 parts of 1075, to the nearest kobo', () => {
  test.each([
    [0, 0],
    [7, 0],
    [8, 1],
    [21, 1],
    [22, 2],
    [43, 3],
    [1_075, 75],
    [5_000, 349],
    [19_999, 1_395],
    [20_000, 1_395],
  ])('a fee of %d holds %d', (feeKobo, vatKobo) => {
    expect(vatInFeeKobo(feeKobo)).toBe(vatKobo);
  });

  test('equals the formula in big integers, for every fee', () => {
    fc.assert(
      fc.property(anyAmount, (fee) => {
        expect(BigInt(vatInFeeKobo(fee))).toBe((BigInt(fee) * 150n + 1075n) / 2150n);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([0, -1, 0.5, 199.999, Number.NaN, Number.POSITIVE_INFINITY, MAX + 1])(
  'an amount of %d is a bug of the caller',
  (amountKobo) => expect(() => feesFor('p2p_transfer', amountKobo)).toThrow(RangeError),
);

test.each([-1, 0.5, Number.NaN, MAX + 1])('a fee of %d is a bug of the caller', (feeKobo) => {
  expect(() => vatInFeeKobo(feeKobo)).toThrow(RangeError);
});
