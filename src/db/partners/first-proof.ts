/**
 * The end of what was made for a partner before its address was proved for the first time, or under an address that its owner
 * takes back. Whoever registers first with an address may be a stranger, so nothing of theirs outlives the proof. These
 * statements run under the access role (D104).
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
  await leaveEnding(db, partnerId, null, by);
  return ended;
}

/** What a user was able to make. */
export interface Reach {
  /** API keys, webhook endpoints, and steps of the compliance record. */
  hasKeys: boolean;
  /** Invitations, and users by them. */
  hasPeople: boolean;
}

/**
 * Ends what was made for a partner since somebody has changed the address of one of its users: as far as that user was able
 * to make it, by whomever it was made, because a thief has others make more. Endpoints and the steps of the compliance record
 * follow after the commit. Where no owner is left, the user is one again, whom a thief may have given a smaller role.
 * A second call finds nothing left.
 * @param db a transaction. Whoever makes a key or changes people waits for it.
 */
export async function endMadeSince(
  db: Queryable,
  { partnerId, userId }: { partnerId: string; userId: string },
  since: Date,
  { hasKeys, hasPeople }: Reach,
  by: Prover,
): Promise<Pick<Ended, 'apiKeys' | 'invitations' | 'users'>> {
  const ended = { apiKeys: 0, invitations: 0, users: 0 };
  const count = async (sql: string, ...more: string[]): Promise<number> =>
    (await db.query(sql, [partnerId, since, ...more])).rowCount ?? 0;
  await lockPeople(db, partnerId);
  await lockKeys(db, partnerId);
  if (hasKeys) {
    ended.apiKeys = await count(
      'UPDATE platform.api_keys SET revoked_at = now() WHERE partner_id = $1 AND created_at >= $2 AND revoked_at IS NULL',
    );
    await leaveEnding(db, partnerId, since, by);
  }
  if (!hasPeople) return ended;
  ended.invitations = await count(
    'UPDATE platform.invitations SET ended_at = now() WHERE partner_id = $1 AND created_at >= $2 AND ended_at IS NULL',
  );
  ended.users = await count(
    'DELETE FROM platform.users WHERE partner_id = $1 AND created_at >= $2 AND id <> $3',
    userId,
  );
  await db.query(
    `UPDATE platform.users SET role = 'owner' WHERE id = $1
        AND NOT EXISTS (SELECT FROM platform.users WHERE partner_id = $2 AND role = 'owner')`,
    [userId, partnerId],
  );
  return ended;
}

/**
 * Leaves what stands in the cells to be ended after the commit, in both environments. Where something is left already, both
 * are ended.
 */
async function leaveEnding(db: Queryable, partnerId: string, since: Date | null, by: Prover): Promise<void> {
  await db.query(
    `INSERT INTO platform.endpoint_endings AS e (partner_id, environment, made_until, made_since, user_id, address)
     SELECT $1, environment, clock_timestamp(), $4, $2, $3 FROM unnest(ARRAY['sandbox', 'live']) AS environment
     ON CONFLICT (environment, partner_id) DO UPDATE
        SET made_until = excluded.made_until, user_id = excluded.user_id, address = excluded.address,
            made_since = CASE WHEN e.made_since < excluded.made_since THEN e.made_since
                              WHEN e.made_since IS NOT NULL THEN excluded.made_since END`,
    [partnerId, by.userId, by.address, since],
  );
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

/** What is to end of a partner in one environment: its endpoints, and what it has submitted of its compliance record. */
export interface Ending extends Prover {
  partnerId: string;
  cell: string;
  madeUntil: Date;
  /** Null where all ends that was made until then. */
  madeSince: Date | null;
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
    made_since: Date | null;
    user_id: string | null;
    address: string | null;
  }>(
    `SELECT e.partner_id, c.cell, e.made_until, e.made_since, e.user_id, e.address
       FROM platform.endpoint_endings e
       JOIN platform.partner_cells c ON c.partner_id = e.partner_id AND c.environment = e.environment
      WHERE e.environment = $1 ORDER BY e.made_until LIMIT $2`,
    [environment, max],
  );
  return rows.map((row) => ({
    partnerId: row.partner_id,
    cell: row.cell,
    madeUntil: row.made_until,
    madeSince: row.made_since,
    userId: row.user_id,
    address: row.address,
  }));
}

/** Notes that all of an ending has gone. A second call, or one about a later ending, changes nothing. */
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

/** How far an environment may trust what it has of a partner. */
interface Trust {
  /** Whether the address is confirmed: what was submitted is the company's. */
  isProved: boolean;
  /** Whether something that somebody else may have made has still to end. */
  isEnding: boolean;
}

/** @param partners the login of the environment for the schema `platform`. */
export async function trustIn(
  partners: Queryable,
  environment: EnvironmentName,
  partnerId: string,
): Promise<Trust> {
  const { rows } = await partners.query<{ is_proved: boolean; is_ending: boolean }>(
    `SELECT p.email_confirmed_at IS NOT NULL AS is_proved,
            EXISTS (SELECT FROM platform.endpoint_endings e
                     WHERE e.partner_id = p.id AND e.environment = $2) AS is_ending
       FROM platform.partners p WHERE p.id = $1`,
    [partnerId, environment],
  );
  const row = present(rows[0], 'the partner of a record');
  return { isProved: row.is_proved, isEnding: row.is_ending };
}
