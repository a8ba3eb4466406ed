/**
 * The SQL of one batch: read the books under lock, then write everything that belongs together in one
 * statement. Every look-up is by a primary key, and where a list is looked up, one by one (LATERAL with LIMIT 1): a
 * plan outlives the table it was made for, and one made while it was empty would read the whole of it for ever.
 * Every lock is taken in id order, so two batches cannot wait on each other in a circle.
 */
import type { Account, Posted, StoredAnswer, UsedKey, Entry } from '../../domain/ledger';
import type { EventDraft } from '../../domain/events';
import type { Intention } from '../../domain/intentions';
import type { Transaction, TransactionStatus } from '../../domain/transactions';
import { namesOf, Parameters, type Column, type Parameter } from '../bulk';
import { deliver } from '../events';
import { newId } from '../ids';
import { INTENTION_COLUMNS } from '../intentions';
import { TRANSACTION_COLUMNS } from '../transactions';
import { effectiveStatus } from '../wallet-status';
import type { Statement } from './round';

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

const BALANCE_COLUMNS: readonly Column<Writes['balances'][number]>[] = [
  ['id', 'uuid', (row) => row.id],
  ['balance_kobo', 'bigint', (row) => row.balanceKobo],
  ['in_flight_kobo', 'bigint', (row) => row.inFlightKobo],
  ['sequence', 'bigint', (row) => row.sequence],
];

const REFERENCE_COLUMNS: readonly Column<Writes['references'][number]>[] = [
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['reference', 'text', (row) => row.reference],
  ['resource_id', 'uuid', (row) => row.transactionId],
  ['transaction_id', 'uuid', (row) => row.transactionId],
  ['terms', 'text', (row) => row.terms],
];

const REVERSAL_COLUMNS: readonly Column<Writes['reversals'][number]>[] = [
  ['original_id', 'uuid', (row) => row.originalId],
  ['reversal_id', 'uuid', (row) => row.reversalId],
];

const CREDIT_COLUMNS: readonly Column<Writes['ownMfbCredits'][number]>[] = [
  ['bank_transfer_id', 'uuid', (row) => row.bankTransferId],
  ['funding_id', 'uuid', (row) => row.fundingId],
];

const EVENT_COLUMNS: readonly Column<Writes['events'][number]>[] = [
  ['id', 'uuid', (row) => row.id],
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['kind', 'text', (row) => row.draft.kind],
  ['alias', 'text', (row) => row.draft.alias],
  ['resource_id', 'uuid', (row) => row.draft.resourceId],
  ['data', 'text', (row) => row.draft.data],
];

const USSD_COLUMNS: readonly Column<Transaction>[] = [
  ['transaction_id', 'uuid', (ended) => ended.id],
  ['status', 'text', (ended) => ended.status],
  ['failure_reason', 'text', (ended) => ended.failedReason],
  ['completed_at', 'timestamptz', (ended) => ended.completedAt],
];

/** The statements for one cell. */
export function ledgerStatements(cell: string) {
  const statement = (text: string): Statement => ({ text });
  const lock = `SELECT id, partner_id, ${effectiveStatus('accounts')} AS status, balance_kobo, in_flight_kobo, sequence FROM ${cell}.accounts
    WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const transactions = `SELECT * FROM ${cell}.transactions WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const qrRequests = `SELECT * FROM ${cell}.qr_requests WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  return {
    begin: statement('BEGIN'),
    commit: statement('COMMIT'),
    clock: statement('SELECT now()::timestamptz(3) AS now'),
    lock: statement(lock),
    lockFree: statement(`${lock} SKIP LOCKED`),
    existing: statement(`SELECT id FROM ${cell}.accounts WHERE id = ANY($1::uuid[])`),
    references: statement(
      `SELECT r.partner_id, r.reference, r.transaction_id, r.terms
         FROM unnest($1::uuid[], $2::text[]) AS asked(partner_id, reference)
        CROSS JOIN LATERAL (
              SELECT * FROM ${cell}.used_references u
               WHERE u.partner_id = asked.partner_id AND u.reference = asked.reference LIMIT 1) AS r`,
    ),
    keys: statement(
      `SELECT k.partner_id, k.operation, k.key, k.fingerprint, k.status, k.body,
              k.created_at <= now() - $4::bigint * interval '1 millisecond' AS expired
         FROM unnest($1::uuid[], $2::text[], $3::text[]) AS asked(partner_id, operation, key)
        CROSS JOIN LATERAL (
              SELECT * FROM ${cell}.idempotency_keys u
               WHERE u.partner_id = asked.partner_id AND u.operation = asked.operation AND u.key = asked.key
               LIMIT 1) AS k`,
    ),
    forget:
      statement(`DELETE FROM ${cell}.idempotency_keys WHERE partner_id = $1 AND operation = $2 AND key = $3
          AND created_at <= now() - $4::bigint * interval '1 millisecond'`),
    transactions: statement(transactions),
    transactionsFree: statement(`${transactions} SKIP LOCKED`),
    qrRequests: statement(qrRequests),
    qrRequestsFree: statement(`${qrRequests} SKIP LOCKED`),
    fenced: statement(
      `SELECT partner_id FROM ${cell}.partner_epochs WHERE partner_id = ANY($1::uuid[]) AND resetting`,
    ),
    credited: statement(
      `SELECT bank_transfer_id, funding_id FROM ${cell}.own_mfb_credits WHERE bank_transfer_id = ANY($1::uuid[])`,
    ),
    write: writeStatements(cell),
  };
}

/**
 * The writing of a batch is one statement, put together from the parts that it needs: most batches need the same
 * few, and a part that is only there in case would be set up by Postgres each time (a batch of one P2P transfer:
 * 7 parts instead of 14). Rows are inserted in the order of their unique keys where two processes could offer the
 * same ones; a key or reference that another process used meanwhile fails the statement, and the batch is decided
 * anew. It answers with the endpoints that got deliveries.
 */
function writeStatements(cell: string): (writes: Writes) => { statement: Statement; values: Parameter[] } {
  const made = new Map<string, { statement: Statement; values: (writes: Writes) => Parameter[] }>();
  return (writes) => {
    const parts = Object.entries(PARTS).filter(([, part]) => part.isNeeded(writes));
    const names = parts.map(([name]) => name).join(' ');
    let found = made.get(names);
    if (!found) {
      const at = new Parameters<Writes>();
      const now = at.add('timestamptz', (all) => all.now.toISOString());
      const text = parts.flatMap(([, part]) => part.write({ cell, at, now })).join(',\n');
      const told =
        writes.events.length > 0
          ? 'delivered'
          : '(SELECT NULL::uuid AS endpoint_id, $1 AS next_attempt_at LIMIT 0)';
      found = {
        statement: {
          text: `WITH ${text}\n  SELECT DISTINCT endpoint_id FROM ${told} AS told WHERE next_attempt_at IS NOT NULL`,
        },
        values: (all) => at.values(all),
      };
      made.set(names, found);
    }
    return { statement: found.statement, values: found.values(writes) };
  };
}

interface Place {
  cell: string;
  at: Parameters<Writes>;
  /** The parameter that is the time of the batch. */
  now: string;
}

interface Part {
  isNeeded: (writes: Writes) => boolean;
  write: (place: Place) => string[];
}

/** A part that inserts the rows of one table, if there are any. */
const rowsOf = <Row>(
  name: string,
  table: string,
  columns: readonly Column<Row>[],
  pick: (writes: Writes) => readonly Row[],
  timestamps: readonly string[] = [],
  tail = '',
): Part => ({
  isNeeded: (writes) => pick(writes).length > 0,
  write: ({ cell, at, now }) => [
    `${name} AS (
      INSERT INTO ${cell}.${table} (${[namesOf(columns), ...timestamps].join(', ')})
      SELECT ${[namesOf(columns), ...timestamps.map(() => now)].join(', ')} FROM ${at.rows('v', columns, pick)}
      ${tail})`,
  ],
});

const PARTS: Record<string, Part> = {
  opened: rowsOf('opened', 'transactions', TRANSACTION_COLUMNS, (writes) => writes.opened, [
    'created_at',
    'updated_at',
  ]),
  moved: {
    isNeeded: (writes) => writes.moved.length > 0,
    write: ({ cell, at, now }) => [
      `moved AS (
        UPDATE ${cell}.transactions t SET status = v.status, failed_reason = v.failed_reason,
          psp_meta = v.psp_meta, completed_at = v.completed_at, updated_at = ${now}
        FROM ${at.rows('v', MOVED_COLUMNS, (writes) => writes.moved)}
        WHERE t.id = v.id AND t.status = v.was)`,
    ],
  },
  entered: rowsOf('entered', 'entries', ENTRY_COLUMNS, (writes) => writes.entries, ['created_at']),
  balanced: {
    isNeeded: (writes) => writes.balances.length > 0,
    write: ({ cell, at, now }) => [
      `balanced AS (
        UPDATE ${cell}.accounts a SET balance_kobo = v.balance_kobo, in_flight_kobo = v.in_flight_kobo,
          sequence = v.sequence, updated_at = ${now}
        FROM ${at.rows('v', BALANCE_COLUMNS, (writes) => writes.balances)}
        WHERE a.id = v.id)`,
    ],
  },
  referred: rowsOf(
    'referred',
    'used_references',
    REFERENCE_COLUMNS,
    (writes) => writes.references,
    [],
    'ORDER BY partner_id, reference',
  ),
  keyed: rowsOf(
    'keyed',
    'idempotency_keys',
    KEY_COLUMNS,
    (writes) => writes.keys,
    ['created_at'],
    'ORDER BY partner_id, operation, key',
  ),
  reversed: rowsOf('reversed', 'reversals', REVERSAL_COLUMNS, (writes) => writes.reversals),
  credited: rowsOf('credited', 'own_mfb_credits', CREDIT_COLUMNS, (writes) => writes.ownMfbCredits),
  qrPaid: {
    isNeeded: (writes) => writes.qrPayments.length > 0,
    write: ({ cell, at }) => [
      `paying AS (SELECT * FROM ${at.rows('v', QR_COLUMNS, (writes) => writes.qrPayments)})`,
      // Said so that no index of unpaid requests fits: the request is found by its id.
      `paid AS (
        UPDATE ${cell}.qr_requests q SET transaction_id = v.transaction_id, paid_by = v.paid_by
        FROM paying v WHERE q.id = v.id AND num_nulls(q.transaction_id) = 1)`,
      `now_paid AS (
        UPDATE ${cell}.used_references r SET transaction_id = v.transaction_id
        FROM paying v WHERE r.partner_id = v.partner_id AND r.reference = v.reference)`,
    ],
  },
  sessionsEnded: {
    isNeeded: (writes) => writes.ussdEnds.length > 0,
    write: ({ cell, at, now }) => [
      // Said so that no index of open sessions fits: the session is found by its transaction.
      `sessions_ended AS (
        UPDATE ${cell}.ussd_sessions s SET status = v.status, failure_reason = v.failure_reason,
          completed_at = v.completed_at, updated_at = ${now}
        FROM ${at.rows('v', USSD_COLUMNS, (writes) => writes.ussdEnds)}
        WHERE s.transaction_id = v.transaction_id AND s.status || '' = 'processing')`,
    ],
  },
  intended: rowsOf('intended', 'workflow_intentions', INTENTION_COLUMNS, (writes) => writes.intentions, [
    'created_at',
  ]),
  /** Events and their deliveries. */
  announced: {
    isNeeded: (writes) => writes.events.length > 0,
    write: ({ cell, at, now }) => [
      `happened AS (SELECT * FROM ${at.rows('v', EVENT_COLUMNS, (writes) => writes.events)})`,
      `told AS (
        INSERT INTO ${cell}.events (id, partner_id, kind, resource_id, data, created_at)
        SELECT id, partner_id, kind, resource_id, data, ${now} FROM happened)`,
      `delivered AS (${deliver(cell, 'happened', now)})`,
    ],
  },
};
