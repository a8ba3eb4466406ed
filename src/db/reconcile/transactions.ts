/**
 * What must be true of every transaction. Each class of finding is a query for the transactions that break its
 * rule. One statement sees one moment, so money that moves meanwhile raises no false alarm.
 */
import { EVENT_OF_STATUS } from '../../domain/events';
import type { Finding, FindingClass } from '../../domain/findings';
import { feesFor, statusesOf, TRANSACTION_KINDS, typesWhere, type TransactionKind } from '../../domain/kinds';
import type { TransactionType } from '../../domain/transaction-types';
import { rowsInSql } from '../ledger/kinds-in-sql';
import { brokenChains, unbalancedSteps } from './damage';
import type { Cell } from '../pg/postgres';

/**
 * `$1` are the ids. Each row is a transaction that breaks the rule, with what an operator wants to know about it.
 */
const OFFENDERS = {
  transaction_unbalanced: (schema) => `
    SELECT transaction_id AS resource, json_build_object('step', step, 'sum_kobo', sum_kobo) AS detail
      FROM (${unbalancedSteps(schema, '= ANY($1)')}) AS unbalanced`,

  // No other class looks at such a transaction: entries, events and reversals are looked for by its status.
  transaction_impossible: (schema) => `
    SELECT t.id AS resource, json_build_object('type', t.type, 'status', t.status) AS detail
      FROM ${schema}.transactions t
     WHERE t.id = ANY($1) AND (t.type::text, t.status::text) NOT IN (VALUES ${rowsInSql(possibleStatuses())})`,

  // It looks at each entry by itself, so that a wallet with a million entries costs no more than one with ten.
  chain_broken: (schema) => `
    SELECT transaction_id AS resource, json_build_object('wallet', account, 'sequence', sequence) AS detail
      FROM (${brokenChains(schema)}) AS broken`,

  entries_missing: (schema) => `
    SELECT t.id AS resource, json_build_object('type', t.type, 'status', t.status, 'step', needed.step) AS detail
      FROM ${schema}.transactions t
      JOIN (VALUES ${rowsInSql(neededSteps())}) AS needed(type, status, step) USING (type, status)
     WHERE t.id = ANY($1) AND NOT EXISTS (
           SELECT FROM ${schema}.entries e WHERE e.transaction_id = t.id AND e.step = needed.step)`,

  reversal_missing: (schema) => `
    SELECT t.id AS resource, json_build_object('status', t.status, 'reversal', r.id) AS detail
      FROM ${schema}.transactions t
      JOIN (VALUES ${rowsInSql(dueReversals())}) AS due(type, status, by_type) USING (type, status)
      LEFT JOIN ${schema}.reversals v ON v.original_id = t.id
      LEFT JOIN ${schema}.transactions r ON r.id = v.reversal_id
     WHERE t.id = ANY($1)
       AND (r.type, r.status, r.amount_kobo) IS DISTINCT FROM
           (due.by_type, 'completed', t.amount_kobo + t.customer_fee_kobo)
       -- Money that no wallet could take is in the suspense account, by entries of the transfer itself (D30).
       AND NOT (t.status = 'reversed' AND v.original_id IS NULL AND EXISTS (
             SELECT FROM ${schema}.entries e WHERE e.transaction_id = t.id AND e.step = 'return'))`,

  // A transfer can have one registered reversal, so a second reversal is one that is not registered.
  reversal_repeated: (schema) => `
    WITH due(type, status, by_type) AS (VALUES ${rowsInSql(dueReversals())})
    SELECT r.id AS resource, json_build_object('reference', r.reference) AS detail
      FROM ${schema}.transactions r
      LEFT JOIN ${schema}.reversals v ON v.reversal_id = r.id
      LEFT JOIN ${schema}.transactions t ON t.id = v.original_id
     WHERE r.id = ANY($1) AND r.type IN (SELECT by_type FROM due)
       AND NOT EXISTS (SELECT FROM due WHERE (due.type, due.status, by_type) = (t.type, t.status, r.type))`,
} satisfies Partial<Record<FindingClass, (schema: string) => string>>;

/** Which status a transaction can have, by its type. */
const possibleStatuses = (): string[][] =>
  Object.entries<TransactionKind>(TRANSACTION_KINDS).flatMap(([type, kind]) =>
    statusesOf(kind).map((status) => [type, status]),
  );

/** Which steps must have entries, by type and status of a transaction, as its kind says. */
const neededSteps = (): string[][] =>
  Object.entries(TRANSACTION_KINDS).flatMap(([type, { life }]) =>
    Object.entries(life.entries).flatMap(([status, steps]) => steps.map((step) => [type, status, step])),
  );

/** Which transactions must have a reversal, by type and status, and the type of that reversal. */
const dueReversals = (): string[][] =>
  Object.entries<TransactionKind>(TRANSACTION_KINDS).flatMap(
    ([
      type,
      {
        life: { givenBack },
      },
    ]) => (givenBack?.when ?? []).map((status) => [type, status, givenBack?.as ?? '']),
  );

/**
 * Everything that is wrong with these transactions. Events are not expected of a transaction that is so old that
 * retention may have deleted them.
 */
export async function checkTransactions(
  cell: Cell,
  ids: readonly string[],
  eventsKeptMs: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, query] of Object.entries(OFFENDERS)) {
    const { rows } = await cell.pool.query<Pick<Finding, 'resource' | 'detail'>>(query(cell.schema), [ids]);
    findings.push(...rows.map((row) => ({ class: name as keyof typeof OFFENDERS, ...row })));
  }
  return [...findings, ...(await wrongFees(cell, ids)), ...(await untoldEnds(cell, ids, eventsKeptMs))];
}

/** The classes that `checkTransactions` looks for. */
export const TRANSACTION_CLASSES: readonly FindingClass[] = [
  ...(Object.keys(OFFENDERS) as (keyof typeof OFFENDERS)[]),
  'fee_mismatch',
  'event_missing',
];

interface FeeRow {
  id: string;
  type: TransactionType;
  amount_kobo: number;
  customer_fee_kobo: number;
  merchant_fee_kobo: number;
  mfb_cost_kobo: number;
  net_amount_kobo: number;
}

async function wrongFees(cell: Cell, ids: readonly string[]): Promise<Finding[]> {
  const { rows } = await cell.pool.query<FeeRow>(
    `SELECT id, type, amount_kobo, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo
       FROM ${cell.schema}.transactions WHERE id = ANY($1)`,
    [ids],
  );
  return rows.flatMap((row): Finding[] => {
    const due = feesFor(row.type, row.amount_kobo);
    const right =
      row.customer_fee_kobo === due.customerFeeKobo &&
      row.merchant_fee_kobo === due.merchantFeeKobo &&
      row.mfb_cost_kobo === due.mfbCostKobo &&
      row.net_amount_kobo === due.netAmountKobo;
    const detail = {
      type: row.type,
      customer_fee_kobo: row.customer_fee_kobo,
      due_kobo: due.customerFeeKobo,
    };
    return right ? [] : [{ class: 'fee_mismatch', resource: row.id, detail }];
  });
}

async function untoldEnds(cell: Cell, ids: readonly string[], eventsKeptMs: number): Promise<Finding[]> {
  const ends = Object.entries(EVENT_OF_STATUS);
  const told = typesWhere(({ events }) => events.areSent);
  const { rows } = await cell.pool.query<{ id: string; status: string }>(
    `SELECT t.id, t.status FROM ${cell.schema}.transactions t
       JOIN unnest($2::text[], $3::text[]) AS told(status, kind) USING (status)
      WHERE t.id = ANY($1) AND t.type = ANY($4)
        AND t.updated_at > now() - $5 * interval '1 millisecond'
        AND NOT EXISTS (SELECT FROM ${cell.schema}.events e WHERE e.resource_id = t.id AND e.kind = told.kind)`,
    [ids, ends.map(([status]) => status), ends.map(([, kind]) => kind), told, eventsKeptMs],
  );
  return rows.map(({ id, status }) => ({ class: 'event_missing', resource: id, detail: { status } }));
}

/** What the entries of these transactions sum to: zero, where all is well. */
export async function sumOfEntries(cell: Cell, ids: readonly string[]): Promise<bigint> {
  const { rows } = await cell.pool.query<{ sum: string }>(
    `SELECT coalesce(sum(amount_kobo), 0)::text AS sum FROM ${cell.schema}.entries WHERE transaction_id = ANY($1)`,
    [ids],
  );
  return BigInt(rows[0]?.sum ?? 0);
}

/**
 * Bank transfers that have been open for too long (D58). Paused transfers are left out, because they wait on
 * purpose.
 */
export async function lateTransfers(
  cell: Cell,
  olderThanMs: number,
  limit: number,
  among: readonly string[] | null = null,
): Promise<Finding[]> {
  const { rows } = await cell.pool.query<{ id: string; created_at: Date }>(
    `SELECT id, created_at FROM ${cell.schema}.transactions
      WHERE status = 'processing' AND NOT paused AND created_at < now() - $1 * interval '1 millisecond'
        AND ($3::uuid[] IS NULL OR id = ANY($3))
      ORDER BY created_at LIMIT $2`,
    [olderThanMs, limit, among],
  );
  return rows.map((row) => ({
    class: 'processing_too_long',
    resource: row.id,
    detail: { since: row.created_at.toISOString() },
  }));
}

/** How long after its end a session may still be open before it becomes a finding. */
const EXPIRED_MS = 60_000;

/** USSD sessions that are past their time and open. One with an accepted PIN does not expire any more (R18). */
export async function expiredSessions(
  cell: Cell,
  limit: number,
  among: readonly string[] | null = null,
): Promise<Finding[]> {
  const { rows } = await cell.pool.query<{ id: string; status: string }>(
    `SELECT id, status FROM ${cell.schema}.ussd_sessions
      WHERE status IN ('initiated', 'menu_main', 'pin_entry')
        AND expires_at < now() - $1 * interval '1 millisecond' AND ($3::uuid[] IS NULL OR id = ANY($3))
      ORDER BY expires_at LIMIT $2`,
    [EXPIRED_MS, limit, among],
  );
  return rows.map(({ id, status }) => ({ class: 'expired_but_open', resource: id, detail: { status } }));
}
