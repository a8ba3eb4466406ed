/** What happened to a transaction, gathered from where each part of the platform keeps it (D194). */
import {
  TIMELINE_KINDS,
  type TimelineActor,
  type TimelineItem,
  type TimelineKind,
} from '../../domain/timeline';
import type { Cell } from '../pg/postgres';

/** How many failed deliveries a timeline shows at most: a partner may send an event again without end. */
export const FAILED_DELIVERIES_MAX = 200;

/** How many requests about it a timeline shows at most. */
const REQUESTS_MAX = 50;

/** The first 48 bits of a time-ordered id are the milliseconds at which it was made. */
const madeAt = (id: string): string =>
  `to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

const COLUMNS = [
  'what text',
  'actor text',
  'status text',
  'error text',
  'duration_ms integer',
  'event_id uuid',
  'endpoint_id uuid',
  'request_id uuid',
  'transaction_id uuid',
  'entry_ids uuid[]',
] as const;
type Name = (typeof COLUMNS)[number] extends infer Of
  ? Of extends `${infer One} ${string}`
    ? One
    : never
  : never;

/** One source: its time, the columns that it fills, and where it reads them; the other columns are null. */
const source = (
  kind: TimelineKind,
  at: string,
  filled: Partial<Record<Name, string>>,
  from: string,
): string => {
  const columns = COLUMNS.map((column) => {
    const [name, type] = column.split(' ') as [Name, string];
    return `(${filled[name] ?? 'NULL'})::${type} AS ${name}`;
  });
  const place = String(TIMELINE_KINDS.indexOf(kind));
  return `(SELECT ${at} AS at, '${kind}' AS kind, ${place} AS place, ${columns.join(', ')} FROM ${from})`;
};

/**
 * Everything that is kept about a transaction of a partner, oldest first. Every source is read by an index that begins
 * with the transaction or its event. Only entries of wallets are shown, because the others are the platform's own.
 */
export async function findTimeline(
  { pool, schema }: Cell,
  partnerId: string,
  transactionId: string,
): Promise<TimelineItem[]> {
  // Written so that Postgres cannot walk along all events of the partner instead of those of the transaction.
  const ofTransaction = 'e.resource_id = $1 AND e.partner_id::text = $2::uuid::text';
  const told = `${schema}.events e WHERE ${ofTransaction}`;
  const delivered = `${schema}.events e JOIN ${schema}.deliveries d ON d.event_id = e.id`;
  const session = `${schema}.ussd_sessions WHERE transaction_id = $1 AND partner_id = $2`;
  const sources = [
    source(
      'request',
      madeAt('id'),
      {
        what: 'operation',
        status: 'status',
        error: `'fault: ' || fault`,
        duration_ms: 'duration_ms',
        request_id: 'id',
      },
      // Who waits for an end asks again and again.
      `${schema}.requests WHERE resource_id = $1 AND partner_id::text = $2::uuid::text AND method <> 'GET'
       ORDER BY id LIMIT ${String(REQUESTS_MAX)}`,
    ),
    source('ussd', 'created_at', { what: `'opened'` }, session),
    source(
      'ussd',
      'updated_at',
      { what: `'ended'`, status: 'status' },
      `${session} AND status IN ('completed', 'failed', 'expired')`,
    ),
    source(
      'ussd',
      'counted_at',
      { what: `'pin'`, actor: `'payer'`, status: 'outcome' },
      `${schema}.ussd_pin_attempts WHERE session_id = (SELECT id FROM ${session})`,
    ),
    source(
      'operator',
      'ordered_at',
      // Partners are not told which of our operators it was.
      {
        what: 'verdict',
        actor: `CASE actor WHEN 'sandbox' THEN 'sandbox' ELSE 'operator' END`,
        status: `CASE WHEN used_at IS NOT NULL THEN 'carried_out' WHEN withdrawn_at IS NOT NULL THEN 'withdrawn' ELSE 'ordered' END`,
      },
      `${schema}.hand_orders
        WHERE resource_id IN ($1, (SELECT id FROM ${session})) AND partner_id::text = $2::uuid::text`,
    ),
    source(
      'ledger',
      'min(created_at)',
      { what: 'step', entry_ids: 'array_agg(id ORDER BY amount_kobo)' },
      `${schema}.entries WHERE transaction_id = $1 AND sequence IS NOT NULL GROUP BY step`,
    ),
    source(
      'provider',
      'created_at',
      {
        status: 'state',
        what: `(SELECT 'other_name' FROM ${schema}.transactions
          WHERE id = $1 AND dest_account->>'nameMatches' = 'false')`,
      },
      `${schema}.transfer_attempts WHERE transaction_id = $1`,
    ),
    source(
      'callback',
      'received_at',
      { status: 'outcome' },
      `${schema}.provider_callbacks WHERE transaction_id = $1 AND partner_id = $2`,
    ),
    source(
      'reversal',
      't.created_at',
      { transaction_id: 't.id' },
      `${schema}.reversals r JOIN ${schema}.transactions t
         ON t.id = CASE WHEN r.original_id = $1 THEN r.reversal_id ELSE r.original_id END
       WHERE r.original_id = $1 OR r.reversal_id = $1`,
    ),
    source('event', 'e.created_at', { what: 'e.kind', event_id: 'e.id' }, told),
    source(
      'delivery',
      'd.delivered_at',
      {
        what: 'd.event_name',
        status: 'd.last_status',
        error: 'd.last_error',
        duration_ms: 'd.last_duration_ms',
        event_id: 'e.id',
        endpoint_id: 'd.endpoint_id',
      },
      `${delivered} WHERE ${ofTransaction} AND d.delivered_at IS NOT NULL`,
    ),
    source(
      'delivery',
      't.at',
      {
        what: 'd.event_name',
        status: 't.status',
        error: 't.error',
        duration_ms: 't.duration_ms',
        event_id: 'e.id',
        endpoint_id: 'd.endpoint_id',
      },
      `${delivered} JOIN ${schema}.delivery_tries t ON t.event_id = d.event_id AND t.endpoint_id = d.endpoint_id
       WHERE ${ofTransaction}
       ORDER BY t.at DESC LIMIT ${String(FAILED_DELIVERIES_MAX)}`,
    ),
  ];
  const { rows } = await pool.query<{
    at: Date;
    kind: TimelineKind;
    what: string | null;
    actor: TimelineActor | null;
    status: string | null;
    error: string | null;
    duration_ms: number | null;
    event_id: string | null;
    endpoint_id: string | null;
    request_id: string | null;
    transaction_id: string | null;
    entry_ids: string[] | null;
  }>(`${sources.join(' UNION ALL ')} ORDER BY at, place, event_id, endpoint_id`, [transactionId, partnerId]);
  return rows.map((row) => ({
    at: row.at,
    kind: row.kind,
    what: row.what,
    actor: row.actor,
    status: row.status,
    error: row.error,
    durationMs: row.duration_ms,
    eventId: row.event_id,
    endpointId: row.endpoint_id,
    requestId: row.request_id,
    transactionId: row.transaction_id,
    entryIds: row.entry_ids ?? [],
  }));
}
