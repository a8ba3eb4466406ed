/**
 * Kept first answers of Idempotency-Keys, for the writes that are not the ledger's (D44). Of the ledger's the row names
 * the transaction, from which the answer is made again.
 */
import { present } from '../../domain/assert';
import type { StoredAnswer, UsedKey } from '../../domain/ledger';
import { isSameRequest } from '../../domain/ledger/same-request';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import { keptAnswerPlace } from '../../secrets/sealing';
import type { Cell, Queryable, SealedCell } from '../pg/postgres';

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
  { schema, sealing }: SealedCell,
  partnerId: string,
  used: UsedKey | null,
  windowMs: number,
): Promise<Outcome<SameKey> | null> {
  if (!used) return null;
  const { rows } = await db.query<KeptRow>(
    `SELECT fingerprint, status, body_sealed, resource_id FROM ${schema}.idempotency_keys
      WHERE partner_id = $1 AND operation = $2 AND key = $3 AND created_at > now() - $4 * interval '1 millisecond'`,
    [partnerId, used.operation, used.key, windowMs],
  );
  const row = rows[0];
  if (!row) return null;
  if (!isSameRequest(row.fingerprint, used.fingerprint)) return refuse('IDEMPOTENCY_KEY_REUSED');
  const status = present(row.status, 'the status of a kept answer');
  const place = keptAnswerPlace(present(row.resource_id, 'the resource of a kept answer'));
  const body = sealing.open(present(row.body_sealed, 'a kept answer'), place);
  return done({ kind: 'same_key', answer: { status, body } });
}

interface KeptRow {
  fingerprint: string;
  status: number | null;
  body_sealed: string | null;
  resource_id: string | null;
}

/**
 * The refusal of a request that has waited too long for a row. With a key, it has waited for the first request
 * with that key (D44).
 */
export const stillLocked = (key: UsedKey | string | null): Refused =>
  refuse(key === null ? 'SERVICE_UNAVAILABLE' : 'REQUEST_IN_PROGRESS');

/**
 * Keeps the answer of a request with a key in the transaction of its effect; a row of the same key is replaced if
 * its window has passed, and fails the statement otherwise. It is sealed, because it may show the name of an account.
 * @param kept the answer, and the resource that the request has made.
 */
export async function keepAnswer(
  trx: Queryable,
  { schema, sealing }: SealedCell,
  partnerId: string,
  used: UsedKey | null,
  { resourceId, answer }: { resourceId: string; answer: StoredAnswer },
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
    `INSERT INTO ${schema}.idempotency_keys (partner_id, operation, key, fingerprint, status, body_sealed, resource_id,
       created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now())`,
    [
      ...name,
      used.fingerprint,
      answer.status,
      sealing.seal(answer.body, keptAnswerPlace(resourceId)),
      resourceId,
    ],
  );
}

/**
 * Forgets the kept answers that show a wallet, or something that names it: codes have the name of its account.
 * A request that is repeated afterwards is made anew, or refused, because the wallet is closed. A second call finds
 * none.
 */
export async function forgetAnswersAbout(
  { pool, schema }: Cell,
  partnerId: string,
  walletId: string,
): Promise<void> {
  await pool.query(
    `DELETE FROM ${schema}.idempotency_keys WHERE partner_id = $1 AND resource_id IN (
       SELECT $2
       UNION ALL SELECT id FROM ${schema}.qr_requests WHERE wallet_id = $2
       UNION ALL SELECT id FROM ${schema}.ussd_sessions WHERE payer_wallet = $2
       UNION ALL SELECT id FROM ${schema}.ussd_sessions WHERE merchant_wallet = $2
       UNION ALL SELECT id FROM ${schema}.holds WHERE wallet_id = $2
       UNION ALL SELECT id FROM ${schema}.scheduled_transfers WHERE $2 IN (source_wallet, dest_wallet))`,
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
