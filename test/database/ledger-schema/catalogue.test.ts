/**
 * The catalogue of Postgres: environments cannot see each other, a cell can be moved whole, CHECKs allow the
 * values of the domain.
 */
import type pg from 'pg';
import { openPool } from '../../../src/db/pg/postgres';
import { LIMIT_TIERS } from '../../../src/domain/limits';
import {
  BUSINESS_TYPES,
  COMPLIANCE_DECISIONS,
  COMPLIANCE_STATUSES,
  COMPLIANCE_STEPS,
  COMPLIANCE_TRIGGERS,
  COMPLIANCE_WITHDRAWAL,
} from '../../../src/domain/compliance';
import { PARTNER_STATUSES, TIERS, ENVIRONMENTS, type EnvironmentName } from '../../../src/domain/partners';
import { TRANSACTION_TYPES } from '../../../src/domain/transaction-types';
import { TRANSACTION_STATUSES } from '../../../src/domain/transactions';
import {
  FAILURE_REASONS,
  VERIFICATION_STATUSES,
  VERIFICATION_SUBJECTS,
  VERIFICATION_TYPES,
} from '../../../src/domain/verifications';
import { WALLET_STATUSES } from '../../../src/domain/wallets';
import type { Login } from '../../../src/runtime/logins';
import { openTestCell, type TestCell } from '../../support/cell';
import { asLogin } from '../../support/logins';

let cell: TestCell;
const pools = new Map<EnvironmentName, pg.Pool>();

beforeAll(async () => {
  cell = await openTestCell();
  for (const name of ENVIRONMENTS)
    pools.set(
      name,
      openPool(asLogin(cell.url, `${name}_worker`), 1, 10_000, () => undefined),
    );
});
afterAll(async () => {
  await Promise.all([...pools.values()].map((pool) => pool.end()));
  await cell.close();
});

const CELLS = ['sandbox_0', 'live_0'];

async function stateOf(environment: EnvironmentName, statement: string): Promise<string> {
  return pools
    .get(environment)!
    .query(statement)
    .then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    );
}

describe.each([
  ['sandbox', 'live'],
  ['live', 'sandbox'],
] as const)('the role of %s', (environment, other) => {
  test.each([
    'accounts',
    'wallets',
    'transactions',
    'entries',
    'events',
    'deliveries',
    'idempotency_keys',
    'verifications',
    'compliance_records',
    'compliance_requests',
    'compliance_moves',
    'directors',
  ])(`cannot see %s of ${other}`, async (table) => {
    expect(await stateOf(environment, `SELECT FROM ${other}_0.${table}`)).toBe('42501');
    expect(await stateOf(environment, `SELECT FROM ${environment}_0.${table}`)).toBe('done');
  });

  test(`cannot see account numbers of ${other}, nor draw one`, async () => {
    expect(await stateOf(environment, `SELECT FROM ${other}_directory.nubans`)).toBe('42501');
    expect(await stateOf(environment, `SELECT nextval('${other}_directory.nuban_serial')`)).toBe('42501');
    expect(await stateOf(environment, `SELECT nextval('${environment}_directory.nuban_serial')`)).toBe(
      'done',
    );
  });

  test.each([
    ['change a partner', `UPDATE platform.partners SET tier = 'scale'`],
    ['make a key', `INSERT INTO platform.api_keys SELECT * FROM platform.api_keys`],
    ['revoke a key', `UPDATE platform.api_keys SET revoked_at = NULL`],
    ['move a partner to another cell', `UPDATE platform.partner_cells SET cell = 'live_0'`],
    ['make a table in its cell', `CREATE TABLE ${environment}_0.more ()`],
    ['make a table in public', 'CREATE TABLE public.more ()'],
    ['switch a trigger off', `ALTER TABLE ${environment}_0.entries DISABLE TRIGGER ALL`],
  ])('cannot %s', async (_, statement) => {
    expect(await stateOf(environment, statement)).toBe('42501');
  });
});

test.each<[Login, state: string]>([
  ['sandbox_partners', '42501'],
  ['live_partners', '42501'],
  ['live_status', 'done'],
])('a partner’s status follows its live record alone: moved by %s, %s', async (login, state) => {
  const move = `UPDATE platform.partners SET status = 'active' WHERE false`;
  const pool = openPool(asLogin(cell.url, login), 1, 10_000, () => undefined);
  const moved = pool.query(move).then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  );
  expect(await moved).toBe(state);
  await pool.end();
});

/** What a trigger calls the rows of its statement. */
const ROWS_OF_STATEMENTS = ['inserted', 'written', 'replaced'];
/** The tables that a function reads or writes, without the rows of its statement. */
const tablesIn = (source: string): string[] =>
  [...source.matchAll(/\b(?:FROM|JOIN|UPDATE) ([\w.]+)/g)]
    .map(([, table]) => table!)
    .filter((table) => !ROWS_OF_STATEMENTS.includes(table));

describe.each(CELLS)('cell %s can be moved whole', (schema) => {
  test('it has no sequence', async () => {
    const found = await cell.sql(
      `SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = $1::regnamespace`,
      [schema],
    );
    expect(found).toEqual([]);
  });

  test('it has no identity column, and no default that asks a sequence', async () => {
    const found = await cell.sql(
      `SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
         LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE c.relnamespace = $1::regnamespace
          AND (a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE '%nextval%')`,
      [schema],
    );
    expect(found).toEqual([]);
  });

  test('no foreign key leaves it or comes into it', async () => {
    const keys = await cell.sql(
      `SELECT conname, f.relnamespace::regnamespace::text AS "from", t.relnamespace::regnamespace::text AS "to"
         FROM pg_constraint JOIN pg_class f ON f.oid = conrelid JOIN pg_class t ON t.oid = confrelid
        WHERE contype = 'f' AND $1::regnamespace IN (f.relnamespace, t.relnamespace)`,
      [schema],
    );
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => key['from'] !== key['to'])).toEqual([]);
  });

  test('its functions use no other schema: they have a fixed path, or run as their caller and name it', async () => {
    const functions = await cell.sql(
      `SELECT proname, prosecdef, prosrc,
              ARRAY(SELECT s FROM unnest(proconfig) AS s WHERE s LIKE 'search_path=%') AS paths
         FROM pg_proc WHERE pronamespace = $1::regnamespace`,
      [schema],
    );
    expect(functions.length).toBeGreaterThan(0);
    const free = functions.filter((row) => row['paths'].length === 0);
    expect(free.map((row) => row['proname']).sort()).toEqual([
      'note_accounts_unlike_entries',
      'refuse_orphaned_deliveries',
      'refuse_orphaned_transactions',
      'refuse_wrong_entries',
    ]);
    for (const row of functions) {
      if (!free.includes(row)) expect(row['paths']).toEqual([`search_path=${schema}, pg_temp`]);
      else expect(tablesIn(row['prosrc']).filter((table) => !table.startsWith(`${schema}.`))).toEqual([]);
    }
    expect(free.filter((row) => row['prosecdef'])).toEqual([]);
  });

  test('it keeps times to the millisecond, as JavaScript does, so that a cursor loses no row', async () => {
    const finer = await cell.sql(
      `SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = $1 AND data_type LIKE 'timestamp%' AND table_name <> 'rate_windows'
          AND (datetime_precision <> 3 OR data_type <> 'timestamp with time zone')`,
      [schema],
    );
    expect(finer).toEqual([]);
  });
});

describe('the values that a CHECK allows are those of the domain', () => {
  const OF_CELLS: [table: string, column: string, values: readonly string[]][] = [
    ['accounts', 'status', WALLET_STATUSES],
    ['accounts', 'frozen_by', ['partner', 'operator']],
    ['accounts', 'limit_tier', Object.keys(LIMIT_TIERS)],
    ['transactions', 'type', TRANSACTION_TYPES],
    ['transactions', 'status', TRANSACTION_STATUSES],
    ['entries', 'step', ['accept', 'settle', 'return']],
    ['compliance_requests', 'kind', [...COMPLIANCE_STEPS, ...COMPLIANCE_DECISIONS, COMPLIANCE_WITHDRAWAL]],
    ['compliance_records', 'status', COMPLIANCE_STATUSES],
    ['compliance_records', 'business_type', ['', ...BUSINESS_TYPES]],
    ['compliance_moves', 'trigger', COMPLIANCE_TRIGGERS],
    ['compliance_moves', 'from_status', COMPLIANCE_STATUSES],
    ['compliance_moves', 'to_status', COMPLIANCE_STATUSES],
    ['verifications', 'subject', VERIFICATION_SUBJECTS],
    ['verifications', 'type', VERIFICATION_TYPES],
    ['verifications', 'status', VERIFICATION_STATUSES],
    ['verifications', 'failure_reason', FAILURE_REASONS],
  ];
  test.each([
    ...CELLS.flatMap((schema) =>
      OF_CELLS.map(([table, ...rest]) => [`${schema}.${table}`, ...rest] as const),
    ),
    ['platform.partners', 'status', PARTNER_STATUSES] as const,
    ['platform.partners', 'tier', TIERS] as const,
    ['platform.partner_cells', 'environment', ENVIRONMENTS] as const,
    ['platform.api_keys', 'environment', ENVIRONMENTS] as const,
  ])('%s.%s', async (table, column, values) => {
    expect(await allowedValues(table, column)).toEqual([...values].sort());
  });
});

/**
 * Reads the values from `CHECK ((status = ANY (ARRAY['a'::text, 'b'::text])))` of the table, or of the column's
 * type.
 */
async function allowedValues(table: string, column: string): Promise<string[]> {
  const rows = await cell.sql(
    `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE contype = 'c' AND (conrelid = $1::regclass
         OR contypid = (SELECT atttypid FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2))`,
    [table, column],
  );
  const list = new RegExp(`^CHECK \\(\\((?:${column}|VALUE) = ANY \\(ARRAY\\[(.*)\\]\\)\\)\\)$`);
  const lists = rows.flatMap((row) => list.exec(row['definition'] as string)?.[1] ?? []);
  expect(lists).toHaveLength(1);
  return [...lists[0]!.matchAll(/'([^']*)'::text/g)].map((match) => match[1]!).sort();
}
