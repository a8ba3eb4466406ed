/**
 * The marks that a restore leaves in the directory of each environment. What was done after the backup was taken is
 * forgotten by the database, and known to providers, to Temporal and to people (docs/decisions/0029).
 */
import type { Queryable } from '../pg/postgres';

/** A restore, with the two times between which everything is forgotten. */
export interface Restore {
  id: string;
  takenAt: Date;
  restoredAt: Date;
}

/**
 * So many account numbers are passed over with each restore. Far fewer are given out between a backup and the loss of
 * a database, and nine hundred restores find enough.
 */
const NUMBERS_PASSED_OVER = 1_000_000;

/**
 * Leaves the mark of a restore, and lets the account numbers skip ahead: those that were given out after the backup
 * never go to somebody else. A second mark is harmless: more is asked about, and more numbers are passed over.
 * @param owner the login that owns the directory, in the transaction of the restore.
 * @param takenAt of which moment the data are.
 */
export async function markRestored(owner: Queryable, directory: string, takenAt: Date): Promise<void> {
  await owner.query(`INSERT INTO ${directory}.restores (taken_at) VALUES ($1)`, [takenAt]);
  await owner.query(`SELECT setval('${directory}.nuban_serial', nextval('${directory}.nuban_serial') + $1)`, [
    NUMBERS_PASSED_OVER,
  ]);
}

/** When the data of this environment were last restored; null if they never were. */
export async function lastRestoredAt(db: Queryable, directory: string): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>(
    `SELECT max(restored_at) AS at FROM ${directory}.restores`,
  );
  return rows[0]?.at ?? null;
}

/** The restores after which nobody has looked in Temporal yet for what the database has forgotten. */
export async function unsearchedRestores(db: Queryable, directory: string): Promise<Restore[]> {
  const { rows } = await db.query<{ id: string; taken_at: Date; restored_at: Date }>(
    `SELECT id, taken_at, restored_at FROM ${directory}.restores WHERE searched_at IS NULL ORDER BY restored_at`,
  );
  return rows.map((row) => ({ id: row.id, takenAt: row.taken_at, restoredAt: row.restored_at }));
}

/** Marks a restore as searched. A second call changes nothing. */
export async function markSearched(db: Queryable, directory: string, id: string): Promise<void> {
  await db.query(
    `UPDATE ${directory}.restores SET searched_at = now() WHERE id = $1 AND searched_at IS NULL`,
    [id],
  );
}

/** The tables of a cell in which the resource of a workflow stands, by the first part of the workflow's id. */
const TABLES = {
  'wallet/': 'accounts',
  'bank-transfer/': 'transactions',
  'bank-return/': 'transactions',
  'ussd/': 'ussd_sessions',
  'kyc/': 'verifications',
  'hold/': 'holds',
  'scheduled-transfer/': 'scheduled_transfers',
  'webhook/': 'webhook_endpoints',
} as const;
export type ResourceKind = keyof typeof TABLES;
export const RESOURCE_KINDS = Object.keys(TABLES) as ResourceKind[];

/** Those of these ids that the schema has. */
export async function knownResources(
  db: Queryable,
  schema: string,
  kind: ResourceKind,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM ${schema}.${TABLES[kind]} WHERE id = ANY($1)`,
    [ids],
  );
  return rows.map((row) => row.id);
}
