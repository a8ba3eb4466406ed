/** What the ledger's decision counts into the day of a wallet under limits, kind by kind (D123). */
import { LIMIT_TIERS } from '../../../src/domain/limits';
import type { Account, Books, Movement } from '../../../src/domain/ledger';
import {
  account,
  ADA,
  bank,
  BOLA,
  booksOf,
  correction,
  decideOne,
  NOW,
  p2p,
  postOne,
  qrPayment,
  qrRequest,
  split,
  ussdPayment,
  uuid,
} from '../../support/books';

const CHIDI = uuid(13);
const limits = { tier: 'tier_2', countedFrom: NOW, dayDebitKobo: 0, dayUssdKobo: 0 } as const;

const booksWith = (more: Partial<Account> = {}): Books =>
  booksOf(account(ADA, { balanceKobo: 40_000_000, limits, ...more }), account(BOLA), account(CHIDI));
const usedOf = ({ accounts }: Books) => {
  const { dayDebitKobo, dayUssdKobo } = accounts.get(ADA)!.limits!;
  return [dayDebitKobo, dayUssdKobo];
};

test.each<[string, (books: Books) => Movement, [day: number, ussd: number]]>([
  ['a transfer to a wallet', () => p2p(), [10_000, 0]],
  ['a transfer to a bank account', () => bank(), [10_000, 0]],
  ['a QR payment', (books) => qrPayment(qrRequest(books)), [10_000, 0]],
  [
    'all legs of a split',
    () =>
      split([
        [BOLA, 3],
        [CHIDI, 4],
      ]),
    [7, 0],
  ],
  ['a USSD payment', (books) => ussdPayment(books), [10_000, 10_000]],
  ['no correction', () => correction('debit'), [0, 0]],
])('%s counts, without its fee', (_what, movement, used) => {
  const books = booksWith();
  postOne(books, movement(books));
  expect(usedOf(books)).toEqual(used);
});

test('two shares that pass the limit of one payment together are refused', () => {
  const most = LIMIT_TIERS.tier_2.allowedKobo.single_debit;
  const books = booksWith();
  const decision = decideOne(
    books,
    split([
      [BOLA, most],
      [CHIDI, 1],
    ]),
  );
  expect(decision).toMatchObject({ refusal: { code: 'LIMIT_EXCEEDED', detail: { limit: 'single_debit' } } });
  expect(usedOf(books)).toEqual([0, 0]);
});

test('a USSD payment beyond a limit ends as failed with the code, and moves and counts nothing', () => {
  const books = booksWith({ limits: { ...limits, dayDebitKobo: 9_990_001, dayUssdKobo: 9_990_001 } });
  const { transaction, entries } = postOne(books, ussdPayment(books));
  expect([transaction.status, transaction.failedReason, entries]).toEqual(['failed', 'LIMIT_EXCEEDED', []]);
  expect(usedOf(books)).toEqual([9_990_001, 9_990_001]);
});

test('a USSD payment to a wallet that may not hold more fails in the same way', () => {
  const books = booksWith();
  books.accounts.set(BOLA, account(BOLA, { balanceKobo: 49_990_001, limits }));
  const { transaction } = postOne(books, ussdPayment(books));
  expect([transaction.status, transaction.failedReason]).toEqual(['failed', 'LIMIT_EXCEEDED']);
});
