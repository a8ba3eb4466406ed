/**
 * The set-up of a database as a stranger would do it: by a person who may create roles and is no superuser. The test has
 * a Postgres of its own, because logins belong to the whole server. In production-start each area lies in a database of its
 * own.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres, type RunningPostgres } from '../../tools/launcher/embedded-postgres';
import { createApp } from '../../src/api/app';
import { listen } from '../../src/api/server';
import { createServices } from '../../src/api/services';
import { insertPartner } from '../../src/db/partners/credentials';
import { newId } from '../../src/db/pg/ids';
import { assertLogin, guardLogins } from '../../src/db/upkeep/login-check';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { setUpDatabase } from '../../src/db/upkeep/set-up';
import { makeKey } from '../../src/operations/partners/keys';
import { readConfig } from '../../src/runtime/config';
import { databaseUrl, migrateUrls, programUrls } from '../../src/runtime/database-urls';
import { openEnvironments } from '../../src/runtime/environment';
import { AREAS, roleOf, type Login } from '../../src/runtime/logins';
import { SECRETS_OF } from '../../src/runtime/secret-names';
import { TEST_CELLS } from '../setup/cells';
import { onDatabase } from '../setup/database';
import { openActivities } from '../support/activities';
import { startChild } from '../support/children';
import { testLogger } from '../support/log';
import { valueOf } from '../support/outcomes';
import { send } from '../support/send';
import { REHEARSAL, TEST_SETTINGS } from '../support/settings';

const PERSON = 'ada';
const PASSWORD = 'correct-horse';
let folder: string;
let postgres: RunningPostgres;
let personUrl: (database: string) => string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-test-set-up-'));
  postgres = await startPostgres({ dataDir: folder, port: 0, durable: false });
  await sql(`CREATE ROLE ${PERSON} LOGIN CREATEROLE PASSWORD '${PASSWORD}'`);
  personUrl = (database) => {
    const url = new URL(onDatabase(postgres.url, database));
    [url.username, url.password] = [PERSON, PASSWORD];
    return url.href;
  };
});
afterAll(async () => {
  await postgres.stop();
  for (const used of [folder, postgres.folder]) rmSync(used, { recursive: true, force: true });
});

async function sql(statement: string, url = postgres.url): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

const NO_LOG = { warn: () => undefined, fatal: () => undefined };

describe('everything in one database', () => {
  let urls: { DATABASE_URL: string };

  beforeAll(async () => {
    await sql(`CREATE DATABASE one OWNER ${PERSON}`);
    urls = { DATABASE_URL: personUrl('one') };
    // Twice, because a person repeats what was interrupted.
    for (let time = 0; time < 2; time += 1) await setUpDatabase(urls.DATABASE_URL, AREAS, () => PASSWORD);
    expect((await migrateDatabase(migrateUrls(urls), TEST_CELLS)).applied).toBeGreaterThan(0);
  });

  test('a person with CREATEROLE alone sets it up, and then a partner gets a wallet in both environments', async () => {
    const config = readConfig({
      ...TEST_SETTINGS,
      ...programUrls(urls, 'api'),
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
      ...REHEARSAL,
    });
    const logger = testLogger(config);
    const environments = openEnvironments(config, logger, 'api');
    const services = createServices(environments, config, logger);
    const server = await listen(createApp(services), {
      host: '127.0.0.1',
      port: 0,
      connectionsMax: 10,
      perAddressMax: null,
      accessLog: services.accessLog,
    });
    const owner = new pg.Pool({ connectionString: databaseUrl(urls, 'platform_migrate'), max: 1 });
    const partnerId = newId();
    const partner = {
      id: partnerId,
      businessName: 'Acme',
      email: 'ada@acme.example',
      status: 'active' as const,
    };
    await insertPartner(owner, partner, { sandbox: 'sandbox_0', live: 'live_0' });
    for (const environment of ['sandbox', 'live'] as const) {
      const made = await makeKey(owner, { partnerId, environment, label: '', expiresAt: null });
      const { status } = await send(`http://127.0.0.1:${String(server.port)}/v1/wallets`, 'POST', {
        headers: { authorization: `Bearer ${valueOf(made).key}` },
        body: { user_ref: 'ada' },
      });
      expect({ environment, status }).toEqual({ environment, status: 202 });
    }
    await owner.end();
    await server.stop();
    await Promise.all([services, ...Object.values(environments)].map((one) => one.close()));
  });

  test('the worker finds what it needs', async () => {
    const activities = openActivities(urls.DATABASE_URL);
    expect(await activities.run('forgetOld')).toEqual(expect.any(Object));
    expect(await activities.run('reconcileCell', 'sandbox_0', true)).toMatchObject({ found: 0 });
    await activities.close();
  });

  test('no login may do more than its work', async () => {
    const rows = await sql(`
      SELECT rolname FROM pg_roles r WHERE starts_with(rolname, 'partner_wallet_')
         AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
              OR EXISTS (SELECT FROM pg_auth_members WHERE member = r.oid))`);
    expect(rows).toEqual([]);
  });
});

const become = `GRANT ${roleOf('sandbox_api')} TO ${roleOf('live_api')}`;
const unbecome = `REVOKE ${roleOf('sandbox_api')} FROM ${roleOf('live_api')}`;

/** What somebody did to the login of the API in live, what undoes it, and what is said of it. */
const CHANGED: [what: string, change: string, undo: string, said: RegExp][] = [
  [
    'a superuser',
    `ALTER ROLE ${roleOf('live_api')} SUPERUSER`,
    `ALTER ROLE ${roleOf('live_api')} NOSUPERUSER`,
    /partner_wallet_live_api may do more than a login of this platform/,
  ],
  [
    'a login that may become one of the sandbox',
    become,
    unbecome,
    /partner_wallet_live_api may become partner_wallet_sandbox_api/,
  ],
  [
    'a login with the rights of one of the sandbox',
    `${become} WITH SET FALSE, INHERIT TRUE`,
    unbecome,
    /partner_wallet_live_api may become partner_wallet_sandbox_api/,
  ],
  [
    'a reader of everything',
    `GRANT pg_read_all_data TO ${roleOf('live_api')}`,
    `REVOKE pg_read_all_data FROM ${roleOf('live_api')}`,
    /partner_wallet_live_api may become pg_read_all_data/,
  ],
  [
    'a login that acts as another one',
    `${become}; ALTER ROLE ${roleOf('live_api')} SET role = '${roleOf('sandbox_api')}'`,
    `ALTER ROLE ${roleOf('live_api')} RESET role; ${unbecome}`,
    /The connection of partner_wallet_live_api is that of partner_wallet_sandbox_api/,
  ],
  [
    'a login with another password',
    `ALTER ROLE ${roleOf('live_api')} PASSWORD 'other'`,
    `ALTER ROLE ${roleOf('live_api')} PASSWORD '${PASSWORD}'`,
    /Postgres refuses partner_wallet_live_api: password authentication failed/,
  ],
  [
    'a login that may not enter the database',
    `REVOKE CONNECT ON DATABASE one FROM ${roleOf('live_api')}`,
    `GRANT CONNECT ON DATABASE one TO ${roleOf('live_api')}`,
    /Postgres refuses partner_wallet_live_api: permission denied for database/,
  ],
];

describe('in production no process works with', () => {
  const urls = () => ({ DATABASE_URL: personUrl('one') });
  const inProduction = (more: Record<string, string> = {}): Record<string, string> => ({
    ...TEST_SETTINGS,
    ...Object.fromEntries(
      SECRETS_OF.api.map((name) => [name, createHash('sha256').update(name).digest('base64')]),
    ),
    ...programUrls(urls(), 'api', ['live']),
    NODE_ENV: 'production',
    ENVIRONMENTS: 'live',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
    ...more,
  });
  const guard = () => guardLogins(readConfig(inProduction()), 'api', NO_LOG, () => undefined);

  test.each(CHANGED)('%s', async (_what, change, undo, said) => {
    await guard();
    await sql(change);
    await expect(guard()).rejects.toThrow(said);
    await sql(undo);
    await guard();
  });

  test('a login with any attribute beyond its work, or with the address of another one', async () => {
    const look = (from: Login) => assertLogin(databaseUrl(urls(), from), 'live_api', 10_000);
    for (const attribute of ['CREATEROLE', 'CREATEDB', 'REPLICATION', 'BYPASSRLS']) {
      await sql(`ALTER ROLE ${roleOf('live_api')} ${attribute}`);
      await expect(look('live_api')).rejects.toThrow('may do more than a login of this platform');
      await sql(`ALTER ROLE ${roleOf('live_api')} NO${attribute}`);
    }
    await look('live_api');
    await expect(look('sandbox_api')).rejects.toThrow(`is that of ${roleOf('sandbox_api')}`);
  });

  test('no NODE_ENV where a live wallet is: it ends, and says why; with the name it works', async () => {
    const unnamed = { ...inProduction(), NODE_ENV: '' };
    await expect(startChild('api', unnamed)).rejects.toThrow(
      /code 1[^]*NODE_ENV: must be set to production, or to development where no money is real/,
    );
    const check = (more: object) =>
      guardLogins(readConfig({ ...unnamed, ...more }), 'api', NO_LOG, () => undefined);
    await expect(check({})).rejects.toThrow('because the database has live wallets');
    await check({ NODE_ENV: 'development' });
  });

  test('a superuser: the API ends at once, and says why', async () => {
    await sql(`ALTER ROLE ${roleOf('live_api')} SUPERUSER`);
    await expect(startChild('api', inProduction())).rejects.toThrow(
      /code 1[^]*partner_wallet_live_api may do more than a login of this platform/,
    );
    await sql(`ALTER ROLE ${roleOf('live_api')} NOSUPERUSER`);
  });

  test('a superuser whom it could not check before: it ends when Postgres answers', async () => {
    await sql(`ALTER ROLE ${roleOf('live_api')} SUPERUSER`);
    const gate = createServer();
    await once(gate.listen(0, '127.0.0.1'), 'listening');
    const { port } = gate.address() as AddressInfo;
    const through = (url: string): string => url.replace(/:\d+\/one$/, `:${String(port)}/one`);
    // Nobody is let through at first, as while Postgres starts.
    let isOpen = false;
    gate.on('connection', (socket) => {
      socket.on('error', () => undefined);
      if (!isOpen) return void socket.destroy();
      const inner = connect(postgres.port, '127.0.0.1').on('error', () => socket.destroy());
      socket.pipe(inner).pipe(socket);
    });
    const logins = Object.entries(programUrls(urls(), 'api', ['live'])).map(([name, url]) => [
      name,
      through(url),
    ]);
    const api = await startChild('api', inProduction(Object.fromEntries(logins) as Record<string, string>));
    isOpen = true;
    expect(await api.ended).toBe('code 1');
    expect(api.said()).toContain('because the check of the database has failed');
    gate.close();
    await sql(`ALTER ROLE ${roleOf('live_api')} NOSUPERUSER`);
  });

  test('an owner of the schemas who is a superuser', async () => {
    await sql(`ALTER ROLE ${roleOf('platform_migrate')} SUPERUSER`);
    await expect(migrateDatabase(migrateUrls(urls()), TEST_CELLS)).rejects.toThrow(
      'partner_wallet_platform_migrate may do more than a login of this platform',
    );
    await sql(`ALTER ROLE ${roleOf('platform_migrate')} NOSUPERUSER`);
  });
});

test('a database of somebody else is not set up, and the message says who must do it', async () => {
  await sql('CREATE DATABASE theirs');
  await expect(setUpDatabase(personUrl('theirs'), AREAS, () => PASSWORD)).rejects.toThrow(
    'The database theirs belongs to somebody else',
  );
});

test('a role that was there with more rights is not taken for a login', async () => {
  await sql(`ALTER ROLE ${roleOf('live_api')} CREATEDB`);
  await expect(setUpDatabase(postgres.url, AREAS, () => PASSWORD)).rejects.toThrow(
    /may do more than a login of this platform: partner_wallet_live_api\./,
  );
  await sql(`ALTER ROLE ${roleOf('live_api')} NOCREATEDB`);
});

test('whoever reads the log of Postgres finds no password there', async () => {
  await sql(`ALTER ROLE ${PERSON} SET log_statement = 'all'`);
  await setUpDatabase(personUrl('one'), ['platform'], () => PASSWORD);
  const log = readFileSync(join(postgres.folder, 'log'), 'utf8');
  expect(log).toContain("PASSWORD 'SCRAM-SHA-256$");
  expect(log).not.toContain(`PASSWORD '${PASSWORD}`);
});
