/** API keys and the partners behind them. Only the SHA-256 of a key is ever stored (D102). */
import type { KeyScope } from '../../domain/key-scopes';
import type { ApiKey, EnvironmentName, Partner, PartnerStatus, Tier } from '../../domain/partners';
import { done, refuse, refuseFields, type Outcome } from '../../domain/outcome';
import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../pg/postgres';

export interface KnownKey extends Pick<ApiKey, 'expiresAt' | 'scopes' | 'allowedCidrs'> {
  keyId: string;
  partner: Partner;
}

interface PartnerRow {
  id: string;
  business_name: string;
  status: PartnerStatus;
  tier: Tier;
  email_is_confirmed: boolean;
  cell: string;
}

const PARTNER_COLUMNS = `p.id, p.business_name, p.status, p.tier, p.email_confirmed_at IS NOT NULL AS
  email_is_confirmed, c.cell`;

const toPartner = (row: PartnerRow): Partner => ({
  id: row.id,
  businessName: row.business_name,
  status: row.status,
  tier: row.tier,
  emailIsConfirmed: row.email_is_confirmed,
  cell: row.cell,
});

/**
 * The key with this hash and its partner, unless it is revoked, expired, or of a closed partner. Only this
 * statement decides whether it has expired, by the clock of the database (G33).
 */
export async function findKey(
  db: Queryable,
  environment: EnvironmentName,
  keyHash: Buffer,
): Promise<KnownKey | null> {
  const { rows } = await db.query<
    PartnerRow & { key_id: string } & Pick<KeyRow, 'expires_at' | 'scopes' | 'allowed_cidrs'>
  >(
    `SELECT k.id AS key_id, k.expires_at, k.scopes, k.allowed_cidrs, ${PARTNER_COLUMNS}
       FROM platform.api_keys k
       JOIN platform.partners p ON p.id = k.partner_id
       JOIN platform.partner_cells c ON c.partner_id = p.id AND c.environment = k.environment
      WHERE k.key_hash = $1 AND k.environment = $2 AND k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > now()) AND p.status <> 'closed'`,
    [keyHash, environment],
  );
  const row = rows[0];
  return row
    ? {
        keyId: row.key_id,
        expiresAt: row.expires_at,
        scopes: row.scopes,
        allowedCidrs: row.allowed_cidrs,
        partner: toPartner(row),
      }
    : null;
}

/** A partner with its cell in this environment, or null. */
export async function findPartner(
  db: Queryable,
  environment: EnvironmentName,
  partnerId: string,
): Promise<Partner | null> {
  const { rows } = await db.query<PartnerRow>(
    `SELECT ${PARTNER_COLUMNS} FROM platform.partners p
       JOIN platform.partner_cells c ON c.partner_id = p.id AND c.environment = $2 WHERE p.id = $1`,
    [partnerId, environment],
  );
  return rows[0] ? toPartner(rows[0]) : null;
}

/** Notes the use of a key, at most once a minute (D102): a second note within that minute changes nothing. */
export async function noteKeyUse(db: Queryable, keyId: string): Promise<void> {
  await db.query(
    `UPDATE platform.api_keys SET last_used_at = now()
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    [keyId],
  );
}

interface KeyRow {
  id: string;
  partner_id: string;
  environment: EnvironmentName;
  key_prefix: string;
  label: string;
  scopes: KeyScope[];
  allowed_cidrs: string[];
  last_used_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
}

const KEY_COLUMNS =
  'k.id, k.partner_id, k.environment, k.key_prefix, k.label, k.scopes, k.allowed_cidrs, k.last_used_at, k.expires_at, k.created_at';

const toKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  partnerId: row.partner_id,
  environment: row.environment,
  keyPrefix: row.key_prefix,
  label: row.label,
  scopes: row.scopes,
  allowedCidrs: row.allowed_cidrs,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
});

/**
 * Lets whoever makes a key of a partner, and whoever ends all of them, wait for each other.
 * @param db a transaction.
 */
export async function lockKeys(db: Queryable, partnerId: string): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock(hashtextextended('API keys of ' || $1, 0))`, [partnerId]);
}

/**
 * Whether a credential is in force at this moment, not as a process remembers it. It waits for a first proof of the
 * partner's mailbox that is under way.
 * @param access the login that sees keys and sessions of both environments.
 */
export function isInForce(
  access: Pool,
  { partnerId, keyId, sessionId }: { partnerId: string; keyId: string | null; sessionId: string | null },
): Promise<boolean> {
  return inTransaction(access, async (trx) => {
    await lockKeys(trx, partnerId);
    const { rows } = await trx.query(
      `SELECT FROM platform.api_keys WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
        UNION ALL
       SELECT FROM platform.sessions WHERE id = $2 AND ended_at IS NULL AND expires_at > now()`,
      [keyId, sessionId],
    );
    return rows.length > 0;
  });
}

/**
 * Stores a key unless the partner has `max` in force already. Every call makes another one; a call whose answer was
 * lost leaves a key that nobody knows, which the list shows and a revocation ends.
 * @param db a transaction: two calls for one partner wait for each other. Otherwise neither would count the other's.
 * @returns the key, or VALIDATION_ERROR when by the database's clock it would have expired already, or
 *   LIMIT_EXCEEDED.
 */
export async function insertKey(
  db: Queryable,
  key: Omit<ApiKey, 'lastUsedAt' | 'createdAt'> & { keyHash: Buffer; max: number },
): Promise<Outcome<ApiKey>> {
  await lockKeys(db, key.partnerId);
  const { rows: past } = await db.query<{ is_past: boolean | null }>(
    'SELECT $1::timestamptz <= now() AS is_past',
    [key.expiresAt],
  );
  if (past[0]?.is_past) return refuseFields({ field: 'expires_at', message: 'must be in the future' });
  const { rows } = await db.query<KeyRow>(
    `WITH mine AS (SELECT count(*) AS number FROM platform.api_keys
                    WHERE partner_id = $2 AND environment = $3 AND revoked_at IS NULL
                      AND (expires_at IS NULL OR expires_at > now()))
     INSERT INTO platform.api_keys AS k (id, partner_id, environment, key_hash, key_prefix, label, scopes,
                                            allowed_cidrs, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9::timestamptz FROM mine WHERE mine.number < $10
     RETURNING ${KEY_COLUMNS}`,
    [
      key.id,
      key.partnerId,
      key.environment,
      key.keyHash,
      key.keyPrefix,
      key.label,
      key.scopes,
      key.allowedCidrs,
      key.expiresAt,
      key.max,
    ],
  );
  return rows[0] ? done(toKey(rows[0])) : refuse('LIMIT_EXCEEDED', { detail: { limit: key.max } });
}

/**
 * Locks a key until the end of the transaction, so that of two rotations of one key the second sees what the first one did.
 * @returns the key, with the time that it was to live after its creation; null when no such key is in force.
 */
export async function lockKey(
  db: Queryable,
  keyId: string,
  whose: Whose,
): Promise<(ApiKey & { lifeMs: number | null }) | null> {
  const { rows } = await db.query<KeyRow & { life_ms: number | null }>(
    `SELECT ${KEY_COLUMNS}, extract(epoch FROM k.expires_at - k.created_at)::float8 * 1000 AS life_ms
       FROM platform.api_keys k
      WHERE k.id = $1 AND k.partner_id = $2 AND k.environment = $3 AND k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > now()) FOR UPDATE`,
    [keyId, whose.partnerId, whose.environment],
  );
  return rows[0] ? { ...toKey(rows[0]), lifeMs: rows[0].life_ms } : null;
}

/** Lets a key end after `overlapSeconds`, unless it ends earlier by itself. A second call never lets it live longer. */
export async function endKeyAfter(db: Queryable, keyId: string, overlapSeconds: number): Promise<void> {
  await db.query('SELECT platform.end_key_after($1, $2)', [keyId, overlapSeconds]);
}

/** Whose keys: those of one partner in one environment. */
export type Whose = Pick<ApiKey, 'partnerId' | 'environment'>;

/** A partner's keys that are not revoked, newest first: their ids are time-ordered (D43). */
export async function listKeysOf(
  db: Queryable,
  { partnerId, environment }: Whose,
  page: { beforeId: string | null; limit: number },
): Promise<ApiKey[]> {
  const { rows } = await db.query<KeyRow>(
    `SELECT ${KEY_COLUMNS} FROM platform.api_keys k
      WHERE k.partner_id = $1 AND k.environment = $2 AND k.revoked_at IS NULL
        AND ($3::uuid IS NULL OR k.id < $3)
      ORDER BY k.id DESC LIMIT $4`,
    [partnerId, environment, page.beforeId, page.limit],
  );
  return rows.map(toKey);
}

/** A key as the administrator sees it. */
export interface KeyRecord extends ApiKey {
  businessName: string;
  revokedAt: Date | null;
}

/** Every key of every partner, oldest first (`npm run keys -- list`). */
export async function listKeys(db: Queryable): Promise<KeyRecord[]> {
  const { rows } = await db.query<KeyRow & { business_name: string; revoked_at: Date | null }>(
    `SELECT ${KEY_COLUMNS}, k.revoked_at, p.business_name
       FROM platform.api_keys k JOIN platform.partners p ON p.id = k.partner_id ORDER BY k.created_at`,
  );
  return rows.map((row) => ({
    ...toKey(row),
    businessName: row.business_name,
    revokedAt: row.revoked_at,
  }));
}

/**
 * Revokes a key for ever. A second call finds no key in force.
 * @param whose key it must be; null for the administrator.
 * @returns false when no such key is in force.
 */
export async function revokeKey(db: Queryable, keyId: string, whose: Whose | null): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE platform.api_keys SET revoked_at = now()
      WHERE id = $1 AND revoked_at IS NULL
        AND ($2::uuid IS NULL OR partner_id = $2 AND environment = $3)`,
    [keyId, whose?.partnerId ?? null, whose?.environment ?? null],
  );
  return rowCount === 1;
}

/**
 * Registers a partner whose address counts as confirmed, and gives it a cell in each environment. A second call
 * changes nothing.
 */
export async function insertPartner(
  db: Queryable,
  partner: { id: string; businessName: string; email: string; status: PartnerStatus },
  cells: Record<EnvironmentName, string>,
): Promise<void> {
  await db.query(
    `INSERT INTO platform.partners (id, business_name, email, status, email_confirmed_at)
     VALUES ($1, $2, $3, $4, now())
     ON CONFLICT (id) DO NOTHING`,
    [partner.id, partner.businessName, partner.email, partner.status],
  );
  for (const [environment, cell] of Object.entries(cells)) {
    await db.query(
      `INSERT INTO platform.partner_cells (partner_id, environment, cell) VALUES ($1, $2, $3)
       ON CONFLICT (partner_id, environment) DO NOTHING`,
      [partner.id, environment, cell],
    );
  }
}
