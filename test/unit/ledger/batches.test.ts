/**
 * A batch is decided in order, as if each movement were alone; a refusal changes nothing for its neighbours.
 */
import { valueAs } from '../../support/outcomes';
import { nameOf } from '../../../src/domain/outcome';
import { decide, type Decision, type Movement } from '../../../src/domain/ledger';
import { account, ADA, balanceOf, bank, BOLA, booksOf, funding, keyed, p2p, uuid } from '../../support/books';

const CHIDI = uuid(13);
const books = () =>
  booksOf(account(ADA, { balanceKobo: 10_050 }), account(BOLA, { balanceKobo: 0 }), account(CHIDI));

const outcomes = (decisions: readonly Decision[]): string[] => decisions.map(nameOf);

test('an empty batch has no decisions', () => {
  expect(decide(books(), [])).toEqual([]);
});

test('money that arrives earlier in the batch can be spent later in it', () => {
  const onwards = p2p({ sourceWalletId: BOLA, destWalletId: CHIDI, amountKobo: 9_951 });
  expect(outcomes(decide(books(), [p2p(), onwards]))).toEqual(['posted', 'posted']);
  expect(outcomes(decide(books(), [{ ...onwards, reference: 'too soon' }, p2p()]))).toEqual([
    'INSUFFICIENT_FUNDS',
    'posted',
  ]);
});

test('the last kobo is spent once', () => {
  const before = books();
  const three = [p2p(), p2p(), p2p({ amountKobo: 1 })];
  expect(outcomes(decide(before, three))).toEqual(['posted', 'INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS']);
  expect(balanceOf(before, ADA)).toBe(0);
});

describe('a refused movement between two others changes nothing for them', () => {
  const refused: [string, Movement][] = [
    ['AMOUNT_TOO_LOW', p2p({ amountKobo: 0 })],
    ['SAME_WALLET_TRANSFER', p2p({ destWalletId: ADA })],
    ['WALLET_NOT_FOUND', p2p({ destWalletId: uuid(404) })],
    ['INSUFFICIENT_FUNDS', p2p({ amountKobo: 1_000_000 })],
    ['INSUFFICIENT_FUNDS', bank({ amountKobo: 1_000_000, key: keyed('k1') })],
    ['LIMIT_EXCEEDED', funding({ destWalletId: CHIDI, amountKobo: Number.MAX_SAFE_INTEGER })],
    ['VALIDATION_ERROR', p2p({ amountKobo: Number.MAX_SAFE_INTEGER })],
  ];

  test.each(refused)('%s', (code, movement) => {
    const first = funding({ destWalletId: ADA, amountKobo: 10_050 });
    const last = p2p({ amountKobo: 20_000, key: keyed('k1', 'another body', 'bankTransfer') });
    const without = decide(books(), [first, last]);
    const [one, between, other] = decide(books(), [first, movement, last]);
    expect(between).toMatchObject({ ok: false, refusal: { code } });
    expect([one, other]).toEqual(without);
    expect(outcomes(without)).toEqual(['posted', 'posted']);
  });
});

test('the entries of a wallet are numbered through the whole batch', () => {
  const before = booksOf(account(ADA, { sequence: 6 }), account(BOLA));
  const decisions = decide(before, [p2p(), p2p({ amountKobo: 0 }), bank(), p2p()]);
  const ada = decisions
    .filter((one) => one.ok)
    .flatMap((one) => valueAs(one, 'posted').entries.filter((entry) => entry.account === ADA));
  expect(
    ada.map(({ sequence, amountKobo, balanceAfterKobo }) => [sequence, amountKobo, balanceAfterKobo]),
  ).toEqual([
    [7, -10_050, 989_950],
    [8, -15_000, 974_950],
    [9, -10_050, 964_900],
  ]);
  expect(before.accounts.get(ADA)).toMatchObject({ sequence: 9, balanceKobo: 964_900 });
});

test('each posting shows the balances right after it, not those at the end of the batch', () => {
  const before = booksOf(account(ADA), account(BOLA));
  const [first, second] = decide(before, [p2p(), p2p()]);
  expect(first).toMatchObject({ value: { balances: { sourceKobo: 989_950, destKobo: 1_010_000 } } });
  expect(second).toMatchObject({ value: { balances: { sourceKobo: 979_900, destKobo: 1_020_000 } } });
});
