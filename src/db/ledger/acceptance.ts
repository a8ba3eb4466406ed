/**
 * Accepting a request that uses up a reference without moving money (a QR request, a USSD session): its
 * rows, its reference and the answer of its key are one commit, and a repeat finds them (D44, D45, D131).
 * What moves money is accepted by the ledger writer, under the same two unique keys.
 */
import type { StoredAnswer, UsedKey } from '../../domain/ledger';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { assertNotResetting } from '../upkeep/epochs';
import { findAnswer, keepAnswer, stillLocked, type SameKey } from './idempotency';
import {
  inTransaction,
  sqlState,
  SQLSTATE,
  type Cell,
  type Queryable,
  type SealedCell,
} from '../pg/postgres';

export interface Acceptance {
  partnerId: string;
  key: UsedKey | null;
  reference: string;
  /** What makes another request with this reference the same one. */
  terms: string;
  resourceId: string;
  /** null if the resource becomes a transaction only later, or never. */
  transactionId: string | null;
}

/** Written now, or the way in which it is known already. */
export type Accepted<Value> = { kind: 'accepted'; value: Value } | Repeated;
type Repeated = SameKey | { kind: 'same_reference'; resourceId: string };

/** Another request used the same key or reference meanwhile. The next try finds what it wrote. */
const TRIES = 3;

/**
 * Answers a repeat by key, then by reference, and else lets `work` write.
 * @param work refuses before it writes, or writes the resource in the given transaction; a refusal uses up
 *   neither the key nor the reference.
 * @returns what was written, what was there before, or the refusal.
 */
export async function accept<Value>(
  cell: SealedCell,
  asked: Acceptance,
  idempotencyWindowMs: number,
  work: (trx: Queryable) => Promise<Outcome<{ value: Value; answer: StoredAnswer }>>,
): Promise<Outcome<Accepted<Value>>> {
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction(cell.pool, async (trx): Promise<Outcome<Accepted<Value>>> => {
        const before = await repeated(trx, cell, asked, idempotencyWindowMs);
        if (before) return before;
        await assertNotResetting(trx, cell.schema, asked.partnerId);
        const worked = await work(trx);
        if (!worked.ok) return worked;
        const { value, answer } = worked.value;
        await useReference(trx, cell.schema, asked);
        const kept = { resourceId: asked.resourceId, answer };
        await keepAnswer(trx, cell, asked.partnerId, asked.key, kept, idempotencyWindowMs);
        return done({ kind: 'accepted', value });
      });
    } catch (error) {
      if (sqlState(error) === SQLSTATE.lockNotAvailable) {
        return stillLocked(asked.key);
      }
      if (sqlState(error) !== SQLSTATE.uniqueViolation || tries === TRIES) throw error;
    }
  }
}

/**
 * What an earlier request with this key or this reference has left. The reference is read first and the key second,
 * although the key decides first (D135): each statement sees what is committed when it begins, and a reference and
 * its key are one commit, so where the reference was seen its key is seen too. In the other order a commit between
 * the two would be answered by the reference, with other bytes than the first answer (D44).
 */
async function repeated(
  trx: Queryable,
  cell: SealedCell,
  asked: Acceptance,
  idempotencyWindowMs: number,
): Promise<Outcome<Repeated> | null> {
  const { rows } = await trx.query<{ resource_id: string; transaction_id: string | null; terms: string }>(
    `SELECT resource_id, transaction_id, terms FROM ${cell.schema}.used_references
      WHERE partner_id = $1 AND reference = $2`,
    [asked.partnerId, asked.reference],
  );
  const byKey = await findAnswer(trx, cell, asked.partnerId, asked.key, idempotencyWindowMs);
  if (byKey) return byKey;
  const used = rows[0];
  if (!used) return null;
  if (used.terms === asked.terms) return done({ kind: 'same_reference', resourceId: used.resource_id });
  return refuse('DUPLICATE_REFERENCE', { detail: { transactionId: used.transaction_id } });
}

/**
 * Whether a request can only repeat what an earlier one did, because its key or its reference was used.
 * @param asked null where it has no key or no reference.
 * @param windowMs how long a key counts.
 */
export async function isRepeat(
  cell: Cell,
  partnerId: string,
  asked: { operation: string; key: string | null; reference: string | null },
  windowMs: number,
): Promise<boolean> {
  const { rows } = await cell.pool.query<{ is_repeat: boolean }>(
    `SELECT EXISTS (SELECT FROM ${cell.schema}.idempotency_keys
               WHERE partner_id = $1 AND operation = $2 AND key = $3
                 AND created_at > now() - $5 * interval '1 millisecond')
         OR EXISTS (SELECT FROM ${cell.schema}.used_references WHERE partner_id = $1 AND reference = $4) AS is_repeat`,
    [partnerId, asked.operation, asked.key, asked.reference, windowMs],
  );
  return rows[0]?.is_repeat ?? false;
}

const useReference = (trx: Queryable, schema: string, asked: Acceptance) =>
  trx.query(
    `INSERT INTO ${schema}.used_references (partner_id, reference, resource_id, transaction_id, terms)
     VALUES ($1, $2, $3, $4, $5)`,
    [asked.partnerId, asked.reference, asked.resourceId, asked.transactionId, asked.terms],
  );
