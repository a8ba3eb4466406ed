/** Kept first answers of Idempotency-Keys, for the writes that are not the ledger's (D44). */
import type { SameKey, StoredAnswer, UsedKey } from '../../domain/ledger';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import type { Cell, Queryable } from '../pg/postgres';
import { COMPRESSED, packAnswer, unpackAnswer } from './kept-answers';

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
  const { rows } = await db.query<{ fingerprint: string; status: number; body: string }>(
    `SELECT fingerprint, status, body FROM ${schema}.idempotency_keys
      WHERE partner_id = $1 AND operation = $2 AND key = $3 AND created_at > now() - $4 * interval '1 millisecond'`,
    [partnerId, used.operation, used.key, windowMs],
  );
  const row = rows[0];
  if (!row) return null;
  return row.fingerprint === used.fingerprint
    ? done({ kind: 'same_key', answer: { status: row.status, body: unpackAnswer(row.body) } })
    : refuse('IDEMPOTENCY_KEY_REUSED');
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
    [...name, used.fingerprint, answer.status, packAnswer(answer.body)],
  );
}

/** So many large answers are unpacked at a time. */
const UNPACKED_AT_ONCE = 20;

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
        AND (CASE WHEN body LIKE '{%' THEN body::json END)->'data'->>'reference' IN (
              SELECT reference FROM ${schema}.qr_requests WHERE partner_id = $1 AND wallet_id = $2)`,
    [partnerId, walletId],
  );
  // Postgres does not see inside a compressed answer.
  let after = { operation: '', key: '' };
  for (;;) {
    const { rows } = await pool.query<{ operation: string; key: string; body: string }>(
      `SELECT operation, key, body FROM ${schema}.idempotency_keys
        WHERE partner_id = $1 AND (operation, key) > ($2, $3) AND starts_with(body, '${COMPRESSED}')
        ORDER BY operation, key LIMIT ${String(UNPACKED_AT_ONCE)}`,
      [partnerId, after.operation, after.key],
    );
    const last = rows.at(-1);
    if (!last) return;
    const naming = rows.filter(({ body }) => unpackAnswer(body).includes(walletId));
    await pool.query(
      `DELETE FROM ${schema}.idempotency_keys USING unnest($2::text[], $3::text[]) AS naming(operation, key)
        WHERE partner_id = $1
          AND (idempotency_keys.operation, idempotency_keys.key) = (naming.operation, naming.key)`,
      [partnerId, naming.map(({ operation }) => operation), naming.map(({ key }) => key)],
    );
    after = last;
  }
}
