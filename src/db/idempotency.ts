/** Kept first answers of Idempotency-Keys, for the writes that are not the ledger's (D44). */
import type { StoredAnswer, UsedKey } from '../domain/ledger';
import type { Queryable } from './postgres';

export type KeptAnswer = { kind: 'same'; answer: StoredAnswer } | { kind: 'reused' };

/** What is known of a key within its window: the first answer, or that it had another body; else null. */
export async function findAnswer(
  db: Queryable,
  schema: string,
  partnerId: string,
  used: UsedKey,
  windowMs: number,
): Promise<KeptAnswer | null> {
  const { rows } = await db.query<{ fingerprint: string; status: number; body: string }>(
    `SELECT fingerprint, status, body FROM ${schema}.idempotency_keys
      WHERE partner_id = $1 AND operation = $2 AND key = $3 AND created_at > now() - $4 * interval '1 millisecond'`,
    [partnerId, used.operation, used.key, windowMs],
  );
  const row = rows[0];
  if (!row) return null;
  if (row.fingerprint !== used.fingerprint) return { kind: 'reused' };
  return { kind: 'same', answer: { status: row.status, body: row.body } };
}

/** Keeps an answer in the transaction of its effect; an expired row of the same key gives way, a live one fails it. */
export async function keepAnswer(
  trx: Queryable,
  schema: string,
  partnerId: string,
  used: UsedKey,
  answer: StoredAnswer,
  windowMs: number,
): Promise<void> {
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
