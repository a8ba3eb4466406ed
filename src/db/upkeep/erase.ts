/**
 * Deletes everything of a partner from its sandbox cell (D97), in small batches. Each batch is a database
 * transaction, and a crash leaves the rest to the next run. Endpoints, the compliance record with the directors'
 * verifications, the rate window and the epoch stay, and so does the count of what these take. It runs while the fence is up, with the only role that may
 * delete.
 */
import type pg from 'pg';
import { WORKFLOWS_OF_A_RESET } from '../../domain/resets';
import { FIRST_UUID } from '../pg/ids';
import { inTransaction } from '../pg/postgres';
import { explainSuspense } from '../reconcile/suspense';
import { assertResetting, type Reset } from './epochs';

/** The reset, and where the partner's rows are. */
export interface Place extends Reset {
  schema: string;
  directory: string;
}

/** A batch is so small that it takes far less than the time limit of a statement. */
const BATCH = 500;

/**
 * @param afterBatch is called between batches, so that the activity can report its progress.
 * @throws NoSuchResetError, with nothing more deleted, when this reset is not (or no longer) under way.
 */
export async function erasePartner(pool: pg.Pool, place: Place, afterBatch: () => void): Promise<void> {
  await awaitMovements(pool, place, afterBatch);
  for (const step of STEPS) {
    for (let erased = 1; erased > 0;) {
      const { rowCount } = await inReset<never>(pool, place, step(place), [place.partnerId]);
      erased = rowCount ?? 0;
      afterBatch();
    }
  }
}

/** Deletes one batch. The fence stays up until its commit, so that a late try never deletes what came afterwards. */
const inReset = <Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  place: Place,
  statement: string,
  values: unknown[],
): Promise<pg.QueryResult<Row>> =>
  inTransaction(pool, async (trx) => {
    await assertResetting(trx, place.schema, place);
    return trx.query<Row>(statement, values);
  });

/**
 * Waits for the ledger's batches that looked at the fence before it was raised: they hold locks on the partner's
 * accounts. A batch that locks an account after this sees the fence.
 */
async function awaitMovements(pool: pg.Pool, { schema, partnerId }: Place, afterBatch: () => void) {
  let from = FIRST_UUID;
  for (;;) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM ${schema}.accounts
        WHERE id IN (SELECT id FROM ${schema}.wallets WHERE partner_id = $1 AND id > $2 ORDER BY id LIMIT ${String(BATCH)})
        ORDER BY id FOR UPDATE`,
      [partnerId, from],
    );
    const last = rows.at(-1);
    if (!last) return;
    from = last.id;
    afterBatch();
  }
}

/**
 * Each statement deletes about one batch of rows, or counts them no more, and returns a row for each. A table to which others refer comes
 * after them. `ANY(ARRAY(...))` makes Postgres look deliveries up by their key, however many it expects.
 */
const STEPS: readonly ((place: Place) => string)[] = [
  // Deliveries that are still due go first, so that nothing is sent from here on. The others are deleted with
  // their events.
  ({ schema }) => `
    DELETE FROM ${schema}.deliveries WHERE event_id = ANY(ARRAY(
      SELECT d.event_id FROM ${schema}.webhook_endpoints w CROSS JOIN LATERAL (
        SELECT event_id FROM ${schema}.deliveries
         WHERE endpoint_id = w.id AND next_attempt_at IS NOT NULL LIMIT ${String(BATCH)}) d
       WHERE w.partner_id = $1 LIMIT ${String(BATCH)}))`,

  ({ schema, directory }) => `
    WITH batch AS MATERIALIZED (
      SELECT DISTINCT t.id FROM ${schema}.wallets w CROSS JOIN LATERAL (
        (SELECT id FROM ${schema}.transactions WHERE source_wallet = w.id LIMIT ${String(BATCH)})
        UNION ALL
        (SELECT id FROM ${schema}.transactions WHERE dest_wallet = w.id LIMIT ${String(BATCH)})) t
       WHERE w.partner_id = $1 LIMIT ${String(BATCH)}),
    suspended AS (DELETE FROM ${schema}.suspense_postings WHERE transaction_id IN (SELECT id FROM batch)
      RETURNING gen_random_uuid() AS finding_id, class, resource, account, -amount_kobo AS amount_kobo, NULL::json AS detail),
    ${explainSuspense(schema, 'suspended', 'now()').join(',\n    ')},
    entered AS (DELETE FROM ${schema}.entries WHERE transaction_id IN (SELECT id FROM batch)),
    reversed AS (DELETE FROM ${schema}.reversals
      WHERE original_id IN (SELECT id FROM batch) OR reversal_id IN (SELECT id FROM batch)),
    credited AS (DELETE FROM ${schema}.own_mfb_credits WHERE funding_id IN (SELECT id FROM batch)),
    submitted AS (DELETE FROM ${directory}.submitted_transfers WHERE transaction_id IN (SELECT id FROM batch)),
    attempted AS (DELETE FROM ${schema}.transfer_attempts WHERE transaction_id IN (SELECT id FROM batch)),
    heard AS (DELETE FROM ${schema}.provider_callbacks WHERE transaction_id IN (SELECT id FROM batch)),
    paid AS (DELETE FROM ${schema}.qr_requests WHERE transaction_id IN (SELECT id FROM batch)),
    captured AS (DELETE FROM ${schema}.holds WHERE transaction_id IN (SELECT id FROM batch)),
    guessed AS (DELETE FROM ${schema}.ussd_pin_attempts WHERE session_id IN (
      SELECT id FROM ${schema}.ussd_sessions WHERE transaction_id IN (SELECT id FROM batch))),
    dialled AS (DELETE FROM ${schema}.ussd_sessions WHERE transaction_id IN (SELECT id FROM batch))
    DELETE FROM ${schema}.transactions WHERE id IN (SELECT id FROM batch)`,

  ({ schema }) => `
    WITH batch AS MATERIALIZED (
      SELECT bulk_id, place FROM ${schema}.bulk_transfer_lines
       WHERE bulk_id IN (SELECT id FROM ${schema}.bulk_transfers WHERE partner_id = $1) LIMIT ${String(BATCH)})
    DELETE FROM ${schema}.bulk_transfer_lines WHERE (bulk_id, place) IN (SELECT bulk_id, place FROM batch)`,
  ({ schema }) => ofPartner(`${schema}.bulk_transfers`, 'id'),
  ({ schema }) => `
    WITH batch AS MATERIALIZED (
      SELECT scheduled_transfer_id, number FROM ${schema}.scheduled_transfer_runs
       WHERE scheduled_transfer_id IN (SELECT id FROM ${schema}.scheduled_transfers WHERE partner_id = $1)
       LIMIT ${String(BATCH)})
    DELETE FROM ${schema}.scheduled_transfer_runs
     WHERE (scheduled_transfer_id, number) IN (SELECT scheduled_transfer_id, number FROM batch)`,
  ({ schema }) => ofPartner(`${schema}.scheduled_transfers`, 'id'),
  ({ directory }) => ofPartner(`${directory}.dial_codes`, 'code'),
  ({ schema }) => ofPartner(`${schema}.qr_requests`, 'id'),
  ({ schema }) => ofPartner(`${schema}.holds`, 'id'),
  ({ schema }) => ofPartner(`${schema}.sandbox_forwards`, 'id'),
  // A request that comes meanwhile has written its order already; it may still need it.
  ({ schema }) =>
    ofPartner(
      `${schema}.hand_orders`,
      'id',
      `AND (kind <> 'reset_sandbox' OR used_at IS NOT NULL OR ordered_at < now() - interval '1 day')`,
    ),
  ({ schema }) => ofPartner(`${schema}.used_references`, 'partner_id, reference'),
  ({ schema }) => ofPartner(`${schema}.idempotency_keys`, 'partner_id, operation, key'),

  ({ schema }) => `
    DELETE FROM ${schema}.workflow_intentions WHERE workflow_id IN (
      SELECT workflow_id FROM ${schema}.workflow_intentions i
       WHERE partner_id = $1 AND workflow_type IN (${WORKFLOWS_OF_A_RESET.map((type) => `'${type}'`).join(', ')})
         AND NOT EXISTS (
           SELECT FROM ${schema}.verifications v WHERE v.id = i.resource_id AND v.subject = 'director')
       LIMIT ${String(BATCH)})`,

  ({ schema }) => ofPartner(`${schema}.consents`, 'id'),
  ({ schema }) =>
    ofPartner(`${schema}.verifications`, 'id', "AND user_ref IS NOT NULL AND subject = 'end_user'"),

  ({ schema, directory }) => `
    WITH batch AS MATERIALIZED (
      SELECT id FROM ${schema}.wallets WHERE partner_id = $1 LIMIT ${String(BATCH)}),
    numbered AS (DELETE FROM ${directory}.nubans WHERE wallet_id IN (SELECT id FROM batch)),
    locked AS (DELETE FROM ${schema}.wallet_pins WHERE wallet_id IN (SELECT id FROM batch)),
    changed AS (DELETE FROM ${schema}.wallet_pin_changes WHERE wallet_id IN (SELECT id FROM batch)),
    acted AS (DELETE FROM ${schema}.wallet_actions WHERE wallet_id IN (SELECT id FROM batch)),
    named AS (DELETE FROM ${schema}.wallets WHERE id IN (SELECT id FROM batch))
    DELETE FROM ${schema}.accounts WHERE id IN (SELECT id FROM batch)`,

  ({ schema }) => `
    WITH batch AS MATERIALIZED (
      SELECT id FROM ${schema}.events WHERE partner_id = $1 ORDER BY id LIMIT ${String(BATCH)}),
    delivered AS (DELETE FROM ${schema}.deliveries WHERE event_id = ANY(ARRAY(SELECT id FROM batch)))
    DELETE FROM ${schema}.events WHERE id IN (SELECT id FROM batch)`,

  ({ schema }) => `DELETE FROM ${schema}.enforced_limits WHERE partner_id = $1`,
  ({ schema }) => `DELETE FROM ${schema}.sandbox_requirements WHERE partner_id = $1`,

  ({ schema }) => `
    UPDATE ${schema}.sandbox_storage SET erasable_bytes = 0 WHERE partner_id = $1 AND erasable_bytes > 0`,
];

const ofPartner = (table: string, key: string, and = ''): string => `
    DELETE FROM ${table} WHERE (${key}) IN (
      SELECT ${key} FROM ${table} WHERE partner_id = $1 ${and} LIMIT ${String(BATCH)})`;
