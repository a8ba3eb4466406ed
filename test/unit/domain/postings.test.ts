/** The journals: which accounts each movement touches, by how much, and that every set sums to zero (R7). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  companyAccountId,
  SYSTEM_ACCOUNTS,
  systemAccountId,
  type SystemAccountCode,
} from '../../../src/domain/accounts';
import { vatInFeeKobo } from '../../../src/domain/fees';
import { receiptOf } from '../../../src/domain/inbound';
import type { TreasuryEntryKind } from '../../../src/domain/treasury';
import { feesFor } from '../../../src/domain/kinds';
import {
  bankAcceptPostings,
  bankReturnPostings,
  bankSettlePostings,
  bankTakeBackPostings,
  dutyAcceptPostings,
  dutyReturnPostings,
  fundingPostings,
  inboundPostings,
  p2pPostings,
  treasuryPostings,
  type Posting,
} from '../../../src/domain/postings';

interface Vector {
  amountKobo: number;
  customerFeeKobo: number;
  vatKobo: number;
}
const vectors = JSON.parse(readFileSync(join(__dirname, '../../vectors/p2p-fees.json'), 'utf8')) as Vector[];

const MAX = Number.MAX_SAFE_INTEGER;
const wallets = { source: 'ada', dest: 'bola' };

/** A journal as `{ account: kobo }`, the platform's accounts by their codes. */
function journal(postings: readonly Posting[]): Record<string, number> {
  const codes = new Map<string, SystemAccountCode>(
    SYSTEM_ACCOUNTS.map(([code]) => [systemAccountId(code), code]),
  );
  return Object.fromEntries(
    postings.map(({ account, amountKobo }) => [codes.get(account) ?? account, amountKobo]),
  );
}

describe('P2P', () => {
  test.each(vectors)('$amountKobo kobo: the fee of $customerFeeKobo holds $vatKobo of VAT', (vector) => {
    const { amountKobo, customerFeeKobo, vatKobo } = vector;
    const incomeKobo = customerFeeKobo - vatKobo;
    expect(journal(p2pPostings(wallets, amountKobo, feesFor('p2p_transfer', amountKobo)))).toEqual({
      ada: -(amountKobo + customerFeeKobo),
      bola: amountKobo,
      ...(incomeKobo && { 4100: incomeKobo }),
      ...(vatKobo && { 2400: vatKobo }),
    });
  });

  test('fee and amount leave the source in one posting', () => {
    const postings = p2pPostings(wallets, 10_000, feesFor('p2p_transfer', 10_000));
    expect(postings.filter((posting) => posting.account === 'ada')).toEqual([
      { account: 'ada', amountKobo: -10_050 },
    ]);
  });
});

describe('bank transfer of 1,000,000 kobo: fee 5,000 of which 349 VAT, cost 2,500', () => {
  const fees = feesFor('bank_transfer', 1_000_000);

  test.each<[string, Posting[], Record<string, number>]>([
    [
      'accepted: the money is in flight, the fee is held',
      bankAcceptPostings('ada', 1_000_000, fees),
      { ada: -1_005_000, 2200: 1_000_000, 2210: 5_000 },
    ],
    [
      'arrived: the PSP pays, the fee is earned, the cost is owed',
      bankSettlePostings(1_000_000, fees),
      { 2200: -1_000_000, 1200: 1_000_000, 2210: -5_000, 4110: 4_651, 2400: 349, 5100: -2_500, 2300: 2_500 },
    ],
    [
      'failed: amount and fee go back, nothing is earned',
      bankReturnPostings('ada', 1_000_000, fees),
      { 2200: -1_000_000, 2210: -5_000, ada: 1_005_000 },
    ],
  ])('%s', (_what, postings, expected) => expect(journal(postings)).toEqual(expected));

  test('a return reverses the acceptance, account by account', () => {
    const accepted = journal(bankAcceptPostings('ada', 1_000_000, fees));
    const returned = journal(bankReturnPostings('ada', 1_000_000, fees));
    for (const account of Object.keys(accepted)) {
      expect((accepted[account] ?? 0) + (returned[account] ?? 0)).toBe(0);
    }
  });
});

describe('a bank transfer of 500,000 kobo that a real company pays: fee 5,000 of which 349 VAT (R37)', () => {
  const A = 500_000;
  const fees = feesFor('bank_transfer', A);
  const balance = companyAccountId('1200', 'paystack');
  const earned = { 2200: -A, 2210: -5_000, 4110: 4_651, 2400: 349 };
  const by = { company: 'paystack', feeKobo: 1_000, dutyKobo: null };

  test.each<[string, Posting[], Record<string, number>]>([
    [
      'arrived: its fee leaves our balance with it',
      bankSettlePostings(A, fees, by),
      { ...earned, 5110: -1_000, [balance]: 501_000 },
    ],
    [
      'arrived for nothing',
      bankSettlePostings(A, fees, { ...by, feeKobo: 0 }),
      { ...earned, [balance]: 500_000 },
    ],
    [
      'arrived, and its fee is not told: it is owed at the bank’s cost',
      bankSettlePostings(A, fees, { ...by, feeKobo: null }),
      { ...earned, 5110: -1_000, 2300: 1_000, [balance]: 500_000 },
    ],
    [
      'arrived, with a stamp duty that we pay ourselves',
      bankSettlePostings(A, fees, { ...by, feeKobo: 2_500, dutyKobo: 5_000 }),
      { ...earned, 5110: -2_500, 5300: -5_000, [balance]: 507_500 },
    ],
    [
      'arrived, with a stamp duty that the payer bears',
      bankSettlePostings(A, fees, { ...by, dutyKobo: 5_000 }, 5_000),
      { ...earned, 5110: -1_000, 2410: -5_000, [balance]: 506_000 },
    ],
    [
      'arrived, with a stamp duty that was charged and that the company does not take: it stays owed',
      bankSettlePostings(A, fees, by, 5_000),
      { ...earned, 5110: -1_000, [balance]: 501_000 },
    ],
    [
      'arrived, with more stamp duty than was charged',
      bankSettlePostings(A, fees, { ...by, dutyKobo: 7_000 }, 5_000),
      { ...earned, 5110: -1_000, 2410: -5_000, 5300: -2_000, [balance]: 508_000 },
    ],
    ['a stamp duty that is charged', dutyAcceptPostings('ada', 5_000), { ada: -5_000, 2410: 5_000 }],
    ['a stamp duty that is given back', dutyReturnPostings('ada', 5_000), { ada: 5_000, 2410: -5_000 }],
    [
      'came back later: the fee of the company stays',
      bankTakeBackPostings('ada', A, fees, by),
      { [balance]: -A, 4110: -4_651, 2400: -349, ada: 505_000 },
    ],
    [
      'came back later, and its wallet is closed',
      bankTakeBackPostings(null, A, fees, by),
      { [balance]: -A, 4110: -4_651, 2400: -349, 2900: 505_000 },
    ],
  ])('%s', (_what, postings, expected) => expect(journal(postings)).toEqual(expected));
});

describe('a treasury entry, by its kind', () => {
  const balance = companyAccountId('1200', 'paystack');
  const receivable = companyAccountId('1300', 'paystack');
  test.each<[TreasuryEntryKind, amountKobo: number, feeKobo: number, expected: Record<string, number>]>([
    ['prefund', 2_000_000, 0, { [balance]: -2_000_000, 1100: 2_000_000 }],
    ['withdrawal', 300, 0, { 1100: -300, [balance]: 300 }],
    ['settlement_to_bank', 495_000, 0, { 1100: -495_000, [receivable]: 495_000 }],
    ['settlement_to_balance', 495_000, 0, { [balance]: -495_000, [receivable]: 495_000 }],
    ['refund_taken', 500_000, 1_000, { [receivable]: -500_000, 5110: -1_000, [balance]: 501_000 }],
    ['refund_back', 500_000, 0, { [balance]: -500_000, [receivable]: 500_000 }],
    ['fee', 500, 0, { 5110: -500, [balance]: 500 }],
    ['fee_back', 500, 0, { [balance]: -500, 5110: 500 }],
    ['fee_owed', 1_000, 0, { 2300: -1_000, [balance]: 1_000 }],
    ['stamp_duty', 5_000, 0, { 5300: -5_000, [balance]: 5_000 }],
    ['duty_paid_on', 5_000, 0, { 2410: -5_000, [balance]: 5_000 }],
    ['paid_twice', 500_000, 1_000, { 1900: -500_000, 5110: -1_000, [balance]: 501_000 }],
    ['recovered', 500_000, 0, { [balance]: -500_000, 1900: 500_000 }],
  ])('%s', (entry, amountKobo, feeKobo, expected) => {
    expect(journal(treasuryPostings({ entry, provider: 'paystack', amountKobo, feeKobo }))).toEqual(expected);
  });
});

test.each([
  ['sandbox', '9000'],
  ['own_mfb', '1300'],
] as const)('a funding from %s comes out of account %s', (from, code) => {
  expect(journal(fundingPostings('bola', 500, from))).toEqual({ [code]: -500, bola: 500 });
});

describe('every journal', () => {
  const amount = fc.oneof(
    fc.integer({ min: 1, max: 5_000_000 }),
    fc.integer({ min: MAX - 30_000, max: MAX - 20_000 }),
  );
  const journals: [string, (amountKobo: number) => Posting[]][] = [
    ['p2p', (kobo) => p2pPostings(wallets, kobo, feesFor('p2p_transfer', kobo))],
    ['bank accept', (kobo) => bankAcceptPostings('ada', kobo, feesFor('bank_transfer', kobo))],
    ['bank settle', (kobo) => bankSettlePostings(kobo, feesFor('bank_transfer', kobo))],
    [
      'bank settle by a company',
      (kobo) =>
        bankSettlePostings(kobo, feesFor('bank_transfer', kobo), {
          company: 'monnify',
          feeKobo: 1_000,
          dutyKobo: 5_000,
        }),
    ],
    ['bank return', (kobo) => bankReturnPostings('ada', kobo, feesFor('bank_transfer', kobo))],
    ['funding', (kobo) => fundingPostings('bola', kobo, 'sandbox')],
  ];

  test.each(journals)(
    '%s sums to zero, without a zero and without an account twice',
    (_what, postingsFor) => {
      fc.assert(
        fc.property(amount, (kobo) => {
          const postings = postingsFor(kobo);
          expect(postings.reduce((sum, one) => sum + BigInt(one.amountKobo), 0n)).toBe(0n);
          expect(postings.map((one) => one.amountKobo)).not.toContain(0);
          expect(new Set(postings.map((one) => one.account)).size).toBe(postings.length);
        }),
      );
    },
  );

  test('a journal that does not sum to zero is a bug and is never written', () => {
    expect(() => fundingPostings('bola', Number.NaN, 'sandbox')).toThrow(/sum to zero/);
  });
});

describe('the chart of accounts', () => {
  test('names each account once', () => {
    expect(new Set(SYSTEM_ACCOUNTS.map(([code]) => code)).size).toBe(SYSTEM_ACCOUNTS.length);
  });

  test.each(SYSTEM_ACCOUNTS)('%s (%s, %s) has a uuid that ends in its code', (code) => {
    expect(systemAccountId(code)).toMatch(/^[0-9]{8}-[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{12}$/);
    expect(systemAccountId(code).endsWith(code)).toBe(true);
  });
});

test('the account with a company is a uuid with its name and the code of the chart', () => {
  const id = companyAccountId('1200', 'paystack');
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(id.endsWith('1200')).toBe(true);
  expect(Buffer.from(id.replaceAll('-', ''), 'hex').toString('latin1')).toMatch(/^paystack/);
  expect(companyAccountId('1200', 'monnify')).not.toBe(id);
  expect(() => companyAccountId('1200', 'a company of too long a name')).toThrow(
    'fits into the id of an account',
  );
});

test('income and VAT make up the whole fee, for every fee that can be', () => {
  const fees = Array.from({ length: 20_001 }, (_, feeKobo) => feeKobo);
  expect(fees.filter((feeKobo) => vatInFeeKobo(feeKobo) < 0 || vatInFeeKobo(feeKobo) > feeKobo)).toEqual([]);
});

describe('money that a company has received for us', () => {
  const receivable = companyAccountId('1300', 'paystack');
  const book = (dest: string | null, amountKobo: number, feeKobo: number | null) =>
    journal(inboundPostings(dest, amountKobo, receiptOf('paystack', { amountKobo, feeKobo })));

  test('the wallet gets all of it, and the fee is ours', () => {
    expect(book('ada', 500_000, 5_000)).toEqual({ [receivable]: -495_000, 5110: -5_000, ada: 500_000 });
  });

  test('a fee of nothing is nothing', () => {
    expect(book('ada', 500_000, 0)).toEqual({ [receivable]: -500_000, ada: 500_000 });
  });

  test('without a wallet it waits in suspense', () => {
    expect(book(null, 500_000, 5_000)).toEqual({ [receivable]: -495_000, 5110: -5_000, 2900: 500_000 });
  });

  test.each([
    [99, 0],
    [100, 1],
    [500_000, 5_000],
    [2_999_999, 29_999],
    [3_000_000, 30_000],
    [3_000_100, 30_000],
    [900_000_000_000_000, 30_000],
  ])('of %p kobo, a fee that is not told is expected to be %p, and owed', (amountKobo, expectedKobo) => {
    expect(book('ada', amountKobo, null)).toEqual({
      [receivable]: -amountKobo,
      ...(expectedKobo && { 5110: -expectedKobo, 2300: expectedKobo }),
      ada: amountKobo,
    });
  });
});
