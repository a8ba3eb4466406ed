/**
 * Deletes rows that nobody needs any more: a few rows at a time, oldest first. The ledger, references, findings
 * and everything that is not finished are never deleted. The periods are in domain/retention.
 */
import { present } from '../../domain/assert';
import type { RetentionClass } from '../../domain/retention';
import type { Cell, Queryable } from '../pg/postgres';
import { unfinishedIds } from '../reconcile/unfinished';
import type { OwnedWallet } from './erase-person';

/** Deletes some of what is old. @returns how many rows went; fewer than `limit` means that it is done. */
type Forget = (cell: Cell, olderThanMs: number, limit: number) => Promise<number>;

const run = async (db: Queryable, text: string, values: unknown[]): Promise<number> =>
  (await db.query(text, values)).rowCount ?? 0;

const AGE = `interval '1 millisecond'`;

/** Whether there is a legal hold at all: asked once for a statement, so that without one no row pays for the question. */
const anyLegalHold = (schema: string): string =>
  `(SELECT EXISTS (SELECT FROM ${schema}.legal_holds WHERE lifted_at IS NULL))`;

/** Idempotency keys whose window has passed. The next use of such a key counts as its first (D44). */
export const forgetKeys: Forget = ({ pool, schema }, olderThanMs, limit) =>
  run(
    pool,
    `DELETE FROM ${schema}.idempotency_keys k USING (
       SELECT partner_id, operation, key FROM ${schema}.idempotency_keys
        WHERE created_at <= now() - $1 * ${AGE} ORDER BY created_at LIMIT $2) AS old
      WHERE (k.partner_id, k.operation, k.key) = (old.partner_id, old.operation, old.key)`,
    [olderThanMs, limit],
  );

/**
 * Intentions of what is finished. As long as something is not finished, its intention says how to start its
 * workflow again (R16).
 */
export const forgetIntentions: Forget = ({ pool, schema }, olderThanMs, limit) =>
  run(
    pool,
    `DELETE FROM ${schema}.workflow_intentions i USING (
       SELECT workflow_id FROM ${schema}.workflow_intentions
        WHERE started_at <= now() - $1 * ${AGE}
          AND resource_id NOT IN (${unfinishedIds(schema)}) ORDER BY started_at LIMIT $2) AS old
      WHERE i.workflow_id = old.workflow_id`,
    [olderThanMs, limit],
  );

/** The bytes of callbacks. The fields that were read from them stay. */
export const forgetCallbackBodies: Forget = ({ pool, schema }, olderThanMs, limit) =>
  run(
    pool,
    `UPDATE ${schema}.provider_callbacks c SET body_sealed = NULL FROM (
       SELECT id FROM ${schema}.provider_callbacks
        WHERE body_sealed IS NOT NULL AND received_at <= now() - $1 * ${AGE}
          AND NOT (${anyLegalHold(schema)} AND EXISTS (
            SELECT FROM ${schema}.transactions t JOIN ${schema}.wallets w ON w.id IN (t.source_wallet, t.dest_wallet)
             WHERE t.id = transaction_id AND ${schema}.is_under_legal_hold(w.partner_id, w.user_ref)))
        ORDER BY received_at LIMIT $2) AS old
      WHERE c.id = old.id`,
    [olderThanMs, limit],
  );

/** The bytes of notices of payments that came in. The row stays, and who has paid stays with the credit. */
export const forgetNoticeBodies = (
  db: Queryable,
  directory: string,
  olderThanMs: number,
  limit: number,
): Promise<number> =>
  run(
    db,
    `UPDATE ${directory}.provider_notices n SET body_sealed = NULL FROM (
       SELECT id FROM ${directory}.provider_notices
        WHERE body_sealed IS NOT NULL AND received_at <= now() - $1 * ${AGE} ORDER BY received_at LIMIT $2) AS old
      WHERE n.id = old.id`,
    [olderThanMs, limit],
  );

/** Telephone numbers of USSD sessions that have ended. The sessions stay. */
export const forgetPhones: Forget = ({ pool, schema }, olderThanMs, limit) =>
  run(
    pool,
    `UPDATE ${schema}.ussd_sessions s SET phone = NULL FROM (
       SELECT id FROM ${schema}.ussd_sessions
        WHERE phone IS NOT NULL AND status IN ('completed', 'failed', 'expired')
          AND created_at <= now() - $1 * ${AGE}
          AND NOT (${anyLegalHold(schema)} AND EXISTS (
            SELECT FROM ${schema}.wallets w
             WHERE w.id = payer_wallet AND ${schema}.is_under_legal_hold(w.partner_id, w.user_ref)))
        ORDER BY created_at LIMIT $2) AS old
      WHERE s.id = old.id`,
    [olderThanMs, limit],
  );

/**
 * The numbers and names of people who never had a wallet, among a page of old checks. Postgres knows the period.
 * @param afterId the page begins behind this id.
 * @returns where the next page begins, null behind the last one, and how many checks were blanked.
 */
export async function forgetLoneNumbers(
  { pool, schema }: Cell,
  page: { afterId: string; limit: number },
): Promise<{ next: string | null; gone: number }> {
  const { rows } = await pool.query<{ last: string | null; gone: number }>(
    `SELECT last, gone FROM ${schema}.forget_lone_numbers($1, $2)`,
    [page.afterId, page.limit],
  );
  const { last, gone } = present(rows[0], 'a page');
  return { next: last, gone };
}

/** Whose wallet was closed so long ago, and who is not erased yet; the ids upwards from `afterId`. */
export async function listLongClosed(
  { pool, schema }: Cell,
  olderThanMs: number,
  page: { afterId: string; limit: number },
): Promise<OwnedWallet[]> {
  const { rows } = await pool.query<{ id: string; partner_id: string }>(
    `SELECT w.id, w.partner_id FROM ${schema}.accounts a JOIN ${schema}.wallets w USING (id)
      WHERE a.status = 'closed' AND a.id > $1 AND a.updated_at <= now() - $2 * ${AGE}
        AND w.erased_at IS NULL AND left(w.user_ref, 2) <> '__' ORDER BY a.id LIMIT $3`,
    [page.afterId, olderThanMs, page.limit],
  );
  return rows.map((row) => ({ partnerId: row.partner_id, walletId: row.id }));
}

/** Partners that were closed so long ago, by their ids upwards from `afterId`. */
export async function listPartnersLongGone(
  partners: Queryable,
  olderThanMs: number,
  page: { afterId: string; limit: number },
): Promise<string[]> {
  const { rows } = await partners.query<{ id: string }>(
    `SELECT id FROM platform.partners
      WHERE status = 'closed' AND id > $1 AND closed_at <= now() - $2 * ${AGE} ORDER BY id LIMIT $3`,
    [page.afterId, olderThanMs, page.limit],
  );
  return rows.map((row) => row.id);
}

/** The directors of a partner that left. Postgres checks that it works no more. @returns how many were blanked. */
export const forgetDirectors = async ({ pool, schema }: Cell, partnerId: string): Promise<number> =>
  goneOf(await pool.query<{ gone: number }>(`SELECT ${schema}.forget_directors($1) AS gone`, [partnerId]));

/** Codes that have been free for so long. A code that was taken again meanwhile stays. */
export const forgetDialCodes = (
  db: Queryable,
  directory: string,
  olderThanMs: number,
  limit: number,
): Promise<number> =>
  run(
    db,
    `DELETE FROM ${directory}.dial_codes WHERE taken_until <= now() - $1 * ${AGE} AND code IN (
       SELECT code FROM ${directory}.dial_codes WHERE taken_until <= now() - $1 * ${AGE} LIMIT $2)`,
    [olderThanMs, limit],
  );

/** What the platform keeps of the users of partners. Postgres knows the periods. */
export const CLASSES_OF_USERS = [
  'sessions',
  'security_events',
  'invitations',
  'users',
  'contacts',
] as const satisfies readonly RetentionClass[];

/** One class of them. @returns how many rows went. */
export const forgetOfUsers = async (
  partners: Queryable,
  name: (typeof CLASSES_OF_USERS)[number],
  limit: number,
): Promise<number> =>
  goneOf(await partners.query<{ gone: number }>('SELECT platform.forget_old($1, $2) AS gone', [name, limit]));

const goneOf = ({ rows }: { rows: readonly { gone: number }[] }): number => present(rows[0], 'a count').gone;

/** Earlier secrets of webhook endpoints that sign nothing any more. */
export const forgetRetiredSecrets: Forget = ({ pool, schema }, olderThanMs, limit) =>
  run(
    pool,
    `DELETE FROM ${schema}.retiring_webhook_secrets r USING (
       SELECT id FROM ${schema}.retiring_webhook_secrets WHERE retires_at <= now() - $1 * ${AGE} LIMIT $2) AS old
      WHERE r.id = old.id`,
    [olderThanMs, limit],
  );

/** Rate windows of partners that have not called since then. The next call opens a new one. */
export const forgetRateWindows: Forget = ({ pool, schema }, olderThanMs, limit) =>
  run(
    pool,
    `DELETE FROM ${schema}.rate_windows w USING (
       SELECT partner_id FROM ${schema}.rate_windows
        WHERE window_start <= now() - $1 * ${AGE} LIMIT $2) AS old
      WHERE w.partner_id = old.partner_id`,
    [olderThanMs, limit],
  );

/**
 * The deliveries among a page of old events that arrived, and the events of which no delivery is left. What was
 * never delivered is kept with its event for longer, because a disabled endpoint's can still be recovered (D109).
 * @param page it begins behind `afterId`.
 * @returns where the next page begins, null after the last one, and what went.
 */
export async function forgetEvents(
  cell: Cell,
  periods: { deliveredMs: number; undeliveredMs: number },
  page: { afterId: string; limit: number },
): Promise<{ next: string | null; deliveries: number; events: number }> {
  const { pool, schema } = cell;
  const { deliveredMs, undeliveredMs } = periods;
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ${schema}.events WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3`,
    [page.afterId, await uuidBefore(pool, deliveredMs), page.limit],
  );
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return { next: null, deliveries: 0, events: 0 };
  const deliveries = await run(
    pool,
    `DELETE FROM ${schema}.deliveries
      WHERE event_id = ANY($1) AND (delivered_at <= now() - $2 * ${AGE} OR (delivered_at IS NULL AND event_id IN (
            SELECT id FROM ${schema}.events WHERE id = ANY($1) AND created_at <= now() - $3 * ${AGE})))`,
    [ids, deliveredMs, undeliveredMs],
  );
  const events = await run(
    pool,
    `DELETE FROM ${schema}.events e WHERE id = ANY($1) AND created_at <= now() - $2 * ${AGE}
        AND NOT EXISTS (SELECT FROM ${schema}.deliveries d WHERE d.event_id = e.id)`,
    [ids, deliveredMs],
  );
  return { next: ids.length === page.limit ? (ids.at(-1) ?? null) : null, deliveries, events };
}

/**
 * The rows that say which partner a transfer belongs to. Callbacks about these transfers are still found by a
 * search in each cell.
 */
export async function forgetSubmissions(
  db: Queryable,
  directory: string,
  olderThanMs: number,
  limit: number,
): Promise<number> {
  return run(
    db,
    `DELETE FROM ${directory}.submitted_transfers s USING (
       SELECT transaction_id FROM ${directory}.submitted_transfers
        WHERE transaction_id < $1 ORDER BY transaction_id LIMIT $2) AS old
      WHERE s.transaction_id = old.transaction_id`,
    [await uuidBefore(db, olderThanMs), limit],
  );
}

/** How often keys were used on days that are over for so long. */
export const forgetKeyDays: Forget = async ({ pool, schema }, olderThanMs, limit) =>
  run(
    pool,
    `DELETE FROM ${schema}.key_days k USING (
       SELECT key_id, day FROM ${schema}.key_days WHERE day < (now() - $1 * ${AGE})::date LIMIT $2) AS old
      WHERE (k.key_id, k.day) = (old.key_id, old.day)`,
    [olderThanMs, limit],
  );

/** Rows of the log of requests. Their ids say when they were made. */
export const forgetRequests: Forget = async ({ pool, schema }, olderThanMs, limit) =>
  run(
    pool,
    `DELETE FROM ${schema}.requests r USING (
       SELECT partner_id, id FROM ${schema}.requests WHERE id < $1 LIMIT $2) AS old
      WHERE (r.partner_id, r.id) = (old.partner_id, old.id)`,
    [await uuidBefore(pool, olderThanMs), limit],
  );

/** Every id that was made since then is larger, because its first 48 bits are the milliseconds of its creation. */
async function uuidBefore(db: Queryable, olderThanMs: number): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT (rpad(lpad(to_hex((extract(epoch FROM now()) * 1000 - $1)::bigint), 12, '0'), 32, '0'))::uuid AS id`,
    [olderThanMs],
  );
  return present(rows[0], 'a uuid').id;
}
