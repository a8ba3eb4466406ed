/**
 * The answer when several refusals apply is the first of the published order (D120, D135). Every row breaks one
 * rule, and also all later rules that can be broken together with it.
 */
import type { Books } from '../../../src/domain/ledger';
import { nameOf } from '../../../src/domain/outcome';
import type { RefusalCode } from '../../../src/domain/refusals';
import {
  account,
  ADA,
  bank,
  BOLA,
  booksOf,
  decideOne,
  funding,
  keyed,
  NOW,
  OTHER_PARTNER,
  p2p,
  useKey,
  useReference,
  uuid,
  type Bank,
  type Funding,
  type P2p,
} from '../../support/books';

/** The next midnight in Lagos after `NOW`. */
const MIDNIGHT = '2026-11-21T23:00:00.000Z';
const MAX = Number.MAX_SAFE_INTEGER;
const EARLIER = uuid(99);

/** The faults that a movement from Ada, or to Bola, can have. */
interface Faults<Movement> {
  key?: true;
  terms?: Partial<Movement>;
  reference?: true;
  ada?: Parameters<typeof account>[1] | 'absent';
  bola?: Parameters<typeof account>[1] | 'absent';
}

function sceneOf(faults: Faults<unknown>): Books {
  const books = booksOf();
  for (const [id, state] of [[ADA, faults.ada] as const, [BOLA, faults.bola] as const]) {
    if (state !== 'absent') books.accounts.set(id, account(id, state));
  }
  if (faults.key) useKey(books, keyed('key', 'another body'));
  if (faults.reference) useReference(books, 'ref', EARLIER, p2p({ amountKobo: 1 }));
  return books;
}
const named = { reference: 'ref', key: keyed('key') };

const poor = { balanceKobo: 0 };
const full = { balanceKobo: MAX };
const foreign = { partnerId: OTHER_PARTNER };

/**
 * Each row: the code, its detail or message, what is wrong, and the faults, which include faults of later rows.
 */
type Row<Movement> = [RefusalCode, object, string, Faults<Movement>];

function expectRefusal(decision: ReturnType<typeof decideOne>, code: RefusalCode, more: object): void {
  expect(decision).toEqual({ ok: false, refusal: { code, ...more } });
}

const problem = { field: 'amount', message: 'plus its fee is beyond the largest integer' };
const tooLarge = { message: `${problem.field}: ${problem.message}`, detail: { fields: [problem] } };
const destClosed = { message: 'The destination wallet is closed' };
const noRoom = { message: 'The balance would pass the largest integer' };
const JUST_USED = {
  limits: { tier: 'tier_1', countedFrom: NOW, dayDebitKobo: 4_990_001, dayUssdKobo: 0 },
} as const;
const dayUsed = {
  message: 'A limit of the source wallet would be exceeded: daily_debit',
  detail: { limit: 'daily_debit', usedKobo: 4_990_001, allowedKobo: 5_000_000, resetsAt: MIDNIGHT },
};
const balanceFull = (usedKobo: number) => ({
  message: 'A limit of the destination wallet would be exceeded: largest_balance',
  detail: { limit: 'largest_balance', usedKobo, allowedKobo: 30_000_000, resetsAt: null },
});
const limitedFull = { ...JUST_USED, balanceKobo: 29_990_001 };
const used = { detail: { transactionId: EARLIER } };
const same = { destWalletId: ADA };

describe('P2P: a refusal comes before all that the order names later', () => {
  const rows: Row<P2p>[] = [
    [
      'IDEMPOTENCY_KEY_REUSED',
      {},
      'the key was used with another body',
      { key: true, terms: { ...same, amountKobo: MAX }, reference: true, ada: 'absent', bola: 'absent' },
    ],
    [
      'IDEMPOTENCY_KEY_REUSED',
      {},
      'the key was used, and the amount is too low',
      { key: true, terms: { ...same, amountKobo: 0 }, reference: true, ada: 'absent', bola: 'absent' },
    ],
    [
      'VALIDATION_ERROR',
      tooLarge,
      'amount plus fee beyond the integers',
      { terms: { ...same, amountKobo: MAX }, reference: true, ada: 'absent', bola: 'absent' },
    ],
    [
      'AMOUNT_TOO_LOW',
      {},
      'less than 1 kobo',
      { terms: { ...same, amountKobo: 0 }, reference: true, ada: 'absent', bola: 'absent' },
    ],
    [
      'SAME_WALLET_TRANSFER',
      {},
      'to itself, and the wallet is absent',
      { terms: same, reference: true, ada: 'absent' },
    ],
    [
      'SAME_WALLET_TRANSFER',
      {},
      'to itself, and the wallet is closed and empty',
      { terms: same, reference: true, ada: { status: 'closed', ...poor } },
    ],
    [
      'DUPLICATE_REFERENCE',
      used,
      'the reference is used, no wallet exists',
      { reference: true, ada: 'absent', bola: 'absent' },
    ],
    [
      'DUPLICATE_REFERENCE',
      used,
      'the reference is used, both wallets are closed',
      { reference: true, ada: { status: 'closed', ...poor }, bola: { status: 'closed', ...full } },
    ],
    ['WALLET_NOT_FOUND', {}, 'neither wallet exists', { ada: 'absent', bola: 'absent' }],
    [
      'WALLET_NOT_FOUND',
      {},
      'the source is absent, the destination closed',
      { ada: 'absent', bola: { status: 'closed' } },
    ],
    [
      'WALLET_NOT_FOUND',
      {},
      'the destination is absent, the source closed and empty',
      { ada: { status: 'closed', ...poor }, bola: 'absent' },
    ],
    [
      'WALLET_NOT_FOUND',
      {},
      "the source is another partner's, the destination closed",
      { ada: { ...foreign, status: 'frozen', ...poor }, bola: { status: 'closed' } },
    ],
    [
      'WALLET_NOT_FOUND',
      {},
      "the destination is another partner's, the source frozen and empty",
      { ada: { status: 'frozen', ...poor }, bola: { ...foreign, status: 'closed' } },
    ],
    [
      'WALLET_CLOSED',
      {},
      'the source is closed',
      { ada: { status: 'closed', ...poor }, bola: { status: 'closed', ...full } },
    ],
    [
      'WALLET_FROZEN',
      {},
      'the source is frozen',
      { ada: { status: 'frozen', ...poor }, bola: { status: 'closed', ...full } },
    ],
    [
      'WALLET_NOT_ACTIVE',
      {},
      'the source is pending',
      { ada: { status: 'pending', ...poor }, bola: { status: 'closed', ...full } },
    ],
    [
      'WALLET_CLOSED',
      destClosed,
      'the destination is closed',
      { ada: poor, bola: { status: 'closed', ...full } },
    ],
    [
      'LIMIT_EXCEEDED',
      dayUsed,
      'the day of the source is used, and it is empty',
      { ada: { ...JUST_USED, ...poor }, bola: limitedFull },
    ],
    [
      'LIMIT_EXCEEDED',
      balanceFull(29_990_001),
      'the destination may not hold more, and the source is empty',
      { ada: poor, bola: limitedFull },
    ],
    [
      'INSUFFICIENT_FUNDS',
      { detail: { availableKobo: 0, requiredKobo: 10_050 } },
      'the balance is below amount plus fee',
      { ada: poor, bola: full },
    ],
    ['LIMIT_EXCEEDED', noRoom, 'the destination would hold too much', { bola: full }],
  ];

  test.each(rows)('%s %j: %s', (code, more, _what, faults) => {
    expectRefusal(decideOne(sceneOf(faults), p2p({ ...named, ...faults.terms })), code, more);
  });

  test('without a fault it is posted', () => {
    expect(nameOf(decideOne(sceneOf({}), p2p(named)))).toBe('posted');
  });
});

describe('bank transfer: a refusal comes before all that the order names later', () => {
  const rows: Row<Bank>[] = [
    [
      'IDEMPOTENCY_KEY_REUSED',
      {},
      'the key was used with another body',
      { key: true, terms: { amountKobo: 0 }, reference: true, ada: 'absent' },
    ],
    [
      'VALIDATION_ERROR',
      tooLarge,
      'amount plus fee beyond the integers',
      { terms: { amountKobo: MAX - 4_999 }, reference: true, ada: 'absent' },
    ],
    [
      'AMOUNT_TOO_LOW',
      {},
      'less than 1 kobo',
      { terms: { amountKobo: 0 }, reference: true, ada: { status: 'closed' } },
    ],
    ['AMOUNT_TOO_LOW', {}, 'negative', { terms: { amountKobo: -1 }, reference: true, ada: 'absent' }],
    ['DUPLICATE_REFERENCE', used, 'the reference is used', { reference: true, ada: 'absent' }],
    ['WALLET_NOT_FOUND', {}, 'the source is absent', { ada: 'absent' }],
    [
      'WALLET_NOT_FOUND',
      {},
      "the source is another partner's",
      { ada: { ...foreign, status: 'frozen', ...poor } },
    ],
    ['WALLET_CLOSED', {}, 'the source is closed', { ada: { status: 'closed', ...poor } }],
    ['WALLET_FROZEN', {}, 'the source is frozen', { ada: { status: 'frozen', ...poor } }],
    ['WALLET_NOT_ACTIVE', {}, 'the source is pending', { ada: { status: 'pending', ...poor } }],
    ['LIMIT_EXCEEDED', dayUsed, 'the day is used', { ada: { ...JUST_USED, ...poor } }],
    [
      'INSUFFICIENT_FUNDS',
      { detail: { availableKobo: 14_999, requiredKobo: 15_000 } },
      'one kobo is missing',
      { ada: { balanceKobo: 14_999 } },
    ],
    [
      'INSUFFICIENT_FUNDS',
      { detail: { availableKobo: 1_000_000, requiredKobo: MAX } },
      'the largest sum of amount and fee',
      { terms: { amountKobo: MAX - 5_000 } },
    ],
  ];

  test.each(rows)('%s %j: %s', (code, more, _what, faults) => {
    expectRefusal(decideOne(sceneOf(faults), bank({ ...named, ...faults.terms })), code, more);
  });

  test('without a fault it is posted', () => {
    expect(nameOf(decideOne(sceneOf({}), bank(named)))).toBe('posted');
  });
});

describe('funding: a refusal comes before all that the order names later', () => {
  const rows: Row<Funding>[] = [
    [
      'IDEMPOTENCY_KEY_REUSED',
      {},
      'the key was used with another body',
      { key: true, terms: { amountKobo: 0 }, bola: 'absent' },
    ],
    ['AMOUNT_TOO_LOW', {}, 'less than 1 kobo', { terms: { amountKobo: 0 }, bola: 'absent' }],
    ['WALLET_NOT_FOUND', {}, 'the wallet is absent', { bola: 'absent' }],
    [
      'WALLET_NOT_FOUND',
      {},
      "the wallet is another partner's",
      { bola: { ...foreign, status: 'closed', ...full } },
    ],
    ['WALLET_CLOSED', destClosed, 'the wallet is closed', { bola: { status: 'closed', ...full } }],
    ['LIMIT_EXCEEDED', balanceFull(29_990_001), 'one kobo above the largest balance', { bola: limitedFull }],
    ['LIMIT_EXCEEDED', noRoom, 'one kobo too much', { bola: { balanceKobo: MAX - 9_999 } }],
  ];

  test.each(rows)('%s %j: %s', (code, more, _what, faults) => {
    expectRefusal(decideOne(sceneOf(faults), funding({ ...named, ...faults.terms })), code, more);
  });

  test('a used reference does not stop it: fundings have none of the partner', () => {
    expect(nameOf(decideOne(sceneOf({ reference: true }), funding(named)))).toBe('posted');
  });

  test('a wallet may be filled to the largest integer exactly', () => {
    const books = sceneOf({ bola: { balanceKobo: MAX - 10_000 } });
    expect(decideOne(books, funding())).toMatchObject({
      value: { kind: 'posted', balances: { destKobo: MAX } },
    });
  });
});
