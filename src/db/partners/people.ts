/** The people of a partner and its invitations. These statements run under the access role (D104). */
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { Role } from '../../domain/roles';
import type { InvitationRecord, UserForOperators, UserRecord } from '../../domain/users';
import { LAST_UUID } from '../pg/ids';
import type { Queryable } from '../pg/postgres';

interface Page {
  beforeId: string | null;
  limit: number;
}

interface UserRow {
  id: string;
  email: string;
  role: Role;
  email_confirmed_at: Date | null;
  created_at: Date;
}
const USER_COLUMNS = 'id, email, role, email_confirmed_at, created_at';
const toUser = (row: UserRow): UserRecord => ({
  id: row.id,
  email: row.email,
  role: row.role,
  emailConfirmedAt: row.email_confirmed_at,
  createdAt: row.created_at,
});

/** One page of a partner's users, newest first: their ids are time-ordered. */
export async function listUsers(db: Queryable, partnerId: string, page: Page): Promise<UserRecord[]> {
  const { rows } = await db.query<UserRow>(
    `SELECT ${USER_COLUMNS} FROM platform.users WHERE partner_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
    [partnerId, page.beforeId ?? LAST_UUID, page.limit],
  );
  return rows.map(toUser);
}

/** The users of a partner as operators see them, or the one with this id; newest first. A partner has few of them. */
export async function findUsersForOperators(
  db: Queryable,
  partnerId: string,
  userId: string | null = null,
): Promise<UserForOperators[]> {
  const { rows } = await db.query<UserRow & { codes_enabled_at: Date | null }>(
    `SELECT u.id, u.email, u.role, u.email_confirmed_at, u.created_at, t.enabled_at AS codes_enabled_at
       FROM platform.users u LEFT JOIN platform.totp t ON t.user_id = u.id
      WHERE u.partner_id = $1 AND ($2::uuid IS NULL OR u.id = $2) ORDER BY u.id DESC`,
    [partnerId, userId],
  );
  return rows.map((row) => ({ ...toUser(row), codesEnabledAt: row.codes_enabled_at }));
}

/** When the address of a partner was confirmed; null while nobody has, or while a user has not confirmed theirs. */
export async function findConfirmation(db: Queryable, partnerId: string): Promise<Date | null> {
  const { rows } = await db.query<{ email_confirmed_at: Date | null }>(
    'SELECT email_confirmed_at FROM platform.partners WHERE id = $1',
    [partnerId],
  );
  return rows[0]?.email_confirmed_at ?? null;
}

/**
 * Lets changes of one partner's people wait for each other. Otherwise two owners could remove each other at once.
 * @param db a transaction.
 */
export async function lockPeople(db: Queryable, partnerId: string): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock(hashtextextended('people of ' || $1, 0))`, [partnerId]);
}

/** How many users a partner has. */
export async function countUsers(db: Queryable, partnerId: string): Promise<number> {
  const { rows } = await db.query<{ users: number }>(
    'SELECT count(*) AS users FROM platform.users WHERE partner_id = $1',
    [partnerId],
  );
  return rows[0]?.users ?? 0;
}

/** Whether this user is the only owner of the partner. */
export async function isLastOwner(db: Queryable, partnerId: string, userId: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM platform.users u WHERE u.id = $2 AND u.partner_id = $1 AND u.role = 'owner' AND NOT EXISTS (
       SELECT FROM platform.users o WHERE o.partner_id = $1 AND o.role = 'owner' AND o.id <> u.id)`,
    [partnerId, userId],
  );
  return rows.length === 1;
}

/** Gives a user another role. A second call changes nothing. @returns the user, or null when there is none. */
export async function setRole(
  db: Queryable,
  { partnerId, userId, role }: { partnerId: string; userId: string; role: Role },
): Promise<UserRecord | null> {
  const { rows } = await db.query<UserRow>(
    `UPDATE platform.users SET role = $3 WHERE id = $2 AND partner_id = $1 RETURNING ${USER_COLUMNS}`,
    [partnerId, userId, role],
  );
  return rows[0] ? toUser(rows[0]) : null;
}

/** Removes a user with all sessions, one-time codes and mailed tokens. A second call finds no user. */
export async function deleteUser(db: Queryable, partnerId: string, userId: string): Promise<void> {
  await db.query('DELETE FROM platform.users WHERE id = $2 AND partner_id = $1', [partnerId, userId]);
}

/** Adds a user who was invited: the address is confirmed by the mail. @returns the user, or EMAIL_ALREADY_REGISTERED. */
export async function insertUser(
  db: Queryable,
  user: { id: string; partnerId: string; email: string; role: Role; passwordHash: string },
): Promise<Outcome<UserRecord>> {
  const { rows } = await db.query<UserRow>(
    `INSERT INTO platform.users (id, partner_id, email, role, password_hash, email_confirmed_at, owned_at)
     VALUES ($1, $2, $3, $4, $5, now(), now()) ON CONFLICT (email) DO NOTHING RETURNING ${USER_COLUMNS}`,
    [user.id, user.partnerId, user.email, user.role, user.passwordHash],
  );
  return rows[0] ? done(toUser(rows[0])) : refuse('EMAIL_ALREADY_REGISTERED');
}

interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  expires_at: Date;
  created_at: Date;
}
const INVITATION_COLUMNS = 'id, email, role, expires_at, created_at';
const toInvitation = (row: InvitationRow): InvitationRecord => ({
  id: row.id,
  email: row.email,
  role: row.role,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
});

/** One page of a partner's invitations that are open, newest first. */
export async function listInvitations(
  db: Queryable,
  partnerId: string,
  page: Page,
): Promise<InvitationRecord[]> {
  const { rows } = await db.query<InvitationRow>(
    `SELECT ${INVITATION_COLUMNS} FROM platform.invitations
      WHERE partner_id = $1 AND ended_at IS NULL AND expires_at > now() AND id < $2 ORDER BY id DESC LIMIT $3`,
    [partnerId, page.beforeId ?? LAST_UUID, page.limit],
  );
  return rows.map(toInvitation);
}

/** How many invitations of a partner are open. */
export async function countInvitations(db: Queryable, partnerId: string): Promise<number> {
  const { rows } = await db.query<{ invitations: number }>(
    `SELECT count(*) AS invitations FROM platform.invitations
      WHERE partner_id = $1 AND ended_at IS NULL AND expires_at > now()`,
    [partnerId],
  );
  return rows[0]?.invitations ?? 0;
}

/** Invites an email. A second call renews the invitation, with the role of the second call. */
export async function keepInvitation(
  db: Queryable,
  invitation: { id: string; partnerId: string; email: string; role: Role; goodForMs: number },
): Promise<InvitationRecord> {
  const { rows } = await db.query<InvitationRow>(
    `INSERT INTO platform.invitations AS i (id, partner_id, email, role, expires_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 millisecond')
     ON CONFLICT (partner_id, email) WHERE ended_at IS NULL
       DO UPDATE SET role = excluded.role, expires_at = excluded.expires_at
     RETURNING ${INVITATION_COLUMNS}`,
    [invitation.id, invitation.partnerId, invitation.email, invitation.role, invitation.goodForMs],
  );
  return toInvitation(rows[0] as InvitationRow);
}

/**
 * Ends an open invitation: it is accepted, or withdrawn. A second call finds none.
 * @param which by its id, or by the email that was invited.
 * @returns the invitation, or null when none is open.
 */
export async function endInvitation(
  db: Queryable,
  partnerId: string,
  which: { id: string } | { email: string },
): Promise<InvitationRecord | null> {
  const { rows } = await db.query<InvitationRow>(
    `UPDATE platform.invitations SET ended_at = now()
      WHERE partner_id = $1 AND ${'id' in which ? 'id' : 'email'} = $2
        AND ended_at IS NULL AND expires_at > now() RETURNING ${INVITATION_COLUMNS}`,
    [partnerId, 'id' in which ? which.id : which.email],
  );
  return rows[0] ? toInvitation(rows[0]) : null;
}
