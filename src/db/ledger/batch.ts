/**
 * One batch, one Postgres transaction, two waits: lock and read the books, decide, write and commit.
 * Nothing outside the database happens in between.
 */
import type pg from 'pg';
import { assert } from '../../domain/assert';
import type { EventDraft } from '../../domain/events';
import type { Intention } from '../../domain/intentions';
import {
  decide,
  termsOf,
  transactionOf,
  usesReference,
  walletsOf,
  type Books,
  type Decision,
  type Movement,
  type Opening,
  type Posted,
  type StoredAnswer,
} from '../../domain/ledger';
import { newId } from '../ids';
import { isOutage, sqlState } from '../postgres';
import { runRound } from '../round';
import { readBooks, type BatchOptions } from './read-books';
import type { Statements } from './statements';
import { collect, noWrites, type Writes } from './writes';

/** A movement with what its caller wants written beside the money, in the same commit. */
export interface LedgerItem {
  movement: Movement;
  /** The events that this posting is told by. */
  announce: (posted: Posted) => EventDraft[];
  /** The answer that an Idempotency-Key will repeat; only asked for where the movement has a key. */
  answer?: (posted: Posted) => StoredAnswer;
  /** The workflow that will finish what this posting began. */
  intend?: (posted: Posted) => Intention;
}

/** What became of one item. `held`: another process holds a row it needs; nothing was decided. */
export type LedgerResult = Exclude<Decision, { kind: 'same_key_in_batch' }> | { kind: 'held' };

export interface BatchOutcome {
  results: LedgerResult[];
  intentions: Intention[];
  /** Webhook endpoints that have deliveries due now. */
  endpointIds: string[];
}

/** Thrown when COMMIT was sent and no answer came: the batch may have happened. Repeating is safe. */
export class OutcomeUnknownError extends Error {}

/**
 * Runs a batch on a connection of its own.
 * @throws what Postgres answered, with nothing written; or OutcomeUnknownError.
 */
export async function runBatch(
  client: pg.Client,
  sql: Statements,
  items: readonly LedgerItem[],
  options: BatchOptions,
): Promise<BatchOutcome> {
  try {
    const { books, heldWallets } = await readBooks(
      client,
      sql,
      items.map((item) => item.movement),
      options,
    );
    const held = items.map(
      ({ movement }) =>
        walletsOf(movement).some((id) => heldWallets.has(id)) ||
        (options.skipLocked && !locksItsRow(movement, books)),
    );
    const free = items.filter((_, index) => !held[index]);
    const decisions = decide(
      books,
      free.map((item) => item.movement),
    );
    const { writes, results } = put(books, free, decisions);
    const endpointIds = await write(client, sql, writes);
    let place = 0;
    return {
      results: items.map((_, index) => (held[index] ? { kind: 'held' } : (results[place++] as LedgerResult))),
      intentions: writes.intentions,
      endpointIds,
    };
  } catch (error) {
    // A connection that does not answer is not used again: there is nothing to take back on it.
    const isGone = error instanceof OutcomeUnknownError || (isOutage(error) && !sqlState(error));
    if (!isGone) await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Only asked while locked rows are skipped: then a row that is missing is held by somebody. */
function locksItsRow(movement: Movement, books: Books): boolean {
  const transactionId = transactionOf(movement);
  if (transactionId !== null) return books.transactions.has(transactionId);
  return (
    movement.kind !== 'open' || movement.type !== 'qr_payment' || books.qrRequests.has(movement.qrRequestId)
  );
}

/** Lines the decisions up for writing, and resolves those that repeat a neighbour's answer. */
function put(books: Books, items: readonly LedgerItem[], decisions: readonly Decision[]) {
  const writes: Writes = noWrites(books.now);
  const results: LedgerResult[] = [];
  const answers = new Map<number, StoredAnswer>();
  const touched = new Set<string>();
  for (const [place, decision] of decisions.entries()) {
    const item = items[place] as LedgerItem;
    if (decision.kind === 'same_key_in_batch') {
      const answer = answers.get(decision.place);
      assert(answer, 'a key used in this batch has its answer');
      results.push({ kind: 'same_key', answer });
      continue;
    }
    results.push(decision);
    if (decision.kind !== 'posted') continue;
    collect(writes, decision);
    // The wallets of the movement and not only of its entries: a settled transfer leaves its source's flight.
    for (const id of walletsOf(item.movement)) touched.add(id);
    const { partnerId } = decision.transaction;
    writes.events.push(...item.announce(decision).map((draft) => ({ id: newId(), partnerId, draft })));
    if (item.intend) writes.intentions.push(item.intend(decision));
    if (item.movement.kind === 'pay_ussd') writes.ussdEnds.push(decision.transaction);
    if (item.movement.kind !== 'open') continue;
    putNames(writes, item.movement, decision);
    if (item.movement.key && item.answer) {
      const answer = item.answer(decision);
      answers.set(place, answer);
      writes.keys.push({ partnerId, used: item.movement.key, answer });
    }
  }
  for (const id of touched) {
    const account = books.accounts.get(id);
    assert(account, 'a wallet with entries is in the books');
    writes.balances.push(account);
  }
  return { writes, results };
}

function putNames(writes: Writes, opening: Opening, { transaction }: Posted): void {
  const { partnerId, id: transactionId, reference } = transaction;
  if (usesReference(opening)) {
    writes.references.push({ partnerId, reference, transactionId, terms: termsOf(opening) });
  }
  if (opening.type === 'qr_payment') {
    const { qrRequestId: id, sourceWalletId: paidBy } = opening;
    writes.qrPayments.push({ id, transactionId, paidBy, partnerId, reference });
  }
  if (opening.type === 'wallet_funding' && opening.from.kind === 'own_mfb') {
    writes.ownMfbCredits.push({ bankTransferId: opening.from.bankTransferId, fundingId: transactionId });
  }
}

async function write(client: pg.Client, sql: Statements, writes: Writes): Promise<string[]> {
  const commit = { statement: sql.commit, values: [] };
  const nothing = writes.opened.length === 0 && writes.moved.length === 0;
  try {
    const [written = []] = await runRound(client, nothing ? [commit] : [sql.write(writes), commit]);
    return nothing ? [] : written.map((row) => row['endpoint_id'] as string);
  } catch (error) {
    if (sqlState(error)) throw error;
    // No answer: the COMMIT may have been carried out, whatever became of the answers before it.
    throw new OutcomeUnknownError('no answer to COMMIT', { cause: error });
  }
}
