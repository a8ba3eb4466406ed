/** Sessions. These statements run under the access role, which sees no cell (D104). */
import type { EnvironmentName } from '../../domain/partners';
import { RETENTION } from '../../domain/retention';
import type { Role } from '../../domain/roles';
import type { SessionRecord, SignedIn } from '../../domain/sessions';
import { LAST_UUID } from '../pg/ids';
import type { Queryable } from '../pg/postgres';

export interface NewSession {
  id: string;
  partnerId: string;
  userId: string | null;
  environment: EnvironmentName;
  address: string | null;
  /** The 16 bytes that stand for the caller's network; null where that is not known. */
  network: Buffer | null;
  livesForSeconds: number;
}

/**
 * Begins a session, and deletes the user's rows that are too old. Every call begins another one; if its answer is
 * lost, the session ends by itself.
 */
export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  await db.query(
    `WITH forgotten AS (
       DELETE FROM platform.sessions WHERE user_id = $3 AND created_at < now() - $8 * interval '1 day'
     )
     INSERT INTO platform.sessions (id, partner_id, user_id, environment, address, network, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')`,
    [
      session.id,
      session.partnerId,
      session.userId,
      session.environment,
      session.address,
      session.network,
      session.livesForSeconds,
      RETENTION.sessions.period.days,
    ],
  );
}

/**
 * The session with this id while it is in force, or null. Only this statement decides whether it has expired, by
 * the clock of the database (G33).
 */
export async function findSession(db: Queryable, sessionId: string): Promise<SignedIn | null> {
  const { rows } = await db.query<{
    id: string;
    partner_id: string;
    environment: EnvironmentName;
    user_id: string | null;
    role: Role;
    expires_at: Date;
  }>(
    `SELECT s.id, s.partner_id, s.environment, s.user_id, coalesce(u.role, 'owner') AS role, s.expires_at
       FROM platform.sessions s LEFT JOIN platform.users u ON u.id = s.user_id
      WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > now()`,
    [sessionId],
  );
  const row = rows[0];
  return row
    ? {
        sessionId: row.id,
        partnerId: row.partner_id,
        environment: row.environment,
        userId: row.user_id,
        role: row.role,
        expiresAt: row.expires_at,
      }
    : null;
}

/** Whose sessions: those of a user, or those that the administrator has made for a partner. */
type Whose = Pick<SignedIn, 'partnerId' | 'userId'>;
const OF_THE_SAME = 'partner_id = $1 AND user_id IS NOT DISTINCT FROM $2::uuid';

/** One page of somebody's sessions in force, newest first: their ids are time-ordered. */
export async function listSessions(
  db: Queryable,
  { partnerId, userId }: Whose,
  page: { beforeId: string | null; limit: number },
): Promise<SessionRecord[]> {
  const { rows } = await db.query<{
    id: string;
    environment: EnvironmentName;
    address: string | null;
    proved_at: Date;
    expires_at: Date;
    created_at: Date;
  }>(
    `SELECT id, environment, address, proved_at, expires_at, created_at FROM platform.sessions
      WHERE ${OF_THE_SAME} AND ended_at IS NULL AND expires_at > now() AND id < $3
      ORDER BY id DESC LIMIT $4`,
    [partnerId, userId, page.beforeId ?? LAST_UUID, page.limit],
  );
  return rows.map((row) => ({
    id: row.id,
    environment: row.environment,
    address: row.address,
    provedAt: row.proved_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }));
}

/**
 * Ends one session. A second call finds no session in force.
 * @returns false when somebody has no such session in force.
 */
export async function endSession(
  db: Queryable,
  { partnerId, userId }: Whose,
  sessionId: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE platform.sessions SET ended_at = now()
      WHERE ${OF_THE_SAME} AND id = $3 AND ended_at IS NULL AND expires_at > now()`,
    [partnerId, userId, sessionId],
  );
  return rowCount === 1;
}

/**
 * Ends the sessions of somebody, in both environments. A second call finds none.
 * @param exceptId a session that goes on, or null.
 */
export async function endSessions(
  db: Queryable,
  { partnerId, userId }: Whose,
  exceptId: string | null,
): Promise<void> {
  await db.query(
    `UPDATE platform.sessions SET ended_at = now()
      WHERE ${OF_THE_SAME} AND ended_at IS NULL AND id IS DISTINCT FROM $3::uuid`,
    [partnerId, userId, exceptId],
  );
}

/** Notes that the user of a session has just given the password. A second call notes a later time. */
export async function noteProof(db: Queryable, sessionId: string): Promise<void> {
  await db.query('UPDATE platform.sessions SET proved_at = now() WHERE id = $1 AND ended_at IS NULL', [
    sessionId,
  ]);
}

/** Whether the user of a session in force has given the password within the last milliseconds. */
export async function isProved(db: Queryable, sessionId: string, withinMs: number): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM platform.sessions
      WHERE id = $1 AND ended_at IS NULL AND expires_at > now()
        AND proved_at > now() - $2 * interval '1 millisecond'`,
    [sessionId, withinMs],
  );
  return rows.length === 1;
}
