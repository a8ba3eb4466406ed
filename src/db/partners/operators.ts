/** Operators and their tokens. Only the SHA-256 of a token is stored, as with partners' keys (D91, D102). */
import { sources } from '../../domain/machine';
import type { Operator, OperatorRole } from '../../domain/operators';
import { PROPOSAL_MACHINE } from '../../domain/proposals';
import type { Queryable } from '../pg/postgres';

interface OperatorRow {
  id: string;
  name: string;
  role: OperatorRole;
}

/**
 * The operator whose token has this hash, unless it is revoked or has expired by the clock of the database. It is
 * looked up for each request, so a token stops at once.
 */
export async function findOperator(db: Queryable, tokenHash: Buffer): Promise<Operator | null> {
  const { rows } = await db.query<OperatorRow>(
    'SELECT id, name, role FROM platform.operators WHERE token_hash = $1 AND revoked_at IS NULL AND expires_at > now()',
    [tokenHash],
  );
  return rows[0] ?? null;
}

/**
 * Gives a person a token. Somebody whose token was revoked or has expired gets a new one and stays the same
 * person; a name whose token is in force is refused, so that nobody approves twice.
 * @returns the person's id, or null when the name has a token in force.
 */
export async function giveToken(
  db: Queryable,
  operator: Operator,
  token: { hash: Buffer; prefix: string; expiresAt: Date },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO platform.operators AS o (id, name, role, token_hash, token_prefix, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (name) DO UPDATE
        SET role = excluded.role, token_hash = excluded.token_hash, token_prefix = excluded.token_prefix,
            expires_at = excluded.expires_at, revoked_at = NULL
      WHERE o.revoked_at IS NOT NULL OR o.expires_at <= now()
     RETURNING id`,
    [operator.id, operator.name, operator.role, token.hash, token.prefix, token.expiresAt],
  );
  return rows[0]?.id ?? null;
}

/** The name of the person with this id; null if there is none, as for the reviewer of the sandbox. */
export async function operatorName(db: Queryable, id: string): Promise<string | null> {
  const { rows } = await db.query<{ name: string }>(
    'SELECT name FROM platform.operators WHERE id::text = $1',
    [id],
  );
  return rows[0]?.name ?? null;
}

export interface OperatorRecord extends Operator {
  tokenPrefix: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
}

export async function listOperators(db: Queryable): Promise<OperatorRecord[]> {
  const { rows } = await db.query<
    OperatorRow & { token_prefix: string; created_at: Date; expires_at: Date; revoked_at: Date | null }
  >(
    'SELECT id, name, role, token_prefix, created_at, expires_at, revoked_at FROM platform.operators ORDER BY name',
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    role: row.role,
    tokenPrefix: row.token_prefix,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }));
}

/**
 * Ends a person's token. The proposals that wait with this person's word in them end with it, because it may have been
 * somebody else who used the token. A second call finds no token in force.
 * @returns false when nobody of this name has a token that is not revoked.
 */
export async function revokeOperator(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await db.query(
    `WITH gone AS (
       UPDATE platform.operators SET revoked_at = now() WHERE name = $1 AND revoked_at IS NULL RETURNING id
     ), ended AS (
       UPDATE platform.proposals a SET status = 'rejected', updated_at = now() FROM gone
        WHERE a.status = ANY($2) AND (a.proposed_by = gone.id OR EXISTS (
                SELECT FROM platform.proposal_approvals v WHERE v.proposal_id = a.id AND v.operator_id = gone.id))
     )
     SELECT id FROM gone`,
    [name, sources(PROPOSAL_MACHINE, 'reject')],
  );
  return rows.length === 1;
}
