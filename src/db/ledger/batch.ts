/**
 * One batch is one database transaction with two round trips: lock and read the books, and, after the decision,
 * write and commit. Nothing outside the database happens in between. It uses rounds everywhere, because the bench
 * rows `bank-accept` and `p2p-mixed` demand it. Plain payments do not come here: `plain.ts` writes them in one.
 */
import type pg from 'pg';
import { assert, present } from '../../domain/assert';
import type { EventDraft } from '../../domain/events';
import type { Intention } from '../../domain/intentions';
import {
  captureOf,
  creditedTransferOf,
  decide,
  epochIn,
  handOrderOf,
  qrRequestOf,
  reversedBy,
  termsOf,
  transactionOf,
  walletsOf,
  type Books,
  type Decision,
  type Movement,
  type Opening,
  type Posted,
} from '../../domain/ledger';
import { done, type Outcome } from '../../domain/outcome';
import { newId } from '../pg/ids';
import { isOutage, sqlState } from '../pg/postgres';
import { runRound, type Row, type Step } from '../pg/round';
import { readBooks, type BatchOptions } from './read-books';
import type { Statements } from './statements';
import { collect, noWrites, type Writes } from './writes';

/** A movement with what its caller wants to be written in the same commit as the money. */
export interface LedgerItem {
  movement: Movement;
  /** The request that asked for it: its id is written with the events and the intention. */
  requestId?: string | undefined;
  /** The events that report this posting. */
  announce: (posted: Posted) => EventDraft[];
  /** The workflows that will finish what this posting began, in this epoch of its partner's sandbox. */
  intend?: (posted: Posted, epoch: number) => Intention[];
}

type Decided = Extract<Decision, { ok: true }>['value'];

/** What was posted, as its caller is told. */
type Told = Omit<Posted, 'entries' | 'suspense'>;

/**
 * The result for one item. `locked`: another process has locked a row that the item needs, and nothing was
 * decided.
 */
export type LedgerResult = Outcome<Exclude<Decided, Posted> | Told | { kind: 'locked' }>;

export const LOCKED: LedgerResult = done({ kind: 'locked' });

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
    return await readAndWrite(client, sql, items, options);
  } catch (error) {
    // A connection that does not answer is not used again, so it needs no rollback.
    const isGone = error instanceof OutcomeUnknownError || (isOutage(error) && !sqlState(error));
    if (!isGone) await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function readAndWrite(
  client: pg.Client,
  sql: Statements,
  items: readonly LedgerItem[],
  options: BatchOptions,
): Promise<BatchOutcome> {
  const { books, lockedWallets } = await readBooks(
    client,
    sql,
    items.map((item) => item.movement),
    options,
  );
  const locked = items.map(
    ({ movement }) =>
      walletsOf(movement).some((id) => lockedWallets.has(id)) ||
      (options.skipLocked && !locksItsRow(movement, books)),
  );
  const free = items.filter((_, index) => !locked[index]);
  const decisions = decide(
    books,
    free.map((item) => item.movement),
  );
  const { writes, results } = put(books, free, decisions);
  const nothing = writes.opened.length === 0 && writes.moved.length === 0;
  const [written] = await commit(client, [
    ...(nothing ? [] : [sql.write(writes)]),
    { statement: sql.commit, values: [] },
  ]);
  let place = 0;
  return {
    results: items.map((_, index) => (locked[index] ? LOCKED : (results[place++] as LedgerResult))),
    intentions: writes.intentions,
    endpointIds: endpointsOf(written),
  };
}

/**
 * This is asked only while locked rows are skipped. Then a row that was not returned is locked by another
 * transaction.
 */
function locksItsRow(movement: Movement, books: Books): boolean {
  const transactionId = transactionOf(movement);
  if (transactionId !== null) return books.transactions.has(transactionId);
  if (movement.kind !== 'open') return true;
  const qrRequestId = qrRequestOf(movement);
  const holdId = captureOf(movement)?.holdId;
  return (
    (qrRequestId === null || books.qrRequests.has(qrRequestId)) &&
    (holdId === undefined || books.holds.has(holdId))
  );
}

/** Collects what the decisions write. */
function put(books: Books, items: readonly LedgerItem[], decisions: readonly Decision[]) {
  const writes: Writes = noWrites(books.now);
  const results: LedgerResult[] = [];
  const touched = new Set<string>();
  for (const [place, decision] of decisions.entries()) {
    const item = items[place] as LedgerItem;
    if (!decision.ok) {
      results.push(decision);
      continue;
    }
    const { value } = decision;
    results.push(done(value));
    if (value.kind !== 'posted') continue;
    collect(writes, value);
    // All wallets of the movement, and not only those of its entries: settling a transfer changes what its source
    // has in flight.
    for (const id of walletsOf(item.movement)) touched.add(id);
    const { partnerId } = value.transaction;
    const { requestId } = item;
    for (const draft of item.announce(value))
      writes.events.push({ id: newId(), partnerId, requestId, draft });
    for (const intention of item.intend?.(value, epochIn(books, partnerId)) ?? [])
      writes.intentions.push({ ...intention, requestId });
    const orderId = handOrderOf(item.movement);
    if (orderId !== null) writes.usedOrders.push({ id: orderId });
    if (item.movement.kind === 'pay_ussd') writes.ussdEnds.push(value.transaction);
    if (item.movement.kind !== 'open') continue;
    putNames(writes, item.movement, value);
  }
  for (const id of touched) {
    const account = books.accounts.get(id);
    assert(account, 'a wallet with entries is in the books');
    (account.limits ? writes.counted : writes.balances).push(account);
  }
  return { writes, results };
}

/** Adds the names by which the same movement is recognised when it comes again. */
function putNames(writes: Writes, opening: Opening, { transaction }: Posted): void {
  const { partnerId, id: transactionId, reference } = transaction;
  if (opening.key) writes.keys.push({ partnerId, used: opening.key, transactionId });
  const terms = termsOf(opening);
  if (terms !== null) writes.references.push({ partnerId, reference, transactionId, terms });
  const qrRequestId = qrRequestOf(opening);
  if (qrRequestId !== null) {
    const paidBy = present(transaction.sourceWalletId, 'the wallet that pays a QR request');
    writes.qrPayments.push({ id: qrRequestId, transactionId, paidBy, partnerId, reference });
  }
  const capture = captureOf(opening);
  if (capture) {
    const { amountKobo } = transaction;
    writes.captures.push({
      id: capture.holdId,
      transactionId,
      amountKobo,
      terms: capture.terms,
      partnerId,
      reference,
    });
  }
  const bankTransferId = creditedTransferOf(opening);
  const originalId = reversedBy(opening);
  if (originalId !== null) writes.reversals.push({ originalId, reversalId: transactionId });
  if (bankTransferId !== null) writes.ownMfbCredits.push({ bankTransferId, fundingId: transactionId });
}

/** Runs steps that commit. @returns the rows of each step. @throws OutcomeUnknownError where no answer came. */
export async function commit(
  client: pg.Client,
  steps: readonly Step[],
  run: (client: pg.Client, steps: readonly Step[]) => Promise<Row[][]> = runRound,
): Promise<Row[][]> {
  try {
    return await run(client, steps);
  } catch (error) {
    if (sqlState(error)) throw error;
    // There is no answer to the commit, so it may have been carried out.
    throw new OutcomeUnknownError('no answer to COMMIT', { cause: error });
  }
}

/** The endpoints in the rows that the write gave; a batch that writes nothing has none. */
const endpointsOf = ([row]: readonly Row[] = []): string[] => (row?.['endpoint_ids'] ?? []) as string[];
