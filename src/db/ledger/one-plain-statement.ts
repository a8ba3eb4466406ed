/**
 * The statement that decides and writes one plain payment alone, as `plain-statement.ts` does it for many: without lists,
 * windows and sums, which cost Postgres more than the payment itself, because the bench row `p2p-one` demands it.
 */
import { present } from '../../domain/assert';
import { deliver } from '../events/events';
import { namesOf, Parameters, type Column, type Parameter } from '../pg/bulk';
import type { Statement, Step } from '../pg/round';
import { PLAIN_MARK } from './other-writers';
import { countDay } from './plain-limits';
import {
  ACCOUNT,
  AMOUNT,
  ANSWER,
  areNew,
  CREDITS,
  DAY,
  DEBITS,
  ENTRY_ID,
  EVENT_ALIAS,
  EVENT_ID,
  EVENT_KIND,
  FINGERPRINT,
  FORM,
  ID,
  KEY,
  KEY_REQUEST,
  LIMIT_COLUMNS,
  lockPlain,
  NOW,
  OPERATION,
  PARTNER,
  REFERENCE,
  REQUEST,
  TERMS,
  WALLET,
  WRITTEN_COLUMNS,
  type NamesOfPlain,
  type Payment,
  type PlaceOfPlain,
  type Plain,
} from './plain-statement';

/** One payment between two wallets, each of which has one entry; a payout has one. */
export const isOnePlain = (plain: Plain): boolean =>
  plain.payments.length === 1 && plain.wallets.length === 2;

/** @returns what gives the statement: there is one for each number of entries. */
export function onePlainStatement(place: PlaceOfPlain, names: NamesOfPlain): (plain: Plain) => Step {
  const made = new Map<number, { statement: Statement; values: Values['values'] }>();
  return (plain) => {
    const entries = plain.entries.length;
    let found = made.get(entries);
    if (!found) {
      const at = new Values();
      found = { statement: { text: textOf(place, names, at, entries) }, values: at.values };
      made.set(entries, found);
    }
    return { statement: found.statement, values: found.values(plain) };
  };
}

/** The wallets are locked in id order. If the first one is away, the second is left to whoever works on both. */
function textOf(
  { cell, knowsLimits }: PlaceOfPlain,
  names: NamesOfPlain,
  at: Values,
  entries: number,
): string {
  const [partner, reference, id, operation] = [
    at.payment(PARTNER),
    at.payment(REFERENCE),
    at.payment(ID),
    at.payment(OPERATION),
  ] as const;
  const asked = { partnerId: partner, reference, operation, key: at.payment(KEY) };
  const values = (...columns: Column<Payment>[]): string => columns.map(at.payment).join(', ');
  const account = (index: number): string => at.entry(index, ACCOUNT);
  const amount = (index: number): string => at.entry(index, AMOUNT);
  const lock = (index: number, and: string): string =>
    lockPlain(cell, at.wallet(index, WALLET) + and, {
      partnerId: at.payment(PARTNER),
      debits: at.wallet(index, DEBITS),
      credits: at.wallet(index, CREDITS),
      limit: knowsLimits ? (limit) => at.wallet(index, present(LIMIT_COLUMNS.get(limit), limit)) : null,
    });
  const entry = (_: unknown, index: number): string => {
    const after = index < 2 ? `sequence_${String(index)}, balance_${String(index)}` : 'NULL, NULL';
    return `(${account(index)}, ${at.entry(index, ENTRY_ID)}, ${amount(index)}, ${after})`;
  };
  const ofFirst = (column: Column<Plain['entries'][number]>): string =>
    `CASE a.id WHEN ${account(0)} THEN ${at.entry(0, column)} ELSE ${at.entry(1, column)} END`;
  const day = knowsLimits ? `, ${countDay(ofFirst(DAY))}` : '';
  const written = namesOf(WRITTEN_COLUMNS);
  return `${PLAIN_MARK} WITH decided AS MATERIALIZED (
      SELECT one.is_plain AND other.is_plain
               AND ${areNew(cell, names, asked)} AS is_plain,
             one.sequence + 1 AS sequence_0, one.balance_kobo + ${amount(0)} AS balance_0,
             other.sequence + 1 AS sequence_1, other.balance_kobo + ${amount(1)} AS balance_1
        FROM (${lock(0, '')}) AS one
       CROSS JOIN LATERAL (${lock(1, ' AND id > one.id')}) AS other),
    opened AS (
      INSERT INTO ${cell}.transactions (${written}, created_at, updated_at, completed_at)
      SELECT ${values(...WRITTEN_COLUMNS)}, ${NOW}, ${NOW}, ${NOW} FROM decided WHERE is_plain),
    entered AS (
      INSERT INTO ${cell}.entries (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo,
        created_at)
      SELECT ${id}, 'accept', v.*, ${NOW} FROM decided
       CROSS JOIN LATERAL (VALUES ${Array.from({ length: entries }, entry).join(', ')}) AS v WHERE is_plain),
    balanced AS (
      UPDATE ${cell}.accounts a SET sequence = a.sequence + 1, updated_at = ${NOW},
        balance_kobo = a.balance_kobo + ${ofFirst(AMOUNT)}${day}
      FROM decided WHERE is_plain AND a.id = ANY(ARRAY[${account(0)}, ${account(1)}])),
    referred AS (
      INSERT INTO ${cell}.used_references (partner_id, reference, resource_id, transaction_id, terms)
      SELECT ${values(PARTNER, REFERENCE, ID, ID, TERMS)} FROM decided WHERE is_plain),
    keyed AS (
      INSERT INTO ${cell}.idempotency_keys (partner_id, operation, key, fingerprint, transaction_id, form, request_id,
        created_at)
      SELECT ${values(PARTNER, OPERATION, KEY, FINGERPRINT, ID, FORM, KEY_REQUEST)}, ${NOW} FROM decided
       WHERE is_plain AND ${operation} IS NOT NULL),
    told AS (
      INSERT INTO ${cell}.events (id, partner_id, kind, resource_id, request_id, created_at)
      SELECT ${values(EVENT_ID, PARTNER, EVENT_KIND, ID, REQUEST)}, ${NOW} FROM decided WHERE is_plain),
    happened AS (
      SELECT ${at.payment(EVENT_ID)} AS id, ${partner} AS partner_id, ${at.payment(EVENT_KIND)} AS kind,
             ${at.payment(EVENT_ALIAS)} AS alias FROM decided WHERE is_plain),
    delivered AS (${deliver(cell, 'happened', NOW)})
    SELECT ${NOW} AS now,
           CASE is_plain WHEN true THEN '${ANSWER.written}' WHEN false THEN '${ANSWER.leftOut}' ELSE '${ANSWER.isAway}'
            END AS answers,
           balance_0 || ',' || balance_1 AS balances,
           ARRAY(SELECT endpoint_id FROM delivered WHERE next_attempt_at IS NOT NULL) AS endpoint_ids,
           NULL::json AS epochs
      FROM (SELECT) AS always LEFT JOIN decided ON true`;
}

/** The values of one payment: each is one parameter, however often it is named. */
class Values {
  private readonly at = new Parameters<Plain>();
  private readonly known = new Map<string, string>();

  payment = (column: Column<Payment>): string => this.one('payment', column, paymentOf);
  /** Of the wallet with this index. */
  wallet = (index: number, column: Column<Plain['wallets'][number]>): string =>
    this.one(`wallet ${String(index)}`, column, (plain) => present(plain.wallets[index], 'a wallet'));
  /** Of the entry with this index. */
  entry = (index: number, column: Column<Plain['entries'][number]>): string =>
    this.one(`entry ${String(index)}`, column, (plain) => present(plain.entries[index], 'an entry'));

  private one<Row>(of: string, [name, type, value]: Column<Row>, pick: (plain: Plain) => Row): string {
    const key = `${of} ${name}`;
    const known = this.known.get(key) ?? this.at.one(type, (plain) => value(pick(plain)));
    this.known.set(key, known);
    return known;
  }

  values = (plain: Plain): Parameter[] => this.at.values(plain);
}

const paymentOf = (plain: Plain): Payment => present(plain.payments[0], 'the payment');
