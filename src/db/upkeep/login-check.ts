/**
 * What a process makes sure of before it works in production: that each of its logins is the one it should be, and can
 * become nothing more. The set-up makes them so; somebody may have changed them since.
 */
import { Client } from 'pg';
import type { Config } from '../../runtime/config';
import { databaseUrl } from '../../runtime/database-urls';
import { loginsOf, roleOf, type Login, type Program } from '../../runtime/logins';
import { untilItWorks } from '../../runtime/patience';
import { isOutage } from '../pg/postgres';

/** A login must not be used. The message is for a person, and names no secret. */
export class LoginError extends Error {}

interface Log {
  warn(what: object, sentence: string): void;
  fatal(what: object, sentence: string): void;
}

/**
 * Checks the logins of a process in production. While Postgres is away the process starts all the same, and its logins
 * are checked as soon as Postgres answers.
 * @param end ends the process, when a login turns out to be wrong after the start.
 * @throws LoginError when one of them is wrong; then the process must not start.
 */
export async function guardLogins(
  config: Config,
  program: Program,
  log: Log,
  end: () => void,
): Promise<void> {
  if (config.NODE_ENV !== 'production') return;
  const check = async (): Promise<void> => {
    for (const login of loginsOf(program)) {
      await assertLogin(databaseUrl(config, login), login, config.DATABASE_CONNECT_MS);
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
      log.warn({ err, waitMs }, 'The logins of the database could not be checked; Postgres does not answer');
    tell(error, 0);
    void untilItWorks(checkLater, tell).then((wrong) => {
      if (!wrong) return;
      log.fatal({ err: wrong }, 'The process ends, because a login of the database is wrong');
      end();
    });
  }
}

/**
 * Checks one login: that Postgres takes it for this one, and that it has no attribute and no membership.
 * @throws LoginError; or the driver's error, while Postgres does not answer.
 */
export async function assertLogin(url: string, login: Login, connectWithinMs: number): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectWithinMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; acts_as: string; strong: boolean; others: string[] }>(
      `SELECT session_user::text AS name, current_user::text AS acts_as,
              rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS strong,
              ARRAY(SELECT g.rolname::text FROM pg_auth_members JOIN pg_roles g ON g.oid = roleid
                     WHERE member = r.oid ORDER BY 1) AS others
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
  } catch (error) {
    if (error instanceof LoginError || isOutage(error)) throw error;
    throw new LoginError(`Postgres refuses ${roleOf(login)}: ${(error as Error).message}.`, { cause: error });
  } finally {
    await client.end();
  }
}
