/** Operators and their tokens. Only the SHA-256 of a token is stored, as with partners' keys (D91, D102). */
import { present } from '../../domain/assert';
import { sources } from '../../domain/machine';
import {
  TOKEN_LIFE_MAX_MS,
  type Operator,
  type OperatorRecord,
  type OperatorRole,
} from '../../domain/operators';
import { PROPOSAL_MACHINE } from '../../domain/proposals';
import type { Queryable } from '../pg/postgres';

interface OperatorRow {
  id: string;
  name: string;
  role: OperatorRole;
}

/** An operator whose token works. `admittedBy` is null for the first one, whom nobody has admitted. */
export type WorkingOperator = Operator & { admittedBy: string | null };

/** Whether the token of the operator `o` works. */
const WORKS = 'o.admitted_at IS NOT NULL AND o.revoked_at IS NULL AND o.expires_at > now()';

const ADMISSION_LASTS = `interval '${String(TOKEN_LIFE_MAX_MS / 1_000)} seconds'`;

/** Whether the operator `o` gets the next token for the last one, also where that has expired (`renewToken`). */
const MAY_RENEW = `o.admitted_at > now() - ${ADMISSION_LASTS} AND o.revoked_at IS NULL`;

/**
 * The operator whose token has this hash, unless it waits, is revoked or has expired by the clock of the database. It is
 * looked up for each request, so a token stops at once.
 */
export async function findOperator(db: Queryable, tokenHash: Buffer): Promise<WorkingOperator | null> {
  const { rows } = await db.query<OperatorRow & { admitted_by: string | null }>(
    `SELECT id, name, role, admitted_by FROM platform.operators o WHERE token_hash = $1 AND ${WORKS}`,
    [tokenHash],
  );
  const [row] = rows;
  return row ? { id: row.id, name: row.name, role: row.role, admittedBy: row.admitted_by } : null;
}

/**
 * Gives a person a token. Somebody whose token was revoked, has expired or still waits gets a new one and stays the same
 * person; a name whose token works is refused, so that nobody approves twice. The token waits until another operator
 * admits it, a viewer's too, because a viewer reads people's data; unless there is no other operator whose token works or
 * may be renewed (D91). Of two first ones at the same time, Postgres refuses the second.
 * @returns the person's id and whether the token works, or null when the name has a token that works.
 */
export async function giveToken(
  db: Queryable,
  operator: Operator,
  token: { hash: Buffer; prefix: string; expiresAt: Date },
): Promise<{ id: string; works: boolean } | null> {
  const { rows } = await db.query<{ id: string; works: boolean }>(
    `INSERT INTO platform.operators AS o (id, name, role, token_hash, token_prefix, expires_at, admitted_at)
     VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN NOT EXISTS (
               SELECT FROM platform.operators o WHERE o.name <> $2 AND o.role = 'operator' AND (${WORKS} OR ${MAY_RENEW})) THEN now() END)
     ON CONFLICT (name) DO UPDATE
        SET role = excluded.role, token_hash = excluded.token_hash, token_prefix = excluded.token_prefix,
            expires_at = excluded.expires_at, revoked_at = NULL,
            admitted_at = excluded.admitted_at, admitted_by = NULL
      WHERE NOT (${WORKS})
     RETURNING id, admitted_at IS NOT NULL AS works`,
    [operator.id, operator.name, operator.role, token.hash, token.prefix, token.expiresAt],
  );
  return rows[0] ?? null;
}

/**
 * Gives a person the next token for the last one, which ends with it. Whoever was admitted stays admitted, for as long as
 * one token may last at most: so nobody becomes the first operator again because all tokens of a team have expired. A
 * second call with the same last token finds that it is none any more.
 * @param last the hash of the token that the person has.
 * @returns the person's id and role and when the new token ends, which is no later than the admission; null where the
 *   last token is not that of this person, was revoked, waits, or was admitted too long ago.
 */
export async function renewToken(
  db: Queryable,
  name: string,
  last: Buffer,
  token: { hash: Buffer; prefix: string; expiresAt: Date },
): Promise<{ id: string; role: OperatorRole; expiresAt: Date } | null> {
  const { rows } = await db.query<{ id: string; role: OperatorRole; expires_at: Date }>(
    `UPDATE platform.operators o
        SET token_hash = $3, token_prefix = $4, expires_at = least($5, o.admitted_at + ${ADMISSION_LASTS})
      WHERE o.name = $1 AND o.token_hash = $2 AND ${MAY_RENEW}
     RETURNING id, role, expires_at`,
    [name, last, token.hash, token.prefix, token.expiresAt],
  );
  const [row] = rows;
  return row ? { id: row.id, role: row.role, expiresAt: row.expires_at } : null;
}

/**
 * Lets the token of another person work. A second call finds it working.
 * @returns false when the person has no token that waits or works, or is the one who admits.
 */
export async function admitOperator(db: Queryable, id: string, admittedBy: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE platform.operators o
        SET admitted_by = CASE WHEN o.admitted_at IS NULL THEN $2 ELSE o.admitted_by END,
            admitted_at = coalesce(o.admitted_at, now())
      WHERE o.id = $1 AND o.id <> $2 AND o.revoked_at IS NULL AND o.expires_at > now()`,
    [id, admittedBy],
  );
  return rowCount === 1;
}

/**
 * Counts one more reading of people's data by somebody, in fixed hours by the clock of Postgres. A second call counts
 * another one.
 * @returns how many there were in this hour, with this one, and in how many seconds the next hour begins.
 */
export async function countPeopleRead(
  db: Queryable,
  operatorId: string,
): Promise<{ used: number; secondsLeft: number }> {
  const { rows } = await db.query<{ used: number; seconds_left: number }>(
    `INSERT INTO platform.people_reads AS r (operator_id, hour, used)
     VALUES ($1, date_trunc('hour', clock_timestamp()), 1)
     ON CONFLICT (operator_id) DO UPDATE
        SET used = CASE WHEN r.hour < excluded.hour THEN 1 ELSE r.used + 1 END, hour = greatest(r.hour, excluded.hour)
     RETURNING used, greatest(1, ceil(extract(epoch FROM hour + interval '1 hour' - clock_timestamp())))::int AS seconds_left`,
    [operatorId],
  );
  const { used, seconds_left: secondsLeft } = present(rows[0], 'the count');
  return { used, secondsLeft };
}

/** The name of the person with this id; null if there is none, as for the reviewer of the sandbox. */
export async function operatorName(db: Queryable, id: string): Promise<string | null> {
  const { rows } = await db.query<{ name: string }>(
    'SELECT name FROM platform.operators WHERE id::text = $1',
    [id],
  );
  return rows[0]?.name ?? null;
}

/**
 * In how many seconds fewer than two operators have a token that works: from then on nobody can approve anything, and the
 * next token may be that of a first operator.
 */
export async function secondsUntilNobodyApproves(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `SELECT extract(epoch FROM o.expires_at - now())::float8 AS seconds FROM platform.operators o
      WHERE o.role = 'operator' AND ${WORKS} ORDER BY o.expires_at DESC OFFSET 1 LIMIT 1`,
  );
  return rows[0]?.seconds ?? 0;
}

interface OperatorRecordRow extends OperatorRow {
  token_prefix: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  admitted_at: Date | null;
  admitter: string | null;
}

/** All operators by name; with an id, that one. */
export async function listOperators(db: Queryable, id: string | null = null): Promise<OperatorRecord[]> {
  const { rows } = await db.query<OperatorRecordRow>(
    `SELECT o.id, o.name, o.role, o.token_prefix, o.created_at, o.expires_at, o.revoked_at, o.admitted_at,
            a.name AS admitter
       FROM platform.operators o LEFT JOIN platform.operators a ON a.id = o.admitted_by
      WHERE $1::uuid IS NULL OR o.id = $1 ORDER BY o.name`,
    [id],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    role: row.role,
    tokenPrefix: row.token_prefix,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    admittedAt: row.admitted_at,
    admittedBy: row.admitter,
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
