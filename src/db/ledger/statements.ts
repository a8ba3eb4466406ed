/**
 * The SQL of one batch: read the books under lock, then write everything that belongs together in one
 * statement. Every look-up is by a primary key and every lock is taken in id order, so the planner has no
 * second choice and two batches cannot wait on each other in a circle.
 */
import type { Account, Posted, StoredAnswer, UsedKey, Entry } from '../../domain/ledger';
import type { EventDraft } from '../../domain/events';
import type { Intention } from '../../domain/intentions';
import type { Transaction, TransactionStatus } from '../../domain/transactions';
import { namesOf, Parameters, type Column } from '../bulk';
import { deliver } from '../events';
import { newId } from '../ids';
import { INTENTION_COLUMNS } from '../intentions';
import { TRANSACTION_COLUMNS } from '../transactions';
import { effectiveStatus } from '../wallet-status';

/** Everything one batch writes. */
export interface Writes {
  now: Date;
  opened: Transaction[];
  moved: { transaction: Transaction; was: TransactionStatus }[];
  entries: Entry[];
  balances: Pick<Account, 'id' | 'balanceKobo' | 'inFlightKobo' | 'sequence'>[];
  references: { partnerId: string; reference: string; transactionId: string; terms: string }[];
  keys: { partnerId: string; used: UsedKey; answer: StoredAnswer }[];
  reversals: { originalId: string; reversalId: string }[];
  ownMfbCredits: { bankTransferId: string; fundingId: string }[];
  qrPayments: { id: string; transactionId: string; paidBy: string; partnerId: string; reference: string }[];
  /** Ended USSD payments: their sessions end in the same commit. */
  ussdEnds: Transaction[];
  events: { id: string; partnerId: string; draft: EventDraft }[];
  intentions: Intention[];
}

export const noWrites = (now: Date): Writes => ({
  now,
  opened: [],
  moved: [],
  entries: [],
  balances: [],
  references: [],
  keys: [],
  reversals: [],
  ownMfbCredits: [],
  qrPayments: [],
  ussdEnds: [],
  events: [],
  intentions: [],
});

/** Adds what a posted movement writes, apart from its answer and its events. */
export function collect(writes: Writes, posted: Posted): void {
  const { transaction, was } = posted;
  if (was === null) writes.opened.push(...posted.legs.map((leg) => leg.transaction));
  else writes.moved.push({ transaction, was });
  if (posted.reversal) {
    writes.opened.push(posted.reversal);
    writes.reversals.push({ originalId: transaction.id, reversalId: posted.reversal.id });
  }
  writes.entries.push(...posted.entries);
}

const ENTRY_COLUMNS: readonly Column<Entry>[] = [
  ['transaction_id', 'uuid', (entry) => entry.transactionId],
  ['step', 'text', (entry) => entry.step],
  ['account', 'uuid', (entry) => entry.account],
  ['id', 'uuid', () => newId()],
  ['amount_kobo', 'bigint', (entry) => entry.amountKobo],
  ['sequence', 'bigint', (entry) => entry.sequence],
  ['balance_after_kobo', 'bigint', (entry) => entry.balanceAfterKobo],
];

const KEY_COLUMNS: readonly Column<Writes['keys'][number]>[] = [
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['operation', 'text', (row) => row.used.operation],
  ['key', 'text', (row) => row.used.key],
  ['fingerprint', 'text', (row) => row.used.fingerprint],
  ['status', 'smallint', (row) => row.answer.status],
  ['body', 'text', (row) => row.answer.body],
];

const MOVED_COLUMNS: readonly Column<Writes['moved'][number]>[] = [
  ['id', 'uuid', ({ transaction }) => transaction.id],
  ['was', 'text', ({ was }) => was],
  ['status', 'text', ({ transaction }) => transaction.status],
  ['failed_reason', 'text', ({ transaction }) => transaction.failedReason],
  ['psp_meta', 'json', ({ transaction }) => transaction.pspMeta && JSON.stringify(transaction.pspMeta)],
  ['completed_at', 'timestamptz', ({ transaction }) => transaction.completedAt],
];

const QR_COLUMNS: readonly Column<Writes['qrPayments'][number]>[] = [
  ['id', 'uuid', (row) => row.id],
  ['transaction_id', 'uuid', (row) => row.transactionId],
  ['paid_by', 'uuid', (row) => row.paidBy],
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['reference', 'text', (row) => row.reference],
];

const USSD_COLUMNS: readonly Column<Transaction>[] = [
  ['transaction_id', 'uuid', (ended) => ended.id],
  ['status', 'text', (ended) => ended.status],
  ['failure_reason', 'text', (ended) => ended.failedReason],
  ['completed_at', 'timestamptz', (ended) => ended.completedAt],
];

/** The statements for one cell, their names unique on a connection that may serve several. */
export function ledgerStatements(cell: string) {
  const named = (name: string, text: string) => ({ name: `${cell}:${name}`, text });
  const lock = `SELECT id, partner_id, ${effectiveStatus('accounts')} AS status, balance_kobo, in_flight_kobo, sequence FROM ${cell}.accounts
    WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const transactions = `SELECT * FROM ${cell}.transactions WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const qrRequests = `SELECT * FROM ${cell}.qr_requests WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  return {
    clock: named('clock', 'SELECT now()::timestamptz(3) AS now'),
    lock: named('lock', lock),
    lockFree: named('lock-free', `${lock} SKIP LOCKED`),
    existing: named('existing', `SELECT id FROM ${cell}.accounts WHERE id = ANY($1::uuid[])`),
    references: named(
      'references',
      `SELECT r.partner_id, r.reference, r.transaction_id, r.terms
         FROM unnest($1::uuid[], $2::text[]) AS asked(partner_id, reference)
         JOIN ${cell}.used_references r USING (partner_id, reference)`,
    ),
    keys: named(
      'keys',
      `SELECT k.partner_id, k.operation, k.key, k.fingerprint, k.status, k.body,
              k.created_at <= now() - $4::bigint * interval '1 millisecond' AS expired
         FROM unnest($1::uuid[], $2::text[], $3::text[]) AS asked(partner_id, operation, key)
         JOIN ${cell}.idempotency_keys k USING (partner_id, operation, key)`,
    ),
    forget: named(
      'forget',
      `DELETE FROM ${cell}.idempotency_keys WHERE partner_id = $1 AND operation = $2 AND key = $3
          AND created_at <= now() - $4::bigint * interval '1 millisecond'`,
    ),
    transactions: named('transactions', transactions),
    transactionsFree: named('transactions-free', `${transactions} SKIP LOCKED`),
    qrRequests: named('qr-requests', qrRequests),
    qrRequestsFree: named('qr-requests-free', `${qrRequests} SKIP LOCKED`),
    fenced: named(
      'fenced',
      `SELECT partner_id FROM ${cell}.partner_epochs WHERE partner_id = ANY($1::uuid[]) AND resetting`,
    ),
    credited: named(
      'credited',
      `SELECT bank_transfer_id, funding_id FROM ${cell}.own_mfb_credits WHERE bank_transfer_id = ANY($1::uuid[])`,
    ),
    write: writeStatement(cell, named),
  };
}

/**
 * One statement for the whole batch. Rows are inserted in the order of their unique keys where two
 * processes could offer the same ones; a key or reference that another process used meanwhile fails the
 * statement, and the batch is decided anew. It answers with the endpoints that got deliveries.
 */
function writeStatement(cell: string, named: (name: string, text: string) => { name: string; text: string }) {
  const at = new Parameters<Writes>();
  const now = at.add('timestamptz', (writes) => writes.now);
  const fill = <Row>(
    name: string,
    table: string,
    columns: readonly Column<Row>[],
    pick: (writes: Writes) => readonly Row[],
    timestamps: readonly string[] = [],
    tail = '',
  ) => `${name} AS (
    INSERT INTO ${cell}.${table} (${[namesOf(columns), ...timestamps].join(', ')})
    SELECT ${[namesOf(columns), ...timestamps.map(() => now)].join(', ')} FROM ${at.rows('v', columns, pick)}
    ${tail})`;

  const text = `WITH ${[
    fill('opened', 'transactions', TRANSACTION_COLUMNS, (writes) => writes.opened, [
      'created_at',
      'updated_at',
    ]),
    `moved AS (
      UPDATE ${cell}.transactions t SET status = v.status, failed_reason = v.failed_reason,
        psp_meta = v.psp_meta, completed_at = v.completed_at, updated_at = ${now}
      FROM ${at.rows('v', MOVED_COLUMNS, (writes) => writes.moved)}
      WHERE t.id = v.id AND t.status = v.was)`,
    fill('entered', 'entries', ENTRY_COLUMNS, (writes) => writes.entries, ['created_at']),
    `balanced AS (
      UPDATE ${cell}.accounts a SET balance_kobo = v.balance_kobo, in_flight_kobo = v.in_flight_kobo,
        sequence = v.sequence, updated_at = ${now}
      FROM ${at.rows(
        'v',
        [
          ['id', 'uuid', (row) => row.id],
          ['balance_kobo', 'bigint', (row) => row.balanceKobo],
          ['in_flight_kobo', 'bigint', (row) => row.inFlightKobo],
          ['sequence', 'bigint', (row) => row.sequence],
        ] satisfies readonly Column<Writes['balances'][number]>[],
        (writes) => writes.balances,
      )}
      WHERE a.id = v.id)`,
    fill(
      'referred',
      'used_references',
      [
        ['partner_id', 'uuid', (row) => row.partnerId],
        ['reference', 'text', (row) => row.reference],
        ['resource_id', 'uuid', (row) => row.transactionId],
        ['transaction_id', 'uuid', (row) => row.transactionId],
        ['terms', 'text', (row) => row.terms],
      ] satisfies readonly Column<Writes['references'][number]>[],
      (writes) => writes.references,
      [],
      'ORDER BY partner_id, reference',
    ),
    fill(
      'keyed',
      'idempotency_keys',
      KEY_COLUMNS,
      (writes) => writes.keys,
      ['created_at'],
      'ORDER BY partner_id, operation, key',
    ),
    fill(
      'reversed',
      'reversals',
      [
        ['original_id', 'uuid', (row) => row.originalId],
        ['reversal_id', 'uuid', (row) => row.reversalId],
      ] satisfies readonly Column<Writes['reversals'][number]>[],
      (writes) => writes.reversals,
    ),
    fill(
      'credited',
      'own_mfb_credits',
      [
        ['bank_transfer_id', 'uuid', (row) => row.bankTransferId],
        ['funding_id', 'uuid', (row) => row.fundingId],
      ] satisfies readonly Column<Writes['ownMfbCredits'][number]>[],
      (writes) => writes.ownMfbCredits,
    ),
    `paying AS (SELECT * FROM ${at.rows('v', QR_COLUMNS, (writes) => writes.qrPayments)})`,
    `paid AS (
      UPDATE ${cell}.qr_requests q SET transaction_id = v.transaction_id, paid_by = v.paid_by
      FROM paying v WHERE q.id = v.id AND q.transaction_id IS NULL)`,
    `now_paid AS (
      UPDATE ${cell}.used_references r SET transaction_id = v.transaction_id
      FROM paying v WHERE r.partner_id = v.partner_id AND r.reference = v.reference)`,
    `sessions_ended AS (
      UPDATE ${cell}.ussd_sessions s SET status = v.status, failure_reason = v.failure_reason,
        completed_at = v.completed_at, updated_at = ${now}
      FROM ${at.rows('v', USSD_COLUMNS, (writes) => writes.ussdEnds)}
      WHERE s.transaction_id = v.transaction_id AND s.status = 'processing')`,
    fill('intended', 'workflow_intentions', INTENTION_COLUMNS, (writes) => writes.intentions, ['created_at']),
    ...announcing(cell, at, now),
  ].join(',\n')}
  SELECT DISTINCT endpoint_id FROM delivered WHERE next_attempt_at IS NOT NULL`;
  return { ...named('write', text), values: (writes: Writes) => at.values(writes) };
}

/** Events and their deliveries. */
function announcing(cell: string, at: Parameters<Writes>, now: string): string[] {
  const columns: readonly Column<Writes['events'][number]>[] = [
    ['id', 'uuid', (row) => row.id],
    ['partner_id', 'uuid', (row) => row.partnerId],
    ['kind', 'text', (row) => row.draft.kind],
    ['alias', 'text', (row) => row.draft.alias],
    ['resource_id', 'uuid', (row) => row.draft.resourceId],
    ['data', 'text', (row) => row.draft.data],
  ];
  return [
    `happened AS (SELECT * FROM ${at.rows('v', columns, (writes) => writes.events)})`,
    `told AS (
      INSERT INTO ${cell}.events (id, partner_id, kind, resource_id, data, created_at)
      SELECT id, partner_id, kind, resource_id, data, ${now} FROM happened)`,
    `delivered AS (${deliver(cell, 'happened', now)})`,
  ];
}
