/**
 * Makes the logins of a server and gives them their rights to a database, before anything is migrated (D104). A person
 * who may create roles and owns the database runs it, and need not be a superuser. It may be run again: it sets the
 * passwords anew and gives the same rights.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { loginsIn, roleOf, type Area, type Login } from '../../runtime/logins';

/** The database cannot be set up as it is. The message is for a person, and says what to do. */
export class SetUpError extends Error {}

/**
 * What makes, opens, reads and writes large objects. Everybody may call them in a new database, and what they leave fills
 * the disk past every table; nothing of the platform uses them.
 */
const LARGE_OBJECTS = [
  'lo_close',
  'lo_creat',
  'lo_create',
  'lo_from_bytea',
  'lo_get',
  'lo_lseek',
  'lo_lseek64',
  'lo_open',
  'lo_put',
  'lo_tell',
  'lo_tell64',
  'lo_truncate',
  'lo_truncate64',
  'lo_unlink',
  'loread',
  'lowrite',
];

/** What a CREATEROLE may grant is different before this version. */
const VERSION_LEAST = 160_000;

/**
 * Sets up the logins of these areas, and the database of `adminUrl` for them.
 * @param adminUrl of a person with CREATEROLE who owns the database.
 * @param passwordOf gives the password of a login; with an empty one it has none.
 * @returns whether the logins can still make large objects, because this person may not forbid it.
 * @throws SetUpError when this person may not do it, or a login could do more than it should.
 */
export async function setUpDatabase(
  adminUrl: string,
  areas: readonly Area[],
  passwordOf: (login: Login) => string,
): Promise<{ hasLargeObjects: boolean }> {
  const logins = areas.flatMap(loginsIn);
  await asAdministrator(adminUrl, async (client) => {
    for (const login of logins) await makeLogin(client, roleOf(login), passwordOf(login));
    await refuseMoreThanALogin(client, logins.map(roleOf));
  });
  await openDatabase(adminUrl, areas);
  return { hasLargeObjects: !(await closeLargeObjects(adminUrl)) };
}

/**
 * Takes large objects away from the logins. Only a superuser may: on a managed Postgres they stay.
 * @returns whether no login can make one.
 */
async function closeLargeObjects(adminUrl: string): Promise<boolean> {
  let closed = false;
  await asAdministrator(adminUrl, async (client) => {
    const { rows } = await client.query<{ called: string; strong: boolean }>(
      `SELECT p.oid::regprocedure::text AS called, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS strong
         FROM pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner))) a
        WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY($1) AND a.grantee = 0`,
      [LARGE_OBJECTS],
    );
    closed = rows.length === 0 || rows[0]?.strong === true;
    if (!closed || rows.length === 0) return;
    const functions = rows.map(({ called }) => `pg_catalog.${called}`).join(', ');
    await client.query(`REVOKE EXECUTE ON FUNCTION ${functions} FROM PUBLIC`);
  });
  return closed;
}

/**
 * Opens a database to the logins of these areas, which exist, and closes it to everybody else. Each owner may make
 * its schemas.
 * @throws SetUpError when the database belongs to somebody else.
 */
export async function openDatabase(adminUrl: string, areas: readonly Area[]): Promise<void> {
  await asAdministrator(adminUrl, async (client) => {
    const name = client.database ?? '';
    const database = escapeIdentifier(name);
    const owners = areas.map((area) => roleOf(`${area}_migrate`));
    await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
    await client.query(
      `GRANT CONNECT ON DATABASE ${database} TO ${areas.flatMap(loginsIn).map(roleOf).join(', ')}`,
    );
    await client.query(`GRANT CREATE ON DATABASE ${database} TO ${owners.join(', ')}`);
    // Postgres only warns when a right could not be granted.
    const { rows } = await client.query<{ done: boolean }>(
      `SELECT bool_and(has_database_privilege(owner, $2, 'CREATE')) AND NOT EXISTS (
                SELECT FROM pg_database, aclexplode(datacl) WHERE datname = $2 AND grantee = 0) AS done
         FROM unnest($1::text[]) AS owner`,
      [owners, name],
    );
    if (!rows[0]?.done) {
      throw new SetUpError(
        `The database ${name} belongs to somebody else. Its owner must run this, or give it to you.`,
      );
    }
  });
}

/** A login that exists keeps its rights and gets the password. */
async function makeLogin(client: Client, name: string, password: string): Promise<void> {
  await client.query(`
    DO $$ BEGIN CREATE ROLE ${name};
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$`);
  const secret = password === '' ? 'NULL' : escapeLiteral(scramSecret(password));
  await client.query(`ALTER ROLE ${name} LOGIN INHERIT CONNECTION LIMIT -1 PASSWORD ${secret}`);
}

/** A role of that name may have been there before, with more rights than a login should have. */
async function refuseMoreThanALogin(client: Client, names: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT rolname AS name FROM pg_roles r
      WHERE rolname = ANY($1) AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
            OR EXISTS (SELECT FROM pg_auth_members WHERE member = r.oid))`,
    [names],
  );
  if (rows.length === 0) return;
  throw new SetUpError(
    `A role of this name was there already, and may do more than a login of this platform: ` +
      `${rows.map(({ name }) => name).join(', ')}. Take its attributes and memberships away, or drop it.`,
  );
}

/**
 * The form in which Postgres keeps a password (RFC 5803). It is made here, so that the password reaches neither the
 * server nor its log.
 */
function scramSecret(password: string): string {
  const iterations = 4_096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest();
  const [salt64, stored64, server64] = [salt, stored, keyOf('Server Key')].map((one) =>
    one.toString('base64'),
  );
  return `SCRAM-SHA-256$${String(iterations)}:${salt64}$${stored64}:${server64}`;
}

async function asAdministrator(adminUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::int AS version`,
    );
    if ((rows[0]?.version ?? 0) < VERSION_LEAST) throw new SetUpError('Postgres 16 or newer is needed.');
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== '42501') throw error;
    throw new SetUpError(
      `${client.user ?? 'This user'} may not set the database up: ${message}. It needs CREATEROLE and must own the ` +
        'database; a role that exists already must be one that it has made.',
      { cause: error },
    );
  } finally {
    await client.end();
  }
}
