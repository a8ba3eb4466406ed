/** The table of transaction kinds is complete, and a kind that is added to it is decided like any other. */
import {
  feesFor,
  statusesOf,
  TRANSACTION_KINDS,
  typesWhere,
  type OpeningKind,
  type TransactionKind,
  type TransactionKinds,
} from '../../../src/domain/kinds';
import { decide } from '../../../src/domain/ledger';
import { done, nameOf } from '../../../src/domain/outcome';
import { TRANSACTION_TYPES, type TransactionType } from '../../../src/domain/transaction-types';
import { account, ADA, BOLA, booksOf, decideOne, freshId, PARTNER, postOne } from '../../support/books';
import { addGifts, gift, giving, removeGifts, type GiftOpening } from '../../support/gifts';

const rows = Object.entries<TransactionKind>(TRANSACTION_KINDS);

describe('the table', () => {
  test('has one row per type', () => {
    expect(rows.map(([type]) => type).sort()).toEqual([...TRANSACTION_TYPES].sort());
  });

  test.each(rows)(
    '%s names the entries only for statuses that it can have, and for all in which money has moved',
    (_, row) => {
      const { entries, inFlightWhile, givenBack } = row.life;
      expect(statusesOf(row)).toEqual(expect.arrayContaining(Object.keys(entries)));
      expect(Object.keys(entries)).toContain('completed');
      for (const status of [inFlightWhile, ...(givenBack?.when ?? [])]) {
        if (status !== null) expect(Object.keys(entries)).toContain(status);
      }
    },
  );

  test.each(rows)('%s has postings for every step whose entries are looked for', (type, row) => {
    const isMadeByAnother = rows.some(([, { life }]) => life.givenBack?.as === type);
    const isInUse = Object.values(row.postings).some((postings) => postings !== null);
    const steps = new Set(Object.values(row.life.entries).flat());
    const missing = [...steps].filter((step) => row.postings[step] === null);
    // A reversal has its postings from its transfer, or, where people have decided on it, its own as the first.
    expect(missing).toEqual(isMadeByAnother ? ['return'] : isInUse ? [] : ['accept']);
  });

  test('says what ends a kind, and which kind gives the money back', () => {
    expect(typesWhere(({ life }) => life.endedBy === 'provider')).toEqual(['bank_transfer']);
    expect(typesWhere(({ life }) => life.endedBy === 'ussd_session')).toEqual(['ussd_payment']);
    expect(typesWhere(({ life }) => life.givenBack !== null)).toEqual(['bank_transfer', 'fee_deduction']);
    expect(TRANSACTION_KINDS.bank_transfer.life.givenBack?.as).toBe('reversal');
    expect(typesWhere(({ events }) => !events.areSent).sort()).toEqual([
      'credit_refund',
      'fee_deduction',
      'late_payout',
      'return_shortfall',
      'reversal',
      'suspense_move',
      'treasury_entry',
      'unallocated_credit',
    ]);
  });
});

test('a row that leaves a column out, or a table that leaves a row out, does not compile', () => {
  const { postings, ...withoutPostings } = gift;
  const { once, ...withoutOnce } = gift;
  const { life, ...withoutLife } = gift;
  const { reversal, ...withoutReversal } = TRANSACTION_KINDS;
  const incomplete: [unknown, unknown][] = [
    // @ts-expect-error -- the postings are missing
    [withoutPostings satisfies OpeningKind<GiftOpening>, postings],
    // @ts-expect-error -- what makes it happen once is missing
    [withoutOnce satisfies OpeningKind<GiftOpening>, once],
    // @ts-expect-error -- its life is missing
    [withoutLife satisfies OpeningKind<GiftOpening>, life],
    // @ts-expect-error -- an opening cannot be booked without postings of its first step
    [{ ...gift, postings: { ...postings, accept: null } } satisfies OpeningKind<GiftOpening>, null],
    // @ts-expect-error -- the row of reversals is missing
    [withoutReversal satisfies TransactionKinds, reversal],
  ];
  expect(incomplete).toHaveLength(5);
});

describe('a kind that is added to the table', () => {
  beforeAll(addGifts);
  afterAll(removeGifts);

  const to = (destWalletId: string, more: Partial<GiftOpening> = {}) =>
    giving({
      transactionId: freshId(),
      partnerId: PARTNER,
      reference: `ref-${freshId()}`,
      amountKobo: 10_000,
      sourceWalletId: ADA,
      destWalletId,
      occasion: 'birthday',
      ...more,
    });
  const books = () => booksOf(account(ADA), account(BOLA));

  test('is posted with its own fee, postings and record', () => {
    const { transaction, balances, entries } = postOne(books(), to(BOLA));
    expect(transaction).toMatchObject({
      type: 'test_gift',
      status: 'completed',
      metadata: { occasion: 'birthday' },
      fees: feesFor('test_gift' as TransactionType, 10_000),
    });
    expect(transaction.fees.customerFeeKobo).toBe(100);
    expect(balances).toEqual({ sourceKobo: 989_900, destKobo: 1_010_000 });
    expect(entries.reduce((sum, entry) => sum + entry.amountKobo, 0)).toBe(0);
  });

  test('repeated under its reference with the same terms is the same, and with other terms is refused', () => {
    const first = to(BOLA, { reference: 'gift-1' });
    const decisions = decide(books(), [
      first,
      to(BOLA, { reference: 'gift-1' }),
      to(BOLA, { reference: 'gift-1', occasion: 'wedding' }),
    ]);
    expect(decisions.map(nameOf)).toEqual(['posted', 'same_reference', 'DUPLICATE_REFERENCE']);
    expect(decisions[1]).toEqual(done({ kind: 'same_reference', transactionId: first.transactionId }));
  });

  test.each<[what: string, status: 'frozen' | 'pending', amountKobo: number, code: string]>([
    ['from a frozen wallet', 'frozen', 10_000, 'WALLET_FROZEN'],
    ['from a pending wallet', 'pending', 10_000, 'WALLET_NOT_ACTIVE'],
  ])('%s is refused', (_what, status, amountKobo, code) => {
    const of = booksOf(account(ADA, { status }), account(BOLA));
    expect(nameOf(decideOne(of, to(BOLA, { amountKobo })))).toBe(code);
  });

  test('beyond the balance with its fee is refused', () => {
    expect(nameOf(decideOne(books(), to(BOLA, { amountKobo: 999_900 })))).toBe('posted');
    expect(nameOf(decideOne(books(), to(BOLA, { amountKobo: 999_901 })))).toBe('INSUFFICIENT_FUNDS');
  });
});
