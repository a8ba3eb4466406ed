/** The people who sign in for a partner. These statements run under the access role, which sees no cell (D104). */
import type { EnvironmentName, PartnerRecord, PartnerStatus, Tier } from '../../domain/partners';
import { present } from '../../domain/assert';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { Queryable } from '../pg/postgres';

export interface PartnerRow {
  id: string;
  business_name: string;
  email: string;
  phone: string;
  status: PartnerStatus;
  tier: Tier;
  created_at: Date;
}

export const PARTNER_COLUMNS = 'p.id, p.business_name, p.email, p.phone, p.status, p.tier, p.created_at';

export const toRecord = (row: PartnerRow): PartnerRecord => ({
  id: row.id,
  businessName: row.business_name,
  email: row.email,
  phone: row.phone,
  status: row.status,
  tier: row.tier,
  createdAt: row.created_at,
});

/** How emails are compared: without regard to upper and lower case. */
export const foldEmail = (email: string): string => email.toLowerCase();

export interface Registration {
  partnerId: string;
  userId: string;
  businessName: string;
  email: string;
  phone: string;
  passwordHash: string;
  cells: Record<EnvironmentName, string>;
}

/**
 * Writes a partner, its cell in each environment and its first user in one statement, so all or none of them. A
 * second call finds the email taken and writes nothing.
 * @returns the partner, or EMAIL_ALREADY_REGISTERED when the email belongs to a user.
 */
export async function registerPartner(db: Queryable, asked: Registration): Promise<Outcome<PartnerRecord>> {
  const { rows } = await db.query<PartnerRow>(
    `WITH person AS (
       INSERT INTO platform.users (id, partner_id, email, password_hash) VALUES ($7, $1, $8, $9)
       ON CONFLICT (email) DO NOTHING RETURNING partner_id
     ), p AS (
       INSERT INTO platform.partners (id, business_name, email, phone)
       SELECT partner_id, $2, $3, $4 FROM person RETURNING *
     ), cells AS (
       INSERT INTO platform.partner_cells (partner_id, environment, cell)
       SELECT p.id, asked.environment, asked.cell
         FROM p, unnest($5::text[], $6::text[]) AS asked(environment, cell)
     )
     SELECT ${PARTNER_COLUMNS} FROM p`,
    [
      asked.partnerId,
      asked.businessName,
      asked.email,
      asked.phone,
      Object.keys(asked.cells),
      Object.values(asked.cells),
      asked.userId,
      foldEmail(asked.email),
      asked.passwordHash,
    ],
  );
  return rows[0] ? done(toRecord(rows[0])) : refuse('EMAIL_ALREADY_REGISTERED');
}

/**
 * Notes that a user reads mails to their address. The partner's address is its owner's, so it is confirmed with it
 * (D175). A second call notes a later time.
 */
export async function confirmEmail(
  db: Queryable,
  userId: string,
): Promise<{ email: string; confirmedAt: Date }> {
  const { rows } = await db.query<{ email: string; email_confirmed_at: Date }>(
    `WITH person AS (
       UPDATE platform.users SET email_confirmed_at = now() WHERE id = $1
       RETURNING partner_id, email, email_confirmed_at
     ), owned AS (
       UPDATE platform.partners p SET email_confirmed_at = person.email_confirmed_at
         FROM person WHERE p.id = person.partner_id AND lower(p.email) = person.email
     )
     SELECT email, email_confirmed_at FROM person`,
    [userId],
  );
  const { email, email_confirmed_at: confirmedAt } = present(rows[0], 'the user of a token');
  return { email, confirmedAt };
}

export interface KnownUser {
  id: string;
  email: string;
  passwordHash: string;
  partner: PartnerRecord;
}

/** The user of this email, in whatever case it is written, with the partner; null when there is none. */
export const findUser = (db: Queryable, email: string): Promise<KnownUser | null> =>
  findBy(db, 'email', foldEmail(email));

/** The user with this id, with the partner; null when there is none. */
export const findUserById = (db: Queryable, userId: string): Promise<KnownUser | null> =>
  findBy(db, 'id', userId);

async function findBy(db: Queryable, column: 'email' | 'id', value: string): Promise<KnownUser | null> {
  const { rows } = await db.query<
    PartnerRow & { user_id: string; user_email: string; password_hash: string }
  >(
    `SELECT u.id AS user_id, u.email AS user_email, u.password_hash, ${PARTNER_COLUMNS}
       FROM platform.users u JOIN platform.partners p ON p.id = u.partner_id WHERE u.${column} = $1`,
    [value],
  );
  const row = rows[0];
  return row
    ? { id: row.user_id, email: row.user_email, passwordHash: row.password_hash, partner: toRecord(row) }
    : null;
}

/** Sets a user's password. A second call sets it again. */
export async function setPassword(db: Queryable, userId: string, passwordHash: string): Promise<void> {
  await db.query('UPDATE platform.users SET password_hash = $2 WHERE id = $1', [userId, passwordHash]);
}
