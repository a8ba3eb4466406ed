/** One-time codes and recovery codes of users. These statements run under the access role. */
import type { Queryable } from '../pg/postgres';

export interface KnownTotp {
  secretSealed: string;
  isEnabled: boolean;
  /** The time by the database's clock, by which codes are checked (G33). */
  now: Date;
}

/** The one-time codes of a user, or null where they were never asked for. */
export async function findTotp(db: Queryable, userId: string): Promise<KnownTotp | null> {
  const { rows } = await db.query<{ secret_sealed: string; is_enabled: boolean; now: Date }>(
    `SELECT secret_sealed, enabled_at IS NOT NULL AS is_enabled, clock_timestamp() AS now
       FROM platform.totp WHERE user_id = $1`,
    [userId],
  );
  const row = rows[0];
  return row ? { secretSealed: row.secret_sealed, isEnabled: row.is_enabled, now: row.now } : null;
}

/**
 * Keeps a new secret for a user whose codes are not on. A second call replaces the secret, so the first one is of no
 * use any more.
 * @returns false when the codes are on already.
 */
export async function offerTotp(db: Queryable, userId: string, secretSealed: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO platform.totp AS t (user_id, secret_sealed) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET secret_sealed = excluded.secret_sealed, last_step = 0
      WHERE t.enabled_at IS NULL`,
    [userId, secretSealed],
  );
  return rowCount === 1;
}

/** Switches the codes on. A second call finds them on. @returns false when there was nothing to switch on. */
export async function enableTotp(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE platform.totp SET enabled_at = now() WHERE user_id = $1 AND enabled_at IS NULL',
    [userId],
  );
  return rowCount === 1;
}

/**
 * Switches the codes off and forgets secret and recovery codes. A second call finds nothing.
 * @returns false when the codes were off.
 */
export async function deleteTotp(db: Queryable, userId: string): Promise<boolean> {
  await db.query('DELETE FROM platform.recovery_codes WHERE user_id = $1', [userId]);
  const { rowCount } = await db.query(
    'DELETE FROM platform.totp WHERE user_id = $1 AND enabled_at IS NOT NULL',
    [userId],
  );
  return rowCount === 1;
}

/**
 * Forgets what somebody set up from this time on: codes that were switched on, and a secret that was only asked for.
 * Codes that are older stay. A second call finds nothing.
 * @returns whether codes were on that are off now.
 */
export async function deleteTotpSince(db: Queryable, userId: string, since: Date): Promise<boolean> {
  const { rows } = await db.query<{ was_on: boolean }>(
    `DELETE FROM platform.totp WHERE user_id = $1 AND (enabled_at IS NULL OR enabled_at >= $2)
     RETURNING enabled_at IS NOT NULL AS was_on`,
    [userId, since],
  );
  if (rows.length === 1) await db.query('DELETE FROM platform.recovery_codes WHERE user_id = $1', [userId]);
  return rows[0]?.was_on ?? false;
}

/**
 * Forgets the codes that were switched on at this time, for a person who has lost them. It runs under the operators'
 * login, which sees neither secret nor hash. A second call finds the codes off.
 * @returns whether they were reset, are off already, or are others by now.
 */
export async function resetTotp(
  db: Queryable,
  userId: string,
  enabledAt: Date,
): Promise<'reset' | 'off' | 'others'> {
  const { rowCount } = await db.query('DELETE FROM platform.totp WHERE user_id = $1 AND enabled_at = $2', [
    userId,
    enabledAt,
  ]);
  if (rowCount === 1) {
    await db.query('DELETE FROM platform.recovery_codes WHERE user_id = $1', [userId]);
    return 'reset';
  }
  const { rows } = await db.query('SELECT FROM platform.totp WHERE user_id = $1 AND enabled_at IS NOT NULL', [
    userId,
  ]);
  return rows.length === 0 ? 'off' : 'others';
}

/**
 * Uses up the code of one step of time, and with it those of all earlier steps. Of two calls with one code at once,
 * one finds it used.
 * @param secretSealed under which the code was checked: not one that was kept in the meantime.
 * @returns false when the code of this step, or of a later one, was used before.
 */
export async function useStep(
  db: Queryable,
  userId: string,
  { step, secretSealed }: { step: number; secretSealed: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE platform.totp SET last_step = $2 WHERE user_id = $1 AND secret_sealed = $3 AND last_step < $2',
    [userId, step, secretSealed],
  );
  return rowCount === 1;
}

/** Replaces the recovery codes of a user. A second call makes those of the first useless. */
export async function replaceRecoveryCodes(
  db: Queryable,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.query('DELETE FROM platform.recovery_codes WHERE user_id = $1', [userId]);
  await db.query('INSERT INTO platform.recovery_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])', [
    userId,
    hashes,
  ]);
}

/** Uses a recovery code up. A second call finds it used. @returns false when there is no such unused code. */
export async function useRecoveryCode(db: Queryable, userId: string, codeHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE platform.recovery_codes SET used_at = now()
      WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL`,
    [userId, codeHash],
  );
  return rowCount === 1;
}
