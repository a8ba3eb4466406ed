/** API keys and the partners behind them. Only the SHA-256 of a key is ever stored (D102). */
import type { EnvironmentName, Partner, PartnerStatus, Tier } from '../domain/partners';
import type { Queryable } from './postgres';

export interface KnownKey {
  keyId: string;
  partner: Partner;
  expiresAt: Date | null;
}

interface PartnerRow {
  id: string;
  business_name: string;
  status: PartnerStatus;
  tier: Tier;
  cell: string;
}

const toPartner = (row: PartnerRow): Partner => ({
  id: row.id,
  businessName: row.business_name,
  status: row.status,
  tier: row.tier,
  cell: row.cell,
});

/** The key with this hash and its partner, unless it is revoked, expired, or of a closed partner. */
export async function findKey(
  db: Queryable,
  environment: EnvironmentName,
  keyHash: Buffer,
): Promise<KnownKey | null> {
  const { rows } = await db.query<PartnerRow & { key_id: string; expires_at: Date | null }>(
    `SELECT k.id AS key_id, k.expires_at, p.id, p.business_name, p.status, p.tier, c.cell
       FROM platform.api_keys k
       JOIN platform.partners p ON p.id = k.partner_id
       JOIN platform.partner_cells c ON c.partner_id = p.id AND c.environment = k.environment
      WHERE k.key_hash = $1 AND k.environment = $2 AND k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > now()) AND p.status <> 'closed'`,
    [keyHash, environment],
  );
  const row = rows[0];
  return row ? { keyId: row.key_id, expiresAt: row.expires_at, partner: toPartner(row) } : null;
}

/** A partner with its cell in this environment, or null. */
export async function findPartner(
  db: Queryable,
  environment: EnvironmentName,
  partnerId: string,
): Promise<Partner | null> {
  const { rows } = await db.query<PartnerRow>(
    `SELECT p.id, p.business_name, p.status, p.tier, c.cell FROM platform.partners p
       JOIN platform.partner_cells c ON c.partner_id = p.id AND c.environment = $2 WHERE p.id = $1`,
    [partnerId, environment],
  );
  return rows[0] ? toPartner(rows[0]) : null;
}

/** Notes the use of a key, at most once a minute (D102): a second note within it changes nothing. */
export async function noteKeyUse(db: Queryable, keyId: string): Promise<void> {
  await db.query(
    `UPDATE platform.api_keys SET last_used_at = now()
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    [keyId],
  );
}

/** The administrator's view: creating, listing and revoking (`npm run keys`). */
export interface KeyRecord {
  id: string;
  partnerId: string;
  businessName: string;
  environment: EnvironmentName;
  keyPrefix: string;
  label: string;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

export async function insertKey(
  db: Queryable,
  key: {
    id: string;
    partnerId: string;
    environment: EnvironmentName;
    keyHash: Buffer;
    keyPrefix: string;
    label: string;
    expiresAt: Date | null;
  },
): Promise<void> {
  await db.query(
    `INSERT INTO platform.api_keys (id, partner_id, environment, key_hash, key_prefix, label, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [key.id, key.partnerId, key.environment, key.keyHash, key.keyPrefix, key.label, key.expiresAt],
  );
}

export async function listKeys(db: Queryable): Promise<KeyRecord[]> {
  const { rows } = await db.query<{
    id: string;
    partner_id: string;
    business_name: string;
    environment: EnvironmentName;
    key_prefix: string;
    label: string;
    last_used_at: Date | null;
    expires_at: Date | null;
    revoked_at: Date | null;
    created_at: Date;
  }>(
    `SELECT k.*, p.business_name FROM platform.api_keys k JOIN platform.partners p ON p.id = k.partner_id
      ORDER BY k.created_at`,
  );
  return rows.map((row) => ({
    id: row.id,
    partnerId: row.partner_id,
    businessName: row.business_name,
    environment: row.environment,
    keyPrefix: row.key_prefix,
    label: row.label,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
  }));
}

/** @returns false when no such key is in force. */
export async function revokeKey(db: Queryable, keyId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE platform.api_keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL',
    [keyId],
  );
  return rowCount === 1;
}

/** Registers a partner and gives it a cell in each environment; harmless the second time. */
export async function insertPartner(
  db: Queryable,
  partner: { id: string; businessName: string; email: string; status: PartnerStatus },
  cells: Record<EnvironmentName, string>,
): Promise<void> {
  await db.query(
    `INSERT INTO platform.partners (id, business_name, email, status) VALUES ($1, $2, $3, $4)
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
