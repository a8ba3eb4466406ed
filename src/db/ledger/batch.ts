/**
 * One batch is one database transaction with two round trips: lock and read the books, and, after the decision,
 * write and commit. A small batch whose accounts are remembered takes one round trip: it is decided first, and
 * Postgres compares the remembered accounts with the locked rows and writes. Nothing outside the database happens
 * in between. It uses rounds everywhere, because the bench rows `p2p`, `p2p-hot` and `p2p-one` demand it.
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
import { isOutage, sqlState, SQLSTATE } from '../pg/postgres';
import { runRound, type Row, type Step } from '../pg/round';
import type { Memory } from './memory';
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
  /** The workflow that will finish what this posting began, in this epoch of its partner's sandbox. */
  intend?: (posted: Posted, epoch: number) => Intention;
}

type Decided = Extract<Decision, { ok: true }>['value'];

/**
 * The result for one item. `locked`: another process has locked a row that the item needs, and nothing was
 * decided.
 */
export type LedgerResult = Outcome<Decided | { kind: 'locked' }>;

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
  memory: Memory,
  items: readonly LedgerItem[],
  options: BatchOptions,
): Promise<BatchOutcome> {
  try {
    return (
      (await writeAsRemembered(client, sql, memory, items)) ??
      (await writeAsRead(client, sql, memory, items, options))
    );
  } catch (error) {
    memory.forget(items.flatMap(({ movement }) => walletsOf(movement)));
    // A connection that does not answer is not used again, so it needs no rollback.
    const isGone = error instanceof OutcomeUnknownError || (isOutage(error) && !sqlState(error));
    if (!isGone) await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function writeAsRead(
  client: pg.Client,
  sql: Statements,
  memory: Memory,
  items: readonly LedgerItem[],
  options: BatchOptions,
): Promise<BatchOutcome> {
  const { books, lockedWallets } = await readBooks(
    client,
    sql,
    items.map((item) => item.movement),
    options,
  );
  memory.read(books);
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
  memory.keep(books.accounts.values());
  let place = 0;
  return {
    results: items.map((_, index) => (locked[index] ? LOCKED : (results[place++] as LedgerResult))),
    intentions: writes.intentions,
    endpointIds: endpointsOf(written),
  };
}

/**
 * Writes a batch in one round trip with one statement, which is a transaction by itself. It writes only if all
 * accounts are as remembered and no fence is up.
 * @returns null, with nothing written, when the books have to be read: an account is not remembered or has
 *   changed, a name was used before, or the answer would not be a plain yes.
 */
async function writeAsRemembered(
  client: pg.Client,
  sql: Statements,
  memory: Memory,
  items: readonly LedgerItem[],
): Promise<BatchOutcome | null> {
  // The input of a workflow has the epoch, which must be read.
  if (items.some((item) => item.intend)) return null;
  const movements = items.map((item) => item.movement);
  const remembered = memory.recall(movements);
  if (!remembered) return null;
  const books = { ...remembered, accounts: copyOf(remembered.accounts) };
  const decisions = decide(books, movements);
  if (decisions.some((one) => !one.ok || one.value.kind !== 'posted')) return null;
  const { writes, results } = put(books, items, decisions);
  writes.remembered = writes.balances
    .map((account) => ({
      account,
      was: present(remembered.accounts.get(account.id), 'a remembered account'),
    }))
    .sort(({ account: one }, { account: other }) => (one.id < other.id ? -1 : 1));
  writes.balances = [];
  try {
    const [written] = await commit(client, [sql.write(writes)]);
    memory.keep(books.accounts.values());
    return { results, intentions: writes.intentions, endpointIds: endpointsOf(written) };
  } catch (error) {
    if (!TO_BE_READ.has(sqlState(error))) throw error;
    memory.forget(books.accounts.keys());
    return null;
  }
}

/** An account is not as remembered, a name was used before, or a fence is up. */
const TO_BE_READ = new Set<string | null>([
  SQLSTATE.divisionByZero,
  SQLSTATE.uniqueViolation,
  SQLSTATE.serialization,
]);

const copyOf = (accounts: Books['accounts']): Books['accounts'] =>
  new Map([...accounts].map(([id, account]) => [id, { ...account }]));

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
    if (item.intend) writes.intentions.push({ ...item.intend(value, epochIn(books, partnerId)), requestId });
    const orderId = handOrderOf(item.movement);
    if (orderId !== null) writes.usedOrders.push({ id: orderId });
    if (item.movement.kind === 'pay_ussd') writes.ussdEnds.push(value.transaction);
    if (item.movement.kind !== 'open') continue;
    putNames(writes, item.movement, value);
  }
  for (const id of touched) {
    const account = books.accounts.get(id);
    assert(account, 'a wallet with entries is in the books');
    writes.balances.push(account);
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
  if (bankTransferId !== null) writes.ownMfbCredits.push({ bankTransferId, fundingId: transactionId });
}

/** Runs the last steps of a batch, which commit it. @returns the rows of each step. */
async function commit(client: pg.Client, steps: readonly Step[]): Promise<Row[][]> {
  try {
    return await runRound(client, steps);
  } catch (error) {
    if (sqlState(error)) throw error;
    // There is no answer to the commit, so it may have been carried out.
    throw new OutcomeUnknownError('no answer to COMMIT', { cause: error });
  }
}

/** The endpoints in the rows that the write gave; a batch that writes nothing has none. */
const endpointsOf = ([row]: readonly Row[] = []): string[] => (row?.['endpoint_ids'] ?? []) as string[];
