/** One-use tokens that were mailed, kept as hashes. They are used under the access role. */
import type { TokenMailKind } from '../../domain/mails';
import type { Role } from '../../domain/roles';
import type { Queryable } from '../pg/postgres';

export interface KeptToken {
  tokenHash: Buffer;
  kind: TokenMailKind;
  partnerId: string;
  /** Whom the token is about; null for somebody who is not a user yet. */
  userId: string | null;
  /** The address that it was sent to, in lower case. */
  recipient: string;
  goodForMs: number;
}

/** Keeps a token. Every call keeps another one. */
export async function keepToken(db: Queryable, token: KeptToken): Promise<void> {
  await db.query(
    `INSERT INTO platform.mailed_tokens (token_hash, kind, partner_id, user_id, recipient, expires_at, role)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond',
             (SELECT role FROM platform.users WHERE id = $4))`,
    [token.tokenHash, token.kind, token.partnerId, token.userId, token.recipient, token.goodForMs],
  );
}

/** Whom a token was about, and when it was made. */
export type UsedToken = Pick<KeptToken, 'partnerId' | 'userId' | 'recipient'> & {
  createdAt: Date;
  /** That of the user then; null where the token was about nobody yet. */
  role: Role | null;
};

/** Whom a token is about that is in force; null if no such token is. */
export async function findToken(
  db: Queryable,
  kind: TokenMailKind,
  tokenHash: Buffer,
): Promise<Pick<UsedToken, 'partnerId' | 'userId'> | null> {
  const { rows } = await db.query<{ partner_id: string; user_id: string | null }>(
    `SELECT partner_id, user_id FROM platform.mailed_tokens
      WHERE token_hash = $1 AND kind = $2 AND used_at IS NULL AND expires_at > now()`,
    [tokenHash, kind],
  );
  return rows[0] ? { partnerId: rows[0].partner_id, userId: rows[0].user_id } : null;
}

/**
 * Uses a token up. A second call finds it used. The other tokens of the same kind and user become useless with it,
 * because what they were about has been done. Of those that take an address back, only the later ones do: somebody who
 * has taken over an account cannot make the token of its first address useless.
 * @returns null if no such token is in force.
 */
export async function useToken(
  db: Queryable,
  kind: TokenMailKind,
  tokenHash: Buffer,
): Promise<UsedToken | null> {
  const { rows } = await db.query<{
    partner_id: string;
    user_id: string | null;
    recipient: string;
    created_at: Date;
    role: Role | null;
  }>(
    `UPDATE platform.mailed_tokens SET used_at = now()
      WHERE token_hash = $1 AND kind = $2 AND used_at IS NULL AND expires_at > now()
      RETURNING partner_id, user_id, recipient, created_at, role`,
    [tokenHash, kind],
  );
  const row = rows[0];
  if (!row) return null;
  if (row.user_id !== null) {
    await forgetMailedTokens(db, row.user_id, kind, kind === 'take_back_email' ? row.created_at : null);
  }
  return {
    partnerId: row.partner_id,
    userId: row.user_id,
    recipient: row.recipient,
    createdAt: row.created_at,
    role: row.role,
  };
}

/**
 * Makes a user's mailed tokens of one kind useless. A second call finds none.
 * @param since only those that were made then or later; null for all.
 */
export async function forgetMailedTokens(
  db: Queryable,
  userId: string,
  kind: TokenMailKind,
  since: Date | null = null,
): Promise<void> {
  await db.query(
    `UPDATE platform.mailed_tokens SET used_at = now()
      WHERE user_id = $1 AND kind = $2 AND used_at IS NULL AND ($3::timestamptz IS NULL OR created_at >= $3)`,
    [userId, kind, since],
  );
}
