/**
 * The storage of a partner's sandbox: what its requests store is bounded, because nothing there is paid for and the
 * disk is shared (D175). A process counts in memory and asks Postgres every few seconds, with one statement for all
 * partners, what the other processes have counted. So a request waits for no statement, and several processes
 * together let a partner exceed its limit by what it stores within that time.
 */
import type { Logger } from 'pino';
import { addToStorage, type Stored } from '../db/partners/storage';
import type { Cell } from '../db/pg/postgres';
import { present } from '../domain/assert';
import { refuse, type Refused } from '../domain/outcome';
import type { Partner } from '../domain/partners';

const ASK_EVERY_MS = 2_000;

interface StorageStanding {
  usedBytes: number;
  allowedBytes: number;
}

export interface StorageLimit {
  /**
   * @param laterBytes what the workers write later because of this request.
   * @returns null while there is room, or else LIMIT_EXCEEDED. It waits for nothing.
   */
  refusalOf(cell: Cell, partner: Partner, laterBytes?: number): Refused | null;
  /**
   * Counts what was written, or will be.
   * @param isKept whether a reset of the sandbox leaves what it has stored.
   */
  count(cell: Cell, partner: Partner, bytes: number, isKept: boolean): void;
  /** Tells this process that the sandbox was reset. The others learn it when they ask next. */
  wasReset(cell: Cell, partner: Partner): void;
  /** What all processes have counted. @throws an outage. */
  standing(cell: Cell, partner: Partner): Promise<StorageStanding>;
  /** Hands over what was counted. */
  close(): Promise<void>;
}

/** What this process knows of a partner in one cell. */
interface Count {
  cell: Cell;
  partnerId: string;
  /** What all processes had counted when this one last asked. */
  known: Stored;
  /** What it hands over at this moment, and what it has counted since then. */
  handed: Stored;
  own: Stored;
}

const nothing = (): Stored => ({ erasableBytes: 0, keptBytes: 0 });
const sum = (one: Stored, other: Stored): Stored => ({
  erasableBytes: one.erasableBytes + other.erasableBytes,
  keptBytes: one.keptBytes + other.keptBytes,
});

/** @param allowed bytes for a partner whose owner has confirmed the email address, and for the others (D175). */
export function createStorageLimit(
  allowed: { confirmed: number; unconfirmed: number },
  logger: Logger,
): StorageLimit {
  const counts = new Map<string, Count>();
  /** The partners whom the next statement asks for. */
  let due = new Set<Count>();
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();

  /** A partner whom this process does not know yet is asked for at once. */
  function countOf(cell: Cell, { id }: Partner): Count {
    // A partner is counted in each environment by itself, and no cell belongs to two.
    const name = `${cell.schema}/${id}`;
    let of = counts.get(name);
    if (!of) {
      of = { cell, partnerId: id, known: nothing(), handed: nothing(), own: nothing() };
      counts.set(name, of);
      due.add(of);
      askSoon();
    }
    return of;
  }

  const usedBy = ({ known, handed, own }: Count): number => {
    const all = sum(sum(known, handed), own);
    return all.erasableBytes + all.keptBytes;
  };
  const allowedTo = (partner: Partner): number =>
    partner.emailIsConfirmed ? allowed.confirmed : allowed.unconfirmed;

  function askLater(of: Count): void {
    due.add(of);
    timer ??= setTimeout(askSoon, ASK_EVERY_MS).unref();
  }

  function askSoon(): void {
    clearTimeout(timer);
    timer = undefined;
    // One statement at a time: whoever becomes due meanwhile is asked for by the next one.
    underWay = underWay.then(askDue);
  }

  async function askDue(): Promise<void> {
    const byCell = new Map<string, Count[]>();
    for (const of of due) byCell.set(of.cell.schema, [...(byCell.get(of.cell.schema) ?? []), of]);
    due = new Set();
    for (const some of byCell.values()) {
      await ask(some).catch((error: unknown) => {
        logger.warn({ err: error }, 'The API could not hand over what partners have stored; it tries again');
        some.forEach(askLater);
      });
    }
  }

  /** @param some partners of one cell. */
  async function ask(some: readonly Count[]): Promise<void> {
    const [first] = some;
    for (const of of some) {
      of.handed = of.own;
      of.own = nothing();
    }
    try {
      const handed = new Map(some.map((of) => [of.partnerId, of.handed]));
      const all = await addToStorage(present(first, 'a partner').cell, handed);
      for (const of of some) of.known = present(all.get(of.partnerId), 'the row of a partner');
    } catch (error) {
      // It may have been counted although no answer came. Then it is counted twice, which harms nothing.
      for (const of of some) of.own = sum(of.own, of.handed);
      throw error;
    } finally {
      for (const of of some) of.handed = nothing();
    }
  }

  return {
    refusalOf(cell, partner, laterBytes = 0) {
      const of = countOf(cell, partner);
      const [used, most] = [usedBy(of), allowedTo(partner)];
      if (used + laterBytes < most) return null;
      // Another process may have seen a reset.
      askLater(of);
      return refuse('LIMIT_EXCEEDED', {
        message: `${
          used < most
            ? `The sandbox has no room for the ${String(laterBytes)} bytes that would be written later`
            : 'The sandbox has stored as much as it may'
        }; a reset empties it${
          partner.emailIsConfirmed ? '' : ', and with a confirmed email address it may store more'
        }`,
        detail: { limit: 'sandbox_storage_bytes', used, allowed: most },
      });
    },
    count(cell, partner, bytes, isKept) {
      const of = countOf(cell, partner);
      of.own[isKept ? 'keptBytes' : 'erasableBytes'] += bytes;
      askLater(of);
    },
    wasReset(cell, partner) {
      const of = countOf(cell, partner);
      of.known = { ...of.known, erasableBytes: 0 };
      of.own = { ...of.own, erasableBytes: 0 };
    },
    async standing(cell, partner) {
      const of = countOf(cell, partner);
      const asked = underWay.then(() => ask([of]));
      underWay = asked.catch(() => undefined);
      await asked;
      return { usedBytes: usedBy(of), allowedBytes: allowedTo(partner) };
    },
    async close() {
      askSoon();
      await underWay;
      clearTimeout(timer);
    },
  };
}
