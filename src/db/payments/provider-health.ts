/** How the companies that pay out stand: their open orders, and when they were last heard. */
import type { OpenAttempt, OpenWithCompany } from '../../domain/payouts';
import type { Cell } from '../pg/postgres';

/** Whether it is not proved that the company has no order of an attempt (`isUnsent`). */
export const IS_UNKNOWN = '(a.open_posts > 0 OR a.declined_at IS NOT NULL)';

/** The open attempts of a cell, by company. Only transfers that are processing are read. */
export async function listOpenByCompany({ pool, schema }: Cell): Promise<OpenWithCompany[]> {
  const { rows } = await pool.query<OpenWithCompany>(
    `SELECT a.provider, count(*) FILTER (WHERE a.state = 'sending' AND NOT ${IS_UNKNOWN})::int AS waiting,
            count(*) FILTER (WHERE a.state = 'sending' AND ${IS_UNKNOWN})::int AS unknown,
            count(*) FILTER (WHERE a.state = 'accepted')::int AS accepted,
            count(*) FILTER (WHERE a.state = 'accepted' AND a.needs_authorization)::int AS "toAuthorize",
            min(a.created_at) AS "oldestAt",
            min(a.created_at) FILTER (WHERE a.state = 'sending' AND ${IS_UNKNOWN}) AS "unknownOldestAt",
            min(a.created_at) FILTER (WHERE a.state = 'accepted' AND a.needs_authorization) AS "toAuthorizeOldestAt"
       FROM ${schema}.transactions t JOIN ${schema}.transfer_attempts a ON a.transaction_id = t.id
      WHERE t.status IN ('pending', 'processing') AND a.state IN ('sending', 'accepted') GROUP BY a.provider`,
  );
  return rows;
}

/** The attempts of a cell that have not ended, the oldest first. Only transfers that are processing are read. */
export async function listOpenAttempts({ pool, schema }: Cell, limit: number): Promise<OpenAttempt[]> {
  const { rows } = await pool.query<OpenAttempt>(
    `SELECT t.partner_id AS "partnerId", t.id AS "transactionId", t.amount_kobo AS "amountKobo", a.n, a.provider, a.state,
            a.open_posts AS "openPosts", a.cause, a.created_at AS "begunAt",
            a.needs_authorization AS "needsAuthorization"
       FROM ${schema}.transactions t JOIN ${schema}.transfer_attempts a ON a.transaction_id = t.id
      WHERE t.status IN ('pending', 'processing') AND a.state IN ('sending', 'accepted')
      ORDER BY a.created_at, t.id LIMIT $1`,
    [limit],
  );
  return rows;
}

/** When a company last called back, as far as the bytes of its callbacks are still kept; null if it never did. */
export async function findLastCallback({ pool, schema }: Cell, provider: string): Promise<Date | null> {
  const { rows } = await pool.query<{ received_at: Date }>(
    `SELECT received_at FROM ${schema}.provider_callbacks
      WHERE provider = $1 AND body_sealed IS NOT NULL ORDER BY received_at DESC LIMIT 1`,
    [provider],
  );
  return rows[0]?.received_at ?? null;
}
