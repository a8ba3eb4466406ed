/**
 * What the writer may decide without a read: small batches of movements that need only accounts that it remembers.
 */
import { createMemory, type Memory } from '../../../src/db/ledger/memory';
import type { Account, Books, Movement } from '../../../src/domain/ledger';
import { account, booksOf, freshId, NOW, PARTNER } from '../../support/books';
import { bankTransfer, funding, p2p, settlement } from '../../support/movements';

let memory: Memory;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick'] });
  memory = createMemory();
});
afterEach(() => jest.useRealTimers());

const seen = (facts: Partial<Account> = {}): Account => account(freshId(), facts);

/** Reads and commits a batch of these accounts. */
function see(...accounts: Account[]): void {
  memory.read(booksOf(...accounts));
  memory.keep(accounts);
}

const transfer = (from: string, to: string): Movement =>
  p2p({ partnerId: PARTNER, from, to, amountKobo: 1 }).movement;

describe('a batch between accounts that were seen', () => {
  test('gets its books, with the last time of Postgres and the time passed since then', () => {
    const [from, to] = [seen(), seen()];
    see(from, to);
    jest.advanceTimersByTime(1_234);

    const books = memory.recall([transfer(from.id, to.id)]);

    expect([...(books as Books).accounts.values()]).toEqual([from, to]);
    expect(books?.now).toEqual(new Date(NOW.getTime() + 1_234));
  });

  test('may change its books without changing what is remembered, which changes with a commit', () => {
    const [from, to] = [seen(), seen()];
    see(from, to);

    memory.recall([transfer(from.id, to.id)])!.accounts.get(from.id)!.balanceKobo = 7;

    expect(memory.recall([transfer(from.id, to.id)])!.accounts.get(from.id)).toEqual(from);
  });

  test.each([
    [
      'a P2P transfer',
      true,
      (from: string, to: string) => p2p({ partnerId: PARTNER, from, to, amountKobo: 1 }),
    ],
    ['a bank transfer', true, (from: string) => bankTransfer({ partnerId: PARTNER, from, amountKobo: 1 })],
    ['a funding', false, (_: string, to: string) => funding({ partnerId: PARTNER, to, amountKobo: 1 })],
    [
      'a settlement',
      false,
      (from: string) => settlement({ partnerId: PARTNER, transactionId: freshId(), from, to: 'completed' }),
    ],
  ])('of %s is remembered: %s', (_, isRemembered, item) => {
    const [from, to] = [seen(), seen()];
    see(from, to);

    expect(memory.recall([item(from.id, to.id).movement]) !== null).toBe(isRemembered);
  });

  test.each([
    [4, true],
    [5, false],
  ])('of %i movements is remembered: %s', (count, isRemembered) => {
    const [from, to] = [seen(), seen()];
    see(from, to);

    const books = memory.recall(Array.from({ length: count }, () => transfer(from.id, to.id)));

    expect(books !== null).toBe(isRemembered);
  });

  test.each([
    [5_000, true],
    [5_001, false],
  ])('%i ms after the last time of Postgres is remembered: %s', (ms, isRemembered) => {
    const [from, to] = [seen(), seen()];
    see(from, to);
    jest.advanceTimersByTime(ms);

    expect(memory.recall([transfer(from.id, to.id)]) !== null).toBe(isRemembered);
  });
});

describe('a batch has to be read', () => {
  test('when one of its accounts was never seen', () => {
    const from = seen();
    see(from);

    expect(memory.recall([transfer(from.id, freshId())])).toBeNull();
  });

  test('when one of them was forgotten', () => {
    const [from, to] = [seen(), seen()];
    see(from, to);
    memory.forget([to.id]);

    expect(memory.recall([transfer(from.id, to.id)])).toBeNull();
  });

  test('when 10,000 others were seen since then', () => {
    const [from, to] = [seen(), seen()];
    see(from, to);
    memory.keep(Array.from({ length: 9_999 }, () => seen()));

    expect(memory.recall([transfer(to.id, to.id)])).not.toBeNull();
    expect(memory.recall([transfer(from.id, to.id)])).toBeNull();
  });
});

describe('an account that another process may have changed', () => {
  test.each<[string, Partial<Account>]>([
    ['balance', { balanceKobo: 1_001 }],
    ['in flight', { inFlightKobo: 1 }],
    ['sequence', { sequence: 2 }],
    ['status', { status: 'frozen' }],
  ])('(another %s) shows that others write, and nothing is recalled for a second', (_, change) => {
    const [from, to] = [seen(), seen()];
    see(from, to);

    see({ ...from, ...change });

    expect(memory.isShared()).toBe(true);
    expect(memory.recall([transfer(from.id, to.id)])).toBeNull();
    jest.advanceTimersByTime(1_000);
    expect(memory.isShared()).toBe(false);
    expect(memory.recall([transfer(from.id, to.id)])).not.toBeNull();
  });

  test('shows nothing when it is unchanged', () => {
    const from = seen();
    see(from);
    see({ ...from });

    expect(memory.isShared()).toBe(false);
  });
});
