/**
 * Each attack of docs/security.md on a platform that was started as production starts it: by the commands of
 * docs/how-to/set-up-the-database.md, with a database and logins of their own for each area, random secrets, Temporal behind
 * TLS with a client certificate, a mail server, and the published limits. What another file tries on processes of the
 * same kind is not tried again; the page says where.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import pg from 'pg';
import { startPostgres, type RunningPostgres } from '../../tools/launcher/embedded-postgres';
import { openSession } from '../../src/operations/ussd/open-session';
import { readConfig, type ApiConfig } from '../../src/runtime/config';
import { programUrls } from '../../src/runtime/database-urls';
import type { EnvironmentName } from '../../src/domain/partners';
import { openLive, type Environment } from '../../src/runtime/environment';
import {
  ALL_LOGINS,
  AREAS,
  LOGINS,
  loginsIn,
  roleOf,
  urlVariable,
  type Area,
} from '../../src/runtime/logins';
import { SECRETS_OF } from '../../src/runtime/secret-names';
import { LIVE_CELL, NAMESPACES, SANDBOX_CELL, TEST_CELLS } from '../setup/cells';
import { onDatabase } from '../setup/database';
import { openCalls, type Calls, type Json } from '../support/calls';
import { startChild, type Child } from '../support/children';
import { runCommand, type Told } from '../support/commands';
import { openIntruder, type Intruder } from '../support/intruder';
import { testLogger } from '../support/log';
import { MAIL_CERTIFICATE, openMailReceiver, tokenIn, type MailReceiver } from '../support/mail-receiver';
import { bankTransfer, transactionIdOf } from '../support/movements';
import { openWallet } from '../support/partners';
import { reserveTemporal, type ReservedTemporal } from '../support/reserved-temporal';
import { rowsOf } from '../support/rows';
import { send, type Answer } from '../support/send';
import {
  FRONT_CERTIFICATE,
  FRONT_TRUST,
  openTemporalFront,
  type TemporalFront,
} from '../support/temporal-front';
import { until } from '../support/until';
import { REHEARSAL } from '../support/settings';

const PERSON = 'ada';
const PERSON_PASSWORD = 'correct-horse';
/** Each area lies in a database of its own. */
const DATABASES: Record<Area, string> = { platform: 'partners', sandbox: 'trial', live: 'money' };
const PASSWORD = 'seven green kettles';
const FUNDED_KOBO = 500_000;

let folder: string;
let postgres: RunningPostgres;
let temporal: ReservedTemporal;
let front: TemporalFront;
let mails: MailReceiver;
let connection: Connection;
/** The superuser of the server, whom no process knows, at the database of each area. */
let owners: Record<Area, pg.Pool>;
/** The variables of every process and command. */
let settings: Record<'api' | 'worker' | 'command', Record<string, string>>;
/** The variables of the processes of the sandbox. */
let ofSandbox: Record<'api' | 'worker', Record<string, string>>;
let apis: Record<EnvironmentName, Child>;
let workers: Child[];
/** What no company in production does here: this process opens live wallets and sessions, with the logins of the API. */
let config: ApiConfig;
let inThisProcess: { live: Environment };
/** Where each environment is served. */
let urls: Record<EnvironmentName, string>;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-test-production-'));
  [postgres, temporal, mails] = await Promise.all([
    startPostgres({ dataDir: folder, port: 0, durable: false }),
    reserveTemporal(),
    openMailReceiver(true),
  ]);
  await temporal.start();
  front = await openTemporalFront(temporal.address);
  connection = Connection.lazy({ address: temporal.address });
  await setUp();
  const [sandbox, live, ...others] = (await Promise.all([
    startChild('api', ofSandbox.api),
    startChild('api', settings.api),
    startChild('worker', ofSandbox.worker),
    startChild('worker', settings.worker),
  ])) as [Child, Child, ...Child[]];
  apis = { sandbox, live };
  workers = others;
  const urlOf = ({ port }: Child): string => `http://127.0.0.1:${String(port)}`;
  urls = { sandbox: urlOf(sandbox), live: urlOf(live) };
  url = urls.live;
  config = readConfig({ ...settings.api, NODE_ENV: 'test', ...REHEARSAL });
  inThisProcess = { live: openLive(config, testLogger(config), 'api') };
});

afterAll(async () => {
  await inThisProcess.live.close();
  await Promise.all([...Object.values(apis), ...workers].map((child) => child.kill()));
  await Promise.all(Object.values(owners).map((owner) => owner.end()));
  await Promise.all([connection.close(), front.close(), mails.close()]);
  await Promise.all([temporal.discard(), postgres.stop()]);
  for (const used of [folder, postgres.folder]) rmSync(used, { recursive: true, force: true });
});

/** Sets the databases up by the commands, and makes the variables of all processes. */
async function setUp(): Promise<void> {
  const root = new pg.Client({ connectionString: postgres.url });
  await root.connect();
  await root.query(`CREATE ROLE ${PERSON} LOGIN CREATEROLE PASSWORD '${PERSON_PASSWORD}'`);
  for (const name of Object.values(DATABASES)) await root.query(`CREATE DATABASE ${name} OWNER ${PERSON}`);
  await root.end();
  owners = Object.fromEntries(
    AREAS.map((area) => [
      area,
      new pg.Pool({ connectionString: onDatabase(postgres.url, DATABASES[area]), max: 2 }).on(
        'error',
        () => undefined,
      ),
    ]),
  ) as Record<Area, pg.Pool>;
  const address = (user: string, password: string, area: Area): string => {
    const at = new URL(onDatabase(postgres.url, DATABASES[area]));
    [at.username, at.password] = [user, password];
    return at.href;
  };
  const addresses = Object.fromEntries(
    ALL_LOGINS.map((login) => [
      urlVariable(login),
      address(roleOf(login), randomBytes(24).toString('hex'), LOGINS[login].area),
    ]),
  );
  const secrets = Object.fromEntries(
    SECRETS_OF.api.map((name) => [name, randomBytes(32).toString('base64')]),
  ) as Record<string, string>;
  const common = {
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
    TEMPORAL_ADDRESS: front.address,
    ...FRONT_TRUST,
    ...FRONT_CERTIFICATE,
    // A busy machine of tests is slower than the published second.
    DATABASE_CONNECT_MS: '10000',
    DATABASE_POOL_MAX: '5',
  };
  const secretsFor = (program: 'api' | 'worker') =>
    Object.fromEntries(SECRETS_OF[program].map((name) => [name, secrets[name] ?? '']));
  const ofEnvironment = (name: EnvironmentName) => ({
    api: {
      ...common,
      ENVIRONMENTS: name,
      ...secretsFor('api'),
      ...programUrls(addresses, 'api', [name]),
      PORT: '0',
      OPERATOR_PORT: '0',
      TRUST_PROXY: '1',
    },
    worker: {
      ...common,
      ENVIRONMENTS: name,
      ...secretsFor('worker'),
      ...programUrls(addresses, 'worker', [name]),
      WORKER_OPERATOR_PORT: '0',
      PUBLIC_URL: 'https://api.wallet.example',
      SMTP_URL: mails.url,
      NODE_EXTRA_CA_CERTS: MAIL_CERTIFICATE,
      MAIL_FROM: 'wallet@wallet.example',
    },
  });
  ofSandbox = ofEnvironment('sandbox');
  settings = { ...ofEnvironment('live'), command: { ...common, ...secretsFor('api'), ...addresses } };
  for (const area of AREAS) {
    const asPerson = { DATABASE_URL_ADMIN: address(PERSON, PERSON_PASSWORD, area) };
    expectDone(await runCommand({ ...settings.command, ...asPerson }, 'set-up-database', area));
  }
  expectDone(await runCommand(settings.command, 'migrate'));
}

function expectDone(told: Told): void {
  expect(told).toMatchObject({ code: 0, complaint: '' });
}

const sql = (area: Area, text: string, values?: unknown[]): Promise<Record<string, Json>[]> =>
  rowsOf(owners[area], text, values);

let drawn = 0;
/** An address that no other attack has come from. */
const newAddress = (): string => `198.51.100.${String((drawn += 1))}`;
const from = (address = newAddress()) => ({ 'X-Forwarded-For': address });

/** A new partner whose owner has confirmed the email address and is signed in to an environment. */
async function newOwner(): Promise<{
  id: string;
  email: string;
  home: Record<string, string>;
  logIn(password?: string, headers?: Record<string, string>): Promise<Answer>;
  token(environment: 'sandbox' | 'live'): Promise<string>;
}> {
  const email = `owner-${randomUUID()}@acme.example`;
  const home = from();
  const company = { business_name: 'Acme Fintech', email, phone: '+2348012345678', password: PASSWORD };
  const registered = await send(`${url}/v1/auth/register`, 'POST', { headers: home, body: company });
  expect(registered.status).toBe(202);
  const token = tokenIn(await mails.mailTo(email));
  const confirmed = await send(`${url}/v1/auth/email/confirm`, 'POST', { headers: home, body: { token } });
  expect(confirmed.status).toBe(200);
  const logIn = (password = PASSWORD, headers = home, environment = 'sandbox') =>
    send(`${url}/v1/auth/login`, 'POST', { headers, body: { email, password, environment } });
  return {
    id: registered.body.data.id,
    email,
    home,
    logIn,
    token: async (environment) => (await logIn(PASSWORD, home, environment)).body.data.access_token,
  };
}

/** A partner with a key for each environment, active in live. */
async function newPartner(): Promise<Record<'sandbox' | 'live', Calls>> {
  const owner = await newOwner();
  await sql('platform', `UPDATE platform.partners SET status = 'active' WHERE id = $1`, [owner.id]);
  const callsIn = async (environment: 'sandbox' | 'live'): Promise<Calls> => {
    const key = await owner.token(environment);
    const made = await send(`${urls[environment]}/v1/api-keys`, 'POST', { key, body: {} });
    expect(made.status).toBe(201);
    return openCalls(owner.id, made.body.data.key, urls[environment]);
  };
  return { sandbox: await callsIn('sandbox'), live: await callsIn('live') };
}

/** A live wallet with money: no company issues an account number here, so it is made as the worker would. */
const liveWallet = (partner: Calls, fundKobo = 0): Promise<string> =>
  openWallet(inThisProcess.live, owners.platform, partner.partnerId, { fundKobo });

describe('whoever reaches Temporal', () => {
  let inSandbox: Intruder;
  let inLive: Intruder;
  beforeAll(() => {
    [inSandbox, inLive] = NAMESPACES.map((namespace) => openIntruder(connection, namespace)) as [
      Intruder,
      Intruder,
    ];
  });

  test('does not pay from a live wallet with the message of the sandbox', async () => {
    const { live } = await newPartner();
    const payer = await liveWallet(live, FUNDED_KOBO);
    const { cell, partner } = await inThisProcess.live.partner(live.partnerId);
    const request = {
      payerWalletId: payer,
      merchantWalletId: await liveWallet(live),
      amountKobo: 100_000,
      merchantName: 'ADA STORES',
      reference: randomUUID(),
      phone: null,
    };
    let sessionId = '';
    const tenant = { environment: inThisProcess.live, cell, partner };
    const opened = await openSession({ config }, tenant, request, {
      key: null,
      write(session) {
        sessionId = session.id;
        return { status: 200, body: '' };
      },
    });
    expect(opened.ok).toBe(true);
    const asked = () => inLive.send(`ussd/${sessionId}`, 'simulatePayment', randomUUID());
    const loot = await until('the workflow of the session', () => asked().catch(() => null));
    expect(loot).toMatchObject({ failure: expect.any(String), message: expect.stringContaining('simulate') });
    const input = { partnerId: live.partnerId, epoch: 0, sessionId, allowsSimulation: true };
    const order = { kind: 'simulate', orderId: randomUUID() };
    expect(await inLive.callStep('moveUssd', input, order)).toMatchObject({ failure: 'SANDBOX_ONLY' });
    expect(await inLive.callStep('settleUssd', input)).toMatchObject({ result: { status: 'initiated' } });
    expect(await live.balanceKobo(payer)).toBe(FUNDED_KOBO);
  });

  test('does not fail a transfer by saying so, and the debit stays', async () => {
    const { sandbox } = await newPartner();
    const { id } = await sandbox.wallet(FUNDED_KOBO);
    const { reference, reply } = await sandbox.bankTransfer(id, {}, { 'X-Sandbox-Hold': 'true' });
    const workflowId = `bank-transfer/${reply.body.data.id as string}`;
    const debited = await sandbox.balanceKobo(id);
    const settle = () => inSandbox.send(workflowId, 'settle', { to: 'failed', reason: 'because I say so' });
    const loot = await until('the workflow of the transfer', () => settle().catch(() => null));
    expect(loot).toMatchObject({ failure: 'FORBIDDEN' });
    expect(await sandbox.transaction(id, reference)).toMatchObject({ status: 'processing' });
    expect(await sandbox.balanceKobo(id)).toBe(debited);
  });

  test('comes with a certificate, or not at all', async () => {
    front.callers = [];
    const stranger = Connection.connect({ address: front.address, connectTimeout: 500, interceptors: [] });
    await expect(stranger).rejects.toThrow();
    expect(front.callers.filter((name) => name !== undefined)).toEqual([]);
  });
});

describe('a process does not start', () => {
  const secret = randomBytes(32).toString('base64');
  const withoutTls = (all: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('TEMPORAL_TLS')));
  const WRONG: [
    what: string,
    program: 'api' | 'worker',
    change: () => Record<string, string>,
    said: RegExp[],
  ][] = [
    ['under an unknown NODE_ENV', 'api', () => ({ ...settings.api, NODE_ENV: 'prod' }), [/NODE_ENV: /]],
    [
      'with any of these settings, and names them all',
      'api',
      () => ({
        ...withoutTls(settings.api),
        JWT_KEY: secret,
        CURSOR_KEY: secret,
        AUDIT_KEY: Buffer.alloc(32, 7).toString('base64'),
        ALLOW_PRIVATE_WEBHOOKS: 'true',
        DOCS_KEY_FILE: '/tmp/key.json',
        TEMPORAL_ADDRESS: 'temporal.example:7233',
        ...REHEARSAL,
        DATABASE_URL_LIVE: postgres.url,
        DATABASE_URL_LIVE_API: 'postgres://partner_wallet_live_api:x@db.example/money',
        DATABASE_URL_LIVE_WORKER: settings.worker['DATABASE_URL_LIVE_WORKER'] ?? '',
        RATE_LIMIT_STARTER: '1000000000',
      }),
      [
        /JWT_KEY: must differ from every other secret/,
        /CURSOR_KEY: must differ from every other secret/,
        /AUDIT_KEY: must be random/,
        /ALLOW_PRIVATE_WEBHOOKS: must not be true/,
        /DOCS_KEY_FILE: must not be set/,
        /LIVE_PAYOUTS: must not be simulator/,
        /TEMPORAL_ADDRESS: must not be another machine without TLS/,
        /DATABASE_URL_LIVE: is for development/,
        /DATABASE_URL_LIVE_API: needs sslmode=verify-full/,
        /DATABASE_URL_LIVE_WORKER: this process must not have it/,
        /RATE_LIMIT_STARTER: must be between 1 and 1000000 a minute/,
      ],
    ],
    [
      'for both environments',
      'api',
      () => ({ ...ofSandbox.api, ...settings.api, ENVIRONMENTS: 'both' }),
      [/ENVIRONMENTS: must be sandbox or live in production/],
    ],
    [
      'for the sandbox with an address and a key of live',
      'api',
      () => ({ ...settings.api, ...ofSandbox.api, PAYSTACK_SECRET_KEY: 'sk_live_0a1b2c3d' }),
      [
        /DATABASE_URL_LIVE_API: this process must not have it/,
        /PAYSTACK_SECRET_KEY: must not be given to a process of the sandbox/,
      ],
    ],
    [
      'as a worker with a secret of the API',
      'worker',
      () => ({ ...settings.worker, JWT_KEY: settings.api['JWT_KEY'] ?? '' }),
      [/JWT_KEY: must not be given to this process/],
    ],
  ];
  test.each(WRONG)('%s', async (_what, program, change, said) => {
    const complaint = await startChild(program, change()).then(
      () => 'it started',
      (error: unknown) => (error as Error).message,
    );
    for (const one of said) expect(complaint).toMatch(one);
  });
});

test('each environment is served at its own address, and the other one says so', async () => {
  const partner = await newPartner();
  for (const [name, other] of [
    ['sandbox', 'live'],
    ['live', 'sandbox'],
  ] as const) {
    const { key } = partner[name];
    expect((await send(`${urls[name]}/v1/wallets`, 'GET', { key, headers: from() })).status).toBe(200);
    const refused = await send(`${urls[other]}/v1/wallets`, 'GET', { key, headers: from() });
    expect(refused).toMatchObject({ status: 401, body: { detail: { environment: name } } });
  }
});

test('each login enters the database of its area, and no other', async () => {
  for (const area of AREAS) {
    const rows = await sql(
      area,
      `SELECT rolname AS name FROM pg_roles WHERE starts_with(rolname, 'partner_wallet_')
          AND has_database_privilege(rolname, current_database(), 'CONNECT') ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(loginsIn(area).map(roleOf).sort());
  }
});

describe('whoever guesses', () => {
  test('a password gets ten looks, from however many addresses, and the owner is told', async () => {
    const owner = await newOwner();
    await owner.logIn();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => owner.logIn(`guess number ${String(n)}`, from())),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(30).fill(429)]);
    expect((await owner.logIn(PASSWORD, from())).status).toBe(429);
    expect((await owner.logIn()).status).toBe(200);
    await mails.mailTo(owner.email, ({ source }) => /too many wrong/i.test(source));
  });

  /** So many at once that sixty are too few also where the next minute begins in between. */
  const MANY = 130;
  const refusedOf = (answers: { status: number }[]): number =>
    answers.filter(({ status }) => status === 429).length;

  test('keys is refused after sixty tries in a minute', async () => {
    const address = newAddress();
    const key = `sk_live_${'0'.repeat(38)}`;
    const tried = Array.from({ length: MANY }, () =>
      send(`${url}/v1/wallets`, 'GET', { key, headers: from(address) }),
    );
    expect(refusedOf(await Promise.all(tried))).toBeGreaterThanOrEqual(MANY - 120);
  });

  test('account numbers gets the names of sixty in a minute', async () => {
    const { sandbox } = await newPartner();
    const asked = Array.from({ length: MANY }, (_, n) =>
      sandbox.get(`/v1/banks/resolve?bank_code=058&account_number=${String(1_000_000_000 + n)}`),
    );
    expect(refusedOf(await Promise.all(asked))).toBeGreaterThanOrEqual(MANY - 120);
  });
});

describe('a thief', () => {
  test('of a live session makes no live key with it once its proof is old', async () => {
    const owner = await newOwner();
    const key = await owner.token('live');
    await sql(
      'platform',
      `UPDATE platform.sessions SET proved_at = now() - interval '11 minutes' WHERE partner_id = $1`,
      [owner.id],
    );
    const make = () => send(`${url}/v1/api-keys`, 'POST', { key, body: {} });
    expect(await make()).toMatchObject({ status: 403, body: { error: 'PROOF_REQUIRED' } });
    const proof = { key, headers: owner.home, body: { password: PASSWORD } };
    expect((await send(`${url}/v1/auth/proof`, 'POST', proof)).status).toBe(204);
    expect((await make()).status).toBe(201);
  });

  test('who forwards a request gets no key from the page of the reference', async () => {
    for (const headers of [{}, from(), { Host: 'evil.example' }]) {
      expect((await send(`${url}/docs/key.json`, 'GET', { headers })).body).toEqual({ key: null });
    }
  });

  test('has no webhook sent to an address inside the network', async () => {
    const { live } = await newPartner();
    const hook = { url: 'https://127.0.0.1/hook', events: ['transaction.completed'] };
    expect(await live.post('/v1/webhooks', hook)).toMatchObject({ status: 422 });
  });
});

test('a split with the most metadata that it may have stores it once', async () => {
  const { sandbox } = await newPartner();
  const { id } = await sandbox.wallet(FUNDED_KOBO);
  const dests = await Promise.all([sandbox.wallet(), sandbox.wallet()]);
  const reference = randomUUID();
  const splits = Array.from({ length: 16 }, (_, n) => ({
    wallet_id: (dests[n % 2] as { id: string }).id,
    amount: 100 + n,
  }));
  const metadata = { note: 'n'.repeat(16_000) };
  const paid = await sandbox.post(
    '/v1/payments/split',
    { source_wallet: id, reference, splits, metadata },
    { 'Idempotency-Key': reference },
  );
  expect(paid.status).toBe(200);
  const [stored] = await sql(
    'sandbox',
    `SELECT (SELECT sum(octet_length(metadata::text) + coalesce(octet_length(split_config::text), 0))
               FROM ${SANDBOX_CELL}.transactions WHERE reference = $1)
          + (SELECT pg_column_size(k) FROM ${SANDBOX_CELL}.idempotency_keys k WHERE key = $1) AS bytes`,
    [reference],
  );
  // The answer shows it sixteen times.
  expect(paid.text.length).toBeGreaterThan(16 * 16_000);
  expect(Number(stored?.['bytes'])).toBeLessThan(4 * 16_000);
});

describe('one operator', () => {
  let token: string;
  let second: string;
  const asked = (key: string, path: string, body: object = {}): Promise<Answer> => {
    const { operatorPort } = apis[path.startsWith('/ops/sandbox') ? 'sandbox' : 'live'];
    return send(`http://127.0.0.1:${String(operatorPort)}${path}`, 'POST', { key, body });
  };
  const EVIDENCE = { to: 'failed', note: 'Seen on the statement', evidence_ref: 'NIBSS-1' };
  const resolvePath = (environment: string, partnerId: string, id: string): string =>
    `/ops/${environment}/partners/${partnerId}/bank-transfers/${id}/resolve`;

  beforeAll(async () => {
    const tokenFor = async (name: string): Promise<string> => {
      const told = await runCommand(settings.command, 'keys', 'operator', 'create', name);
      expectDone(told);
      return /^token +(\S+)/m.exec(told.said)?.[1] ?? '';
    };
    token = await tokenFor('Ada Obi');
    second = await tokenFor('Bola Ade');
  });

  test('has no second person whom an administrator has made alone', async () => {
    expect((await asked(second, `/ops/proposals/${randomUUID()}/approve`)).status).toBe(401);
  });

  test('does not resolve a live transfer alone', async () => {
    const { live } = await newPartner();
    const source = await liveWallet(live, FUNDED_KOBO);
    const { cell } = await inThisProcess.live.partner(live.partnerId);
    const posted = await cell.ledger.post(
      bankTransfer({ partnerId: live.partnerId, from: source, amountKobo: 10_000 }),
    );
    const id = transactionIdOf(posted);
    const debited = await live.balanceKobo(source);
    const proposed = await asked(token, resolvePath('live', live.partnerId, id), EVIDENCE);
    expect(proposed).toMatchObject({ status: 202, body: { data: { status: 'proposed' } } });
    const proposalId = proposed.body.data.id as string;
    expect((await asked(token, `/ops/proposals/${proposalId}/approve`)).status).toBe(403);
    const [row] = await sql('live', `SELECT status FROM ${LIVE_CELL}.transactions WHERE id = $1`, [id]);
    expect(row).toEqual({ status: 'processing' });
    expect(await live.balanceKobo(source)).toBe(debited);
  });

  test('does not fail a transfer that the provider calls pending', async () => {
    const { sandbox } = await newPartner();
    const { id } = await sandbox.wallet(FUNDED_KOBO);
    const { reply } = await sandbox.bankTransfer(id, {}, { 'X-Sandbox-Hold': 'true' });
    const path = resolvePath('sandbox', sandbox.partnerId, reply.body.data.id);
    const resolved = await until('the order at the provider', async () => {
      const answer = await asked(token, path, EVIDENCE);
      return answer.status === 422 && answer;
    });
    expect(resolved.body).toMatchObject({ error: 'PROVIDER_DISAGREES' });
  });

  test('who cuts the end of the trail off is found by the anchor that was kept elsewhere', async () => {
    const anchored = await runCommand(settings.command, 'audit', 'anchor');
    expectDone(anchored);
    await sql('platform', 'ALTER TABLE platform.audit DISABLE TRIGGER ALL');
    await sql(
      'platform',
      'DELETE FROM platform.audit WHERE sequence = (SELECT max(sequence) FROM platform.audit)',
    );
    await sql('platform', 'ALTER TABLE platform.audit ENABLE TRIGGER ALL');
    await sql(
      'platform',
      `UPDATE platform.audit_head SET (sequence, hash) =
         (SELECT sequence, hash FROM platform.audit ORDER BY sequence DESC LIMIT 1)`,
    );
    const verify = (...words: string[]) => runCommand(settings.command, 'audit', 'verify', ...words);
    // What is left is a whole chain.
    expectDone(await verify());
    expect(await verify('--expect', anchored.said.trim())).toMatchObject({
      code: 1,
      said: expect.stringContaining('were cut off'),
    });
  });
});
