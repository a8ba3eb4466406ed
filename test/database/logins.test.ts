/** What somebody who has taken over one connection of the platform cannot do with it (D104). */
import pg from 'pg';
import { ALL_LOGINS, roleOf, type Login } from '../../src/runtime/logins';
import { assertLoginOf } from '../../src/db/upkeep/login-check';
import { newId } from '../../src/db/pg/ids';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { asLogin } from '../support/logins';

let database: TestDatabase;
const clients = new Map<Login, pg.Client>();

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all([...clients.values()].map((client) => client.end()));
  await database.drop();
});

/** The SQLSTATE with which a statement of a login was refused; null when it was not. */
async function stateOf(login: Login, statement: string): Promise<string | null> {
  let client = clients.get(login);
  if (!client) {
    client = new pg.Client({ connectionString: asLogin(database.url, login) });
    clients.set(login, client);
    await client.connect();
  }
  await client.query('BEGIN');
  try {
    await client.query(statement);
    return null;
  } catch (error) {
    return (error as pg.DatabaseError).code ?? null;
  } finally {
    await client.query('ROLLBACK');
  }
}

const NOT_ALLOWED = '42501';

describe.each(ALL_LOGINS)('whoever has the connection of %s cannot', (login) => {
  test('become another login', async () => {
    const others = ALL_LOGINS.filter((other) => other !== login);
    const states: Record<string, string | null> = {};
    for (const other of others) states[other] = await stateOf(login, `SET ROLE ${roleOf(other)}`);
    expect(states).toEqual(Object.fromEntries(others.map((other) => [other, NOT_ALLOWED])));
  });

  test.each([
    ['become a superuser', `ALTER ROLE ${roleOf(login)} SUPERUSER`],
    ['make a login', 'CREATE ROLE intruder LOGIN'],
    ['take a membership', `GRANT pg_read_all_data TO ${roleOf(login)}`],
    ['run a program', `COPY (SELECT 1) TO PROGRAM 'cat'`],
    ['read a file', `SELECT pg_read_file('PG_VERSION')`],
    ['leave a table for others', 'CREATE TABLE public.trap (id int)'],
    ['leave a large object', 'SELECT lo_create(0)'],
    ['leave a large object with bytes', `SELECT lo_from_bytea(0, 'x')`],
    ['see who has which password', 'SELECT rolpassword FROM pg_authid'],
    ['switch triggers off', `SET session_replication_role = 'replica'`],
  ])('%s', async (_act, statement) => expect(await stateOf(login, statement)).toBe(NOT_ALLOWED));
});

test('what Postgres lets a login change for itself is seen by the check of the logins at a start', async () => {
  const client = new pg.Client({ connectionString: asLogin(database.url, 'mail') });
  await client.connect();
  try {
    await client.query('BEGIN');
    // docs/security.md, "Rights that stay". Nothing of it outlives this transaction.
    await client.query(`ALTER ROLE ${roleOf('mail')} PASSWORD 'another'`);
    expect(await assertLoginOf(client, 'mail')).toEqual([]);
    await client.query(`ALTER ROLE ${roleOf('mail')} SET search_path = 'pg_temp'`);
    expect(await assertLoginOf(client, 'mail')).toEqual(['search_path=pg_temp']);
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
});

describe('the hash of a key is seen by its own environment', () => {
  const keys = { sandbox: newId(), live: newId() };
  beforeAll(async () => {
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    const partnerId = newId();
    await owner.query(`INSERT INTO platform.partners (id, business_name, email) VALUES ($1, 'Acme', '')`, [
      partnerId,
    ]);
    for (const [environment, id] of Object.entries(keys)) {
      await owner.query(
        `INSERT INTO platform.api_keys (id, partner_id, environment, key_hash, key_prefix)
         VALUES ($1::uuid, $2, $3, sha256($1::uuid::text::bytea), 'sk_')`,
        [id, partnerId, environment],
      );
    }
    await owner.end();
  });

  /** The ids that a statement of a login gives back. */
  async function idsBy(login: Login, statement: string): Promise<string[]> {
    const client = new pg.Client({ connectionString: asLogin(database.url, login) });
    await client.connect();
    const { rows } = await client.query<{ id: string }>(statement);
    await client.end();
    return rows.map(({ id }) => id).sort();
  }

  test.each(['sandbox', 'live'] as const)(
    'whoever has the connection of %s_partners reads no other',
    async (name) => {
      const read = 'SELECT id FROM platform.api_keys WHERE key_hash IS NOT NULL';
      expect(await idsBy(`${name}_partners`, read)).toEqual([keys[name]]);
    },
  );

  test.each(['sandbox', 'live'] as const)(
    'whoever has the connection of %s_partners marks no other',
    async (name) => {
      const mark = 'UPDATE platform.api_keys SET last_used_at = now() RETURNING id';
      expect(await idsBy(`${name}_partners`, mark)).toEqual([keys[name]]);
    },
  );

  test('registration, sign-in and keys work with both', async () => {
    expect(await idsBy('access', 'SELECT id FROM platform.api_keys')).toEqual(Object.values(keys).sort());
  });
});

describe.each<[Login, [act: string, statement: string][]]>([
  [
    'platform_migrate',
    [
      ['see an entry of the sandbox', 'SELECT FROM sandbox_0.entries'],
      ['see an entry of live', 'SELECT FROM live_0.entries'],
      ['add a column in live', 'ALTER TABLE live_0.accounts ADD COLUMN note text'],
    ],
  ],
  [
    'access',
    [
      ['see an entry of the sandbox', 'SELECT FROM sandbox_0.entries'],
      ['see an entry of live', 'SELECT FROM live_0.entries'],
      ['activate a partner', `UPDATE platform.partners SET status = 'active'`],
      ['see operators', 'SELECT FROM platform.operators'],
    ],
  ],
  [
    'operator',
    [
      ['see an entry of live', 'SELECT FROM live_0.entries'],
      ['see a password', 'SELECT password_hash FROM platform.users'],
      ['see the secret of one-time codes', 'SELECT secret_sealed FROM platform.totp'],
      ['see the hash of a recovery code', 'SELECT code_hash FROM platform.recovery_codes'],
      ['give somebody one-time codes', 'INSERT INTO platform.totp SELECT * FROM platform.totp'],
      ['sign in as somebody', 'INSERT INTO platform.sessions SELECT * FROM platform.sessions'],
      ['make an operator', `INSERT INTO platform.operators (id) VALUES ('${newId()}')`],
      ['rewrite the trail', `UPDATE platform.audit SET detail = ''`],
    ],
  ],
  [
    'mail',
    [
      ['see a user', 'SELECT FROM platform.users'],
      ['see the hash of a token', 'SELECT token_hash FROM platform.mailed_tokens'],
      ['write a mail', 'INSERT INTO platform.mail_outbox (recipient) VALUES (NULL)'],
      ['send a mail to another address', `UPDATE platform.mail_outbox SET recipient = 'a@b.example'`],
      ['see a wallet', 'SELECT FROM live_0.wallets'],
    ],
  ],
  ...(['sandbox', 'live'] as const).map((name): [Login, [string, string][]] => [
    `${name}_partners`,
    [
      ['see a wallet', `SELECT FROM ${name}_0.wallets`],
      ['see a password', 'SELECT password_hash FROM platform.users'],
      ['make a key', 'INSERT INTO platform.api_keys SELECT * FROM platform.api_keys'],
      ['raise a tier', `UPDATE platform.partners SET tier = 'scale'`],
    ],
  ]),
  ...(['sandbox_partners', 'live_partners'] as const).map((login): [Login, [string, string][]] => [
    login,
    [['activate a partner', `UPDATE platform.partners SET status = 'active'`]],
  ]),
  [
    'live_status',
    [
      ['raise a tier', `UPDATE platform.partners SET tier = 'scale'`],
      ['see where a partner is reached', 'SELECT email FROM platform.partners'],
      ['confirm an address', 'UPDATE platform.partners SET email_confirmed_at = now()'],
      ['see a key', 'SELECT FROM platform.api_keys'],
      ['see a user', 'SELECT FROM platform.users'],
      ['see a wallet', 'SELECT FROM live_0.wallets'],
    ],
  ],
  ...(
    [
      ['sandbox', 'live'],
      ['live', 'sandbox'],
    ] as const
  ).flatMap(([name, other]): [Login, [string, string][]][] => {
    const acts: [string, string][] = [
      [`see a wallet of ${other}`, `SELECT FROM ${other}_0.wallets`],
      [`see an entry of ${other}`, `SELECT FROM ${other}_0.entries`],
      [`see an account number of ${other}`, `SELECT FROM ${other}_directory.nubans`],
      [`post to ${other}`, `INSERT INTO ${other}_0.entries SELECT * FROM ${other}_0.entries`],
      ['see the hash of a key', 'SELECT key_hash FROM platform.api_keys'],
      ['see a partner', 'SELECT FROM platform.partners'],
      ['see a password', 'SELECT password_hash FROM platform.users'],
    ];
    const ofBooks: [string, string][] = [
      ['change an entry', `UPDATE ${name}_0.entries SET amount_kobo = 1`],
      ['delete an entry', `DELETE FROM ${name}_0.entries`],
      ['empty the ledger', `TRUNCATE ${name}_0.entries`],
      ['delete a transaction', `DELETE FROM ${name}_0.transactions`],
      ['change an amount', `UPDATE ${name}_0.transactions SET amount_kobo = 1`],
      ['change a fee', `UPDATE ${name}_0.transactions SET customer_fee_kobo = 0`],
      ['pay somebody else', `UPDATE ${name}_0.transactions SET dest_wallet = source_wallet`],
      ['give a wallet to another partner', `UPDATE ${name}_0.accounts SET partner_id = id`],
      ['drop a check', `ALTER TABLE ${name}_0.entries DISABLE TRIGGER ALL`],
    ];
    return [
      [`${name}_migrate`, acts],
      [`${name}_api`, [...acts, ...ofBooks]],
      [`${name}_worker`, [...acts, ...ofBooks]],
    ];
  }),
  ...(['sandbox', 'live'] as const).flatMap((name): [Login, [string, string][]][] => [
    [
      `${name}_api`,
      [
        ['delete an event', `DELETE FROM ${name}_0.events`],
        ['forget a delivery', `DELETE FROM ${name}_0.deliveries`],
        ['forget what must be started', `DELETE FROM ${name}_0.workflow_intentions`],
        ['give a partner new requests', `DELETE FROM ${name}_0.rate_windows`],
      ],
    ],
    [
      `${name}_worker`,
      [
        ['order something', `INSERT INTO ${name}_0.hand_orders SELECT * FROM ${name}_0.hand_orders`],
        [
          'ask that a partner is approved',
          `INSERT INTO ${name}_0.compliance_requests SELECT * FROM ${name}_0.compliance_requests`,
        ],
        ['name a director', `INSERT INTO ${name}_0.directors SELECT * FROM ${name}_0.directors`],
        [
          'invent a callback',
          `INSERT INTO ${name}_0.provider_callbacks SELECT * FROM ${name}_0.provider_callbacks`,
        ],
      ],
    ],
    [
      `${name}_reconcile`,
      [
        ['correct a balance', `UPDATE ${name}_0.accounts SET balance_kobo = 0`],
        ['correct a transaction', `UPDATE ${name}_0.transactions SET status = 'completed'`],
        ['post', `INSERT INTO ${name}_0.entries SELECT * FROM ${name}_0.entries`],
        ['delete a finding', `DELETE FROM ${name}_0.recon_findings`],
        ['order something', `INSERT INTO ${name}_0.hand_orders SELECT * FROM ${name}_0.hand_orders`],
        ['see a sealed BVN or NIN', `SELECT number_sealed FROM ${name}_0.verifications`],
        ['see a director', `SELECT FROM ${name}_0.directors`],
        ['see the secret of an endpoint', `SELECT FROM ${name}_0.webhook_endpoints`],
        ['see the hash of a PIN', `SELECT FROM ${name}_0.wallet_pins`],
        ['see a partner', 'SELECT FROM platform.partners'],
      ],
    ],
  ]),
  [
    'sandbox_reset',
    [
      ['see a wallet of live', 'SELECT FROM live_0.wallets'],
      ['delete an entry of live', 'DELETE FROM live_0.entries'],
      ['change an entry', 'UPDATE sandbox_0.entries SET amount_kobo = 1'],
      ['pay', 'INSERT INTO sandbox_0.entries SELECT * FROM sandbox_0.entries'],
      ['order a reset', 'INSERT INTO sandbox_0.hand_orders SELECT * FROM sandbox_0.hand_orders'],
      ['see a partner', 'SELECT FROM platform.partners'],
    ],
  ],
])('whoever has the connection of %s cannot', (login, acts) => {
  test.each(acts)('%s', async (_act, statement) => {
    expect(await stateOf(login, statement)).toBe(NOT_ALLOWED);
  });
});
