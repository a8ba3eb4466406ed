/**
 * What the writer remembers about accounts: the state of each after the last batch that the writer wrote or read.
 * A small batch is decided from this memory and takes one round trip instead of two. Postgres writes the batch
 * only if every account is as remembered. Only a plain yes is answered from memory: refusals and repeats are
 * always decided from what Postgres has.
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
  /** The remembered books for these movements; null if they must be read. */
  recall(movements: readonly Movement[]): Books | null;
  /** Remembers what was just read under lock, with the time of Postgres. */
  read(books: Books): void;
  /** Remembers the state of the accounts after a commit. */
  keep(accounts: Iterable<Account>): void;
  /**
   * Forgets these accounts. It is called when a batch was not committed, because the remembered state was wrong.
   */
  forget(accountIds: Iterable<string>): void;
  /** True while another process writes to the same accounts, so that its locks must be expected. */
  isShared(): boolean;
}

/**
 * The largest batch that is decided from memory. Larger ones gain little: they share the round trip, and one
 * account that has changed costs the whole batch another one.
 */
const SMALL_BATCH_MAX = 4;
const ACCOUNTS_MAX = 10_000;
/** How long a time that was read from Postgres is used. A monotonic clock counts on from it. */
const CLOCK_GOOD_MS = 5_000;
const SHARED_MS = 1_000;

export function createMemory(): Memory {
  const known = new Map<string, Account>();
  let clock: { toldMs: number; at: number } | null = null;
  let sharedUntil = 0;

  const keep = (account: Account): void => {
    // The accounts that were used last stay longest.
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

/** For a yes, keys and references need not be looked up: a second use violates their unique index. */
const looksAtAccountsAlone = (movement: Movement): boolean =>
  movement.kind === 'open' && usesReference(movement);

const isSame = (one: Account, other: Account): boolean =>
  one.balanceKobo === other.balanceKobo &&
  one.sequence === other.sequence &&
  one.inFlightKobo === other.inFlightKobo &&
  one.status === other.status;
