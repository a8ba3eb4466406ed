/** QR, split, USSD, corrections and returns as the ledger decides them (D14, D30, D66, D73, D77, D166; R11). */
import { done, nameOf } from '../../../src/domain/outcome';
import { systemAccountId } from '../../../src/domain/accounts';
import { decide, type Books, type Posted } from '../../../src/domain/ledger';
import { KOBO_MAX } from '../../../src/domain/money';
import { TRANSACTION_STATUSES } from '../../../src/domain/transactions';
import { WALLET_STATUSES } from '../../../src/domain/wallets';
import {
  acceptedTransfer,
  account,
  ADA,
  balanceOf,
  bank,
  BOLA,
  booksOf,
  correction,
  decideOne,
  funding,
  NOW,
  OTHER_PARTNER,
  p2p,
  PARTNER,
  postOne,
  qrPayment,
  qrRequest,
  settlement,
  split,
  ussdPayment,
  uuid,
} from '../../support/books';

const CHIDI = uuid(13);
const books = (): Books => booksOf(account(ADA), account(BOLA), account(CHIDI));
const refusalOf = (of: Books, movement: Parameters<typeof decideOne>[1]): string =>
  nameOf(decideOne(of, movement));
const sumOf = ({ entries }: Posted): number => entries.reduce((sum, entry) => sum + entry.amountKobo, 0);

describe('a QR payment', () => {
  test('moves exactly the amount and is remembered as the one payment of its request', () => {
    const of = books();
    const request = qrRequest(of);
    const payment = qrPayment(request);
    const posted = postOne(of, payment);
    expect(posted.transaction).toMatchObject({ type: 'qr_payment', status: 'completed', completedAt: NOW });
    expect(posted.balances).toEqual({ sourceKobo: 990_000, destKobo: 1_010_000 });
    expect(of.qrRequests.get(request.id)?.paid).toEqual({
      transactionId: payment.transactionId,
      sourceWalletId: ADA,
    });
  });

  test('in one batch: the first payer pays, its repeat is the original, another is refused', () => {
    const of = books();
    const request = qrRequest(of);
    const first = qrPayment(request);
    const decisions = decide(of, [first, qrPayment(request), qrPayment(request, { sourceWalletId: CHIDI })]);
    expect(decisions.map(nameOf)).toEqual(['posted', 'same_reference', 'QR_ALREADY_PAID']);
    expect(decisions[1]).toEqual(done({ kind: 'same_reference', transactionId: first.transactionId }));
    expect(balanceOf(of, CHIDI)).toBe(1_000_000);
  });

  /** Each row has every fault of the rows below it as well: the order of D166. */
  test.each([
    ['paid by another', { paid: { transactionId: uuid(7), sourceWalletId: CHIDI } }, 'QR_ALREADY_PAID'],
    ['expired this very moment', {}, 'QR_EXPIRED'],
  ])('%s is refused first', (_what, more, code) => {
    const of = booksOf(account(ADA, { status: 'frozen', balanceKobo: 0 }), account(BOLA), account(CHIDI));
    const request = qrRequest(of, { expiresAt: NOW, ...more });
    expect(refusalOf(of, qrPayment(request))).toBe(code);
  });

  test('a millisecond before its end it is still open', () => {
    const of = books();
    const request = qrRequest(of, { expiresAt: new Date(NOW.getTime() + 1) });
    expect(refusalOf(of, qrPayment(request))).toBe('posted');
  });

  test('does not use a reference, because its reference was used when the request was made', () => {
    const of = books();
    postOne(of, qrPayment(qrRequest(of)));
    expect(of.references.size).toBe(0);
  });
});

describe('a split', () => {
  test('is one set of balanced entries for each leg, with one chain of balances of the source', () => {
    const of = books();
    const movement = split([
      [BOLA, 600],
      [CHIDI, 400],
    ]);
    const posted = postOne(of, movement);
    expect(posted.legs.map(({ balances }) => balances)).toEqual([
      { sourceKobo: 999_400, destKobo: 1_000_600 },
      { sourceKobo: 999_000, destKobo: 1_000_400 },
    ]);
    expect(posted.legs.map(({ transaction }) => transaction.metadata)).toEqual([
      { split_index: 0 },
      { split_index: 1 },
    ]);
    for (const { transaction } of posted.legs) {
      const own = posted.entries.filter((entry) => entry.transactionId === transaction.id);
      expect(own.reduce((sum, entry) => sum + entry.amountKobo, 0)).toBe(0);
    }
    const ofSource = posted.entries.filter((entry) => entry.account === ADA);
    expect(ofSource.map((entry) => entry.sequence)).toEqual([1, 2]);
  });

  test('two legs to one wallet follow each other there', () => {
    const of = books();
    const posted = postOne(
      of,
      split([
        [BOLA, 1],
        [BOLA, 2],
      ]),
    );
    expect(posted.legs.map(({ balances }) => balances.destKobo)).toEqual([1_000_001, 1_000_003]);
  });

  test.each([
    ['a leg of 0', [BOLA, 0], 'AMOUNT_TOO_LOW'],
    ['the source among the destinations', [ADA, 1], 'SAME_WALLET_TRANSFER'],
    ['an absent destination', [uuid(99), 1], 'WALLET_NOT_FOUND'],
    ['more than there is', [BOLA, 1_000_000], 'INSUFFICIENT_FUNDS'],
  ] as const)('with %s moves nothing', (_what, leg, code) => {
    const of = books();
    expect(refusalOf(of, split([[CHIDI, 1], [...leg]]))).toBe(code);
    expect([ADA, BOLA, CHIDI].map((wallet) => balanceOf(of, wallet))).toEqual([
      1_000_000, 1_000_000, 1_000_000,
    ]);
  });

  test('legs to one wallet need room for all of them together', () => {
    const of = booksOf(account(ADA), account(BOLA, { balanceKobo: KOBO_MAX - 15 }));
    const legs = (amountKobo: number) =>
      split([
        [BOLA, 10],
        [BOLA, amountKobo],
      ]);
    expect(refusalOf(of, legs(6))).toBe('LIMIT_EXCEEDED');
    expect(refusalOf(of, legs(5))).toBe('posted');
  });

  test('equal splits have equal legs in the same order (D160)', () => {
    const of = books();
    const reference = 'order-1';
    const legs: [string, number][] = [
      [BOLA, 1],
      [CHIDI, 2],
    ];
    const first = split(legs, { reference });
    postOne(of, first);
    expect(decideOne(of, split(legs, { reference }))).toEqual(
      done({
        kind: 'same_reference',
        transactionId: first.transactionId,
      }),
    );
    expect(refusalOf(of, split([...legs].reverse(), { reference }))).toBe('DUPLICATE_REFERENCE');
    expect(refusalOf(of, p2p({ reference }))).toBe('DUPLICATE_REFERENCE');
  });
});

describe('a USSD payment', () => {
  test('that was confirmed is carried out once', () => {
    const of = books();
    const payment = ussdPayment(of);
    const posted = postOne(of, payment);
    expect(posted).toMatchObject({
      was: 'processing',
      transaction: { status: 'completed', completedAt: NOW },
    });
    expect(posted.balances).toEqual({ sourceKobo: 990_000, destKobo: 1_010_000 });
    expect(sumOf(posted)).toBe(0);
    expect(decideOne(of, payment)).toEqual(done({ kind: 'settled_before', transaction: posted.transaction }));
    expect(balanceOf(of, ADA)).toBe(990_000);
  });

  test.each(TRANSACTION_STATUSES.filter((status) => status !== 'processing'))(
    'that is %s moves nothing',
    (status) => {
      const of = books();
      const payment = ussdPayment(of, { status });
      expect(nameOf(decideOne(of, payment))).toBe('settled_before');
      expect(balanceOf(of, ADA)).toBe(1_000_000);
    },
  );

  test.each([
    ['the payer’s wallet is frozen', { status: 'frozen' }, {}, 'WALLET_FROZEN'],
    ['the payer’s wallet is closed', { status: 'closed' }, {}, 'WALLET_CLOSED'],
    ['the merchant’s wallet is closed', {}, { status: 'closed' }, 'WALLET_CLOSED'],
    ['the money is gone', { balanceKobo: 9_999 }, {}, 'INSUFFICIENT_FUNDS'],
    ['the merchant has no room', {}, { balanceKobo: KOBO_MAX }, 'LIMIT_EXCEEDED'],
  ] as const)('fails with the code as its reason when %s', (_what, payer, merchant, code) => {
    const of = booksOf(account(ADA, payer), account(BOLA, merchant));
    const posted = postOne(of, ussdPayment(of));
    expect(posted.entries).toEqual([]);
    expect(posted.transaction).toMatchObject({ status: 'failed', failedReason: code, completedAt: null });
    expect(balanceOf(of, ADA)).toBe(account(ADA, payer).balanceKobo);
  });
});

describe('an operator’s correction', () => {
  test.each([
    ['credit', 1_010_000, '2900', -10_000],
    ['debit', 990_000, '1900', 10_000],
  ] as const)('%s of a wallet is booked against suspense', (direction, balanceKobo, code, amountKobo) => {
    const of = books();
    const posted = postOne(of, correction(direction));
    expect(balanceOf(of, ADA)).toBe(balanceKobo);
    expect(posted.entries).toContainEqual(
      expect.objectContaining({ account: systemAccountId(code), amountKobo, sequence: null }),
    );
    expect(sumOf(posted)).toBe(0);
  });

  const allowed = WALLET_STATUSES.flatMap((status) =>
    (['credit', 'debit'] as const).map(
      (direction) => [direction, status, status === 'closed' ? 'WALLET_CLOSED' : 'posted'] as const,
    ),
  );
  test.each(allowed)('a %s of a wallet that is %s: %s', (direction, status, expected) => {
    expect(refusalOf(booksOf(account(ADA, { status })), correction(direction))).toBe(expected);
  });

  test('never takes more than the balance', () => {
    expect(refusalOf(books(), correction('debit', 1_000_001))).toBe('INSUFFICIENT_FUNDS');
  });

  test('that was posted before is found again', () => {
    const of = books();
    const movement = correction('credit');
    const { transaction } = postOne(of, movement);
    of.transactions.set(transaction.id, transaction);
    expect(decideOne(of, movement)).toEqual(done({ kind: 'same_reference', transactionId: transaction.id }));
  });
});

describe('a completed transfer that the provider returns', () => {
  function completed(more = {}) {
    const of = booksOf(account(ADA, more));
    const transfer = acceptedTransfer(of);
    const { transaction } = postOne(of, settlement(transfer.id));
    of.transactions.set(transfer.id, transaction);
    const back = settlement(transfer.id, {
      trigger: 'provider_return',
      failedReason: 'Returned by the bank',
    });
    return { of, transfer, back };
  }

  test('is reversed: amount and fee come back in one reversal, income and VAT are taken back', () => {
    const { of, transfer, back } = completed();
    const posted = postOne(of, back);
    expect(posted.transaction).toMatchObject({ status: 'reversed', failedReason: 'Returned by the bank' });
    expect(posted.reversal).toMatchObject({
      type: 'reversal',
      amountKobo: transfer.amountKobo + 5_000,
      destWalletId: ADA,
      metadata: { original_transaction_id: transfer.id },
    });
    expect(balanceOf(of, ADA)).toBe(1_000_000);
    expect(posted.entries.map((entry) => [entry.account.slice(-4), entry.amountKobo])).toEqual([
      ['1200', -10_000],
      ['4110', -4_651],
      ['2400', -349],
      [ADA.slice(-4), 15_000],
    ]);
  });

  test('a second time changes nothing', () => {
    const { of, back } = completed();
    const { transaction } = postOne(of, back);
    of.transactions.set(transaction.id, transaction);
    expect(decideOne(of, back)).toEqual(done({ kind: 'settled_before', transaction }));
    expect(balanceOf(of, ADA)).toBe(1_000_000);
  });

  test.each([
    ['was closed', { status: 'closed' as const }],
    ['has no room', { balanceKobo: KOBO_MAX }],
  ])('waits in suspense, without a reversal, when its wallet %s', (_what, now) => {
    const { of, transfer, back } = completed();
    Object.assign(of.accounts.get(ADA)!, now);
    const posted = postOne(of, back);
    expect(posted.reversal).toBeNull();
    expect(posted.transaction.status).toBe('reversed');
    expect(posted.entries).toContainEqual(
      expect.objectContaining({
        transactionId: transfer.id,
        step: 'return',
        account: systemAccountId('2900'),
        amountKobo: 15_000,
      }),
    );
    expect(sumOf(posted)).toBe(0);
  });
});

describe('while a partner’s sandbox is being reset', () => {
  const fenced = (): Books => {
    const of = books();
    of.epochs.set(PARTNER, { epoch: 1, resetting: true });
    return of;
  };

  test.each([
    ['a transfer', () => p2p()],
    ['a bank transfer', () => bank()],
    ['a funding', () => funding()],
    ['a split', () => split([[BOLA, 1]])],
    ['a correction', () => correction('credit')],
  ])('%s is refused for now', (_what, movement) => {
    expect(refusalOf(fenced(), movement())).toBe('SERVICE_UNAVAILABLE');
  });

  test('a settlement and a USSD payment are refused for now too', () => {
    const of = fenced();
    expect(refusalOf(of, settlement(uuid(5)))).toBe('SERVICE_UNAVAILABLE');
    expect(refusalOf(of, ussdPayment(of))).toBe('SERVICE_UNAVAILABLE');
  });

  test('another partner is served', () => {
    const of = fenced();
    of.accounts.set(uuid(20), account(uuid(20), { partnerId: OTHER_PARTNER }));
    expect(refusalOf(of, funding({ partnerId: OTHER_PARTNER, destWalletId: uuid(20) }))).toBe('posted');
  });
});
