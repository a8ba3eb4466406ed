/**
 * The writing of a batch: one statement, put together from the parts that the batch needs, its values as bytes,
 * because the bench rows `p2p` and `p2p-one` demand it.
 */
import type { Account } from '../../domain/ledger';
import type { Sealing } from '../../secrets/sealing';
import { namesOf, Parameters, type Column, type Parameter } from '../pg/bulk';
import { deliver } from '../events/events';
import { explainSuspense } from '../reconcile/suspense';
import { INTENTION_COLUMNS } from '../events/intentions';
import type { Statement } from '../pg/round';
import { accountNameColumn, TRANSACTION_COLUMNS } from './transaction-row';
import {
  BALANCE_COLUMNS,
  CAPTURE_COLUMNS,
  COUNTED_COLUMNS,
  CREDIT_COLUMNS,
  ENTRY_COLUMNS,
  EVENT_COLUMNS,
  KEY_COLUMNS,
  MOVED_COLUMNS,
  QR_COLUMNS,
  REFERENCE_COLUMNS,
  REVERSAL_COLUMNS,
  SUSPENSE_COLUMNS,
  USED_ORDER_COLUMNS,
  USSD_COLUMNS,
  type Writes,
} from './writes';

/**
 * Most batches need the same few parts, and Postgres would set up a part that is not needed each time (a batch of
 * one P2P transfer has 7 parts instead of 14). One transaction alone has its rows written out. Rows are inserted
 * in the order of their unique keys where two processes could offer the same ones; a key or reference that another
 * process used meanwhile fails the statement, and the batch is decided anew. It answers in one row with the
 * endpoints that got deliveries, as `endpoint_ids`.
 */
export function writeStatements(
  cell: string,
  sealing: Sealing,
): (writes: Writes) => { statement: Statement; values: Parameter[] } {
  const all = partsFor(sealing);
  const made = new Map<string, { statement: Statement; values: (writes: Writes) => Parameter[] }>();
  return (writes) => {
    const isOne = writes.opened.length + writes.moved.length === 1;
    const shape = shapeOf(writes, isOne);
    let found = made.get(shape);
    if (!found) {
      const parts = Object.entries(all).filter(([, part]) => part.isNeeded(writes));
      const at = new Parameters<Writes>(isOne ? writes : null);
      const now = at.add('timestamptz', (all) => all.now.toISOString());
      const text = parts.flatMap(([, part]) => part.write({ cell, at, now })).join(',\n');
      const has = (name: string): boolean => parts.some(([part]) => part === name);
      // To name an endpoint twice does no harm, so for one transaction duplicates are not looked for.
      const told = has('announced')
        ? `ARRAY(SELECT ${isOne ? '' : 'DISTINCT '}endpoint_id FROM delivered WHERE next_attempt_at IS NOT NULL)`
        : 'ARRAY[]::uuid[]';
      found = {
        statement: { text: `WITH ${text}\n  SELECT ${told} AS endpoint_ids` },
        values: (all) => at.values(all),
      };
      made.set(shape, found);
    }
    return { statement: found.statement, values: found.values(writes) };
  };
}

/**
 * Names the kinds of rows that the batch has. For one transaction it also says how many rows of each kind; there
 * are few different shapes.
 */
const shapeOf = (writes: Writes, isOne: boolean): string =>
  Object.values(writes)
    .map((rows: unknown) => (Array.isArray(rows) ? (isOne ? rows.length : rows.length > 0) : ''))
    .join(' ');

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

/** A part that writes the named columns of accounts. */
const balancesOf = (
  name: string,
  columns: readonly Column<Account>[],
  pick: (writes: Writes) => readonly Account[],
): Part => ({
  isNeeded: (writes) => pick(writes).length > 0,
  write: ({ cell, at, now }) => [
    `${name} AS (
      UPDATE ${cell}.accounts a SET ${columns
        .filter(([column]) => column !== 'id')
        .map(([column]) => `${column} = v.${column}`)
        .join(', ')}, updated_at = ${now}
      FROM ${at.rows('v', columns, pick)}
      WHERE a.id = v.id)`,
  ],
});

const partsFor = (sealing: Sealing): Record<string, Part> => ({
  opened: rowsOf(
    'opened',
    'transactions',
    [...TRANSACTION_COLUMNS, accountNameColumn(sealing)],
    (writes) => writes.opened,
    ['created_at', 'updated_at'],
  ),
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
  /** What it puts into suspense or takes out, and the findings of it (R54). */
  suspended: {
    isNeeded: (writes) => writes.suspense.length > 0,
    write: ({ cell, at, now }) => [
      `suspended AS (SELECT * FROM ${at.rows('v', SUSPENSE_COLUMNS, (writes) => writes.suspense)})`,
      `suspense_posted AS (
        INSERT INTO ${cell}.suspense_postings (transaction_id, class, resource, account, amount_kobo)
        SELECT transaction_id, class, resource, account, amount_kobo FROM suspended)`,
      ...explainSuspense(cell, 'suspended', now),
    ],
  },
  balanced: balancesOf('balanced', BALANCE_COLUMNS, (writes) => writes.balances),
  /** The same for wallets under limits, with what they have used of their day. */
  counted: balancesOf('counted', COUNTED_COLUMNS, (writes) => writes.counted),
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
      // Written so that Postgres cannot use the index of unpaid requests, and finds the request by its id.
      `paid AS (
        UPDATE ${cell}.qr_requests q SET transaction_id = v.transaction_id, paid_by = v.paid_by
        FROM paying v WHERE q.id = v.id AND num_nulls(q.transaction_id) = 1)`,
      `now_paid AS (
        UPDATE ${cell}.used_references r SET transaction_id = v.transaction_id
        FROM paying v WHERE r.partner_id = v.partner_id AND r.reference = v.reference)`,
    ],
  },
  /** The account of each is locked and has a new `held_kobo` in the same statement. */
  captured: {
    isNeeded: (writes) => writes.captures.length > 0,
    write: ({ cell, at, now }) => [
      `capturing AS (SELECT * FROM ${at.rows('v', CAPTURE_COLUMNS, (writes) => writes.captures)})`,
      `captured AS (
        UPDATE ${cell}.holds h SET status = 'captured', transaction_id = v.transaction_id,
          captured_kobo = v.captured_kobo, capture_terms = v.capture_terms, ended_at = ${now}
        FROM capturing v WHERE h.id = v.id AND h.status = 'open')`,
      `now_captured AS (
        UPDATE ${cell}.used_references r SET transaction_id = v.transaction_id
        FROM capturing v WHERE r.partner_id = v.partner_id AND r.reference = v.reference)`,
    ],
  },
  /** A trigger refuses to use an order up a second time. */
  ordersUsed: {
    isNeeded: (writes) => writes.usedOrders.length > 0,
    write: ({ cell, at, now }) => [
      `orders_used AS (
        UPDATE ${cell}.hand_orders o SET used_at = ${now}
        FROM ${at.rows('v', USED_ORDER_COLUMNS, (writes) => writes.usedOrders)}
        WHERE o.id = v.id)`,
    ],
  },
  sessionsEnded: {
    isNeeded: (writes) => writes.ussdEnds.length > 0,
    write: ({ cell, at, now }) => [
      // Written so that Postgres cannot use the index of open sessions, and finds the session by its transaction.
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
        INSERT INTO ${cell}.events (id, partner_id, kind, resource_id, request_id, data, created_at)
        SELECT id, partner_id, kind, resource_id, request_id, data, ${now} FROM happened)`,
      `delivered AS (${deliver(cell, 'happened', now)})`,
    ],
  },
});
