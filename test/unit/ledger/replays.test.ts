/**
 * The same request again: by its key, by its reference, and the credit that a transfer to our own MFB makes once.
 */
import { decide, walletsOf, usesReference, type Opening } from '../../../src/domain/ledger';
import { done, nameOf } from '../../../src/domain/outcome';
import {
  account,
  ADA,
  balanceOf,
  bank,
  BOLA,
  booksOf,
  decideOne,
  DEST_ACCOUNT,
  freshId,
  funding,
  keyed,
  OTHER_PARTNER,
  p2p,
  postOne,
  settlement,
  useKey,
  useReference,
  uuid,
} from '../../support/books';

const CHIDI = uuid(13);
const books = () => booksOf(account(ADA), account(BOLA), account(CHIDI));

describe('by key (D44, D131)', () => {
  test('the same key and body: what the first answer is made from, and nothing moves', () => {
    const before = books();
    const first = useKey(before, keyed('k1'));
    const again = { ...keyed('k1'), form: 'guide', requestId: 'req_0198c0de000070008000000000000002' };
    expect(decideOne(before, p2p({ key: again }))).toEqual(done({ kind: 'same_key', first }));
    expect(balanceOf(before, ADA)).toBe(1_000_000);
  });

  test('the same key with another body is refused, and nothing moves', () => {
    const before = books();
    useKey(before, keyed('k1', 'another body'));
    expect(decideOne(before, p2p({ key: keyed('k1') }))).toEqual({
      ok: false,
      refusal: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect(balanceOf(before, ADA)).toBe(1_000_000);
  });

  test('the replay comes before the request is looked at, even if its wallets are gone', () => {
    const before = booksOf();
    useKey(before, keyed('k1'));
    expect(nameOf(decideOne(before, p2p({ key: keyed('k1'), amountKobo: 0 })))).toBe('same_key');
  });

  test.each([
    ['another key', { key: keyed('k2') }],
    ['the same key for another operation', { key: keyed('k1', 'same body', 'bankTransfer') }],
    ['no key', { key: null }],
  ])('%s is another request', (_what, more) => {
    const before = books();
    useKey(before, keyed('k1'));
    expect(nameOf(decideOne(before, p2p(more)))).toBe('posted');
  });

  test("another partner's key is another key", () => {
    const before = booksOf(
      account(ADA, { partnerId: OTHER_PARTNER }),
      account(BOLA, { partnerId: OTHER_PARTNER }),
    );
    useKey(before, keyed('k1', 'another body'));
    expect(nameOf(decideOne(before, p2p({ partnerId: OTHER_PARTNER, key: keyed('k1') })))).toBe('posted');
  });

  test('twice in one batch: the second repeats the answer of its neighbour', () => {
    const before = books();
    const { form, requestId, ...again } = keyed('k1');
    const first = p2p({ key: keyed('k1') });
    const decisions = decide(before, [
      funding(),
      first,
      p2p({ key: { ...again, form: 'guide', requestId: 'req_0198c0de000070008000000000000002' } }),
      p2p({ key: keyed('k1', 'another body') }),
    ]);
    expect(decisions[1]).toMatchObject({ value: { kind: 'posted', transaction: { idempotencyKey: 'k1' } } });
    const { transactionId } = first;
    expect(decisions[2]).toEqual(done({ kind: 'same_key', first: { transactionId, form, requestId } }));
    expect(decisions[3]).toMatchObject({ refusal: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(balanceOf(before, ADA)).toBe(1_000_000 - 10_050);
  });

  test('a refusal frees the key: the next request with it is decided anew', () => {
    const before = booksOf(account(ADA, { balanceKobo: 0 }), account(BOLA));
    const [refused, funded, posted] = decide(before, [
      p2p({ key: keyed('k1') }),
      funding({ destWalletId: ADA, amountKobo: 10_050 }),
      p2p({ key: keyed('k1', 'another body') }),
    ]);
    expect(refused).toMatchObject({ refusal: { code: 'INSUFFICIENT_FUNDS' } });
    expect([nameOf(funded!), nameOf(posted!)]).toEqual(['posted', 'posted']);
  });
});

describe('by reference (D45)', () => {
  const FIRST = uuid(77);

  /**
   * A second movement with the reference of a transfer of 10,000 kobo from Ada to Bola, or to the bank account.
   */
  const again = (opening: Opening, first: Opening) => {
    const before = books();
    useReference(before, 'order-1', FIRST, first);
    return { before, decision: decideOne(before, { ...opening, reference: 'order-1' }) };
  };

  test.each<[string, Opening, Opening]>([
    ['a P2P transfer', p2p(), p2p()],
    [
      'a P2P transfer with another description and metadata',
      p2p({ description: 'x', metadata: { a: 1 } }),
      p2p(),
    ],
    ['a P2P transfer with a key that it did not have', p2p({ key: keyed('k1') }), p2p()],
    ['a bank transfer', bank(), bank()],
    [
      'a bank transfer with another account name',
      bank({ destAccount: { ...DEST_ACCOUNT, accountName: 'A. OBI' } }),
      bank(),
    ],
  ])('%s again: the original, and nothing moves', (_what, opening, first) => {
    const { before, decision } = again(opening, first);
    expect(decision).toEqual(done({ kind: 'same_reference', transactionId: FIRST }));
    expect(balanceOf(before, ADA)).toBe(1_000_000);
    expect(before.keys.size).toBe(0);
  });

  test.each<[string, Opening, Opening]>([
    ['another amount', p2p({ amountKobo: 10_001 }), p2p()],
    ['another source', p2p({ sourceWalletId: CHIDI }), p2p()],
    ['another destination', p2p({ destWalletId: CHIDI }), p2p()],
    ['the two wallets swapped', p2p({ sourceWalletId: BOLA, destWalletId: ADA }), p2p()],
    ['another type', bank(), p2p()],
    ['another bank', bank({ destAccount: { ...DEST_ACCOUNT, bankCode: '044' } }), bank()],
    ['another account', bank({ destAccount: { ...DEST_ACCOUNT, accountNumber: '0108024088' } }), bank()],
    ['another amount to the bank', bank({ amountKobo: 1 }), bank()],
  ])('%s under a used reference is refused and names the first', (_what, opening, first) => {
    const { before, decision } = again(opening, first);
    expect(decision).toEqual({
      ok: false,
      refusal: { code: 'DUPLICATE_REFERENCE', detail: { transactionId: FIRST } },
    });
    expect(balanceOf(before, ADA)).toBe(1_000_000);
  });

  test('twice in one batch: the second gets the transaction of the first', () => {
    const before = books();
    const first = p2p({ reference: 'order-1' });
    const [, second, third] = decide(before, [
      first,
      p2p({ reference: 'order-1' }),
      p2p({ reference: 'order-1', amountKobo: 1 }),
    ]);
    expect(second).toEqual(done({ kind: 'same_reference', transactionId: first.transactionId }));
    expect(third).toMatchObject({ refusal: { detail: { transactionId: first.transactionId } } });
    expect(balanceOf(before, ADA)).toBe(1_000_000 - 10_050);
  });

  test('a refused request does not use its reference up', () => {
    const before = booksOf(account(ADA, { balanceKobo: 10_000 }), account(BOLA));
    const [refused, posted] = decide(before, [
      p2p({ reference: 'order-1' }),
      p2p({ reference: 'order-1', amountKobo: 5_000 }),
    ]);
    expect(refused).toMatchObject({ refusal: { code: 'INSUFFICIENT_FUNDS' } });
    expect(nameOf(posted!)).toBe('posted');
  });

  test('the same reference of another partner is free', () => {
    const before = booksOf(
      account(ADA, { partnerId: OTHER_PARTNER }),
      account(BOLA, { partnerId: OTHER_PARTNER }),
    );
    useReference(before, 'order-1', FIRST, p2p({ amountKobo: 1 }));
    expect(nameOf(decideOne(before, p2p({ partnerId: OTHER_PARTNER, reference: 'order-1' })))).toBe('posted');
  });

  test.each([
    ['P2P', p2p(), true],
    ['bank transfer', bank(), true],
    ['funding', funding(), false],
  ])('%s uses a reference: %p', (_what, opening, uses) => expect(usesReference(opening)).toBe(uses));
});

describe('the credit of a bank transfer to our own MFB (D60, R8)', () => {
  const credit = (bankTransferId: string) => funding({ from: { kind: 'own_mfb', bankTransferId } });

  test('is made once for a transfer, also within a batch', () => {
    const before = books();
    const transfer = freshId();
    const first = credit(transfer);
    const [posted, again, other] = decide(before, [first, credit(transfer), credit(freshId())]);
    expect(nameOf(posted!)).toBe('posted');
    expect(again).toEqual(done({ kind: 'same_reference', transactionId: first.transactionId }));
    expect(nameOf(other!)).toBe('posted');
    expect(balanceOf(before, BOLA)).toBe(1_020_000);
  });

  test('one that was made before is found, even where the wallet has been closed since', () => {
    const before = booksOf(account(BOLA, { status: 'closed' }));
    before.creditedTransfers.set('transfer', 'funding');
    expect(decideOne(before, credit('transfer'))).toEqual(
      done({
        kind: 'same_reference',
        transactionId: 'funding',
      }),
    );
  });

  test('a refused credit may be tried again', () => {
    const before = booksOf(account(BOLA, { status: 'closed' }));
    const transfer = freshId();
    expect(decideOne(before, credit(transfer))).toMatchObject({ refusal: { code: 'WALLET_CLOSED' } });
    before.accounts.set(BOLA, account(BOLA));
    expect(postOne(before, credit(transfer)).balances.destKobo).toBe(1_010_000);
  });
});

test.each([
  ['P2P', p2p(), [ADA, BOLA]],
  ['bank transfer', bank(), [ADA]],
  ['funding', funding(), [BOLA]],
  ['settlement', settlement(uuid(5)), [ADA]],
])('%s needs these wallets locked', (_what, movement, ids) => expect(walletsOf(movement)).toEqual(ids));
