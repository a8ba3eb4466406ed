/**
 * What one batch reads: it locks the accounts, and then reads everything else that its decisions need. It is one
 * round, because the bench rows `p2p` and `bank-accept` demand it.
 */
import type pg from 'pg';
import { assert, present } from '../../domain/assert';
import {
  captureOf,
  creditedTransferOf,
  dutyOf,
  handOrderOf,
  isResetting,
  keyName,
  ownIdOf,
  qrRequestOf,
  referenceName,
  shortOfMoney,
  transactionOf,
  usesReference,
  walletsOf,
  type Books,
  type Movement,
  type Opening,
} from '../../domain/ledger';
import { ignoredIn } from '../../domain/ledger/same-request';
import type { Sealing } from '../../secrets/sealing';
import { requestIdOf } from '../../domain/request-ids';
import { writeArray, type Parameter } from '../pg/bulk';
import { toPayableQr, type QrRequestRow } from '../payments/qr-requests';
import { toHold, type HoldRow } from '../payments/holds';
import { toHandOrder, type HandOrderRow } from '../payments/hand-orders';
import { runRound, type Step } from '../pg/round';
import { toAccount, type AccountRow } from './account-row';
import { toTransaction, type TransactionRow } from './transaction-row';
import type { Statements } from './statements';

export interface BatchOptions {
  /** Whether to decide only the items whose rows are free, instead of waiting for the others. */
  skipLocked: boolean;
  idempotencyWindowMs: number;
  /** Opens the names of accounts that are paid. */
  sealing: Sealing;
}

/**
 * Begins the transaction and reads. One round: Postgres runs its statements in order, so every look-up sees the
 * data as it is once the locks are held.
 * @returns the books, and the wallets that somebody else has locked, where locked rows are skipped.
 */
export async function readBooks(
  client: pg.Client,
  sql: Statements,
  movements: readonly Movement[],
  options: BatchOptions,
): Promise<{ books: Books; lockedWallets: Set<string> }> {
  const steps = stepsFor(sql, movements, options);
  const places = Object.keys(steps) as (keyof Found)[];
  const begin: Step = { statement: sql.begin, values: [] };
  const [, ...found] = await runRound(client, [begin, ...Object.values<Step>(steps)]);
  const rowsOf = <Name extends keyof Found>(name: Name): Found[Name][] =>
    (found[places.indexOf(name)] ?? []) as unknown as Found[Name][];

  const keys = rowsOf('keys');
  const forget = keys
    .filter((key) => key.expired)
    .map((row): Step => ({
      statement: sql.forget,
      values: [row.partner_id, row.operation, row.key, String(options.idempotencyWindowMs)],
    }));
  if (forget.length > 0) await runRound(client, forget);

  const now = rowsOf('clock')[0]?.now;
  assert(now, 'Postgres has answered its time');
  const accounts = rowsOf('accounts');
  const lockedWallets = options.skipLocked
    ? await lockedElsewhere(client, sql, movements, accounts)
    : new Set<string>();
  const books: Books = {
    now,
    accounts: new Map(accounts.map((row) => [row.id, toAccount(row)])),
    references: new Map(
      rowsOf('references').map((row) => [
        referenceName(row.partner_id, row.reference),
        { transactionId: row.transaction_id, terms: row.terms },
      ]),
    ),
    keys: new Map(
      keys
        .filter((row) => !row.expired)
        .map((row) => [
          keyName(row.partner_id, row),
          {
            fingerprint: row.fingerprint,
            first: {
              transactionId: row.transaction_id,
              form: row.form,
              requestId: requestIdOf(row.request_id),
              ...ignoredIn(row.fingerprint),
            },
          },
        ]),
    ),
    transactions: new Map(rowsOf('transactions').map((row) => [row.id, toTransaction(row, options.sealing)])),
    creditedTransfers: new Map(rowsOf('credited').map((row) => [row.bank_transfer_id, row.funding_id])),
    qrRequests: new Map(rowsOf('qrRequests').map((row) => [row.id, toPayableQr(row)])),
    holds: new Map(rowsOf('holds').map((row) => [row.id, toHold(row)])),
    handOrders: new Map(rowsOf('handOrders').map((row) => [row.id, toHandOrder(row)])),
    duties: new Map(rowsOf('duties').map((row) => [row.id, toTransaction(row, options.sealing)])),
    epochs: new Map(rowsOf('epochs').map(({ partner_id: id, ...row }) => [id, row])),
    aheadMs: new Map(),
  };
  await readMore(client, sql, books, movements);
  return { books, lockedWallets };
}

/**
 * What only some wallets need, in a round of its own after the locks. Holds whose time is over are ended where their money is
 * needed now, in the transaction of the batch: so an amount is free when its time is over, also while no worker runs. And the
 * calendars are read of those whose limits count days. All others cost nothing.
 */
async function readMore(
  client: pg.Client,
  sql: Statements,
  books: Books,
  movements: readonly Movement[],
): Promise<void> {
  const short = shortOfMoney(books, movements).filter(({ partnerId }) => !isResetting(books, partnerId));
  const limited = sql.ahead === null ? [] : [...books.accounts.values()].filter(({ limits }) => limits);
  const steps: Step[] = short.map(({ id }) => ({ statement: sql.endOverdueHolds, values: [id] }));
  if (sql.ahead !== null && limited.length > 0) {
    const partnerIds = [...new Set(limited.map(({ partnerId }) => partnerId))];
    steps.push({ statement: sql.ahead, values: [uuids(partnerIds)] });
  }
  if (steps.length === 0) return;
  const found = await runRound(client, steps);
  for (const row of found.slice(0, short.length).flat() as unknown as Pick<
    AccountRow,
    'id' | 'held_kobo'
  >[]) {
    present(books.accounts.get(row.id), 'the wallet of a hold').heldKobo = row.held_kobo;
  }
  const ahead = found.slice(short.length).flat() as unknown as { partner_id: string; ahead_ms: number }[];
  for (const row of ahead) books.aheadMs.set(row.partner_id, row.ahead_ms);
}

/** Those of the wallets without a lock that exist: another transaction has locked them. */
async function lockedElsewhere(
  client: pg.Client,
  sql: Statements,
  movements: readonly Movement[],
  ours: readonly AccountRow[],
): Promise<Set<string>> {
  const missing = new Set(movements.flatMap(walletsOf));
  for (const { id } of ours) missing.delete(id);
  if (missing.size === 0) return missing;
  const [rows = []] = await runRound(client, [{ statement: sql.existing, values: [uuids([...missing])] }]);
  return new Set(rows.map((row) => row['id'] as string));
}

/**
 * The statements that these movements need: the locks first, and the references before the keys. A reference and its
 * key are one commit, so a key is seen wherever its reference was seen, and a repeat is answered by its key (D44).
 */
function stepsFor(
  sql: Statements,
  movements: readonly Movement[],
  { skipLocked, idempotencyWindowMs }: BatchOptions,
): Partial<Record<keyof Found, Step>> {
  const openings = movements.filter((movement): movement is Opening => movement.kind === 'open');
  const moving = movements.flatMap((movement) => transactionOf(movement) ?? []);
  const before = openings.flatMap((opening) => ownIdOf(opening) ?? []);
  const qrIds = openings.flatMap((opening) => qrRequestOf(opening) ?? []);
  const holdIds = openings.flatMap((opening) => captureOf(opening)?.holdId ?? []);
  const referring = openings.filter(usesReference);
  const keyed = openings.flatMap((opening) =>
    opening.key ? [{ partnerId: opening.partnerId, ...opening.key }] : [],
  );
  const crediting = openings.flatMap((opening) => creditedTransferOf(opening) ?? []);
  const orders = movements.flatMap((movement) => handOrderOf(movement) ?? []);
  const duties = movements.flatMap((movement) => dutyOf(movement) ?? []);
  const walletIds = uuids([...new Set(movements.flatMap(walletsOf))]);
  return {
    clock: { statement: sql.clock, values: [] },
    ...(movements.length > 0 && {
      accounts: { statement: skipLocked ? sql.lockFree : sql.lock, values: [walletIds] },
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
          String(idempotencyWindowMs),
        ],
      },
    }),
    ...(moving.length + before.length > 0 && {
      transactions: {
        statement: skipLocked ? sql.transactionsFree : sql.transactions,
        values: [uuids([...moving, ...before])],
      },
    }),
    ...(crediting.length > 0 && { credited: { statement: sql.credited, values: [uuids(crediting)] } }),
    ...(qrIds.length > 0 && {
      qrRequests: {
        statement: skipLocked ? sql.qrRequestsFree : sql.qrRequests,
        values: [uuids(qrIds)],
      },
    }),
    ...(holdIds.length > 0 && {
      holds: { statement: skipLocked ? sql.holdsFree : sql.holds, values: [uuids(holdIds)] },
    }),
    ...(orders.length > 0 && { handOrders: { statement: sql.handOrders, values: [uuids(orders)] } }),
    ...(duties.length > 0 && { duties: { statement: sql.duties, values: [uuids(duties)] } }),
    // The epoch is read after the locks. A reset raises its fence first and then waits for every transaction that
    // has locked an account, so these movements are committed in this epoch.
    epochs: { statement: sql.epochs, values: [uuids([...new Set(movements.map((one) => one.partnerId))])] },
  };
}

const uuids = (ids: readonly string[]): Parameter => writeArray('uuid', ids);
const texts = (values: readonly string[]): Parameter => writeArray('text', values);

/** The rows that a batch reads, by what they are. */
interface Found {
  clock: { now: Date };
  accounts: AccountRow;
  references: ReferenceRow;
  keys: KeyRow;
  transactions: TransactionRow;
  credited: { bank_transfer_id: string; funding_id: string };
  qrRequests: QrRequestRow;
  holds: HoldRow;
  handOrders: HandOrderRow;
  duties: TransactionRow;
  epochs: { partner_id: string; epoch: number; resetting: boolean };
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
  transaction_id: string;
  form: string;
  request_id: string;
  expired: boolean;
}
