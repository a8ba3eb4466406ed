/**
 * The statement that decides and writes plain payments: it locks the wallets, decides which payments are a plain yes,
 * counts the running balances and writes every row, because the bench rows `p2p`, `p2p-cpu` and `bank-accept` demand it.
 * What it leaves out it has not touched. `one-plain-statement.ts` does the same for one payment between wallets alone.
 */
import { present } from '../../domain/assert';
import type { Intention } from '../../domain/intentions';
import { LIMIT_NAMES, type AskedOfLimits, type LimitName } from '../../domain/limits';
import { KOBO_MAX } from '../../domain/money';
import type { Entry, OpeningKey } from '../../domain/ledger';
import { uuidOfRequest } from '../../domain/request-ids';
import type { Transaction } from '../../domain/transactions';
import type { Sealing } from '../../secrets/sealing';
import { deliver } from '../events/events';
import { INTENTION_COLUMNS } from '../events/intentions';
import { namesOf, Parameters, type Column, type Parameter } from '../pg/bulk';
import { newId } from '../pg/ids';
import type { Statement, Step } from '../pg/round';
import { effectiveStatus } from '../wallets/wallet-status';
import { PLAIN_MARK } from './other-writers';
import { countDay, staysWithinLimits } from './plain-limits';
import { accountNameColumn, TRANSACTION_COLUMNS } from './transaction-row';
import type { Writes } from './writes';

/** Payments that are posted if Postgres finds their wallets and names so. Places count from 1. */
export interface Plain {
  /** In id order, so that two processes lock them in the same order. */
  wallets: {
    place: number;
    id: string;
    partnerId: string;
    debitsKobo: number;
    creditsKobo: number;
    limits: AskedOfLimits;
  }[];
  payments: {
    place: number;
    transaction: Transaction;
    terms: string;
    used: OpeningKey | null;
    /** null for a payout: partners are told of its end. */
    event: Writes['events'][number] | null;
    /** The places of its wallets; a payout has no `dest`, which is 0 then. */
    source: number;
    dest: number;
  }[];
  /**
   * With the place of their payment, and of their wallet; 0 for an account of the platform's own. Those of a payment stand
   * together, its wallets first and in their order. `inFlightKobo`: what may come back to the wallet; `dayKobo`: what counts
   * of its day.
   */
  entries: {
    place: number;
    entry: Entry;
    payment: number;
    wallet: number;
    inFlightKobo: number;
    dayKobo: number;
  }[];
  /** The workflows that end payouts, with the place of their payment, as if no sandbox had ever been reset. */
  intentions: { payment: number; intention: Intention }[];
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
  /** How often the sandbox of each partner of payouts was reset; null where none was, or where there are no payouts. */
  epochs: Record<string, number> | null;
}

/**
 * A payment is a plain yes if its wallets are free, active and of its partner, if each stays within its limits and has the money for all
 * debits of the batch, and room for all its credits, without the money that comes in or goes out by the others, and if
 * its reference and key are new. So a payment that is left out changes no other.
 *
 * A wallet that another transaction has locked is skipped: nothing waits with locks in its hands. The rows that are
 * locked are read as they are now, although the statement sees everything else as it was when it began: a name that was
 * used since violates its unique index, and a fence that was raised since is found by the trigger. The epoch of a payout
 * is the one before such a fence.
 *
 * A place in an array is found at once, and a join between the lists would compare each with each.
 * @returns what gives the statement: payouts have rows of their own, and batches without them leave those out.
 */
export function plainStatement(place: PlaceOfPlain, names: NamesOfPlain): (plain: Plain) => Step {
  const made = new Map<string, { statement: Statement; lists: Lists }>();
  return (plain) => {
    const shape: Shape = {
      hasPayouts: plain.payments.some(({ dest }) => dest === 0),
      hasEvents: plain.payments.some(({ event }) => event !== null),
    };
    const key = JSON.stringify(shape);
    let found = made.get(key);
    if (!found) {
      const lists = new Lists();
      found = { statement: { text: textOf(place, names, shape, lists) }, lists };
      made.set(key, found);
    }
    return { statement: found.statement, values: found.lists.values(plain) };
  };
}

/** Where plain payments are written. */
export interface PlaceOfPlain {
  cell: string;
  /** Seals the names of accounts that are paid. */
  sealing: Sealing;
  /** Whether the statement knows limits; where it does not, a wallet under limits is left out. */
  knowsLimits: boolean;
}

interface Shape {
  hasPayouts: boolean;
  hasEvents: boolean;
}

function textOf(
  { cell, sealing, knowsLimits }: PlaceOfPlain,
  names: NamesOfPlain,
  { hasPayouts, hasEvents }: Shape,
  lists: Lists,
): string {
  const isPlain = `(SELECT answers FROM decided)[place] = ${ANSWER.written}`;
  const idOf = (place: string): string => `(${lists.column(ID, (all) => all.payments)})[${place}]`;
  const writtenColumns = hasPayouts ? [...WRITTEN_COLUMNS, ...payoutColumns(sealing)] : WRITTEN_COLUMNS;
  const asked = [PLACE, SOURCE, DEST, ...writtenColumns, ...ASKED_COLUMNS];
  const written = namesOf(writtenColumns);
  const destIsPlain = '(SELECT is_plain FROM books)[v.dest]';
  const walletColumns = knowsLimits ? [...WALLET_COLUMNS, ...LIMIT_COLUMNS.values()] : WALLET_COLUMNS;
  const sums = [...(hasPayouts ? [IN_FLIGHT] : []), ...(knowsLimits ? [DAY] : [])];
  const forSums = (write: (name: string) => string): string =>
    sums.map(([name]) => `, ${write(name)}`).join('');
  const ofWallet = {
    partnerId: 'w.partner_id',
    debits: 'w.debits_kobo',
    credits: 'w.credits_kobo',
    limit: knowsLimits ? (limit: LimitName) => `w.${present(LIMIT_COLUMNS.get(limit), limit)[0]}` : null,
  };
  const parts = [
    `asked AS MATERIALIZED (
      SELECT * FROM ${lists.rows('v', asked, (all) => all.payments)})`,
    `books AS MATERIALIZED (
      SELECT array_agg(a.id IS NULL ORDER BY w.place) AS is_away,
             array_agg(coalesce(a.is_plain, false) ORDER BY w.place) AS is_plain,
             array_agg(coalesce(a.sequence, 0) ORDER BY w.place) AS sequence,
             array_agg(coalesce(a.balance_kobo::bigint, 0) ORDER BY w.place) AS balance_kobo
        FROM ${lists.rows('w', walletColumns, (all) => all.wallets)}
        LEFT JOIN LATERAL (
             ${lockPlain(cell, 'w.id', ofWallet)}) AS a ON true)`,
    `decided AS MATERIALIZED (
      SELECT array_agg(CASE
               WHEN (SELECT is_away FROM books)[v.source] OR (SELECT is_away FROM books)[v.dest] THEN ${ANSWER.isAway}
               WHEN (SELECT is_plain FROM books)[v.source] AND ${hasPayouts ? `(v.dest = 0 OR ${destIsPlain})` : destIsPlain}
                AND ${areNew(cell, names, { partnerId: 'v.partner_id', reference: 'v.reference', operation: 'v.operation', key: 'v.idempotency_key' })}
               THEN ${ANSWER.written} ELSE ${ANSWER.leftOut} END ORDER BY v.place) AS answers
        FROM asked v)`,
    `posting AS MATERIALIZED (
      SELECT e.place, ${idOf('e.payment')} AS transaction_id, e.account, e.id, e.amount_kobo, e.wallet${forSums((name) => `e.${name}`)},
             CASE WHEN e.wallet > 0 THEN (SELECT sequence FROM books)[e.wallet] + row_number() OVER of_wallet END AS sequence,
             CASE WHEN e.wallet > 0 THEN ((SELECT balance_kobo FROM books)[e.wallet] + sum(e.amount_kobo) OVER of_wallet)::bigint END
               AS balance_after_kobo
        FROM ${lists.rows('e', [...ENTRY_COLUMNS, ...sums], (all) => all.entries)}
       WHERE (SELECT answers FROM decided)[e.payment] = ${ANSWER.written}
      WINDOW of_wallet AS (PARTITION BY e.wallet ORDER BY e.place ROWS UNBOUNDED PRECEDING))`,
    `opened AS (
      INSERT INTO ${cell}.transactions (${written}, created_at, updated_at, completed_at)
      SELECT ${written}, ${NOW}, ${NOW}, ${hasPayouts ? `CASE WHEN dest > 0 THEN ${NOW} END` : NOW} FROM asked
       WHERE ${isPlain})`,
    `entered AS (
      INSERT INTO ${cell}.entries (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo,
        created_at)
      SELECT transaction_id, 'accept', account, id, amount_kobo, sequence, balance_after_kobo, ${NOW} FROM posting)`,
    `balanced AS (
      UPDATE ${cell}.accounts a SET balance_kobo = a.balance_kobo + moved.amount_kobo,
        sequence = a.sequence + moved.entries${forSums((name) => present(SET_BY_SUM[name], name))}, updated_at = ${NOW}
      FROM (SELECT account, sum(amount_kobo)::bigint AS amount_kobo, count(*) AS entries${forSums((name) => `sum(${name})::bigint AS ${name}`)}
              FROM posting WHERE wallet > 0 GROUP BY account) AS moved
      WHERE a.id = moved.account)`,
    `referred AS (
      INSERT INTO ${cell}.used_references (partner_id, reference, resource_id, transaction_id, terms)
      SELECT partner_id, reference, id, id, terms FROM asked
       WHERE ${isPlain} ORDER BY partner_id, reference)`,
    `keyed AS (
      INSERT INTO ${cell}.idempotency_keys (partner_id, operation, key, fingerprint, transaction_id, form, request_id,
        created_at)
      SELECT partner_id, operation, idempotency_key, fingerprint, id, form, key_request_id, ${NOW}
        FROM asked
       WHERE ${isPlain} AND operation IS NOT NULL ORDER BY partner_id, operation, idempotency_key)`,
  ];
  if (hasPayouts) parts.push(...partsOfPayouts(cell, lists));
  if (hasEvents) parts.push(...partsOfEvents(cell, isPlain));
  const endpoints = 'ARRAY(SELECT DISTINCT endpoint_id FROM delivered WHERE next_attempt_at IS NOT NULL)';
  return `${PLAIN_MARK} WITH ${parts.join(',\n    ')}
    SELECT ${NOW} AS now, (SELECT array_to_string(answers, '') FROM decided) AS answers,
           (SELECT string_agg(balance_after_kobo::text, ',' ORDER BY place) FROM posting WHERE wallet > 0) AS balances,
           ${hasEvents ? endpoints : 'ARRAY[]::uuid[]'} AS endpoint_ids,
           ${hasPayouts ? '(SELECT json_object_agg(partner_id, epoch) FROM epochs)' : 'NULL::json'} AS epochs`;
}

/** The intentions of payouts, with the epoch of their partner in the input of the workflow. */
function partsOfPayouts(cell: string, lists: Lists): string[] {
  const written = INTENTIONS.filter((column) => column !== OF_PAYMENT);
  const input = `coalesce(
               (SELECT (i.input::jsonb || jsonb_build_object('epoch', e.epoch))::json FROM epochs e WHERE e.partner_id = i.partner_id),
               i.input)`;
  return [
    `epochs AS MATERIALIZED (
      SELECT partner_id, epoch FROM ${cell}.partner_epochs
       WHERE partner_id = ANY(ARRAY(SELECT DISTINCT partner_id FROM asked)))`,
    `intended AS (
      INSERT INTO ${cell}.workflow_intentions (${namesOf(written)}, created_at)
      SELECT ${written.map(([name]) => (name === 'input' ? input : `i.${name}`)).join(', ')}, ${NOW}
        FROM ${lists.rows('i', INTENTIONS, (all) => all.intentions)}
       WHERE (SELECT answers FROM decided)[i.payment] = ${ANSWER.written})`,
  ];
}

/** The events of payments between wallets, and their deliveries. */
const partsOfEvents = (cell: string, isPlain: string): string[] => [
  `happened AS (
      SELECT event_id AS id, partner_id, event_kind AS kind, event_alias AS alias, id AS resource_id, request_id
        FROM asked
       WHERE ${isPlain} AND event_id IS NOT NULL)`,
  `told AS (
      INSERT INTO ${cell}.events (id, partner_id, kind, resource_id, request_id, created_at)
      SELECT id, partner_id, kind, resource_id, request_id, ${NOW} FROM happened)`,
  `delivered AS (${deliver(cell, 'happened', NOW)})`,
];

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

/** What is asked of a wallet, as SQL; of its limits only where the statement knows them. */
interface AskedOfWallet extends Record<'partnerId' | 'debits' | 'credits', string> {
  limit: ((limit: LimitName) => string) | null;
}

/**
 * Locks a wallet, unless another transaction has locked it: then there is no row. What the row tells is true of the wallet as it
 * is now, and not as it was when the statement began.
 * @param id as SQL.
 */
export const lockPlain = (cell: string, id: string, asked: AskedOfWallet): string =>
  `SELECT id, balance_kobo, sequence,
          partner_id = ${asked.partnerId} AND ${effectiveStatus('accounts')} = 'active'
            AND ${asked.limit ? staysWithinLimits(asked.limit) : 'limit_tier IS NULL'}
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

const ofTransaction = ([name, type, value]: Column<Transaction>): Column<Payment> => [
  name,
  type,
  ({ transaction }) => value(transaction),
];

/** The columns in which a payment between wallets differs from another. */
export const WRITTEN_COLUMNS = TRANSACTION_COLUMNS.filter(
  ([name]) => !['dest_account', 'split_config', 'paused', 'completed_at'].includes(name),
).map(ofTransaction);

/** Those that only a payout fills. */
const payoutColumns = (sealing: Sealing): Column<Payment>[] =>
  [
    ...TRANSACTION_COLUMNS.filter(([name]) => ['dest_account', 'paused'].includes(name)),
    accountNameColumn(sealing),
  ].map(ofTransaction);

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
export const EVENT_ID: Column<Payment> = ['event_id', 'uuid', ({ event }) => event?.id];
export const EVENT_KIND: Column<Payment> = ['event_kind', 'text', ({ event }) => event?.draft.kind];
export const EVENT_ALIAS: Column<Payment> = ['event_alias', 'text', ({ event }) => event?.draft.alias];
export const REQUEST: Column<Payment> = [
  'request_id',
  'uuid',
  ({ event }) => (event?.requestId === undefined ? null : uuidOfRequest(event.requestId)),
];

/**
 * What is told of a payment beside its row. All is unpacked once, because each list that is unpacked costs Postgres
 * something.
 */
const ASKED_COLUMNS: readonly Column<Payment>[] = [
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
/** What the payments of a batch ask of each limit of a wallet. */
export const LIMIT_COLUMNS: ReadonlyMap<LimitName, Column<Wallet>> = new Map(
  LIMIT_NAMES.map((limit) => [limit, [`of_${limit}`, 'bigint', (row) => row.limits[limit] ?? 0]]),
);

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
const IN_FLIGHT: Column<EntryRow> = ['in_flight_kobo', 'bigint', (row) => row.inFlightKobo];
export const DAY: Column<EntryRow> = ['day_kobo', 'bigint', (row) => row.dayKobo];
/** What the sum of such a column over the entries of a wallet changes in its account. */
const SET_BY_SUM: Record<string, string> = {
  in_flight_kobo: 'in_flight_kobo = a.in_flight_kobo + moved.in_flight_kobo',
  day_kobo: countDay('moved.day_kobo'),
};

type IntentionRow = Plain['intentions'][number];
const OF_PAYMENT: Column<IntentionRow> = ['payment', 'integer', (row) => row.payment];
const INTENTIONS: readonly Column<IntentionRow>[] = [
  OF_PAYMENT,
  ...INTENTION_COLUMNS.map(([name, type, value]): Column<IntentionRow> => [
    name,
    type,
    ({ intention }) => value(intention),
  ]),
];
