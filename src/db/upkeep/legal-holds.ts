/** Legal holds. What they keep is decided in the statements of erasure and retention, and in those of Postgres. */
import type { LegalHold, LegalHoldSubject } from '../../domain/legal-holds';
import type { Place } from '../pg/walks';
import type { Cell, Queryable } from '../pg/postgres';

/** Who is meant. @returns the partner's own name of the person; null where there is no such wallet or check. */
export async function findUserRef(
  { pool, schema }: Cell,
  partnerId: string,
  { walletId, verificationId }: LegalHoldSubject,
): Promise<string | null> {
  const { rows } = await pool.query<{ user_ref: string }>(
    `SELECT user_ref FROM ${schema}.wallets WHERE id = $2 AND partner_id = $1
      UNION ALL SELECT user_ref FROM ${schema}.verifications WHERE id = $3 AND partner_id = $1`,
    [partnerId, walletId, verificationId],
  );
  return rows[0]?.user_ref ?? null;
}

/** Places a legal hold. A second call finds it. @param userRef of the person; null for the whole partner. */
export async function insertLegalHold(
  { pool, schema }: Cell,
  asked: Pick<LegalHold, 'id' | 'partnerId' | 'reason'> & LegalHoldSubject & { userRef: string | null },
): Promise<void> {
  await pool.query(
    `INSERT INTO ${schema}.legal_holds (id, partner_id, wallet_id, verification_id, user_ref, reason)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`,
    [asked.id, asked.partnerId, asked.walletId, asked.verificationId, asked.userRef, asked.reason],
  );
}

/** Lifts a legal hold. A second call changes nothing. */
export async function liftLegalHold({ pool, schema }: Cell, partnerId: string, id: string): Promise<void> {
  await pool.query(
    `UPDATE ${schema}.legal_holds SET lifted_at = now() WHERE id = $1 AND partner_id = $2 AND lifted_at IS NULL`,
    [id, partnerId],
  );
}

/** Notes in the schema platform that a legal hold on the whole partner is in force. A second call finds it noted. */
export async function noteLegalHold(db: Queryable, partnerId: string, id: string): Promise<void> {
  await db.query(
    `UPDATE platform.partners SET legal_holds = array_append(legal_holds, $2::uuid)
      WHERE id = $1 AND NOT $2::uuid = ANY (legal_holds)`,
    [partnerId, id],
  );
}

/** Takes that note away. A second call finds none. */
export async function forgetLegalHold(db: Queryable, partnerId: string, id: string): Promise<void> {
  await db.query(
    `UPDATE platform.partners SET legal_holds = array_remove(legal_holds, $2::uuid) WHERE id = $1`,
    [partnerId, id],
  );
}

interface LegalHoldRow {
  id: string;
  partner_id: string;
  wallet_id: string | null;
  verification_id: string | null;
  reason: string;
  placed_at: Date;
  lifted_at: Date | null;
}

/** One page of the legal holds of a cell, in force or lifted, newest first; with an id, that one. */
export async function listLegalHolds(
  { pool, schema }: Cell,
  page: { after: Place | null; limit: number; id?: string },
): Promise<LegalHold[]> {
  const { rows } = await pool.query<LegalHoldRow>(
    `SELECT id, partner_id, wallet_id, verification_id, reason, placed_at, lifted_at FROM ${schema}.legal_holds
      WHERE ($1::timestamptz IS NULL OR (placed_at, id) < ($1, $2)) AND ($4::uuid IS NULL OR id = $4)
      ORDER BY placed_at DESC, id DESC LIMIT $3`,
    [page.after?.createdAt ?? null, page.after?.id ?? null, page.limit, page.id ?? null],
  );
  return rows.map((row) => ({
    id: row.id,
    partnerId: row.partner_id,
    walletId: row.wallet_id,
    verificationId: row.verification_id,
    reason: row.reason,
    createdAt: row.placed_at,
    liftedAt: row.lifted_at,
  }));
}
