/** What a movement needs of its wallets: money to the last kobo, and a state that allows it (D18, D29, D94). */
import { feesFor } from '../../../src/domain/kinds';
import { nameOf } from '../../../src/domain/outcome';
import { WALLET_STATUSES, type WalletStatus } from '../../../src/domain/wallets';
import {
  account,
  ADA,
  balanceOf,
  bank,
  BOLA,
  booksOf,
  decideOne,
  funding,
  NOW,
  p2p,
  postOne,
} from '../../support/books';

const fees: [amountKobo: number, feeKobo: number][] = [
  [1, 0],
  [199, 0],
  [200, 1],
  [201, 1],
  [399, 1],
  [400, 2],
  [3_999_999, 19_999],
  [4_000_000, 20_000],
  [4_000_001, 20_000],
  [100_000_000_000, 20_000],
];

describe('P2P: the source needs amount plus fee', () => {
  const books = (balanceKobo: number) => booksOf(account(ADA, { balanceKobo }), account(BOLA));

  test.each(fees)('exactly enough for %d kobo and the fee of %d is posted', (amountKobo, feeKobo) => {
    const before = books(amountKobo + feeKobo);
    const posted = postOne(before, p2p({ amountKobo }));
    expect(posted.transaction.fees.customerFeeKobo).toBe(feeKobo);
    expect(posted.balances).toEqual({ sourceKobo: 0, destKobo: 1_000_000 + amountKobo });
    expect([balanceOf(before, ADA), balanceOf(before, BOLA)]).toEqual([0, 1_000_000 + amountKobo]);
  });

  test.each(fees)(
    'one kobo less than %d and the fee of %d is refused, with both sums',
    (amountKobo, feeKobo) => {
      const availableKobo = amountKobo + feeKobo - 1;
      expect(decideOne(books(availableKobo), p2p({ amountKobo }))).toEqual({
        ok: false,
        refusal: {
          code: 'INSUFFICIENT_FUNDS',
          detail: { availableKobo, requiredKobo: amountKobo + feeKobo },
        },
      });
    },
  );
});

describe('bank transfer: the source needs amount plus 5,000 kobo', () => {
  const books = (balanceKobo: number) => booksOf(account(ADA, { balanceKobo }));

  test.each([1, 500_000, 500_001, 5_000_000, 5_000_001])(
    'exactly enough for %d kobo is posted',
    (amountKobo) => {
      const posted = postOne(books(amountKobo + 5_000), bank({ amountKobo }));
      expect(posted.balances).toEqual({ sourceKobo: 0, destKobo: null });
      expect(posted.transaction.fees).toEqual(feesFor('bank_transfer', amountKobo));
    },
  );

  test('our own cost never changes the debit', () => {
    const posted = postOne(books(10_000_000), bank({ amountKobo: 5_000_001 }));
    expect(posted.transaction.fees.mfbCostKobo).toBe(5_000);
    expect(posted.balances.sourceKobo).toBe(10_000_000 - 5_000_001 - 5_000);
  });

  test('one kobo less is refused', () => {
    expect(decideOne(books(5_000), bank({ amountKobo: 1 }))).toMatchObject({
      refusal: { code: 'INSUFFICIENT_FUNDS', detail: { availableKobo: 5_000, requiredKobo: 5_001 } },
    });
  });
});

const SOURCE: Record<WalletStatus, string> = {
  pending: 'WALLET_NOT_ACTIVE',
  active: 'posted',
  frozen: 'WALLET_FROZEN',
  closed: 'WALLET_CLOSED',
};
const DESTINATION: Record<WalletStatus, string> = {
  pending: 'posted',
  active: 'posted',
  frozen: 'posted',
  closed: 'WALLET_CLOSED',
};

describe('the state of the source', () => {
  test.each(WALLET_STATUSES)('%s, for a P2P transfer', (status) => {
    const books = booksOf(account(ADA, { status }), account(BOLA));
    expect(nameOf(decideOne(books, p2p()))).toBe(SOURCE[status]);
  });

  test.each(WALLET_STATUSES)('%s, for a bank transfer', (status) => {
    expect(nameOf(decideOne(booksOf(account(ADA, { status })), bank()))).toBe(SOURCE[status]);
  });

  test('a frozen source wallet is refused before the balance is looked at', () => {
    const books = booksOf(account(ADA, { status: 'frozen', balanceKobo: 0 }), account(BOLA));
    expect(nameOf(decideOne(books, p2p()))).toBe('WALLET_FROZEN');
  });
});

describe('the state of the destination', () => {
  test.each(WALLET_STATUSES)('%s, for a P2P transfer', (status) => {
    const books = booksOf(account(ADA), account(BOLA, { status }));
    expect(nameOf(decideOne(books, p2p()))).toBe(DESTINATION[status]);
  });

  test.each(WALLET_STATUSES)('%s, for a funding', (status) => {
    expect(nameOf(decideOne(booksOf(account(BOLA, { status })), funding()))).toBe(DESTINATION[status]);
  });
});

describe('what a posted movement becomes', () => {
  const books = () => booksOf(account(ADA), account(BOLA));

  test('a P2P transfer is completed at once', () => {
    const movement = p2p({ description: 'rent', metadata: { order: 7 } });
    const posted = postOne(books(), movement);
    expect(posted).toMatchObject({ was: null, reversal: null });
    expect(posted.transaction).toEqual({
      id: movement.transactionId,
      partnerId: movement.partnerId,
      reference: movement.reference,
      type: 'p2p_transfer',
      status: 'completed',
      amountKobo: 10_000,
      sourceWalletId: ADA,
      destWalletId: BOLA,
      destAccount: null,
      splitConfig: null,
      paused: false,
      scenario: null,
      fees: feesFor('p2p_transfer', 10_000),
      pspReference: null,
      pspMeta: null,
      idempotencyKey: null,
      description: 'rent',
      metadata: { order: 7 },
      failedReason: null,
      createdAt: NOW,
      updatedAt: NOW,
      completedAt: NOW,
    });
  });

  test('a bank transfer is processing, debited, and has no end yet', () => {
    const movement = bank({ paused: true });
    expect(postOne(books(), movement).transaction).toMatchObject({
      type: 'bank_transfer',
      status: 'processing',
      sourceWalletId: ADA,
      destWalletId: null,
      destAccount: movement.destAccount,
      paused: true,
      completedAt: null,
    });
  });

  test('a funding is a completed wallet_funding that comes from no wallet', () => {
    expect(postOne(books(), funding()).transaction).toMatchObject({
      type: 'wallet_funding',
      status: 'completed',
      sourceWalletId: null,
      destWalletId: BOLA,
      fees: { customerFeeKobo: 0, netAmountKobo: 10_000 },
      completedAt: NOW,
    });
  });

  test('a refused movement leaves the books as they were', () => {
    const before = booksOf(account(ADA, { balanceKobo: 10_049 }), account(BOLA));
    const copy = structuredClone(before);
    expect(nameOf(decideOne(before, p2p()))).toBe('INSUFFICIENT_FUNDS');
    expect(before).toEqual(copy);
  });
});
