/**
 * The statement that decides and writes plain payments: it locks the wallets, decides which payments are a plain yes,
 * counts the running balances and writes every row, because the bench rows `p2p` and `p2p-cpu` demand it. What it leaves
 * out it has not touched. `one-plain-statement.ts` does the same for one payment alone.
 */
import { present } from '../../domain/assert';
import { KOBO_MAX } from '../../domain/money';
import type { Entry, OpeningKey } from '../../domain/ledger';
import { uuidOfRequest } from '../../domain/request-ids';
import type { Transaction } from '../../domain/transactions';
import { deliver } from '../events/events';
import { namesOf, Parameters, type Column, type Parameter } from '../pg/bulk';
import { newId } from '../pg/ids';
import type { Statement, Step } from '../pg/round';
import { effectiveStatus } from '../wallets/wallet-status';
import { PLAIN_MARK } from './other-writers';
import { TRANSACTION_COLUMNS } from './transaction-row';
import type { Writes } from './writes';

/** Payments that are posted if Postgres finds their wallets and names so. Places count from 1. */
export interface Plain {
  /** In id order, so that two processes lock them in the same order. */
  wallets: { place: number; id: string; partnerId: string; debitsKobo: number; creditsKobo: number }[];
  payments: {
    place: number;
    transaction: Transaction;
    terms: string;
    used: OpeningKey | null;
    event: Writes['events'][number];
    /** The places of its wallets. */
    source: number;
    dest: number;
  }[];
  /**
   * With the place of their payment, and of their wallet; 0 for an account of the platform's own. Those of a payment stand
   * together, its wallets first and in their order.
   */
  entries: { place: number; entry: Entry; payment: number; wallet: number }[];
}

/** What a payment has become. */
export const ANSWER = { leftOut: '0', written: '1', isAway: '2' } as const;

/** The one row that the statement answers with. */
export interface PlainRow {
  now: Date;
  /** A character of `ANSWER` for each payment. */
  answers: string;
  /** The balance after each entry of a wallet, in the order of the entries that were written; null for none. */
  balances: string | null;
  endpoint_ids: string[];
}

/**
 * A payment is a plain yes if both its wallets are free, active, of its partner and under no limits, if each has the money for all
 * debits of the batch, and room for all its credits, without the money that comes in or goes out by the others, and if
 * its reference and key are new. So a payment that is left out changes no other.
 *
 * A wallet that another transaction has locked is skipped: nothing waits with locks in its hands. The rows that are
 * locked are read as they are now, although the statement sees everything else as it was when it began: a name that was
 * used since violates its unique index, and a fence that was raised since is found by the trigger.
 *
 * A place in an array is found at once, and a join between the lists would compare each with each.
 */
export function plainStatement(cell: string, names: NamesOfPlain): (plain: Plain) => Step {
  const lists = new Lists();
  const statement: Statement = { text: textOf(cell, names, lists) };
  return (plain) => ({ statement, values: lists.values(plain) });
}

function textOf(cell: string, names: NamesOfPlain, lists: Lists): string {
  const isPlain = `(SELECT answers FROM decided)[place] = ${ANSWER.written}`;
  const idOf = (place: string): string => `(${lists.column(ID, (all) => all.payments)})[${place}]`;
  const written = namesOf(WRITTEN_COLUMNS);
  return `${PLAIN_MARK} WITH asked AS MATERIALIZED (
      SELECT * FROM ${lists.rows('v', ASKED_COLUMNS, (all) => all.payments)}),
    books AS MATERIALIZED (
      SELECT array_agg(a.id IS NULL ORDER BY w.place) AS is_away,
             array_agg(coalesce(a.is_plain, false) ORDER BY w.place) AS is_plain,
             array_agg(coalesce(a.sequence, 0) ORDER BY w.place) AS sequence,
             array_agg(coalesce(a.balance_kobo::bigint, 0) ORDER BY w.place) AS balance_kobo
        FROM ${lists.rows('w', WALLET_COLUMNS, (all) => all.wallets)}
        LEFT JOIN LATERAL (
             ${lockPlain(cell, 'w.id', { partnerId: 'w.partner_id', debits: 'w.debits_kobo', credits: 'w.credits_kobo' })}) AS a ON true),
    decided AS MATERIALIZED (
      SELECT array_agg(CASE
               WHEN (SELECT is_away FROM books)[v.source] OR (SELECT is_away FROM books)[v.dest] THEN ${ANSWER.isAway}
               WHEN (SELECT is_plain FROM books)[v.source] AND (SELECT is_plain FROM books)[v.dest]
                AND ${areNew(cell, names, { partnerId: 'v.partner_id', reference: 'v.reference', operation: 'v.operation', key: 'v.idempotency_key' })}
               THEN ${ANSWER.written} ELSE ${ANSWER.leftOut} END ORDER BY v.place) AS answers
        FROM asked v),
    posting AS MATERIALIZED (
      SELECT e.place, ${idOf('e.payment')} AS transaction_id, e.account, e.id, e.amount_kobo, e.wallet,
             CASE WHEN e.wallet > 0 THEN (SELECT sequence FROM books)[e.wallet] + row_number() OVER of_wallet END AS sequence,
             CASE WHEN e.wallet > 0 THEN ((SELECT balance_kobo FROM books)[e.wallet] + sum(e.amount_kobo) OVER of_wallet)::bigint END
               AS balance_after_kobo
        FROM ${lists.rows('e', ENTRY_COLUMNS, (all) => all.entries)}
       WHERE (SELECT answers FROM decided)[e.payment] = ${ANSWER.written}
      WINDOW of_wallet AS (PARTITION BY e.wallet ORDER BY e.place ROWS UNBOUNDED PRECEDING)),
    opened AS (
      INSERT INTO ${cell}.transactions (${written}, created_at, updated_at, completed_at)
      SELECT ${written}, ${NOW}, ${NOW}, ${NOW} FROM asked WHERE ${isPlain}),
    entered AS (
      INSERT INTO ${cell}.entries (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo,
        created_at)
      SELECT transaction_id, 'accept', account, id, amount_kobo, sequence, balance_after_kobo, ${NOW} FROM posting),
    balanced AS (
      UPDATE ${cell}.accounts a SET balance_kobo = a.balance_kobo + moved.amount_kobo,
        sequence = a.sequence + moved.entries, updated_at = ${NOW}
      FROM (SELECT account, sum(amount_kobo)::bigint AS amount_kobo, count(*) AS entries
              FROM posting WHERE wallet > 0 GROUP BY account) AS moved
      WHERE a.id = moved.account),
    referred AS (
      INSERT INTO ${cell}.used_references (partner_id, reference, resource_id, transaction_id, terms)
      SELECT partner_id, reference, id, id, terms FROM asked
       WHERE ${isPlain} ORDER BY partner_id, reference),
    keyed AS (
      INSERT INTO ${cell}.idempotency_keys (partner_id, operation, key, fingerprint, transaction_id, form, request_id,
        created_at)
      SELECT partner_id, operation, idempotency_key, fingerprint, id, form, key_request_id, ${NOW}
        FROM asked
       WHERE ${isPlain} AND operation IS NOT NULL ORDER BY partner_id, operation, idempotency_key),
    happened AS (
      SELECT event_id AS id, partner_id, event_kind AS kind, event_alias AS alias, id AS resource_id, request_id
        FROM asked
       WHERE ${isPlain}),
    told AS (
      INSERT INTO ${cell}.events (id, partner_id, kind, resource_id, request_id, created_at)
      SELECT id, partner_id, kind, resource_id, request_id, ${NOW} FROM happened),
    delivered AS (${deliver(cell, 'happened', NOW)})
    SELECT ${NOW} AS now, (SELECT array_to_string(answers, '') FROM decided) AS answers,
           (SELECT string_agg(balance_after_kobo::text, ',' ORDER BY place) FROM posting WHERE wallet > 0) AS balances,
           ARRAY(SELECT DISTINCT endpoint_id FROM delivered WHERE next_attempt_at IS NOT NULL) AS endpoint_ids`;
}

/** Lists of rows that share their columns: each column is one parameter, however often it is named. */
class Lists {
  private readonly at = new Parameters<Plain>();
  private readonly known = new Map<Column<never>, string>();

  rows<Row>(alias: string, columns: readonly Column<Row>[], pick: (plain: Plain) => readonly Row[]): string {
    const parts = columns.map((column) => this.column(column, pick));
    return `unnest(${parts.join(', ')}) AS ${alias}(${namesOf(columns)})`;
  }

  /** A column as an array, in the order of the rows. */
  column<Row>(column: Column<Row>, pick: (plain: Plain) => readonly Row[]): string {
    const before = this.known.get(column);
    if (before !== undefined) return before;
    const [, type, value] = column;
    const added = this.at.array(type, (all) => pick(all).map(value));
    this.known.set(column, added);
    return added;
  }

  values = (plain: Plain): Parameter[] => this.at.values(plain);
}

/**
 * Locks a wallet, unless another transaction has locked it: then there is no row. What the row tells is true of the wallet as it
 * is now, and not as it was when the statement began.
 * @param id and what is asked of the wallet, as SQL.
 */
export const lockPlain = (
  cell: string,
  id: string,
  asked: Record<'partnerId' | 'debits' | 'credits', string>,
): string =>
  `SELECT id, balance_kobo, sequence,
          partner_id = ${asked.partnerId} AND ${effectiveStatus('accounts')} = 'active' AND limit_tier IS NULL
            AND balance_kobo - held_kobo >= ${asked.debits}
            AND balance_kobo + in_flight_kobo <= ${String(KOBO_MAX)} - ${asked.credits} AS is_plain
     FROM ${cell}.accounts WHERE id = ${id} FOR NO KEY UPDATE SKIP LOCKED`;

/**
 * Whether the reference and the key of a payment are looked up before it is written, or assumed to be new: then one that was
 * used violates its unique index, and nothing of the batch is written.
 */
export type NamesOfPlain = 'looked_up' | 'assumed_new';

/** Whether reference and key are new. @param asked the names of one payment, as SQL. */
export const areNew = (
  cell: string,
  names: NamesOfPlain,
  asked: Record<'partnerId' | 'reference' | 'operation' | 'key', string>,
): string =>
  names === 'assumed_new'
    ? 'true'
    : `(SELECT true FROM ${cell}.used_references u
           WHERE u.partner_id = ${asked.partnerId} AND u.reference = ${asked.reference}) IS NULL
       AND (SELECT true FROM ${cell}.idempotency_keys k
             WHERE k.partner_id = ${asked.partnerId} AND k.operation = ${asked.operation} AND k.key = ${asked.key}) IS NULL`;

/** The time of the statement. It waits for no wallet, so the times of a wallet's entries ascend. */
export const NOW = 'now()::timestamptz(3)';

export type Payment = Plain['payments'][number];

/** The columns in which a plain payment differs from another. */
export const WRITTEN_COLUMNS = TRANSACTION_COLUMNS.filter(
  ([name]) => !['dest_account', 'split_config', 'paused', 'completed_at'].includes(name),
).map(([name, type, value]): Column<Payment> => [name, type, ({ transaction }) => value(transaction)]);

const column = (name: string): Column<Payment> =>
  present(
    WRITTEN_COLUMNS.find(([one]) => one === name),
    name,
  );
export const ID = column('id');
export const PARTNER = column('partner_id');
export const REFERENCE = column('reference');
export const KEY = column('idempotency_key');
const PLACE: Column<Payment> = ['place', 'integer', (row) => row.place];
const SOURCE: Column<Payment> = ['source', 'integer', (row) => row.source];
const DEST: Column<Payment> = ['dest', 'integer', (row) => row.dest];
export const TERMS: Column<Payment> = ['terms', 'text', (row) => row.terms];
export const OPERATION: Column<Payment> = ['operation', 'text', ({ used }) => used?.operation];
export const FINGERPRINT: Column<Payment> = ['fingerprint', 'text', ({ used }) => used?.fingerprint];
export const FORM: Column<Payment> = ['form', 'text', ({ used }) => used?.form];
export const KEY_REQUEST: Column<Payment> = [
  'key_request_id',
  'uuid',
  ({ used }) => used && uuidOfRequest(used.requestId),
];
export const EVENT_ID: Column<Payment> = ['event_id', 'uuid', ({ event }) => event.id];
export const EVENT_KIND: Column<Payment> = ['event_kind', 'text', ({ event }) => event.draft.kind];
export const EVENT_ALIAS: Column<Payment> = ['event_alias', 'text', ({ event }) => event.draft.alias];
export const REQUEST: Column<Payment> = [
  'request_id',
  'uuid',
  ({ event }) => (event.requestId === undefined ? null : uuidOfRequest(event.requestId)),
];

/** All that is told of a payment. It is unpacked once, because each list that is unpacked costs Postgres something. */
const ASKED_COLUMNS: readonly Column<Payment>[] = [
  PLACE,
  SOURCE,
  DEST,
  ...WRITTEN_COLUMNS,
  TERMS,
  OPERATION,
  FINGERPRINT,
  FORM,
  KEY_REQUEST,
  EVENT_ID,
  EVENT_KIND,
  EVENT_ALIAS,
  REQUEST,
];

type Wallet = Plain['wallets'][number];
export const WALLET: Column<Wallet> = ['id', 'uuid', (row) => row.id];
export const DEBITS: Column<Wallet> = ['debits_kobo', 'bigint', (row) => row.debitsKobo];
export const CREDITS: Column<Wallet> = ['credits_kobo', 'bigint', (row) => row.creditsKobo];
const WALLET_COLUMNS: readonly Column<Wallet>[] = [
  ['place', 'integer', (row) => row.place],
  WALLET,
  ['partner_id', 'uuid', (row) => row.partnerId],
  DEBITS,
  CREDITS,
];

type EntryRow = Plain['entries'][number];
export const ACCOUNT: Column<EntryRow> = ['account', 'uuid', (row) => row.entry.account];
export const ENTRY_ID: Column<EntryRow> = ['id', 'uuid', () => newId()];
export const AMOUNT: Column<EntryRow> = ['amount_kobo', 'bigint', (row) => row.entry.amountKobo];
const ENTRY_COLUMNS: readonly Column<EntryRow>[] = [
  ['place', 'integer', (row) => row.place],
  ['payment', 'integer', (row) => row.payment],
  ['wallet', 'integer', (row) => row.wallet],
  ACCOUNT,
  ENTRY_ID,
  AMOUNT,
];
