/**
 * What the writer remembers of accounts: how each stood after the last batch that it wrote or read. A small batch is
 * decided on that and leaves in one round trip instead of two, in which Postgres writes only accounts that are as
 * remembered, all of them or none. It serves for a yes alone: who is refused, or has asked before, is so by
 * what Postgres says.
 */
import {
  booksOfAccounts,
  usesReference,
  walletsOf,
  type Account,
  type Books,
  type Movement,
} from '../../domain/ledger';

export interface Memory {
  /** The books of these movements as remembered; null when they have to be read. */
  recall(movements: readonly Movement[]): Books | null;
  /** Takes in what was just read under lock, with the time that Postgres told. */
  read(books: Books): void;
  /** Takes in how the accounts stand after a commit. */
  keep(accounts: Iterable<Account>): void;
  /** After anything but a commit: the books that were decided on are not what Postgres has. */
  forget(accountIds: Iterable<string>): void;
  /** True while somebody else writes to the same accounts: their locks will be met. */
  isShared(): boolean;
}

/** Larger batches gain little by it: they share the trip, and one fact that has changed costs all of them another. */
const SMALL_BATCH_MAX = 4;
const ACCOUNTS_MAX = 10_000;
/** The time is Postgres': read this long ago and counted on since by a clock that nobody sets. */
const CLOCK_GOOD_MS = 5_000;
const SHARED_MS = 1_000;

export function createMemory(): Memory {
  const known = new Map<string, Account>();
  let clock: { toldMs: number; at: number } | null = null;
  let sharedUntil = 0;

  const keep = (account: Account): void => {
    // The last to be touched stay longest.
    known.delete(account.id);
    known.set(account.id, account);
    if (known.size > ACCOUNTS_MAX) known.delete(known.keys().next().value as string);
  };

  return {
    recall(movements) {
      const at = performance.now();
      if (movements.length > SMALL_BATCH_MAX || !clock || at - clock.at > CLOCK_GOOD_MS || at < sharedUntil) {
        return null;
      }
      const accounts = new Map<string, Account>();
      for (const movement of movements) {
        if (!looksAtAccountsAlone(movement)) return null;
        for (const id of walletsOf(movement)) {
          const account = known.get(id);
          if (!account) return null;
          accounts.set(id, account);
        }
      }
      return booksOfAccounts(new Date(clock.toldMs + at - clock.at), accounts);
    },
    read({ now, accounts }) {
      clock = { toldMs: now.getTime(), at: performance.now() };
      for (const account of accounts.values()) {
        const remembered = known.get(account.id);
        if (remembered && !isSame(remembered, account)) sharedUntil = clock.at + SHARED_MS;
      }
    },
    keep(accounts) {
      for (const account of accounts) keep(account);
    },
    forget(accountIds) {
      for (const id of accountIds) known.delete(id);
    },
    isShared: () => performance.now() < sharedUntil,
  };
}

/** Keys and references need no look for a yes: who uses one twice is refused by its unique index. */
const looksAtAccountsAlone = (movement: Movement): boolean =>
  movement.kind === 'open' && usesReference(movement);

const isSame = (one: Account, other: Account): boolean =>
  one.balanceKobo === other.balanceKobo &&
  one.sequence === other.sequence &&
  one.inFlightKobo === other.inFlightKobo &&
  one.status === other.status;
