/**
 * Deliveries: claimed by the endpoint's dispatcher, recorded after each attempt. When a delivery is due is decided
 * by Postgres' clock alone. Claiming uses a round, because the bench row `webhooks` demands it;
 * everything else uses plain pg.
 */
import type { MovedMoney, ToldRow } from '../../domain/events';
import type { EndpointFault, WebhookFault } from '../../domain/webhook-faults';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { requestIdOf, uuidOfRequest } from '../../domain/request-ids';
import { assertNotResetting } from '../upkeep/epochs';
import { newId } from '../pg/ids';
import { inOneRound, perSchema } from '../pg/in-rounds';
import { inTransaction, type Cell, type Queryable, type SealedCell } from '../pg/postgres';
import { accountNamePlace, type Sealing } from '../../secrets/sealing';
import { openedName } from '../wallets/names';

/** A delivery that was claimed: everything from which its bytes are made. They are the same on every attempt. */
export interface DueDelivery {
  eventId: string;
  eventName: string;
  /** The published id: the same for all attempts of one (event, endpoint) (D110). */
  webhookId: string;
  /** The payload, as JSON text; or what it is made from. */
  payload: string | ToldRow;
  createdAt: Date;
  /** The request that began what the event reports; null where the platform began it. */
  requestId: string | null;
  /** Attempts before this one. */
  attempts: number;
}

export interface DeliveryTarget {
  url: string;
  /** The endpoint's secret, and after it the earlier ones that are still in force. */
  secretsSealed: string[];
  /** Whether it has never answered 2xx. Then it is tried one delivery at a time (D176). */
  isOnTrial: boolean;
  /** How long nothing may be sent yet; 0 for an endpoint that has answered. */
  trialInMs: number;
  /** The last fault that its partner has asked for; null in live. */
  fault: EndpointFault | null;
}

/** Where an endpoint's deliveries go, or null when it is deleted or disabled. */
export async function findTarget(cell: Cell, endpointId: string): Promise<DeliveryTarget | null> {
  const { rows } = await cell.pool.query<{
    url: string;
    secrets_sealed: string[];
    on_trial: boolean;
    trial_in_ms: number;
    fault: WebhookFault | null;
    fault_until: Date;
    fault_left_ms: number;
  }>(
    `SELECT url, last_success_at IS NULL AS on_trial,
            array_prepend(secret_sealed, ARRAY(
              SELECT r.secret_sealed FROM ${cell.schema}.retiring_webhook_secrets r
               WHERE r.endpoint_id = e.id AND r.retires_at > now() ORDER BY r.id DESC)) AS secrets_sealed,
            greatest(0, ceil(extract(epoch FROM coalesce(trial_after, now()) - now()) * 1000))::float8 AS trial_in_ms,
            fault, fault_until, greatest(0, ceil(extract(epoch FROM fault_until - now()) * 1000))::float8 AS fault_left_ms
       FROM ${cell.schema}.webhook_endpoints e
      WHERE id = $1 AND is_active AND deleted_at IS NULL`,
    [endpointId],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    url: row.url,
    secretsSealed: row.secrets_sealed,
    isOnTrial: row.on_trial,
    trialInMs: row.trial_in_ms,
    fault: row.fault && { mode: row.fault, until: row.fault_until, leftMs: row.fault_left_ms },
  };
}

/** A condition on a due delivery: nobody has claimed it. */
export const unclaimed = '(claimed_until IS NULL OR claimed_until <= now())';

/**
 * Claims what is due, oldest first. Deliveries of one commit come in no order: the index has them by time only,
 * and for a second order Postgres would read and sort all that wait. A claim does not change the due time, which
 * is in an index. A claim ends by itself: if the process that made it dies, the deliveries are due again when the
 * claim is over (R17).
 */
export async function claimDue(
  cell: SealedCell,
  endpointId: string,
  claim: { limit: number; forMs: number },
): Promise<DueDelivery[]> {
  const rows = await inOneRound(cell.pool, {
    statement: statements(cell.schema).claim,
    values: [endpointId, String(claim.limit), String(claim.forMs)],
  });
  return rows.map((row) => ({
    eventId: row['event_id'] as string,
    eventName: row['event_name'] as string,
    webhookId: row['webhook_id'] as string,
    payload: payloadOf(cell.sealing, row),
    createdAt: row['created_at'] as Date,
    requestId: row['request_id'] === null ? null : requestIdOf(row['request_id'] as string),
    attempts: row['attempts'] as number,
  }));
}

/**
 * Ends all claims, after a restore: no process that made one is alive, and partners would wait for its end. A second
 * call finds none.
 */
export async function endClaims(owner: Queryable, schema: string): Promise<void> {
  await owner.query(`UPDATE ${schema}.deliveries SET claimed_until = NULL WHERE claimed_until > now()`);
}

/** The payload of an event `e`, from a row with its time and `data` and the columns of `toldBy`. */
export function payloadOf(sealing: Sealing, row: Readonly<Record<string, unknown>>): string | ToldRow {
  if (row['data'] !== null) return row['data'] as string;
  const walletId = row['activated_id'] as string | null;
  if (walletId === null) {
    return {
      id: row['moved_id'] as string,
      type: row['type'] as MovedMoney['type'],
      status: row['status'] as MovedMoney['status'],
      reference: row['reference'] as string,
      amountKobo: row['amount_kobo'] as number,
      sourceWalletId: row['source_wallet'] as string | null,
      destWalletId: row['dest_wallet'] as string | null,
      createdAt: row['moved_at'] as Date,
    };
  }
  const name = row['account_name_sealed'] as string | null;
  return {
    id: walletId,
    userRef: row['user_ref'] as string,
    account: {
      accountNumber: row['account_number'] as string,
      accountName: openedName(sealing, name, accountNamePlace(walletId)),
      bankCode: row['bank_code'] as string,
      bankName: row['bank_name'] as string,
    },
    createdAt: row['asked_at'] as Date,
    // Its event and the account are one commit.
    activatedAt: row['created_at'] as Date,
  };
}

/** The published id of a delivery follows from its key, so it is never stored (D110). */
export const webhookId = (row: string): string =>
  `'wh_' || md5(${row}.endpoint_id::text || ${row}.event_id::text) AS webhook_id`;

/**
 * An event for one endpoint only, due at once, whatever the endpoint is subscribed to (D143).
 * @returns the delivery's published id; NOT_FOUND when the partner has no such endpoint, VALIDATION_ERROR when it
 *   is disabled, because nothing would be sent to it.
 */
export async function insertTestDelivery(
  cell: Cell,
  partnerId: string,
  endpointId: string,
  event: { name: string; data: string; requestId: string | undefined },
): Promise<Outcome<{ webhookId: string }>> {
  return inTransaction(cell.pool, async (trx): Promise<Outcome<{ webhookId: string }>> => {
    const { rows: endpoints } = await trx.query<{ is_active: boolean }>(
      `SELECT is_active FROM ${cell.schema}.webhook_endpoints
        WHERE id = $1 AND partner_id = $2 AND deleted_at IS NULL`,
      [endpointId, partnerId],
    );
    if (!endpoints[0]) return refuse('NOT_FOUND');
    if (!endpoints[0].is_active) return refuse('VALIDATION_ERROR', { message: 'The endpoint is disabled' });
    await assertNotResetting(trx, cell.schema, partnerId);
    const eventId = newId();
    await trx.query(
      `INSERT INTO ${cell.schema}.events (id, partner_id, kind, resource_id, request_id, data, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, now())`,
      [
        eventId,
        partnerId,
        event.name,
        endpointId,
        event.requestId === undefined ? null : uuidOfRequest(event.requestId),
        event.data,
      ],
    );
    const { rows } = await trx.query<{ webhook_id: string }>(
      `INSERT INTO ${cell.schema}.deliveries AS d (endpoint_id, event_id, event_name, next_attempt_at)
       VALUES ($1, $2, $3, now()) RETURNING ${webhookId('d')}`,
      [endpointId, eventId, event.name],
    );
    return done({ webhookId: (rows[0] as { webhook_id: string }).webhook_id });
  });
}

/** How an attempt ended. `retryAfterMs` null: there is no further attempt. */
export interface AttemptResult {
  eventId: string;
  /** Attempts before this one, as they were claimed. */
  attempts: number;
  delivered: boolean;
  status: number | null;
  error: string | null;
  durationMs: number;
  retryAfterMs: number | null;
}

/**
 * Records attempts and keeps the endpoint's published counters: `failure_count` is the number of failures in a
 * row. An endpoint is disabled at once by 410, and after `disableAfterMs` of nothing but failures (D109). An endpoint
 * that has never answered 2xx is not tried again for `trialEveryMs` (D176); if that is lost with a killed worker, one
 * attempt comes too early.
 *
 * A second write after a lost answer changes nothing, because the row has one attempt more by then. The same keeps out
 * a failure that a worker reports after another one has made the next attempt, because it was stopped for a while. A
 * success counts unless the delivery had ended before; one that is sent again begins at no attempts (D192).
 */
export async function recordAttempts(
  cell: Cell,
  endpointId: string,
  results: readonly AttemptResult[],
  disable: { now: boolean; afterMs: number },
  trialEveryMs: number,
): Promise<void> {
  await cell.pool.query(
    `WITH attempt AS (
       SELECT * FROM unnest($2::uuid[], $3::boolean[], $4::smallint[], $5::text[], $6::bigint[], $10::integer[],
                            $11::uuid[], $12::integer[])
         AS v(event_id, delivered, status, error, retry_after_ms, duration_ms, try_id, made)),
     recorded AS (
       UPDATE ${cell.schema}.deliveries d SET attempts = d.attempts + 1, last_status = v.status,
         last_error = v.error, last_duration_ms = v.duration_ms, claimed_until = NULL,
         delivered_at = CASE WHEN v.delivered THEN now() ELSE d.delivered_at END,
         next_attempt_at = CASE WHEN v.delivered THEN NULL
                                ELSE now() + v.retry_after_ms * interval '1 millisecond' END
       FROM attempt v WHERE d.endpoint_id = $1 AND d.event_id = v.event_id
         AND (d.attempts = v.made OR (v.delivered AND d.delivered_at IS NULL))
       RETURNING d.event_id, v.delivered),
     tried AS (
       INSERT INTO ${cell.schema}.delivery_tries (id, event_id, endpoint_id, status, error, duration_ms)
       SELECT v.try_id, v.event_id, $1, v.status, v.error, v.duration_ms
         FROM attempt v JOIN recorded USING (event_id) WHERE NOT v.delivered),
     summary AS (
       SELECT bool_or(delivered) AS any_success, count(*) FILTER (WHERE NOT delivered) AS failures FROM recorded)
     UPDATE ${cell.schema}.webhook_endpoints w SET
       failure_count = CASE WHEN s.any_success THEN 0 ELSE w.failure_count + s.failures END,
       last_success_at = CASE WHEN s.any_success THEN now() ELSE w.last_success_at END,
       trial_after = CASE WHEN s.any_success OR w.last_success_at IS NOT NULL THEN NULL
                          ELSE now() + $9 * interval '1 millisecond' END,
       failing_since = CASE WHEN s.any_success THEN NULL ELSE coalesce(w.failing_since, now()) END,
       is_active = w.is_active AND NOT $7
         AND (s.any_success OR w.failing_since IS NULL OR w.failing_since > now() - $8 * interval '1 millisecond')
     FROM summary s WHERE w.id = $1 AND s.any_success IS NOT NULL`,
    [
      endpointId,
      results.map((result) => result.eventId),
      results.map((result) => result.delivered),
      results.map((result) => result.status),
      results.map((result) => result.error),
      results.map((result) => result.retryAfterMs),
      disable.now,
      disable.afterMs,
      trialEveryMs,
      results.map((result) => result.durationMs),
      results.map(newId),
      results.map((result) => result.attempts),
    ],
  );
}

/**
 * Gives back what an earlier try of the endpoint's dispatcher has claimed and not recorded. If that try still sends
 * after all, because it was only stopped for a while, a receiver gets a delivery twice with the same id (D110).
 */
export async function giveBackClaims(cell: Cell, endpointId: string): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.deliveries SET claimed_until = NULL
      WHERE endpoint_id = $1 AND next_attempt_at <= now() AND NOT ${unclaimed}`,
    [endpointId],
  );
}

/** A disabled endpoint's deliveries are kept, but nothing is due any more (D109). */
export async function parkDeliveries(
  cell: { pool: Queryable; schema: string },
  endpointId: string,
): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.deliveries SET next_attempt_at = NULL, claimed_until = NULL
      WHERE endpoint_id = $1 AND next_attempt_at IS NOT NULL`,
    [endpointId],
  );
}

/**
 * Milliseconds until the endpoint's next delivery is due (0: now), or null when none waits. What is claimed is due
 * when its claim has passed. Nothing beyond the first delivery that can be claimed is read, however many wait.
 */
export async function nextDueMs(cell: Cell, endpointId: string): Promise<number | null> {
  const { rows } = await cell.pool.query<{ due_ms: number | null }>(
    `WITH first AS (
       SELECT min(next_attempt_at) AS at FROM ${cell.schema}.deliveries
        WHERE endpoint_id = $1 AND next_attempt_at IS NOT NULL AND ${unclaimed}),
     claimed AS (
       SELECT min(claimed_until) AS until FROM ${cell.schema}.deliveries
        WHERE endpoint_id = $1 AND next_attempt_at <= least(now(), (SELECT at FROM first)) AND NOT ${unclaimed})
     SELECT ceil(extract(epoch FROM least(at, until) - now()) * 1000)::float8 AS due_ms FROM first, claimed`,
    [endpointId],
  );
  const dueMs = rows[0]?.due_ms ?? null;
  return dueMs === null ? null : Math.max(0, dueMs);
}

/**
 * What waits for an endpoint, counted up to `max` + 1 deliveries, and the error of the latest attempt of the first
 * of them that has failed.
 */
export async function deliveriesWaiting(
  cell: Cell,
  endpointId: string,
  max: number,
): Promise<{ waiting: number; lastError: string | null }> {
  const { rows } = await cell.pool.query<{ waiting: number; last_error: string | null }>(
    `WITH waiting AS (
       SELECT attempts, last_status, last_error FROM ${cell.schema}.deliveries
        WHERE endpoint_id = $1 AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT $2)
     SELECT count(*)::int AS waiting,
            (array_agg(coalesce(last_error, 'HTTP ' || last_status)) FILTER (WHERE attempts > 0))[1] AS last_error
       FROM waiting`,
    [endpointId, max + 1],
  );
  const { waiting = 0, last_error: lastError = null } = rows[0] ?? {};
  return { waiting, lastError };
}

/**
 * The request that began the workflow which caused an event `e`. The payment of a USSD session is the resource of its
 * event, and the session that of its workflow.
 */
const requestOfWorkflow = (schema: string): string =>
  `(SELECT i.request_id FROM ${schema}.workflow_intentions i
     WHERE i.workflow_id IN ('bank-transfer/' || e.resource_id, 'wallet/' || e.resource_id, 'kyc/' || e.resource_id,
       (SELECT 'ussd/' || s.id FROM ${schema}.ussd_sessions s WHERE s.transaction_id = e.resource_id)) LIMIT 1)`;

/** What the payload of an event `e` without a text is made from: the columns of `TOLD`. */
export const toldBy = (schema: string): string => `LEFT JOIN LATERAL (
            SELECT id AS moved_id, type, status, reference, amount_kobo, source_wallet, dest_wallet,
                   created_at AS moved_at
              FROM ${schema}.transactions WHERE id = e.resource_id AND e.data IS NULL LIMIT 1) AS moved ON true
            LEFT JOIN LATERAL (
            SELECT id AS activated_id, user_ref, account_number, account_name_sealed, bank_code, bank_name,
                   created_at AS asked_at
              FROM ${schema}.wallets
             WHERE id = e.resource_id AND e.data IS NULL AND e.kind = 'wallet.activated' LIMIT 1) AS activated ON true`;
export const TOLD = 'moved.*, activated.*';
/** While a sandbox is reset, the row of which an event tells may have gone before the event. */
export const CAN_BE_TOLD = '(e.data IS NOT NULL OR moved_id IS NOT NULL OR activated_id IS NOT NULL)';

const statements = perSchema((schema) => ({
  claim: {
    text: `WITH due AS (
       SELECT endpoint_id, event_id FROM ${schema}.deliveries
        WHERE endpoint_id = $1::uuid AND next_attempt_at <= now() AND ${unclaimed}
        ORDER BY next_attempt_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED),
     claimed AS (
       UPDATE ${schema}.deliveries d SET claimed_until = now() + $3::bigint * interval '1 millisecond'
         FROM due WHERE d.endpoint_id = due.endpoint_id AND d.event_id = due.event_id
       RETURNING d.endpoint_id, d.event_id, d.event_name, d.attempts)
     SELECT c.event_id, c.event_name, c.attempts, e.data, e.created_at, ${webhookId('c')},
            coalesce(e.request_id, ${requestOfWorkflow(schema)}) AS request_id, ${TOLD}
       FROM claimed c JOIN ${schema}.events e ON e.id = c.event_id
       ${toldBy(schema)}
      WHERE ${CAN_BE_TOLD}
      ORDER BY e.id`,
  },
}));
