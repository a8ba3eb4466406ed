/** What the writer may decide on without a look: accounts that it knows, for a few movements that look at nothing else. */
import { newId } from '../../../src/db/ids';
import { createMemory, type Memory } from '../../../src/db/ledger/memory';
import type { Account, Books, Movement } from '../../../src/domain/ledger';
import { bankTransfer, funding, p2p, settlement } from '../../support/movements';

const partnerId = newId();
const NOW = new Date('2026-01-02T03:04:05.678Z');

let memory: Memory;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick'] });
  memory = createMemory();
});
afterEach(() => jest.useRealTimers());

const account = (facts: Partial<Account> = {}): Account => ({
  id: newId(),
  partnerId,
  status: 'active',
  balanceKobo: 1_000,
  inFlightKobo: 0,
  sequence: 1,
  ...facts,
});

const booksOf = (accounts: readonly Account[]): Books => ({
  now: NOW,
  accounts: new Map(accounts.map((one) => [one.id, one])),
  references: new Map(),
  keys: new Map(),
  transactions: new Map(),
  creditedTransfers: new Map(),
  qrRequests: new Map(),
  resetting: new Set(),
});

/** Reads and commits a batch of these accounts. */
function see(...accounts: Account[]): void {
  memory.read(booksOf(accounts));
  memory.keep(accounts);
}

const transfer = (from: string, to: string): Movement => p2p({ partnerId, from, to, amountKobo: 1 }).movement;

describe('a batch between accounts that were seen', () => {
  test('has its books, with the time counted on from what Postgres told', () => {
    const [from, to] = [account(), account()];
    see(from, to);
    jest.advanceTimersByTime(1_234);

    const books = memory.recall([transfer(from.id, to.id)]);

    expect([...(books as Books).accounts.values()]).toEqual([from, to]);
    expect(books?.now).toEqual(new Date(NOW.getTime() + 1_234));
  });

  test('may change its books: what is remembered stays until a commit', () => {
    const [from, to] = [account(), account()];
    see(from, to);

    memory.recall([transfer(from.id, to.id)])!.accounts.get(from.id)!.balanceKobo = 7;

    expect(memory.recall([transfer(from.id, to.id)])!.accounts.get(from.id)).toEqual(from);
  });

  test.each([
    ['a P2P transfer', true, (from: string, to: string) => p2p({ partnerId, from, to, amountKobo: 1 })],
    ['a bank transfer', true, (from: string) => bankTransfer({ partnerId, from, amountKobo: 1 })],
    ['a funding', false, (_: string, to: string) => funding({ partnerId, to, amountKobo: 1 })],
    [
      'a settlement',
      false,
      (from: string) => settlement({ partnerId, transactionId: newId(), from, to: 'completed' }),
    ],
  ])('of %s is remembered: %s', (_, isRemembered, item) => {
    const [from, to] = [account(), account()];
    see(from, to);

    expect(memory.recall([item(from.id, to.id).movement]) !== null).toBe(isRemembered);
  });

  test.each([
    [4, true],
    [5, false],
  ])('of %i movements is remembered: %s', (count, isRemembered) => {
    const [from, to] = [account(), account()];
    see(from, to);

    const books = memory.recall(Array.from({ length: count }, () => transfer(from.id, to.id)));

    expect(books !== null).toBe(isRemembered);
  });

  test.each([
    [5_000, true],
    [5_001, false],
  ])('%i ms after Postgres told the time is remembered: %s', (ms, isRemembered) => {
    const [from, to] = [account(), account()];
    see(from, to);
    jest.advanceTimersByTime(ms);

    expect(memory.recall([transfer(from.id, to.id)]) !== null).toBe(isRemembered);
  });
});

describe('a batch has to be read', () => {
  test('when one of its accounts was never seen', () => {
    const from = account();
    see(from);

    expect(memory.recall([transfer(from.id, newId())])).toBeNull();
  });

  test('when one of them was forgotten', () => {
    const [from, to] = [account(), account()];
    see(from, to);
    memory.forget([to.id]);

    expect(memory.recall([transfer(from.id, to.id)])).toBeNull();
  });

  test('when 10,000 others were seen since then', () => {
    const [from, to] = [account(), account()];
    see(from, to);
    memory.keep(Array.from({ length: 9_999 }, () => account()));

    expect(memory.recall([transfer(to.id, to.id)])).not.toBeNull();
    expect(memory.recall([transfer(from.id, to.id)])).toBeNull();
  });
});

describe('an account that is not as it was left', () => {
  test.each<[string, Partial<Account>]>([
    ['balance', { balanceKobo: 1_001 }],
    ['in flight', { inFlightKobo: 1 }],
    ['sequence', { sequence: 2 }],
    ['status', { status: 'frozen' }],
  ])('(%s) tells that somebody else writes, for a second', (_, change) => {
    const [from, to] = [account(), account()];
    see(from, to);

    see({ ...from, ...change });

    expect(memory.isShared()).toBe(true);
    expect(memory.recall([transfer(from.id, to.id)])).toBeNull();
    jest.advanceTimersByTime(1_000);
    expect(memory.isShared()).toBe(false);
    expect(memory.recall([transfer(from.id, to.id)])).not.toBeNull();
  });

  test('is no news when it is as it was left', () => {
    const from = account();
    see(from);
    see({ ...from });

    expect(memory.isShared()).toBe(false);
  });
});
