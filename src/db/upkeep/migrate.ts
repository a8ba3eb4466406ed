/**
 * Brings a database to the current shape: roles, the `platform` schema, one directory per environment and
 * one schema per cell. Safe to run again and from several processes at once: they take turns.
 */
import knexFactory, { type Knex } from 'knex';
import { callbacks } from '../../../migrations/cell/callbacks';
import { compliance } from '../../../migrations/cell/compliance';
import { domains } from '../../../migrations/cell/domains';
import { entriesAtOnce } from '../../../migrations/cell/entries-at-once';
import { events } from '../../../migrations/cell/events';
import { identity } from '../../../migrations/cell/identity';
import { leanIndexes } from '../../../migrations/cell/lean-indexes';
import { ledger } from '../../../migrations/cell/ledger';
import { sandboxReset } from '../../../migrations/cell/sandbox-reset';
import { walletLife } from '../../../migrations/cell/wallet-life';
import { parents } from '../../../migrations/cell/parents';
import { payments } from '../../../migrations/cell/payments';
import { singleLookUps } from '../../../migrations/cell/single-look-ups';
import { summaries } from '../../../migrations/cell/summaries';
import { ussd } from '../../../migrations/cell/ussd';
import { dialCodes } from '../../../migrations/directory/dial-codes';
import { nubans } from '../../../migrations/directory/nubans';
import { submittedTransfers } from '../../../migrations/directory/transfers';
import { operators } from '../../../migrations/platform/operators';
import { partners } from '../../../migrations/platform/partners';
import { users } from '../../../migrations/platform/users';
import type { Queryable } from '../pg/postgres';
import { allSchemas, roleOf, ROLES } from '../pg/schema';

interface SchemaMigration {
  up(knex: Knex, schema: string): Promise<void>;
  down(knex: Knex, schema: string): Promise<void>;
}

/** In the order in which they run; a name once released never changes. */
const PLATFORM: Record<string, SchemaMigration> = {
  '001_partners': partners,
  '002_users': users,
  '003_operators': operators,
};
const DIRECTORY: Record<string, SchemaMigration> = {
  '001_nubans': nubans,
  '002_dial_codes': dialCodes,
  '003_transfers': submittedTransfers,
};
const CELL: Record<string, SchemaMigration> = {
  '001_ledger': ledger,
  '002_events': events,
  '003_payments': payments,
  '004_ussd': ussd,
  '005_identity': identity,
  '006_compliance': compliance,
  '007_wallet_life': walletLife,
  '008_callbacks': callbacks,
  '011_sandbox_reset': sandboxReset,
  '012_parents': parents,
  '013_lean_indexes': leanIndexes,
  '014_entries_at_once': entriesAtOnce,
  '015_summaries': summaries,
  '016_domains': domains,
  '017_single_look_ups': singleLookUps,
};

/** May be granted to the environments' role; what is not listed is refused by Postgres. */
const CELL_PRIVILEGES = `
  accounts: SELECT, INSERT, UPDATE
  wallets: SELECT, INSERT, UPDATE
  wallet_actions: SELECT, INSERT
  transactions: SELECT, INSERT, UPDATE
  entries: SELECT, INSERT
  used_references: SELECT, INSERT, UPDATE (transaction_id)
  idempotency_keys: SELECT, INSERT, DELETE
  reversals: SELECT, INSERT
  own_mfb_credits: SELECT, INSERT
  webhook_endpoints: SELECT, INSERT, UPDATE
  events: SELECT, INSERT, DELETE
  deliveries: SELECT, INSERT, UPDATE, DELETE
  workflow_intentions: SELECT, INSERT, UPDATE, DELETE
  rate_windows: SELECT, INSERT, UPDATE, DELETE
  provider_callbacks: SELECT, INSERT, UPDATE
  recon_findings: SELECT, INSERT, UPDATE
  recon_progress: SELECT, INSERT, UPDATE
  verifications: SELECT, INSERT, UPDATE (status, failure_reason, found_name_sealed, verified_at, updated_at)
  qr_requests: SELECT, INSERT, UPDATE
  ussd_sessions: SELECT, INSERT, UPDATE
  partner_epochs: SELECT
  compliance_requests: SELECT, INSERT
  compliance_records: SELECT, INSERT, UPDATE
  compliance_moves: SELECT, INSERT
  directors: SELECT, INSERT
  wallet_pins: SELECT, INSERT, UPDATE
  wallet_pin_changes: SELECT, INSERT
  ussd_pin_attempts: SELECT, INSERT, UPDATE
`;

/** What a sandbox reset deletes from, in the sandbox's cells alone; what it locks and fences needs UPDATE. */
const RESET_PRIVILEGES = `
  accounts: SELECT, DELETE, UPDATE (updated_at)
  wallets: SELECT, DELETE
  wallet_actions: SELECT, DELETE
  transactions: SELECT, DELETE
  entries: SELECT, DELETE
  used_references: SELECT, DELETE
  idempotency_keys: SELECT, DELETE
  reversals: SELECT, DELETE
  own_mfb_credits: SELECT, DELETE
  webhook_endpoints: SELECT
  events: SELECT, DELETE
  deliveries: SELECT, DELETE
  provider_callbacks: SELECT, DELETE
  workflow_intentions: SELECT, DELETE
  qr_requests: SELECT, DELETE
  ussd_sessions: SELECT, DELETE
  ussd_pin_attempts: SELECT, DELETE
  wallet_pins: SELECT, DELETE
  wallet_pin_changes: SELECT, DELETE
  verifications: SELECT, DELETE
  partner_epochs: SELECT, INSERT, UPDATE
`;

/**
 * Runs what has not run yet.
 * @returns how many migrations were applied.
 * @throws an Error that says what to do when the database user may not create roles or schemas.
 */
export async function migrateDatabase(
  databaseUrl: string,
  cellsPerEnvironment: number,
): Promise<{ applied: number }> {
  const knex = knexFactory({
    client: 'pg',
    connection: { connectionString: databaseUrl, options: '-c lock_timeout=30s' },
    pool: { min: 0, max: 3 },
  });
  try {
    // Whoever comes second waits, and a crash lets go: knex's own lock does neither.
    return await knex.transaction(async (turn) => {
      await turn.raw("SELECT pg_advisory_xact_lock(hashtext('migrateDatabase'))");
      return { applied: await migrateAll(knex, cellsPerEnvironment) };
    });
  } finally {
    await knex.destroy();
  }
}

async function migrateAll(knex: Knex, cellsPerEnvironment: number): Promise<number> {
  await createRoles(knex);
  let applied = await migrateSchema(knex, 'platform', PLATFORM);
  await grantAccess(knex);
  for (const { environment, resetter, directory, cells } of allSchemas(cellsPerEnvironment)) {
    applied += await migrateSchema(knex, directory, DIRECTORY);
    for (const cell of cells) applied += await migrateSchema(knex, cell, CELL);
    await grant(knex, roleOf(environment), directory, cells);
    if (resetter) await grantReset(knex, roleOf(resetter), directory, cells);
  }
  await grantOperators(knex);
  // A partner's own status follows its live record alone (D90), so only live may write it, and nothing else of it.
  await knex.raw(`GRANT UPDATE (status) ON platform.partners TO ${roleOf('live')}`);
  return applied;
}

async function migrateSchema(
  knex: Knex,
  schema: string,
  migrations: Record<string, SchemaMigration>,
): Promise<number> {
  // knex keeps its own tables in `platform` under the schema's name, and fails where the schema is missing (R3).
  await knex.raw('CREATE SCHEMA IF NOT EXISTS platform');
  await knex.raw(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  const place = { schemaName: 'platform', tableName: `migrations_of_${schema}` };
  // It is our turn, so a lock that is still taken was left by a crash.
  await knex.migrate.forceFreeMigrationsLock(place);
  const [, names] = (await knex.migrate.latest({
    ...place,
    migrationSource: {
      getMigrations: () => Promise.resolve(Object.keys(migrations)),
      getMigrationName: (name: string) => name,
      getMigration: (name: string) => {
        const migration = migrations[name];
        if (!migration) throw new Error(`no migration ${name}`);
        return Promise.resolve({
          up: (trx: Knex) => migration.up(trx, schema),
          down: (trx: Knex) => migration.down(trx, schema),
        });
      },
    },
  })) as [number, string[]];
  return names.length;
}

async function createRoles(knex: Knex): Promise<void> {
  for (const role of ROLES) {
    try {
      // Two databases of one cluster may be migrated at once: whoever comes second finds the role there.
      await knex.raw(`
        DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
            CREATE ROLE ${role} NOLOGIN;
          END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END $$`);
      await knex.raw(`
        DO $$ BEGIN
          IF NOT pg_has_role(current_user, '${role}', 'MEMBER') THEN GRANT ${role} TO current_user; END IF;
        END $$`);
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error;
      throw new Error(
        `The database user may not create the role ${role}. Give it CREATEROLE, or let an administrator run: ` +
          ROLES.map((name) => `CREATE ROLE ${name} NOLOGIN; GRANT ${name} TO <user>;`).join(' '),
        { cause: error },
      );
    }
  }
}

/** What registration, sign-in and keys need, and no more: see migrations/platform/users.ts. */
async function grantAccess(knex: Knex): Promise<void> {
  const role = roleOf('access');
  await knex.raw(`
    GRANT USAGE ON SCHEMA platform TO ${role};
    GRANT SELECT ON platform.partners, platform.partner_cells, platform.users, platform.api_keys TO ${role};
    GRANT INSERT (id, business_name, email, phone) ON platform.partners TO ${role};
    GRANT INSERT ON platform.partner_cells, platform.users, platform.api_keys TO ${role};
    GRANT UPDATE (revoked_at) ON platform.api_keys TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON platform.stranger_windows TO ${role};
  `);
}

async function grant(knex: Knex, role: string, directory: string, cells: string[]): Promise<void> {
  await knex.raw(`
    GRANT USAGE ON SCHEMA platform, ${directory}, ${cells.join(', ')} TO ${role};
    GRANT SELECT ON platform.partners, platform.partner_cells, platform.api_keys TO ${role};
    GRANT UPDATE (last_used_at) ON platform.api_keys TO ${role};
    GRANT USAGE ON SEQUENCE ${directory}.nuban_serial TO ${role};
    GRANT SELECT, INSERT ON ${directory}.nubans TO ${role};
    GRANT SELECT, INSERT, DELETE ON ${directory}.submitted_transfers TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${directory}.dial_codes TO ${role};
  `);
  // For the readiness of a process: which migrations its own schemas have.
  const states = ['platform', directory, ...cells].map((schema) => `platform.migrations_of_${schema}`);
  await knex.raw(`GRANT SELECT ON ${states.join(', ')} TO ${role}`);
  await grantOn(knex, role, cells, CELL_PRIVILEGES);
}

async function grantReset(knex: Knex, role: string, directory: string, cells: string[]): Promise<void> {
  await knex.raw(`
    GRANT USAGE ON SCHEMA ${directory}, ${cells.join(', ')} TO ${role};
    GRANT SELECT, DELETE ON ${directory}.nubans, ${directory}.submitted_transfers, ${directory}.dial_codes TO ${role};
  `);
  await grantOn(knex, role, cells, RESET_PRIVILEGES);
}

async function grantOn(knex: Knex, role: string, cells: string[], list: string): Promise<void> {
  const privileges = list
    .trim()
    .split('\n')
    .map((line) => line.trim().split(': '));
  for (const cell of cells) {
    await knex.raw(
      privileges.map(([table, names]) => `GRANT ${names} ON ${cell}.${table} TO ${role}`).join(';'),
    );
  }
}

/** Operators change partners and write their own trail; the cells are reached as the environment's role only. */
async function grantOperators(knex: Knex): Promise<void> {
  const role = roleOf('operator');
  await knex.raw(`
    GRANT USAGE ON SCHEMA platform TO ${role};
    GRANT SELECT ON platform.partners, platform.partner_cells, platform.operators, platform.audit,
      platform.audit_head, platform.adjustments, platform.adjustment_approvals TO ${role};
    GRANT UPDATE (status, tier) ON platform.partners TO ${role};
    GRANT INSERT ON platform.audit, platform.adjustments, platform.adjustment_approvals TO ${role};
    GRANT UPDATE (sequence, hash) ON platform.audit_head TO ${role};
    GRANT UPDATE (status, refusal, updated_at) ON platform.adjustments TO ${role};
  `);
}

/**
 * What the schemas of one connection's environment still lack: a process is not ready before it is nothing.
 * @returns names as `<schema>/<migration>`.
 * @throws where the database is older than this check, or away.
 */
export async function missingMigrations(
  db: Queryable,
  schemas: { directory: string; cells: readonly string[] },
): Promise<string[]> {
  const wanted: [string, Record<string, SchemaMigration>][] = [
    ['platform', PLATFORM],
    [schemas.directory, DIRECTORY],
    ...schemas.cells.map((cell): [string, Record<string, SchemaMigration>] => [cell, CELL]),
  ];
  const missing: string[] = [];
  for (const [schema, migrations] of wanted) {
    const { rows } = await db.query<{ name: string }>(`SELECT name FROM platform.migrations_of_${schema}`);
    const there = new Set(rows.map((row) => row.name));
    missing.push(
      ...Object.keys(migrations)
        .filter((name) => !there.has(name))
        .map((name) => `${schema}/${name}`),
    );
  }
  return missing;
}
