/**
 * The statements that a version of the programs sends to the database, each with its login: recorded from a run of the
 * tests, kept per release, and tried on the newest schema. So a migration that breaks the version before it is found
 * before both run side by side.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { ALL_LOGINS, LOGINS, roleOf, type Login } from '../../src/runtime/logins';

/** What one release sends, in the order of the logins. */
export type Statements = Partial<Record<Login, string[]>>;

/** The commands of an administrator come with each version, and run one at a time. */
const PROCESS_LOGINS = ALL_LOGINS.filter((login) =>
  LOGINS[login].usedBy.some((program) => program !== 'command'),
);

const PREFIX = '%u|%d|';
/** A line with a statement, and the further lines of it, which begin with a tab. */
const LOGGED = /^(\w+)\|(\w+)\|LOG: {2}(?:statement|execute [^:]*): (.*(?:\n\t.*)*)/gm;
/** Postgres can plan nothing else without running it. */
const PLANNED = /^\s*(\/\*.*?\*\/\s*)?(SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES)\b/i;
/** Every cell has the same tables, and so have the environments. */
const ONE_CELL = /\b(sandbox|live)_(\d+|directory)\b/g;

/**
 * Lets Postgres write down what our processes send from now on, on new connections.
 * @param server of a superuser of a server that is ours alone.
 */
export async function startRecording(server: string): Promise<void> {
  await asSuperuser(server, async (db) => {
    await db.query(`ALTER SYSTEM SET log_line_prefix = '${PREFIX}'`);
    await db.query('SELECT pg_reload_conf()');
    for (const login of PROCESS_LOGINS) {
      await db.query(`ALTER ROLE ${roleOf(login)} SET log_statement = 'all'`);
      await db.query(`ALTER ROLE ${roleOf(login)} SET log_parameter_max_length = 0`);
    }
  });
}

/** Undoes it. */
export async function stopRecording(server: string): Promise<void> {
  await asSuperuser(server, async (db) => {
    for (const login of PROCESS_LOGINS) {
      await db.query(`ALTER ROLE ${roleOf(login)} RESET log_statement`);
      await db.query(`ALTER ROLE ${roleOf(login)} RESET log_parameter_max_length`);
    }
    await db.query('ALTER SYSTEM RESET log_line_prefix');
    await db.query('SELECT pg_reload_conf()');
  });
}

/**
 * Gives what was sent since `startRecording`, each statement once.
 * @param database takes what was sent to this database alone.
 */
export async function recordedStatements(server: string, database?: string): Promise<Statements> {
  const folder = await asSuperuser(server, async (db) => {
    const { rows } = await db.query<{ data_directory: string }>('SHOW data_directory');
    return dirname(rows[0]!.data_directory);
  });
  const found = new Map(PROCESS_LOGINS.map((login) => [roleOf(login), new Set<string>()]));
  for (const [, role = '', on, text = ''] of readFileSync(join(folder, 'log'), 'utf8').matchAll(LOGGED)) {
    if (!PLANNED.test(text) || (database !== undefined && on !== database)) continue;
    const plain = text.replaceAll(/\s+/g, ' ').trim();
    found
      .get(role)
      ?.add(
        plain.replaceAll(ONE_CELL, (_, environment: string, cell: string) =>
          cell === 'directory' ? `${environment}_directory` : `${environment}_0`,
        ),
      );
  }
  const statements: Statements = {};
  for (const login of PROCESS_LOGINS) {
    const of = [...(found.get(roleOf(login)) ?? [])].sort();
    if (of.length > 0) statements[login] = of;
  }
  return statements;
}

/** A statement that would fail, and why. */
export interface BrokenStatement {
  login: Login;
  why: string;
  text: string;
}

/**
 * Tries statements of an earlier version on this database, each with the rights of its login. None is run.
 * @returns those that would fail, with what Postgres says.
 */
export async function brokenStatements(
  databaseUrl: string,
  statements: Statements,
): Promise<BrokenStatement[]> {
  return asSuperuser(databaseUrl, async (db) => {
    const broken: BrokenStatement[] = [];
    for (const [login, texts] of Object.entries(statements) as [Login, string[]][]) {
      await db.query(`SET SESSION AUTHORIZATION ${roleOf(login)}`);
      for (const text of texts) {
        // A plan names every table and column, and asks for the rights; it needs no values.
        const refusal = await db.query(`EXPLAIN (GENERIC_PLAN) ${text}`).then(
          () => null,
          (error: unknown) => (error as Error).message,
        );
        const [missing] = refusal === null ? await unfilled(db, text) : [];
        const why = refusal ?? (missing === undefined ? null : `it does not fill ${missing}`);
        if (why !== null) broken.push({ login, why, text });
      }
      await db.query('RESET SESSION AUTHORIZATION');
    }
    return broken;
  });
}

const INSERT = /\bINSERT INTO (\w+)\.(\w+)(?: AS \w+)? \(([^)]*)\)/gi;

/** The columns that must be filled and that an INSERT of an earlier version does not know. */
async function unfilled(db: pg.Client, text: string): Promise<string[]> {
  const missing: string[] = [];
  for (const [, schema, table, columns = ''] of text.matchAll(INSERT)) {
    const { rows } = await db.query<{ name: string }>(
      `SELECT a.attname AS name FROM pg_attribute a
        WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped
          AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AND a.attname <> ALL($2)`,
      [
        `${schema ?? ''}.${table ?? ''}`,
        columns.split(',').map((column) => column.trim().replaceAll('"', '')),
      ],
    );
    missing.push(...rows.map(({ name }) => `${table ?? ''}.${name}`));
  }
  return missing;
}

async function asSuperuser<Result>(url: string, work: (db: pg.Client) => Promise<Result>): Promise<Result> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
