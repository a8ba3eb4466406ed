/**
 * Kept first answers of Idempotency-Keys, for the writes that are not the ledger's (D44). Of the ledger's the row names
 * the transaction, from which the answer is made again.
 */
import { present } from '../../domain/assert';
import type { StoredAnswer, UsedKey } from '../../domain/ledger';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import type { Cell, Queryable } from '../pg/postgres';

/** An earlier request with the same key was answered so. */
export interface SameKey {
  kind: 'same_key';
  answer: StoredAnswer;
}

/**
 * How a key that was used within its window is answered: as the first time, or refused because it came with
 * another body; null where there is no key, or a new one.
 */
export async function findAnswer(
  db: Queryable,
  schema: string,
  partnerId: string,
  used: UsedKey | null,
  windowMs: number,
): Promise<Outcome<SameKey> | null> {
  if (!used) return null;
  const { rows } = await db.query<{ fingerprint: string; status: number | null; body: string | null }>(
    `SELECT fingerprint, status, body FROM ${schema}.idempotency_keys
      WHERE partner_id = $1 AND operation = $2 AND key = $3 AND created_at > now() - $4 * interval '1 millisecond'`,
    [partnerId, used.operation, used.key, windowMs],
  );
  const row = rows[0];
  if (!row) return null;
  if (row.fingerprint !== used.fingerprint) return refuse('IDEMPOTENCY_KEY_REUSED');
  const status = present(row.status, 'the status of a kept answer');
  return done({ kind: 'same_key', answer: { status, body: present(row.body, 'a kept answer') } });
}

/**
 * The refusal of a request that has waited too long for a row. With a key, it has waited for the first request
 * with that key (D44).
 */
export const stillLocked = (key: UsedKey | string | null): Refused =>
  refuse(key === null ? 'SERVICE_UNAVAILABLE' : 'REQUEST_IN_PROGRESS');

/**
 * Keeps the answer of a request with a key in the transaction of its effect; a row of the same key is replaced if
 * its window has passed, and fails the statement otherwise.
 */
export async function keepAnswer(
  trx: Queryable,
  schema: string,
  partnerId: string,
  used: UsedKey | null,
  answer: StoredAnswer,
  windowMs: number,
): Promise<void> {
  if (!used) return;
  const name = [partnerId, used.operation, used.key];
  await trx.query(
    `DELETE FROM ${schema}.idempotency_keys WHERE partner_id = $1 AND operation = $2 AND key = $3
        AND created_at <= now() - $4 * interval '1 millisecond'`,
    [...name, windowMs],
  );
  await trx.query(
    `INSERT INTO ${schema}.idempotency_keys (partner_id, operation, key, fingerprint, status, body, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, now())`,
    [...name, used.fingerprint, answer.status, answer.body],
  );
}

/**
 * Forgets the kept answers that name a wallet, and those of its QR requests, whose codes have the name of its account.
 * A request that is repeated afterwards is made anew, or refused, because the wallet is closed. A second call finds
 * none.
 */
export async function forgetAnswersAbout(
  { pool, schema }: Cell,
  partnerId: string,
  walletId: string,
): Promise<void> {
  await pool.query(
    `DELETE FROM ${schema}.idempotency_keys WHERE partner_id = $1 AND position($2 IN body) > 0`,
    [partnerId, walletId],
  );
  await pool.query(
    `DELETE FROM ${schema}.idempotency_keys WHERE partner_id = $1 AND operation = 'createQrPayment'
        AND body::json->'data'->>'reference' IN (
              SELECT reference FROM ${schema}.qr_requests WHERE partner_id = $1 AND wallet_id = $2)`,
    [partnerId, walletId],
  );
  // The ledger's answers are made from transactions. A split is named by its first leg.
  await pool.query(
    `DELETE FROM ${schema}.idempotency_keys k USING (
       SELECT id FROM ${schema}.transactions WHERE source_wallet = $2
       UNION ALL
       SELECT id FROM ${schema}.transactions WHERE dest_wallet = $2
       UNION ALL
       SELECT used.transaction_id FROM ${schema}.transactions leg
         JOIN ${schema}.used_references used USING (partner_id, reference)
        WHERE leg.dest_wallet = $2) AS about
      WHERE k.partner_id = $1 AND k.transaction_id = about.id`,
    [partnerId, walletId],
  );
}
