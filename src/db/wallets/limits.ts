/**
 * The tiers of wallets under the regulator's limits (D123). In live every wallet has one from the beginning; in the sandbox
 * those of a partner that has switched limits on.
 */
import { tierOf, type LimitTier } from '../../domain/limits';
import type { VerificationType } from '../../domain/verifications';
import { FIRST_UUID } from '../pg/ids';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';
import { assertNotResetting } from '../upkeep/epochs';

/** Whose wallet it is. */
interface Owner {
  partnerId: string;
  userRef: string;
}

/**
 * The tier that a wallet of this owner has now, and keeps until the end of the caller's transaction; null for one that is
 * under no limits.
 */
export async function tierNow(
  trx: Queryable,
  schema: string,
  { partnerId, userRef }: Owner,
): Promise<LimitTier | null> {
  const { rows } = await trx.query<{
    are_enforced: boolean;
    verified: VerificationType[];
    is_sandbox: boolean;
  }>(`SELECT * FROM ${schema}.limit_facts($1, $2)`, [partnerId, userRef]);
  const [facts] = rows;
  return facts?.are_enforced ? tierOf(userRef, facts.verified, facts.is_sandbox) : null;
}

/** Gives the wallet of an owner, if there is one, the tier that its verifications give now. Harmless the second time. */
export async function followVerifications(trx: Queryable, schema: string, owner: Owner): Promise<void> {
  const tier = await tierNow(trx, schema, owner);
  const { rows } = await trx.query<{ id: string }>(
    `SELECT id FROM ${schema}.wallets WHERE partner_id = $1 AND user_ref = $2`,
    [owner.partnerId, owner.userRef],
  );
  await writeTiers(
    trx,
    schema,
    rows.map(({ id }) => ({ id, tier })),
  );
}

/** Whether the partner's sandbox enforces limits. */
export async function isLimited({ pool, schema }: Cell, partnerId: string): Promise<boolean> {
  return isSwitchedOn(pool, schema, partnerId);
}

/** So few that their rows are locked for a short time only. */
const PAGE = 500;

/**
 * Switches limits on or off for a partner's sandbox. New wallets follow at once, the others page by page: each page follows
 * the switch as it is then. A second call is harmless; after a crash it does what was left.
 */
export async function switchLimits(cell: Cell, partnerId: string, isOn: boolean): Promise<void> {
  const { schema } = cell;
  await inTransaction(cell.pool, async (trx) => {
    await assertNotResetting(trx, schema, partnerId);
    // Whoever gives a wallet its tier has the shared lock until its commit, so the pages below see that wallet.
    await trx.query(`SELECT pg_advisory_xact_lock(hashtextextended($1 || '/limits/' || $2, 0))`, [
      schema,
      partnerId,
    ]);
    await trx.query(
      isOn
        ? `INSERT INTO ${schema}.enforced_limits (partner_id) VALUES ($1) ON CONFLICT DO NOTHING`
        : `DELETE FROM ${schema}.enforced_limits WHERE partner_id = $1`,
      [partnerId],
    );
  });
  for (let after: string | null = FIRST_UUID; after !== null;) {
    after = await inTransaction(cell.pool, (trx) =>
      followSwitch(trx, schema, partnerId, after ?? FIRST_UUID),
    );
  }
}

/** One page of wallets. Their rows are locked before the verifications are read, so whoever ends one meanwhile comes after. */
async function followSwitch(
  trx: Queryable,
  schema: string,
  partnerId: string,
  after: string,
): Promise<string | null> {
  await assertNotResetting(trx, schema, partnerId);
  const { rows: locked } = await trx.query<{ id: string }>(
    `SELECT id FROM ${schema}.accounts
      WHERE id IN (SELECT id FROM ${schema}.wallets WHERE partner_id = $1 AND id > $2 ORDER BY id LIMIT ${String(PAGE)})
      ORDER BY id FOR NO KEY UPDATE`,
    [partnerId, after],
  );
  const isOn = await isSwitchedOn(trx, schema, partnerId);
  const { rows } = await trx.query<{ id: string; user_ref: string; verified: VerificationType[] }>(
    `SELECT w.id, w.user_ref, ARRAY(
              SELECT DISTINCT type FROM ${schema}.verifications v
               WHERE v.partner_id = w.partner_id AND v.user_ref = w.user_ref AND v.status = 'verified') AS verified
       FROM ${schema}.wallets w WHERE w.id = ANY($1)`,
    [locked.map(({ id }) => id)],
  );
  await writeTiers(
    trx,
    schema,
    rows.map(({ id, user_ref: userRef, verified }) => ({
      id,
      tier: isOn ? tierOf(userRef, verified, true) : null,
    })),
  );
  return locked.at(-1)?.id ?? null;
}

/** The use of a day is counted from the moment at which a wallet comes under limits. */
async function writeTiers(
  trx: Queryable,
  schema: string,
  wallets: readonly { id: string; tier: LimitTier | null }[],
): Promise<void> {
  await trx.query(
    `UPDATE ${schema}.accounts a SET limit_tier = v.tier,
       counted_from = CASE WHEN a.limit_tier IS NULL THEN clock_timestamp() ELSE a.counted_from END,
       day_debit_kobo = CASE WHEN a.limit_tier IS NULL THEN 0 ELSE a.day_debit_kobo END,
       day_ussd_kobo = CASE WHEN a.limit_tier IS NULL THEN 0 ELSE a.day_ussd_kobo END
      FROM unnest($1::uuid[], $2::text[]) AS v(id, tier)
     WHERE a.id = v.id AND a.limit_tier IS DISTINCT FROM v.tier`,
    [wallets.map(({ id }) => id), wallets.map(({ tier }) => tier)],
  );
}

async function isSwitchedOn(db: Queryable, schema: string, partnerId: string): Promise<boolean> {
  const { rows } = await db.query(`SELECT FROM ${schema}.enforced_limits WHERE partner_id = $1`, [partnerId]);
  return rows.length > 0;
}
