/** What the administrator's commands share: with which logins they work, and how they end. */
import { userInfo } from 'node:os';
import pg from 'pg';
import { inTransaction, sqlState, type Queryable } from '../db/pg/postgres';
import { appendAuditWith } from '../db/upkeep/audit';
import { ADMINISTRATOR, type ADMINISTRATOR_ACTS } from '../domain/audit';
import { MigrationError } from '../db/upkeep/migrate';
import { RestoreError } from '../db/upkeep/restore';
import { SetUpError } from '../db/upkeep/set-up';
import { ConfigError, loadDotEnv, readStartConfig, type Secrets, type StartConfig } from '../runtime/config';
import { databaseUrl, urlProblems, type DatabaseUrls } from '../runtime/database-urls';
import type { Login } from '../runtime/logins';
import { readPrivate } from './private-file';
import { dataFiles, StartError } from './project';

/**
 * The addresses for these logins: those that are set, else the database of the local sandbox.
 * @throws StartError when there are neither, or not what production asks for.
 */
export function administeredUrls(settings: StartConfig, logins: readonly Login[]): DatabaseUrls {
  const isProduction = settings.NODE_ENV === 'production';
  const problems = urlProblems(settings, logins, isProduction);
  if (problems.length === 0) return settings;
  if (isProduction) throw new StartError(problems.join('\n'));
  const { sandboxFile } = dataFiles(settings.DATA_DIR);
  const sandbox = readPrivate(sandboxFile) as { database_url?: string } | undefined;
  if (sandbox?.database_url) return { DATABASE_URL: sandbox.database_url };
  throw new StartError('No database is known. Run `npm start` first, or set DATABASE_URL.');
}

/**
 * Gives a secret of the API, from the environment or else from the local sandbox. A new one would not fit what the
 * API has stored. @throws StartError
 */
export function administeredSecret(settings: StartConfig, name: keyof Secrets): string {
  const set = settings[name];
  if (set !== undefined) return set;
  const secrets = readPrivate(dataFiles(settings.DATA_DIR).secretsFile) as Partial<Secrets> | undefined;
  const kept = secrets?.[name];
  if (kept) return kept;
  throw new StartError(`No ${name} is known. Run \`npm start\` first, or set it to that of the API.`);
}

/**
 * Reads the settings and works. When something is wrong, the process ends with a sentence for a person, and not with a
 * stack.
 */
export async function administer(
  logins: readonly Login[],
  work: (settings: StartConfig, urls: DatabaseUrls) => Promise<void>,
): Promise<void> {
  try {
    loadDotEnv();
    const settings = readStartConfig();
    await work(settings, administeredUrls(settings, logins));
  } catch (error) {
    const told = [StartError, ConfigError, MigrationError, SetUpError, RestoreError].some(
      (kind) => error instanceof kind,
    );
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (!told && error instanceof AggregateError) process.stderr.write('Is the database running?\n');
    const missing = MISSING[sqlState(error) ?? ''];
    if (missing !== undefined) process.stderr.write(`${missing}\n`);
    process.exitCode = 1;
  }
}

const NOT_SET_UP =
  'The database is not set up for this login, or its password is another one: `npm run db:set-up` makes the logins with ' +
  'the passwords of their addresses, and opens the database to them (docs/how-to/set-up-the-database.md).';
const NO_DATABASE =
  'There is no such database: a person who may create one makes it before `npm run db:set-up` ' +
  '(docs/how-to/set-up-the-database.md).';
const NOT_MIGRATED = 'The tables are not there yet: `npm run db:migrate` makes them.';

/** Which step of an installation has not been taken, by what Postgres says: a command may come too early. */
const MISSING: Partial<Record<string, string>> = {
  '28P01': NOT_SET_UP,
  '28000': NOT_SET_UP,
  '42501': NOT_SET_UP,
  '3D000': NO_DATABASE,
  '3F000': NOT_MIGRATED,
  '42P01': NOT_MIGRATED,
};

/** Connects with one login, and works. */
export const administerAs = (
  login: Login,
  work: (db: pg.Client, settings: StartConfig) => Promise<void>,
): Promise<void> =>
  administer([login], (settings, urls) => withDatabase(databaseUrl(urls, login), (db) => work(db, settings)));

/** The login of the commands for credentials: no process may register an active partner or make an operator. */
export const OWNER = 'platform_migrate';

/** The key that seals the operators' trail (G35). @throws StartError */
const trailKey = (settings: StartConfig): Buffer =>
  Buffer.from(administeredSecret(settings, 'AUDIT_KEY'), 'base64');

/** The same with the keys of earlier rows, with which the trail is checked. @throws StartError */
export const trailKeys = (settings: StartConfig): Buffer[] => [
  trailKey(settings),
  ...(settings.AUDIT_KEY_ACCEPTED ?? []).map((key) => Buffer.from(key, 'base64')),
];

/** What an act at the command line leaves: its row in the trail, and what the person at the terminal is told. */
interface Act {
  action: keyof typeof ADMINISTRATOR_ACTS;
  resource: string;
  detail: Record<string, unknown>;
  told: string;
}

/**
 * Carries out an act on credentials. It commits together with its row in the operators' trail, so that no
 * operator and no key is made or ended without one (G35). The person is told after the commit.
 */
export const administerAct = (work: (db: Queryable, settings: StartConfig) => Promise<Act>): Promise<void> =>
  administer([OWNER], async (settings, urls) => {
    const key = trailKey(settings);
    const pool = new pg.Pool({ connectionString: databaseUrl(urls, OWNER), max: 1 });
    try {
      const told = await inTransaction(pool, async (trx) => {
        const { told, detail, ...act } = await work(trx, settings);
        const entry = { ...act, requestId: '', operator: ADMINISTRATOR, phase: 'done' } as const;
        await appendAuditWith(trx, key, { ...entry, detail: { ...detail, account: accountName() } });
        return told;
      });
      process.stdout.write(told);
    } finally {
      await pool.end();
    }
  });

/** The account of the machine; a container may have a number without a name. */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${String(process.getuid?.())}`;
  }
}

export async function withDatabase<Result>(
  databaseUrl: string,
  work: (db: pg.Client) => Promise<Result>,
): Promise<Result> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
