/** The people who sign in for a partner. These statements run under the access role, which sees no cell (D104). */
import { TOKEN_MAILS } from '../../domain/mails';
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
 * Whether an address may become a user's: no other user has it, and nobody else may take it back. Calls about one address
 * wait for each other until the end of the transaction, so that of two users at once one gets it.
 * @param email in lower case.
 * @param userId the user; null for a new one.
 */
export async function claimEmail(db: Queryable, email: string, userId: string | null): Promise<boolean> {
  await db.query(`SELECT pg_advisory_xact_lock(hashtextextended('email ' || $1, 0))`, [email]);
  const { rows } = await db.query(
    `SELECT FROM platform.users WHERE email = $1 AND id IS DISTINCT FROM $2::uuid
      UNION ALL
     SELECT FROM platform.mailed_tokens
      WHERE recipient = $1 AND kind = 'take_back_email' AND used_at IS NULL AND expires_at > now()
        AND user_id IS DISTINCT FROM $2::uuid`,
    [email, userId],
  );
  return rows.length === 0;
}

/** An address that its user was shown to read. */
export interface ConfirmedAddress {
  email: string;
  confirmedAt: Date;
}

/**
 * Notes that a user reads mails to this address, if it is still the user's. A second call changes nothing.
 * @param isOwned whether whoever reads them was shown to know the password, or has just chosen it.
 * @returns null when the address is another one by now.
 */
export async function confirmEmail(
  db: Queryable,
  userId: string,
  email: string,
  isOwned: boolean,
): Promise<ConfirmedAddress | null> {
  const { rows } = await db.query<{ email_confirmed_at: Date }>(
    `UPDATE platform.users SET email_confirmed_at = coalesce(email_confirmed_at, now()), owned_at = coalesce(owned_at, CASE WHEN $3 THEN now() END)
      WHERE id = $1 AND email = $2 RETURNING email_confirmed_at`,
    [userId, email, isOwned],
  );
  return rows[0] ? { email, confirmedAt: rows[0].email_confirmed_at } : null;
}

/**
 * Gives a user another address, which a mailed token has just confirmed. A second call changes nothing.
 * @param email in lower case, and claimed for this user.
 * @param isOwned as for `confirmEmail`.
 */
export async function changeEmail(
  db: Queryable,
  userId: string,
  email: string,
  isOwned: boolean,
): Promise<ConfirmedAddress> {
  const { rows } = await db.query<{ email_confirmed_at: Date }>(
    `UPDATE platform.users SET email = $2, email_confirmed_at = now(), owned_at = coalesce(owned_at, CASE WHEN $3 THEN now() END)
      WHERE id = $1 RETURNING email_confirmed_at`,
    [userId, email, isOwned],
  );
  return { email, confirmedAt: present(rows[0], 'the user of a token').email_confirmed_at };
}

/**
 * Lets the partner's address be that of its first owner, one whose address is confirmed before one whose is not (D175). It
 * counts as confirmed only while every user has confirmed theirs: the one who registered may be a stranger, whose guests
 * prove nothing about the company. A second call changes nothing.
 */
export async function followFirstOwner(db: Queryable, partnerId: string): Promise<void> {
  await db.query(
    `UPDATE platform.partners p
        -- As it was written at the registration, where it is the same.
        SET email = CASE WHEN lower(p.email) = o.email THEN p.email ELSE o.email END,
            email_confirmed_at = o.email_confirmed_at
       FROM (SELECT u.email, CASE WHEN every.is_proved THEN u.email_confirmed_at END AS email_confirmed_at
               FROM platform.users u,
                    (SELECT bool_and(email_confirmed_at IS NOT NULL) AS is_proved FROM platform.users
                      WHERE partner_id = $1) AS every
              WHERE u.partner_id = $1 AND u.role = 'owner'
              ORDER BY (u.email_confirmed_at IS NULL), u.id LIMIT 1) o
      WHERE p.id = $1 AND (lower(p.email), p.email_confirmed_at) IS DISTINCT FROM (o.email, o.email_confirmed_at)`,
    [partnerId],
  );
}

export interface KnownUser {
  id: string;
  email: string;
  /** When the user was shown to read mails to the address; null before. */
  emailConfirmedAt: Date | null;
  /** Whether whoever reads mails to the address was shown to have the password, or has had the time to replace it. */
  isOwned: boolean;
  passwordHash: string;
  partner: PartnerRecord;
}

/** The user of this email, in whatever case it is written, with the partner; null when there is none. */
export const findUser = (db: Queryable, email: string): Promise<KnownUser | null> =>
  findBy(db, 'email', foldEmail(email));

/** The user with this id, with the partner; null when there is none. */
export const findUserById = (db: Queryable, userId: string): Promise<KnownUser | null> =>
  findBy(db, 'id', userId);

/**
 * For how long a password that the reader of the mailbox has not shown to know may still be a stranger's. The same time
 * as for taking an address back.
 */
const DISOWN_MS = TOKEN_MAILS.take_back_email.goodForMs;

async function findBy(db: Queryable, column: 'email' | 'id', value: string): Promise<KnownUser | null> {
  const { rows } = await db.query<
    PartnerRow & {
      user_id: string;
      user_email: string;
      user_email_confirmed_at: Date | null;
      is_owned: boolean;
      password_hash: string;
    }
  >(
    `SELECT u.id AS user_id, u.email AS user_email, u.email_confirmed_at AS user_email_confirmed_at,
            u.password_hash, ${PARTNER_COLUMNS},
            coalesce(u.owned_at IS NOT NULL OR u.email_confirmed_at <= now() - $2 * interval '1 millisecond', false)
              AS is_owned
       FROM platform.users u JOIN platform.partners p ON p.id = u.partner_id WHERE u.${column} = $1`,
    [value, DISOWN_MS],
  );
  const row = rows[0];
  return row
    ? {
        id: row.user_id,
        email: row.user_email,
        emailConfirmedAt: row.user_email_confirmed_at,
        isOwned: row.is_owned,
        passwordHash: row.password_hash,
        partner: toRecord(row),
      }
    : null;
}

/** Sets a user's password. A second call sets it again. */
export async function setPassword(db: Queryable, userId: string, passwordHash: string): Promise<void> {
  await db.query('UPDATE platform.users SET password_hash = $2 WHERE id = $1', [userId, passwordHash]);
}
