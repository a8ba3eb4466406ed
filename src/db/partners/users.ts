/** The people who sign in for a partner. These statements run under the access role, which sees no cell (D104). */
import type { EnvironmentName, PartnerRecord, PartnerStatus, Tier } from '../../domain/partners';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { sqlState, SQLSTATE, type Queryable } from '../pg/postgres';

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
const folded = (email: string): string => email.toLowerCase();

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
  try {
    const { rows } = await db.query<PartnerRow>(
      `WITH p AS (
         INSERT INTO platform.partners (id, business_name, email, phone) VALUES ($1, $2, $3, $4) RETURNING *
       ), cells AS (
         INSERT INTO platform.partner_cells (partner_id, environment, cell)
         SELECT $1, asked.environment, asked.cell FROM unnest($5::text[], $6::text[]) AS asked(environment, cell)
       ), person AS (
         INSERT INTO platform.users (id, partner_id, email, password_hash) VALUES ($7, $1, $8, $9)
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
        folded(asked.email),
        asked.passwordHash,
      ],
    );
    return done(toRecord(rows[0] as PartnerRow));
  } catch (error) {
    if (sqlState(error) === SQLSTATE.uniqueViolation) return refuse('EMAIL_ALREADY_REGISTERED');
    throw error;
  }
}

export interface KnownUser {
  id: string;
  passwordHash: string;
  partner: PartnerRecord;
}

/** The user of this email, in whatever case it is written, with the partner; null when there is none. */
export async function findUser(db: Queryable, email: string): Promise<KnownUser | null> {
  const { rows } = await db.query<PartnerRow & { user_id: string; password_hash: string }>(
    `SELECT u.id AS user_id, u.password_hash, ${PARTNER_COLUMNS}
       FROM platform.users u JOIN platform.partners p ON p.id = u.partner_id WHERE u.email = $1`,
    [folded(email)],
  );
  const row = rows[0];
  return row ? { id: row.user_id, passwordHash: row.password_hash, partner: toRecord(row) } : null;
}
