/**
 * The one writer of money. Movements that arrive while a batch is in flight are written together as the next one
 * (group commit). A row that another transaction has locked never stops the other items: the items that need it
 * move to a second lane, where they may wait. A batch that fails as a whole is written item by item there, so that
 * only the item that caused the failure is answered with it.
 */
import type pg from 'pg';
import { present } from '../../domain/assert';
import type { Intention } from '../../domain/intentions';
import { connectionOptions, isOutage, PLANS_THAT_LAST, sqlState, SQLSTATE } from '../pg/postgres';
import { openLane } from './lane';
import { watchOtherWriters } from './other-writers';
import { writePlain } from './plain';
import {
  LOCKED,
  runBatch,
  OutcomeUnknownError,
  type BatchOutcome,
  type LedgerItem,
  type LedgerResult,
} from './batch';
import type { Sealing } from '../../secrets/sealing';
import type { Traces } from '../../runtime/traces';
import { UnavailableError } from '../../runtime/unavailable';
import { ledgerStatements } from './statements';

export type { LedgerItem, LedgerResult } from './batch';

export interface LedgerWriter {
  /**
   * Writes one movement and waits for its commit.
   * @returns what was decided; `locked` when a row it needs stayed locked for two seconds.
   * @throws UnavailableError when the database is away or did not answer the commit, or at once when more waits
   *   than can be written in time (G28). To repeat the movement is safe.
   */
  post(item: LedgerItem): Promise<LedgerResult>;
  /** Whether `post` would turn a movement away now, so that nothing needs to be prepared for it (G28). */
  isLate(): boolean;
  close(): Promise<void>;
}

export interface WriterOptions {
  /** Of the login that posts. */
  databaseUrl: string;
  connectWithinMs: number;
  cell: string;
  /** Seals and opens the names of accounts that are paid. */
  sealing: Sealing;
  idempotencyWindowMs: number;
  /** Whether each wallet of the cell is under limits, as in live; elsewhere a payment of one that is is never plain. */
  everyWalletIsLimited?: boolean;
  /** The traces of the requests that post; null unless they are switched on. */
  traces?: Traces | null;
  onError: (error: Error) => void;
  /** Called right after each commit with the work that is left outside the database. It is not awaited. */
  afterCommit: (done: { intentions: Intention[]; endpointIds: string[] }) => void;
}

interface Waiting {
  item: LedgerItem;
  resolve: (result: LedgerResult) => void;
  reject: (error: unknown) => void;
  /** How often it was left out because another transaction had locked one of its rows. */
  passedOver: number;
  /** When it came, by the clock of `performance.now`. */
  since: number;
}

const BRIEF_LOCK_MS = 100;
const PATIENT_LOCK_MS = 2_000;
const HURRY_MS = 1_000;
/** How long names are looked up after one that was assumed to be new was used: so one batch a minute is written twice. */
const LOOK_UP_MS = 60_000;
/** An item that has waited for longer is not tried again: its caller has gone or is about to. */
const GIVE_UP_MS = 5_000;
/**
 * How often an item is left out before it moves to the second lane. The batch of another writer has mostly ended
 * after our next batch; an item that is locked for longer waits in the second lane, where it delays no other item.
 */
const PASSED_OVER_MAX = 2;

export function openLedgerWriter(options: WriterOptions): LedgerWriter {
  const { sealing } = options;
  const sql = ledgerStatements(options.cell, sealing, options.everyWalletIsLimited ?? false);
  const connect = (lockTimeoutMs: number): pg.ClientConfig =>
    connectionOptions(options.databaseUrl, options.connectWithinMs, {
      ...PLANS_THAT_LAST,
      jit: 'off',
      lock_timeout: String(lockTimeoutMs),
    });
  const run = (client: pg.Client, batch: readonly Waiting[], skipLocked: boolean): Promise<BatchOutcome> =>
    runBatch(
      client,
      sql,
      batch.map((waiting) => waiting.item),
      { skipLocked, idempotencyWindowMs: options.idempotencyWindowMs, sealing },
    );

  /**
   * @returns a function that answers the callers. Items whose rows were locked have been queued for the next batch
   * before that.
   */
  const finish = (
    batch: readonly Waiting[],
    outcome: BatchOutcome,
    onLocked: (waiting: Waiting) => void,
  ): (() => void) => {
    const resultOf = (place: number): LedgerResult =>
      present(outcome.results[place], 'the result of an item');
    batch.filter((_, place) => isLockedOut(resultOf(place))).forEach(onLocked);
    return () => {
      if (outcome.intentions.length > 0 || outcome.endpointIds.length > 0) options.afterCommit(outcome);
      for (const [place, waiting] of batch.entries()) {
        const result = resultOf(place);
        if (!isLockedOut(result)) waiting.resolve(result);
      }
    };
  };
  const fail = (batch: readonly Waiting[], error: unknown): void => {
    for (const waiting of batch) waiting.reject(asFailure(error));
  };

  const patient = openLane<Waiting>({
    connect: connect(PATIENT_LOCK_MS),
    onError: options.onError,
    fail,
    sendsAhead: false,
    isShared: () => false,
    async run(client, batch) {
      const giveUp = (waiting: Waiting): void => waiting.resolve(LOCKED);
      let skipLocked = false;
      while (batch.length > 1) {
        try {
          return finish(batch, await run(client, batch, skipLocked), giveUp);
        } catch (error) {
          if (!isAboutItems(error)) throw error;
          if (!isLocked(error) || skipLocked) break;
          // These items have waited long enough: those whose rows are free now are written, and the others are
          // answered as locked.
          skipLocked = true;
        }
      }
      for (const waiting of batch) {
        if (performance.now() - waiting.since > GIVE_UP_MS) giveUp(waiting);
        else await alone(client, waiting, skipLocked, giveUp);
      }
      return answered;
    },
  });

  /**
   * Writes one item by itself, and once more if another item has just used its key or reference: the second try
   * finds that and repeats its answer.
   */
  async function alone(
    client: pg.Client,
    waiting: Waiting,
    skipLocked: boolean,
    giveUp: (waiting: Waiting) => void,
  ): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        finish([waiting], await run(client, [waiting], skipLocked), giveUp)();
        return;
      } catch (error) {
        if (!isAboutItems(error)) throw error;
        if (isLocked(error)) {
          giveUp(waiting);
          return;
        }
        if (!isConflict(error) || tries === 3) {
          waiting.reject(error);
          return;
        }
      }
    }
  }

  // A row that was locked a moment ago is probably still locked, so for some time no batch waits for it.
  let hurryUntil = 0;

  // Almost all names are new, and to look them up costs Postgres a tenth of a payment. Where one was used, more are likely to
  // follow, and each would stop its whole batch.
  let lookUpUntil = 0;

  const others = watchOtherWriters();

  const brisk = openLane<Waiting>({
    connect: connect(BRIEF_LOCK_MS),
    onError: options.onError,
    fail,
    sendsAhead: true,
    isShared: others.areBusy,
    async run(client, batch, alone) {
      const { left, isShared, answer } = await runPlain(client, batch);
      if (left.length === 0) return answer;
      answer();
      await alone();
      return isShared ? withoutWaiting(client, left) : runRead(client, left);
    },
  });

  /**
   * Writes the items that are a plain yes. An item whose wallet another writer has locked is queued for the next batch,
   * twice at most.
   * @returns the items that are to be read before they are decided, whether another writer works on their wallets, and
   *   what answers those that were written.
   */
  async function runPlain(
    client: pg.Client,
    batch: readonly Waiting[],
  ): Promise<{ left: readonly Waiting[]; isShared: boolean; answer: () => void }> {
    try {
      const { results, intentions, endpointIds } = await writePlain(
        client,
        sql,
        batch.map((waiting) => waiting.item),
        performance.now() < lookUpUntil ? 'looked_up' : 'assumed_new',
        others,
      );
      const left: Waiting[] = [];
      const written: (() => void)[] = [];
      let isShared = false;
      for (const [place, waiting] of batch.entries()) {
        const result = present(results[place], 'what became of an item');
        if (result === 'is_away' && waiting.passedOver < PASSED_OVER_MAX) {
          waiting.passedOver++;
          brisk.push(waiting);
        } else if (typeof result === 'string') {
          left.push(waiting);
          isShared ||= result === 'is_away';
        } else written.push(() => waiting.resolve(result));
      }
      return {
        left,
        isShared,
        answer() {
          if (intentions.length > 0 || endpointIds.length > 0)
            options.afterCommit({ intentions, endpointIds });
          for (const tell of written) tell();
        },
      };
    } catch (error) {
      if (!isAboutItems(error)) throw error;
      if (sqlState(error) === SQLSTATE.uniqueViolation) lookUpUntil = performance.now() + LOOK_UP_MS;
      return { left: batch, isShared: false, answer: answered };
    }
  }

  /** Reads the books for the items and decides them. */
  async function runRead(client: pg.Client, batch: readonly Waiting[]): Promise<() => void> {
    if (performance.now() < hurryUntil) return withoutWaiting(client, batch);
    try {
      return finish(batch, await run(client, batch, false), postpone);
    } catch (error) {
      if (!isAboutItems(error)) throw error;
      if (!isLocked(error)) {
        batch.forEach(postpone);
        return answered;
      }
      hurryUntil = performance.now() + HURRY_MS;
      return withoutWaiting(client, batch);
    }
  }

  /**
   * Items whose rows are free are written at once. The others wait in the second lane, where they delay no other
   * item (R10).
   */
  async function withoutWaiting(client: pg.Client, batch: readonly Waiting[]): Promise<() => void> {
    try {
      return finish(batch, await run(client, batch, true), passOver);
    } catch (error) {
      if (!isAboutItems(error)) throw error;
      batch.forEach(postpone);
      return answered;
    }
  }

  function passOver(waiting: Waiting): void {
    if (++waiting.passedOver > PASSED_OVER_MAX) postpone(waiting);
    else brisk.push(waiting);
  }

  /** Nothing of the item was written, so a full lane answers it at once. */
  function postpone(waiting: Waiting): void {
    if (patient.isCrowded()) waiting.resolve(LOCKED);
    else patient.push(waiting);
  }

  // Nothing was sent for an item that is turned away, so its outcome is known: it did not happen.
  const post = (item: LedgerItem): Promise<LedgerResult> =>
    brisk.isFull()
      ? Promise.reject(new UnavailableError('more movements wait than can be written in time'))
      : new Promise((resolve, reject) =>
          brisk.push({ item, resolve, reject, passedOver: 0, since: performance.now() }),
        );

  return {
    isLate: brisk.isFull,
    post: options.traces ? traced(options.traces, post) : post,
    async close() {
      await brisk.close();
      await patient.close();
    },
  };
}

/** Adds the span of each movement that a request asked for: from its place in the queue to its commit. */
function traced(traces: Traces, post: LedgerWriter['post']): LedgerWriter['post'] {
  return async (item) => {
    const since = performance.now();
    const tell = (outcome: string, hasFailed: boolean): void => {
      if (item.requestId === undefined) return;
      const durationMs = performance.now() - since;
      const attributes = { movement: item.movement.kind, outcome };
      traces.add({
        requestId: item.requestId,
        name: 'ledger',
        kind: 'internal',
        durationMs,
        attributes,
        hasFailed,
      });
    };
    try {
      const result = await post(item);
      tell(result.ok ? result.value.kind : result.refusal.code, false);
      return result;
    } catch (error) {
      tell('unavailable', true);
      throw error;
    }
  };
}

/** Does nothing, because every item has its answer or has moved to the second lane. */
const answered = (): void => undefined;

const isLockedOut = (result: LedgerResult): boolean => result.ok && result.value.kind === 'locked';

const isLocked = (error: unknown): boolean => sqlState(error) === SQLSTATE.lockNotAvailable;

/** Another transaction was first with a key, a reference or a lock. A second try finds what it did. */
function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return (
    state === SQLSTATE.uniqueViolation || state === SQLSTATE.deadlock || state === SQLSTATE.serialization
  );
}

/** True when the connection is sound and the failure came from what was written. */
function isAboutItems(error: unknown): boolean {
  return (
    !(error instanceof OutcomeUnknownError) && (isLocked(error) || isConflict(error) || !isOutage(error))
  );
}

function asFailure(error: unknown): unknown {
  const unavailable = error instanceof OutcomeUnknownError || isOutage(error);
  return unavailable ? new UnavailableError('the database did not answer', { cause: error }) : error;
}
