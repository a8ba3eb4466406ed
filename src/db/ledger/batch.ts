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
  keyName,
  referenceName,
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
import type { WalletStatus } from '../../domain/wallets';
import { newId } from '../ids';
import { writeArray, type Parameter } from '../bulk';
import { isOutage, sqlState } from '../postgres';
import { toQrRequest, type QrRequestRow } from '../qr-requests';
import { toTransaction, type TransactionRow } from '../transactions';
import { runRound, type Step } from './round';
import { collect, noWrites, type ledgerStatements, type Writes } from './statements';

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

export type Statements = ReturnType<typeof ledgerStatements>;

export interface BatchOptions {
  /** Decide only the items whose rows are free, instead of waiting for the others. */
  skipLocked: boolean;
  idempotencyWindowMs: number;
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
    const { books, heldWallets } = await readBooks(client, sql, items, options);
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
    if (sqlState(error) || !isOutage(error)) await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** One round: Postgres runs its statements in order, so every look-up sees the world after the locks. */
async function readBooks(
  client: pg.Client,
  sql: Statements,
  items: readonly LedgerItem[],
  options: BatchOptions,
): Promise<{ books: Books; heldWallets: Set<string> }> {
  const movements = items.map((item) => item.movement);
  const openings = movements.filter((movement): movement is Opening => movement.kind === 'open');
  const moving = movements.flatMap((movement) => transactionOf(movement) ?? []);
  const corrections = openings.filter(isCorrection).map((opening) => opening.transactionId);
  const qrIds = openings.flatMap((opening) => (opening.type === 'qr_payment' ? [opening.qrRequestId] : []));
  const referring = openings.filter(usesReference);
  const keyed = openings.flatMap((opening) =>
    opening.key ? [{ partnerId: opening.partnerId, ...opening.key }] : [],
  );
  const walletIds = [...new Set(movements.flatMap(walletsOf))];
  const window = String(options.idempotencyWindowMs);
  const crediting = openings.flatMap((opening) =>
    opening.type === 'wallet_funding' && opening.from.kind === 'own_mfb' ? [opening.from.bankTransferId] : [],
  );

  const ids = uuids(walletIds);
  const steps: Partial<Record<keyof Found, Step>> = {
    ...(walletIds.length > 0 && {
      accounts: { statement: options.skipLocked ? sql.lockFree : sql.lock, values: [ids] },
      ...(options.skipLocked && { existing: { statement: sql.existing, values: [ids] } }),
    }),
    ...(referring.length > 0 && {
      references: {
        statement: sql.references,
        values: [uuids(referring.map((one) => one.partnerId)), texts(referring.map((one) => one.reference))],
      },
    }),
    ...(keyed.length > 0 && {
      keys: {
        statement: sql.keys,
        values: [
          uuids(keyed.map((one) => one.partnerId)),
          texts(keyed.map((one) => one.operation)),
          texts(keyed.map((one) => one.key)),
          window,
        ],
      },
    }),
    ...(moving.length + corrections.length > 0 && {
      transactions: {
        statement: options.skipLocked ? sql.transactionsFree : sql.transactions,
        values: [uuids([...moving, ...corrections])],
      },
    }),
    ...(crediting.length > 0 && { credited: { statement: sql.credited, values: [uuids(crediting)] } }),
    ...(qrIds.length > 0 && {
      qrRequests: {
        statement: options.skipLocked ? sql.qrRequestsFree : sql.qrRequests,
        values: [uuids(qrIds)],
      },
    }),
    // After the locks: a reset raises its fence first and then waits for whoever holds an account.
    fenced: { statement: sql.fenced, values: [uuids([...new Set(movements.map((one) => one.partnerId))])] },
  };
  const places = Object.keys(steps) as (keyof Found)[];
  const [, clock, ...found] = await runRound(client, [
    { statement: sql.begin, values: [] },
    { statement: sql.clock, values: [] },
    ...Object.values<Step>(steps),
  ]);
  const rowsOf = <Name extends keyof Found>(name: Name): Found[Name][] =>
    (found[places.indexOf(name)] ?? []) as unknown as Found[Name][];
  const [accounts, existing, references, keys] = [
    rowsOf('accounts'),
    rowsOf('existing'),
    rowsOf('references'),
    rowsOf('keys'),
  ];

  const expired = keys.filter((key) => key.expired);
  if (expired.length > 0) {
    const forget = (row: KeyRow): Step => ({
      statement: sql.forget,
      values: [row.partner_id, row.operation, row.key, window],
    });
    await runRound(client, expired.map(forget));
  }
  const now = clock?.[0]?.['now'] as Date | undefined;
  assert(now, 'Postgres tells the time');
  const locked = new Set(accounts.map((row) => row.id));
  return {
    heldWallets: new Set(existing.map((row) => row.id).filter((id) => !locked.has(id))),
    books: {
      now,
      accounts: new Map(accounts.map((row) => [row.id, toAccount(row)])),
      references: new Map(
        references.map((row) => [
          referenceName(row.partner_id, row.reference),
          { transactionId: row.transaction_id, terms: row.terms },
        ]),
      ),
      keys: new Map(
        keys
          .filter((row) => !row.expired)
          .map((row) => [
            keyName(row.partner_id, row),
            { fingerprint: row.fingerprint, answer: { status: row.status, body: row.body }, place: null },
          ]),
      ),
      transactions: new Map(rowsOf('transactions').map((row) => [row.id, toTransaction(row)])),
      creditedTransfers: new Map(rowsOf('credited').map((row) => [row.bank_transfer_id, row.funding_id])),
      qrRequests: new Map(rowsOf('qrRequests').map((row) => [row.id, toQrRequest(row)])),
      resetting: new Set(rowsOf('fenced').map((row) => row.partner_id)),
    },
  };
}

const isCorrection = (opening: Opening): boolean =>
  opening.type === 'wallet_credit' || opening.type === 'wallet_debit';

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

const uuids = (ids: readonly string[]): Parameter => writeArray('uuid', ids);
const texts = (values: readonly string[]): Parameter => writeArray('text', values);

/** The rows that a batch reads, by what they are. */
interface Found {
  accounts: AccountRow;
  existing: { id: string };
  references: ReferenceRow;
  keys: KeyRow;
  transactions: TransactionRow;
  credited: { bank_transfer_id: string; funding_id: string };
  qrRequests: QrRequestRow;
  fenced: { partner_id: string };
}
interface AccountRow {
  id: string;
  partner_id: string;
  status: WalletStatus;
  balance_kobo: number;
  in_flight_kobo: number;
  sequence: number;
}
interface ReferenceRow {
  partner_id: string;
  reference: string;
  transaction_id: string;
  terms: string;
}
interface KeyRow {
  partner_id: string;
  operation: string;
  key: string;
  fingerprint: string;
  status: number;
  body: string;
  expired: boolean;
}

const toAccount = (row: AccountRow) => ({
  id: row.id,
  partnerId: row.partner_id,
  status: row.status,
  balanceKobo: row.balance_kobo,
  inFlightKobo: row.in_flight_kobo,
  sequence: row.sequence,
});
