/** Kept first answers of Idempotency-Keys, for the writes that are not the ledger's (D44). */
import type { StoredAnswer, UsedKey } from '../../domain/ledger';
import { refuse, type Refusal } from '../../domain/refusals';
import type { Queryable } from '../pg/postgres';

/** How a repeat of a key is answered: as the first one was, or refused because it has another body. */
type Repeat = { kind: 'same_key'; answer: StoredAnswer } | { kind: 'refused'; refusal: Refusal };

/** What is known of a key within its window; null where there is no key, or a new one. */
export async function findAnswer(
  db: Queryable,
  schema: string,
  partnerId: string,
  used: UsedKey | null,
  windowMs: number,
): Promise<Repeat | null> {
  if (!used) return null;
  const { rows } = await db.query<{ fingerprint: string; status: number; body: string }>(
    `SELECT fingerprint, status, body FROM ${schema}.idempotency_keys
      WHERE partner_id = $1 AND operation = $2 AND key = $3 AND created_at > now() - $4 * interval '1 millisecond'`,
    [partnerId, used.operation, used.key, windowMs],
  );
  const row = rows[0];
  if (!row) return null;
  return row.fingerprint === used.fingerprint
    ? { kind: 'same_key', answer: { status: row.status, body: row.body } }
    : { kind: 'refused', refusal: refuse('IDEMPOTENCY_KEY_REUSED') };
}

/** What a request is refused with that waited too long for a row: with a key, for the one that came first (D44). */
export const stillLocked = (key: UsedKey | string | null): Refusal =>
  refuse(key === null ? 'SERVICE_UNAVAILABLE' : 'REQUEST_IN_PROGRESS');

/**
 * Keeps the answer of a request with a key in the transaction of its effect; an expired row of the same key
 * gives way, a live one fails it.
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
