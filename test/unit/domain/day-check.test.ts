/** The rules of a provider's day: which attempt a line is about, what is wrong with a payout, and which day is which. */
import {
  finderOfAttempts,
  passedOn,
  wrongWithLine,
  wrongWithPayout,
  type KnownAttempt,
  type PaymentOfLine,
} from '../../../src/domain/day-check';
import { bankingDayBefore, beginningOf, closedBy, dayAfter, dayOf, isDay } from '../../../src/domain/days';
import { payoutReference } from '../../../src/domain/payouts';
import { accountOfLine, explainedKobo, TREASURY_ENTRY_KINDS } from '../../../src/domain/treasury';

const ID = '0198c0de-0000-7000-8000-000000000001';
const attempt = (n: number, more: Partial<KnownAttempt> = {}): KnownAttempt => ({
  transactionId: ID,
  n,
  providerRef: `TRF_${String(n)}`,
  sessionId: `999${String(n)}`,
  ...more,
});
const line = { reference: null, providerRef: null, sessionId: null };

describe('the attempt of a line', () => {
  const all = [attempt(1), attempt(2)];
  test.each<
    [
      what: string,
      line: Parameters<ReturnType<typeof finderOfAttempts>>[0],
      among: KnownAttempt[],
      n: number | null,
    ]
  >([
    ['our reference', { ...line, reference: payoutReference(ID, 2) }, all, 2],
    [
      'our reference before what else is told',
      { reference: payoutReference(ID, 2), providerRef: 'TRF_1', sessionId: '9991' },
      all,
      2,
    ],
    ['the provider’s id', { ...line, providerRef: 'TRF_1' }, all, 1],
    ['the provider’s id before the session', { ...line, providerRef: 'TRF_1', sessionId: '9992' }, all, 1],
    ['the session', { ...line, sessionId: '9992' }, all, 2],
    [
      'the session, where the reference is nobody’s',
      { ...line, reference: 'rent', sessionId: '9992' },
      all,
      2,
    ],
    ['a reference that begins like ours', { ...line, reference: `${payoutReference(ID, 1)}0` }, all, null],
    [
      'an id that two attempts have',
      { ...line, providerRef: 'TRF_1' },
      [attempt(1), attempt(2, { providerRef: 'TRF_1' })],
      null,
    ],
    [
      'nothing, and the attempts have no ids either',
      line,
      [attempt(1, { providerRef: null, sessionId: null })],
      null,
    ],
  ])('by %s', (_what, told, among, n) => expect(finderOfAttempts(among)(told)?.n ?? null).toBe(n));
});

describe('a payout of 500,000 kobo', () => {
  const A = 500_000;
  const PAID = { bookedKobo: -501_000, bookedPayments: 1 };
  const NOT_PAID = { bookedKobo: 0, bookedPayments: 0 };
  test.each<[what: string, booked: typeof PAID, told: number[], wrong: string | null]>([
    ['booked and told', PAID, [-501_000], null],
    ['told with its fee apart', PAID, [-500_000, -1_000], null],
    ['given back on both sides', NOT_PAID, [-501_000, 501_000], null],
    ['never sent', NOT_PAID, [], null],
    ['booked, and not told', PAID, [], 'booked_not_at_provider'],
    ['told with a kobo more', PAID, [-501_001], 'fee_differs'],
    ['told with a kobo less', PAID, [-500_999], 'fee_differs'],
    ['told without a fee', PAID, [-500_000], 'fee_differs'],
    ['with the most that a fee can be too much', PAID, [-521_000], 'fee_differs'],
    ['with a kobo more than that', PAID, [-521_001], 'amount_differs'],
    ['a fee that was kept', NOT_PAID, [-501_000, 500_000], 'fee_differs'],
    ['told with a kobo less than the amount', PAID, [-499_999], 'amount_differs'],
    ['told with another amount, and not booked', NOT_PAID, [-300_000], 'amount_differs'],
    ['told, and not booked', NOT_PAID, [-501_000], 'status_differs'],
    ['booked, and told that it came back', PAID, [-501_000, 500_000], 'status_differs'],
    [
      'booked as come back, and not told so',
      { bookedKobo: -1_000, bookedPayments: 0 },
      [-501_000],
      'status_differs',
    ],
    ['only a fee is told', PAID, [-1_000], 'status_differs'],
    ['told twice', PAID, [-501_000, -501_000], 'paid_twice'],
    ['told twice, and booked as not paid', NOT_PAID, [-501_000, -501_000], 'paid_twice'],
    ['told twice, of which one came back', PAID, [-501_000, -501_000, 501_000], null],
    ['told and booked twice', { bookedKobo: -1_002_000, bookedPayments: 2 }, [-501_000, -501_000], null],
  ])('%s', (_what, booked, toldKobo, wrong) => {
    expect(wrongWithPayout({ amountKobo: A, isOpen: false, ...booked, toldKobo })).toBe(wrong);
    // While it has not ended, nothing is wrong with it.
    expect(wrongWithPayout({ amountKobo: A, isOpen: true, ...booked, toldKobo })).toBeNull();
  });
});

test.each<[changeKobo: number, explainedKobo: number, dueKobo: number | null, wrong: string | null]>([
  [300, 0, null, 'line_unmatched'],
  [300, 300, null, null],
  [300, 299, null, 'amount_differs'],
  [-300, 300, null, 'amount_differs'],
  [0, 0, null, null],
  [300, 0, 300, 'line_unmatched'],
  [300, 0, 301, 'amount_differs'],
  [300, 300, 301, null],
])(
  'a line of %i that entries explain with %i, about a payment of %p: %s',
  (changeKobo, explainedKobo, dueKobo, wrong) => {
    expect(wrongWithLine({ changeKobo, explainedKobo, dueKobo })).toBe(wrong);
  },
);

test.each<[what: string, changeKobo: number, payment: Partial<PaymentOfLine>, booked: object | null]>([
  ['all that is owed', 495_000, {}, { amountKobo: 495_000, feeKobo: 0 }],
  ['one kobo less', 494_999, {}, null],
  ['one kobo more', 495_001, {}, null],
  ['money that leaves', -495_000, {}, null],
  [
    'a fee that was not told',
    494_000,
    { feeKobo: null, owedKobo: 5_000 },
    { amountKobo: 494_000, feeKobo: 6_000, owedKobo: 5_000 },
  ],
  [
    'no fee where none was told',
    500_000,
    { feeKobo: null, owedKobo: 5_000 },
    { amountKobo: 500_000, feeKobo: 0, owedKobo: 5_000 },
  ],
  [
    'the highest fee there is',
    470_000,
    { feeKobo: null, owedKobo: 5_000 },
    { amountKobo: 470_000, feeKobo: 30_000, owedKobo: 5_000 },
  ],
  ['more than any fee', 469_999, { feeKobo: null, owedKobo: 5_000 }, null],
  ['more than was paid', 500_001, { feeKobo: null, owedKobo: 5_000 }, null],
])('a line that passes a payment of 500,000 kobo on, with %s', (_what, changeKobo, payment, booked) => {
  expect(passedOn(changeKobo, { amountKobo: 500_000, feeKobo: 5_000, owedKobo: 0, ...payment })).toEqual(
    booked,
  );
});

test('a day begins at midnight in Lagos, and is late from noon of the next one', () => {
  expect(dayOf(new Date('2026-11-24T22:59:59.999Z'))).toBe('2026-11-24');
  expect(dayOf(new Date('2026-11-24T23:00:00.000Z'))).toBe('2026-11-25');
  expect(beginningOf('2026-11-25').toISOString()).toBe('2026-11-24T23:00:00.000Z');
  expect(closedBy('2026-11-25').toISOString()).toBe('2026-11-26T11:00:00.000Z');
  expect([dayAfter('2026-02-28'), dayAfter('2026-03-01', -1)]).toEqual(['2026-03-01', '2026-02-28']);
  expect(['2026-11-25', '2026-02-30', '2026-13-01', '26-11-25', 'today'].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

test.each([
  ['2026-11-25', 2, '2026-11-23'],
  ['2026-11-24', 2, '2026-11-20'],
  ['2026-11-22', 1, '2026-11-20'],
  ['2026-11-23', 1, '2026-11-20'],
])('banking days before %s, a number of %i: %s', (day, count, before) => {
  expect(bankingDayBefore(day, count)).toBe(before);
});

test('each entry explains lines on one side alone, with what moves there', () => {
  const explains = TREASURY_ENTRY_KINDS.map((entry) => [
    entry,
    explainedKobo({ entry, amountKobo: 7, feeKobo: 2 }, accountOfLine('other')),
    explainedKobo({ entry, amountKobo: 7, feeKobo: 2 }, accountOfLine('settlement')),
  ]);
  expect(explains).toEqual([
    ['prefund', 7, 0],
    ['withdrawal', -9, 0],
    ['settlement_to_bank', 0, 9],
    ['settlement_to_balance', 7, 0],
    ['refund_taken', -9, 0],
    ['refund_back', 7, 0],
    ['fee', -9, 0],
    ['fee_back', 7, 0],
    ['fee_owed', -9, 0],
    ['stamp_duty', -9, 0],
    ['duty_paid_on', -9, 0],
    ['paid_twice', -9, 0],
    ['recovered', 7, 0],
    ['paid_by_hand', -9, 0],
  ]);
});
