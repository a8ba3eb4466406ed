/**
 * The end of what was made for a partner before its address was proved for the first time. Whoever registers first with an
 * address may be a stranger, so nothing of theirs outlives the proof. These statements run under the access role (D104).
 */
import { present } from '../../domain/assert';
import type { EnvironmentName } from '../../domain/partners';
import type { Queryable } from '../pg/postgres';
import { lockKeys } from './credentials';
import { lockPeople } from './people';
import { claimEmail, followFirstOwner } from './users';

/** How many of each were ended. */
export interface Ended {
  apiKeys: number;
  sessions: number;
  invitations: number;
  users: number;
  oneTimeCodes: number;
}

/** Who has proved the address, and from which network address. */
interface Prover {
  userId: string | null;
  address: string | null;
}

/**
 * Ends the keys, sessions, invitations and other users of a partner, and has the webhook endpoints of both environments
 * ended after the commit (`dueEndings`). The user who has proved the address stays, is an owner, and has no one-time codes
 * any more. A second call finds nothing left.
 * @param db a transaction. Whoever makes a key or changes people waits for it, and then finds the session ended.
 * @param keptUserId null where nobody stays.
 */
export async function endAllOf(
  db: Queryable,
  partnerId: string,
  keptUserId: string | null,
  by: Prover,
): Promise<Ended> {
  await lockPeople(db, partnerId);
  await lockKeys(db, partnerId);
  const count = async (sql: string, values: unknown[]): Promise<number> =>
    (await db.query(sql, values)).rowCount ?? 0;
  const ended: Ended = {
    apiKeys: await count(
      'UPDATE platform.api_keys SET revoked_at = now() WHERE partner_id = $1 AND revoked_at IS NULL',
      [partnerId],
    ),
    sessions: await count(
      'UPDATE platform.sessions SET ended_at = now() WHERE partner_id = $1 AND ended_at IS NULL',
      [partnerId],
    ),
    invitations: await count(
      'UPDATE platform.invitations SET ended_at = now() WHERE partner_id = $1 AND ended_at IS NULL',
      [partnerId],
    ),
    users: await count('DELETE FROM platform.users WHERE partner_id = $1 AND id IS DISTINCT FROM $2::uuid', [
      partnerId,
      keptUserId,
    ]),
    oneTimeCodes: await count('DELETE FROM platform.totp WHERE user_id = $1', [keptUserId]),
  };
  await db.query('DELETE FROM platform.recovery_codes WHERE user_id = $1', [keptUserId]);
  await db.query(
    `UPDATE platform.mailed_tokens SET used_at = now()
      WHERE user_id = $1 AND kind IN ('confirm_email', 'change_email', 'reset_password') AND used_at IS NULL`,
    [keptUserId],
  );
  // A second owner may have given the one who registered a smaller role.
  await db.query(`UPDATE platform.users SET role = 'owner' WHERE id = $1 AND role <> 'owner'`, [keptUserId]);
  await db.query(
    `INSERT INTO platform.endpoint_endings AS e (partner_id, environment, made_until, user_id, address)
     SELECT $1, environment, clock_timestamp(), $2, $3 FROM unnest(ARRAY['sandbox', 'live']) AS environment
     ON CONFLICT (environment, partner_id) DO UPDATE
        SET made_until = excluded.made_until, user_id = excluded.user_id, address = excluded.address`,
    [partnerId, by.userId, by.address],
  );
  return ended;
}

/** Who has an address, as far as somebody else's claim to it needs to know. */
export interface Holder {
  userId: string;
  partnerId: string;
  isProved: boolean;
  /** Whether a new registration takes the place of this one: nobody has proved the address for a day. */
  isForsaken: boolean;
}

/** For how long an account whose address nobody proves keeps the address from another registration. */
const UNPROVED_DAYS = 1;

/** Who has an address, or null. @param email in lower case. */
export async function holderOf(db: Queryable, email: string): Promise<Holder | null> {
  const { rows } = await db.query<{
    id: string;
    partner_id: string;
    is_proved: boolean;
    is_forsaken: boolean;
  }>(
    `SELECT id, partner_id, email_confirmed_at IS NOT NULL AS is_proved,
            email_confirmed_at IS NULL AND created_at < now() - $2 * interval '1 day' AS is_forsaken
       FROM platform.users WHERE email = $1`,
    [email, UNPROVED_DAYS],
  );
  const [row] = rows;
  return row
    ? { userId: row.id, partnerId: row.partner_id, isProved: row.is_proved, isForsaken: row.is_forsaken }
    : null;
}

/** The partner of the user who has an address, or who may take it back. @param email in lower case, which is known. */
export async function partnerBehind(db: Queryable, email: string): Promise<string> {
  const { rows } = await db.query<{ partner_id: string }>(
    `SELECT partner_id FROM platform.users WHERE email = $1
      UNION ALL
     SELECT partner_id FROM platform.mailed_tokens
      WHERE recipient = $1 AND kind = 'take_back_email' AND used_at IS NULL AND expires_at > now() LIMIT 1`,
    [email],
  );
  return present(rows[0], 'whoever has the address').partner_id;
}

/**
 * Whether a mail with a token may go to an address: whoever then shows to read it becomes its user, as far as nobody else
 * has shown it before. Calls about one address wait for each other, as those of `claimEmail` do.
 * @param userId the user who asks; null for somebody who is none yet.
 */
export async function isFreeOf(db: Queryable, email: string, userId: string | null): Promise<boolean> {
  if (await claimEmail(db, email, userId)) return true;
  const holder = await holderOf(db, email);
  return holder !== null && !holder.isProved;
}

/**
 * Takes an address from a user who has never proved it. Where somebody else of the partner has proved an address, the
 * partner goes on with them. Otherwise everything of it ends, and it is closed. A second call finds nobody.
 * @param db a transaction.
 */
export async function takeFromUnproved(
  db: Queryable,
  { userId, partnerId }: Holder,
  by: Prover,
): Promise<void> {
  await lockPeople(db, partnerId);
  await db.query('DELETE FROM platform.users WHERE id = $1 AND email_confirmed_at IS NULL', [userId]);
  const { rowCount: owners } = await db.query(
    `SELECT FROM platform.users WHERE partner_id = $1 AND role = 'owner'`,
    [partnerId],
  );
  if (owners !== 0) {
    await followFirstOwner(db, partnerId);
    return;
  }
  await endAllOf(db, partnerId, null, by);
  await db.query('SELECT platform.close_unproved($1)', [partnerId]);
}

/** Endpoints of a partner that are to end in one environment. */
export interface Ending extends Prover {
  partnerId: string;
  cell: string;
  madeUntil: Date;
}

/**
 * The endings that wait in an environment.
 * @param partners the login of the environment for the schema `platform`.
 */
export async function dueEndings(
  partners: Queryable,
  environment: EnvironmentName,
  max: number,
): Promise<Ending[]> {
  const { rows } = await partners.query<{
    partner_id: string;
    cell: string;
    made_until: Date;
    user_id: string | null;
    address: string | null;
  }>(
    `SELECT e.partner_id, c.cell, e.made_until, e.user_id, e.address
       FROM platform.endpoint_endings e
       JOIN platform.partner_cells c ON c.partner_id = e.partner_id AND c.environment = e.environment
      WHERE e.environment = $1 ORDER BY e.made_until LIMIT $2`,
    [environment, max],
  );
  return rows.map((row) => ({
    partnerId: row.partner_id,
    cell: row.cell,
    madeUntil: row.made_until,
    userId: row.user_id,
    address: row.address,
  }));
}

/** Notes that the endpoints of an ending have gone. A second call, or one about a later ending, changes nothing. */
export async function forgetEnding(
  partners: Queryable,
  environment: EnvironmentName,
  { partnerId, madeUntil }: Ending,
): Promise<void> {
  await partners.query(
    'DELETE FROM platform.endpoint_endings WHERE partner_id = $1 AND environment = $2 AND made_until = $3',
    [partnerId, environment, madeUntil],
  );
}
