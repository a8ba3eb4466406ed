/**
 * What a process makes sure of in the database before it works. In production: that each of its logins is the one it
 * should be, and can become nothing more. The set-up makes them so; somebody may have changed them since. Where nobody has
 * said what it is: that no live wallet is there, because then the rules of production would be off unseen.
 */
import { Client } from 'pg';
import type { Config } from '../../runtime/config';
import { databaseUrl } from '../../runtime/database-urls';
import { loginsOf, roleOf, type Login, type Program } from '../../runtime/logins';
import { servedEnvironments } from '../../runtime/served-environments';
import { untilItWorks } from '../../runtime/patience';
import { isOutage } from '../pg/postgres';
import { cellNames } from '../pg/schema';

/** The process must not work with the database. The message is for a person, and names no secret. */
export class LoginError extends Error {}

type Process = Exclude<Program, 'command'>;

interface Log {
  warn(what: object, sentence: string): void;
  fatal(what: object, sentence: string): void;
}

/**
 * Checks the logins of a process in production, and without NODE_ENV that there is no live wallet. While Postgres is away
 * the process starts all the same, and the check follows as soon as Postgres answers.
 * @param end ends the process, when something turns out to be wrong after the start.
 * @throws LoginError when something is wrong; then the process must not start.
 */
export async function guardLogins(
  config: Config,
  program: Process,
  log: Log,
  end: () => void,
): Promise<void> {
  if (config.NODE_ENV !== undefined && config.NODE_ENV !== 'production') return;
  const check = async (): Promise<void> => {
    const environments = servedEnvironments(config.ENVIRONMENTS);
    if (config.NODE_ENV === undefined) {
      if (environments.includes('live')) await assertNoLiveWallet(config, program);
      return;
    }
    for (const login of loginsOf(program, environments)) {
      const settings = await assertLogin(databaseUrl(config, login), login, config.DATABASE_CONNECT_MS);
      // A login may change its own for all its later connections, so whoever has had one may have left some (docs/security.md).
      if (settings.length > 0)
        log.warn({ login: roleOf(login), settings }, 'A login of the database has settings of its own');
    }
  };
  try {
    await check();
  } catch (error) {
    if (error instanceof LoginError) throw error;
    const checkLater = (): Promise<LoginError | null> =>
      check().then(
        () => null,
        (later: unknown) => {
          if (later instanceof LoginError) return later;
          throw later;
        },
      );
    const tell = (err: unknown, waitMs: number): void =>
      log.warn({ err, waitMs }, 'The database could not be checked; Postgres does not answer');
    tell(error, 0);
    void untilItWorks(checkLater, tell).then((wrong) => {
      if (!wrong) return;
      log.fatal({ err: wrong }, 'The process ends, because the check of the database has failed');
      end();
    });
  }
}

/** @throws LoginError; or the driver's error, while Postgres does not answer. */
async function assertNoLiveWallet(config: Config, program: Process): Promise<void> {
  const login = LIVE_LOGIN[program];
  const client = new Client({
    connectionString: databaseUrl(config, login),
    connectionTimeoutMillis: config.DATABASE_CONNECT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const cell of cellNames('live', config.CELLS_PER_ENVIRONMENT)) {
      const { rows } = await client.query<{ exists: boolean }>(
        `SELECT to_regclass('${cell}.wallets') IS NOT NULL AS exists`,
      );
      // Before the first migration there is nothing.
      if (!rows[0]?.exists) continue;
      const wallet = await client.query(`SELECT FROM ${cell}.wallets LIMIT 1`);
      if (wallet.rowCount !== 0) throw new LoginError(UNNAMED);
    }
  } finally {
    await client.end();
  }
}

const LIVE_LOGIN = { api: 'live_api', worker: 'live_worker' } as const satisfies Record<Process, Login>;
const UNNAMED =
  'NODE_ENV: must be set to production, or to development where no money is real, because the database has live wallets';

/**
 * Checks one login: that Postgres takes it for this one, and that it has no attribute and no membership.
 * @returns the settings that the login brings to every connection.
 * @throws LoginError; or the driver's error, while Postgres does not answer.
 */
export async function assertLogin(url: string, login: Login, connectWithinMs: number): Promise<string[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectWithinMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await assertLoginOf(client, login);
  } catch (error) {
    if (error instanceof LoginError || isOutage(error)) throw error;
    throw new LoginError(`Postgres refuses ${roleOf(login)}: ${(error as Error).message}.`, { cause: error });
  } finally {
    await client.end();
  }
}

/** The same of a connection that is open. @throws LoginError; or what Postgres or the driver says. */
export async function assertLoginOf(client: Client, login: Login): Promise<string[]> {
  const { rows } = await client.query<{
    name: string;
    acts_as: string;
    strong: boolean;
    others: string[];
    settings: string[];
  }>(
    `SELECT session_user::text AS name, current_user::text AS acts_as,
            rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS strong,
            ARRAY(SELECT g.rolname::text FROM pg_auth_members JOIN pg_roles g ON g.oid = roleid
                   WHERE member = r.oid ORDER BY 1) AS others,
            ARRAY(SELECT unnest(setconfig) FROM pg_db_role_setting WHERE setrole = r.oid ORDER BY 1) AS settings
       FROM pg_roles r WHERE rolname = session_user`,
  );
  const role = roleOf(login);
  const [found] = rows;
  if (found?.name !== role || found.acts_as !== role) {
    throw new LoginError(`The connection of ${role} is that of ${found?.acts_as ?? 'nobody'}.`);
  }
  if (found.strong)
    throw new LoginError(`${role} may do more than a login of this platform, such as a superuser.`);
  if (found.others.length > 0) throw new LoginError(`${role} may become ${found.others.join(', ')}.`);
  return found.settings;
}
