/** Retention: what is old and finished goes, everything else stays, however often it runs. */
import { walletMetadataPlace } from '../../src/secrets/sealing';
import { storeCallback } from '../../src/db/payments/callbacks';
import { newId } from '../../src/db/pg/ids';
import { firstIdOf } from '../../src/domain/time-ordered-ids';
import { KEPT_BY_LEGAL_HOLD, keptMs, RETENTION } from '../../src/domain/retention';
import { openActivities, type TestActivities } from '../support/activities';
import { openTestCell, type TestCell } from '../support/cell';
import { completed, happen, openEndpoint } from '../support/endpoints';
import { bankTransfer, p2p, transactionIdOf } from '../support/movements';
import { createdWallet } from '../support/wallet-creation';
import { SANDBOX_CELL } from '../setup/cells';

const DAY_MS = 86_400_000;
const partnerId = newId();
let cell: TestCell;
let activities: TestActivities;

beforeEach(async () => {
  cell = await openTestCell();
  activities = openActivities(cell.url, { RETENTION_MS: String(30 * DAY_MS) });
});
afterEach(async () => {
  await activities.close();
  await cell.close();
});

const forget = () => activities.run('forgetOld');
const count = async (table: string, where = 'true'): Promise<number> =>
  Number((await cell.sql(`SELECT count(*) AS n FROM ${SANDBOX_CELL}.${table} WHERE ${where}`))[0]?.['n']);
/** A time-ordered id as it would have been made then. */
const idOf = (ageDays: number): string => {
  const hex = (Date.now() - ageDays * DAY_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${newId().slice(-12)}`;
};

describe('each class of data about people, just before the end of its period and just past it', () => {
  const RETENTION_TEST_MS = 30 * DAY_MS;
  /** Inserts one row of the class that is so old; `$1` is the time. The result is what counts the rows that are left. */
  type Class = { ms: number; put: (at: Date, id: string) => Promise<void>; left: () => Promise<number> };
  const sql = (text: string, ...values: unknown[]) => cell.sql(text, values);
  const all = async (text: string): Promise<number> => Number((await cell.sql(text))[0]?.['n']);
  const C = SANDBOX_CELL;
  const nameOwner = (id: string) =>
    sql(
      `UPDATE ${C}.wallets SET metadata_sealed = $2 WHERE id = $1`,
      id,
      cell.cell.sealing.seal('{"first_name":"Ada"}', walletMetadataPlace(id)),
    );
  const partner = async (name = 'Acme'): Promise<string> => {
    const id = newId();
    await sql(
      `INSERT INTO platform.partners (id, business_name, email) VALUES ($1, $3, $2)`,
      id,
      `${id}@acme.example`,
      name,
    );
    return id;
  };
  const closedPartner = async (at: Date, name?: string): Promise<string> => {
    const id = await partner(name);
    await sql(`UPDATE platform.partners SET status = 'closed' WHERE id = $1`, id);
    await sql(`UPDATE platform.partners SET closed_at = $2 WHERE id = $1`, id, at);
    return id;
  };
  const addUser = async (ofPartner: string): Promise<void> => {
    const id = newId();
    await sql(
      `INSERT INTO platform.users (id, partner_id, email, password_hash) VALUES ($1, $2, $3, '$argon2id$')`,
      id,
      ofPartner,
      `${id}@acme.example`,
    );
    await sql(`INSERT INTO platform.totp (user_id, secret_sealed) VALUES ($1, 'sealed')`, id);
  };
  const event = async (at: Date, id: string, kind: string, delivered: Date | null) => {
    await sql(
      `INSERT INTO ${C}.events (id, partner_id, kind, resource_id, data, created_at)
       VALUES ($1, $2, $3, $4, '{}', $5)`,
      id,
      partnerId,
      kind,
      newId(),
      at,
    );
    await sql(
      `INSERT INTO ${C}.deliveries (endpoint_id, event_id, event_name, delivered_at) VALUES ($1, $2, 'wallet.activated', $3)`,
      await openEndpoint(cell.cell, partnerId, ['kyc.verified']),
      id,
      delivered,
    );
  };
  const verification = (at: Date, id: string, userRef: string) =>
    sql(
      `INSERT INTO ${C}.verifications (id, partner_id, subject, user_ref, type, status, number_sealed, number_index,
         created_at, updated_at, verified_at) VALUES ($1, $2, 'end_user', $3, 'bvn', 'verified', 'sealed', 'index', $4, $4, $4)`,
      id,
      partnerId,
      userRef,
      at,
    );

  const payment = async () => {
    const [from, to] = [await cell.wallet({ partnerId, fundKobo: 1_000 }), await cell.wallet({ partnerId })];
    const paid = await cell.openWriter().post(p2p({ partnerId, from, to, amountKobo: 1 }));
    return { from, to, transactionId: transactionIdOf(paid) };
  };

  const CLASSES: Partial<Record<keyof typeof RETENTION, Class>> = {
    people: {
      ms: keptMs('people'),
      async put(at) {
        const id = await cell.wallet({ partnerId, status: 'closed' });
        await sql(`UPDATE ${C}.accounts SET updated_at = $2 WHERE id = $1`, id, at);
        await nameOwner(id);
      },
      left: () => count('wallets', 'metadata_sealed IS NOT NULL'),
    },
    lone_numbers: {
      ms: keptMs('lone_numbers'),
      async put(at, id) {
        await verification(at, id, `lone-${id}`);
      },
      left: () =>
        all(
          `SELECT count(*) AS n FROM ${C}.verifications WHERE number_sealed IS NOT NULL AND subject = 'end_user'`,
        ),
    },
    directors: {
      ms: keptMs('directors'),
      async put(at, id) {
        const former = await closedPartner(at);
        await sql(
          `INSERT INTO ${C}.compliance_requests (id, partner_id, kind, content, actor, asked_at)
           VALUES ($1, $2, 'directors', '{}', 'partner', $3)`,
          id,
          former,
          at,
        );
        await sql(
          `INSERT INTO ${C}.directors (id, set_id, partner_id, position, full_name, role, bvn_sealed, nin_sealed)
           VALUES ($1, $1, $2, 1, 'Ada Obi', 'CEO', 'sealed', 'sealed')`,
          id,
          former,
        );
        await sql(
          `INSERT INTO ${C}.verifications (id, partner_id, subject, director_id, type, status, number_sealed, number_index,
             expected_name_sealed, created_at, updated_at, verified_at)
           VALUES ($1, $2, 'director', $1, 'bvn', 'verified', 'sealed', 'index', 'sealed', $3, $3, $3)`,
          id,
          former,
          at,
        );
      },
      left: () =>
        all(`SELECT count(*) AS n FROM ${C}.directors d JOIN ${C}.verifications v ON v.director_id = d.id
              WHERE (d.full_name = 'Ada Obi' AND bvn_sealed IS NOT NULL) OR number_sealed IS NOT NULL`),
    },
    users: {
      ms: keptMs('users'),
      put: async (at) => {
        await addUser(await closedPartner(at));
      },
      left: () => all('SELECT count(*) AS n FROM platform.users'),
    },
    contacts: {
      ms: keptMs('contacts'),
      async put(at) {
        await closedPartner(at, 'Contacts');
      },
      left: () =>
        all(`SELECT count(*) AS n FROM platform.partners WHERE business_name = 'Contacts' AND email <> ''`),
    },
    kept_answers: {
      ms: DAY_MS,
      async put(at, id) {
        await sql(
          `INSERT INTO ${C}.idempotency_keys (partner_id, operation, key, fingerprint, status, body_sealed,
             resource_id, created_at)
           VALUES ($1, 'o', $2::text, 'f', 200, '{}', $2::uuid, $3)`,
          partnerId,
          id,
          at,
        );
      },
      left: () => count('idempotency_keys'),
    },
    delivered_events: {
      ms: RETENTION_TEST_MS,
      put: (at, id) => event(at, id, 'kyc.verified', at),
      left: () => count('events', `kind = 'kyc.verified'`),
    },
    undelivered_events: {
      ms: keptMs('undelivered_events'),
      put: (at, id) => event(at, id, 'kyc.failed', null),
      left: () => count('events', `kind = 'kyc.failed'`),
    },
    callback_bytes: {
      ms: RETENTION_TEST_MS,
      async put(at, id) {
        await sql(
          `INSERT INTO ${C}.provider_callbacks (id, provider, event_id, provider_reference, outcome, amount_kobo,
             currency, occurred_at, body_sealed, received_at, partner_id, transaction_id)
           VALUES ($1, 'simulator', $3, 'x', 'success', 1, 'NGN', $2, '{}', $2, $4, $5)`,
          id,
          at,
          id,
          partnerId,
          (await payment()).transactionId,
        );
      },
      left: () => count('provider_callbacks', 'body_sealed IS NOT NULL'),
    },
    ussd_phones: {
      ms: RETENTION_TEST_MS,
      async put(at, id) {
        const { from, to, transactionId } = await payment();
        await sql(
          `INSERT INTO ${C}.ussd_sessions (id, partner_id, transaction_id, payer_wallet, merchant_wallet,
             phone, dial_code, status, created_at, updated_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, '+2348012345678', '123456', 'completed', $6, $6, $6)`,
          id,
          partnerId,
          transactionId,
          from,
          to,
          at,
        );
      },
      left: () => count('ussd_sessions', 'phone IS NOT NULL'),
    },
    dial_codes: {
      ms: keptMs('dial_codes'),
      async put(at) {
        const { directory } = activities.sandbox;
        const code = String(100_000 + (at.getTime() % 800_000));
        await sql(
          `INSERT INTO ${directory}.dial_codes (code, partner_id, session_id, phone, taken_until)
           VALUES ($1, $2, $3, '+2348012345678', $4)`,
          code,
          partnerId,
          newId(),
          at,
        );
      },
      left: () => all(`SELECT count(*) AS n FROM ${activities.sandbox.directory}.dial_codes`),
    },
    sessions: {
      ms: keptMs('sessions'),
      async put(at, id) {
        await sql(
          `INSERT INTO platform.sessions (id, partner_id, environment, address, expires_at, created_at)
           VALUES ($1, $2, 'sandbox', '192.0.2.1', $3, $3)`,
          id,
          await partner(),
          at,
        );
      },
      left: () => all('SELECT count(*) AS n FROM platform.sessions'),
    },
    security_events: {
      ms: keptMs('security_events'),
      async put(at, id) {
        await sql(
          `INSERT INTO platform.security_events (id, partner_id, kind, address, created_at)
           VALUES ($1, $2, 'session.started', '192.0.2.1', $3)`,
          id,
          await partner(),
          at,
        );
      },
      left: () => all('SELECT count(*) AS n FROM platform.security_events'),
    },
    invitations: {
      ms: keptMs('invitations'),
      async put(at, id) {
        await sql(
          `INSERT INTO platform.invitations (id, partner_id, email, role, created_at, expires_at)
           VALUES ($1, $2, 'ada@acme.example', 'viewer', $3::timestamptz - interval '7 days', $3)`,
          id,
          await partner(),
          at,
        );
      },
      left: () => all('SELECT count(*) AS n FROM platform.invitations'),
    },
  };

  /** Legal holds on everybody of whom a row is left. */
  const placeLegalHolds = async () => {
    await sql(
      `INSERT INTO ${C}.legal_holds (id, partner_id, reason)
       SELECT gen_random_uuid(), id, 'order 7' FROM (SELECT id FROM platform.partners UNION SELECT $1::uuid) AS p`,
      partnerId,
    );
    await sql(`UPDATE platform.partners SET legal_holds = ARRAY[id]`);
  };
  const liftLegalHolds = async () => {
    await sql(`UPDATE ${C}.legal_holds SET lifted_at = now()`);
    await sql(`UPDATE platform.partners SET legal_holds = '{}'`);
  };

  // One row of each class at a time, and one look at all classes.
  test('all classes', async () => {
    const classes = Object.entries(CLASSES);
    const putAll = async (pastMs: number): Promise<void> => {
      for (const [, { ms, put }] of classes) {
        await put(new Date(Date.now() - ms - pastMs), idOf((ms + pastMs) / DAY_MS));
      }
    };
    const leftNow = async () =>
      Object.fromEntries(await Promise.all(classes.map(async ([name, { left }]) => [name, await left()])));
    const every = (rows: number) => Object.fromEntries(classes.map(([name]) => [name, rows]));
    // Ten minutes, because the test itself takes time.
    await putAll(-600_000);
    await forget();
    expect(await leftNow()).toEqual(every(1));
    await putAll(1_000);
    expect(await leftNow()).toEqual(every(2));
    await placeLegalHolds();
    await forget();
    const kept = Object.fromEntries(KEPT_BY_LEGAL_HOLD.map((name) => [name, 2]));
    expect(await leftNow()).toEqual({ ...every(1), ...kept });
    await liftLegalHolds();
    await forget();
    expect(await leftNow()).toEqual(every(1));
    await forget();
    expect(await leftNow()).toEqual(every(1));
  });

  test('every class that ends is proved here; mails are the sender’s', () => {
    const ending = Object.entries(RETENTION).flatMap(([name, { period }]) => (period === null ? [] : [name]));
    expect([...Object.keys(CLASSES), 'mails'].sort()).toEqual(ending.sort());
  });

  test('a number of somebody who has a wallet stays until the wallet was closed long ago', async () => {
    const id = await cell.wallet({ partnerId });
    const [row] = await sql(`SELECT user_ref FROM ${C}.wallets WHERE id = $1`, id);
    await verification(new Date(Date.now() - 2 * keptMs('lone_numbers')), newId(), row?.['user_ref']);
    expect(await forget()).toMatchObject({ 'lone numbers': 0 });
    expect(await count('verifications', 'number_sealed IS NOT NULL')).toBe(1);
  });

  test('people, users and contacts of a partner that is open stay, however old they are', async () => {
    await addUser(await partner());
    await sql(`UPDATE platform.users SET created_at = '2010-01-01'`);
    await sql(`UPDATE platform.partners SET created_at = '2010-01-01'`);
    const wallet = await cell.wallet({ partnerId });
    await sql(`UPDATE ${C}.accounts SET updated_at = '2010-01-01' WHERE id = $1`, wallet);
    await nameOwner(wallet);
    expect(await forget()).toMatchObject({ users: 0, contacts: 0 });
    expect(await count('wallets', 'metadata_sealed IS NOT NULL')).toBe(1);
  });

  test('whoever has the login of a worker blanks no director of a partner that works', async () => {
    const working = await closedPartner(new Date('2010-01-01'));
    const setId = newId();
    await sql(
      `INSERT INTO ${C}.compliance_requests (id, partner_id, kind, content, actor, asked_at)
       VALUES ($1, $2, 'directors', '{}', 'partner', '2010-01-01')`,
      setId,
      working,
    );
    await sql(
      `INSERT INTO ${C}.directors (id, set_id, partner_id, position, full_name, role) VALUES ($1, $1, $2, 1, 'Ada Obi', 'CEO')`,
      setId,
      working,
    );
    await cell.wallet({ partnerId: working });
    const asWorker = () =>
      activities.sandbox.pool.query(`SELECT ${C}.forget_directors($1) AS gone`, [working]);
    expect((await asWorker()).rows).toEqual([{ gone: 0 }]);
    await sql(`UPDATE ${C}.accounts SET status = 'closed', updated_at = '2010-01-01'`);
    expect((await asWorker()).rows).toEqual([{ gone: 1 }]);
  });

  test('the login of a worker deletes no young security event, not even by the function', async () => {
    const id = newId();
    await sql(
      `INSERT INTO platform.security_events (id, partner_id, kind) VALUES ($1, $2, 'session.started')`,
      id,
      await partner(),
    );
    const { partnersPool } = activities.sandbox;
    await expect(partnersPool.query('DELETE FROM platform.security_events')).rejects.toThrow(
      'permission denied',
    );
    await partnersPool.query(`SELECT platform.forget_old('security_events', 1000)`);
    expect(await all('SELECT count(*) AS n FROM platform.security_events')).toBe(1);
    // The owner neither.
    await expect(sql('DELETE FROM platform.security_events')).rejects.toThrow('never changed or deleted');
  });
});

test('keys past their window', async () => {
  const writer = cell.openWriter();
  const [from, to] = [await cell.wallet({ partnerId, fundKobo: 10_000 }), await cell.wallet({ partnerId })];
  for (const key of ['old', 'new']) {
    await writer.post(
      p2p({ partnerId, from, to, amountKobo: 1, key: { operation: 'p2pTransfer', key, fingerprint: 'f' } }),
    );
  }
  await cell.sql(`UPDATE ${SANDBOX_CELL}.idempotency_keys SET created_at = now() - interval '24 hours 1 second'
                   WHERE key = 'old'`);
  expect(await forget()).toMatchObject({ keys: 1 });
  expect(await cell.sql(`SELECT key FROM ${SANDBOX_CELL}.idempotency_keys`)).toEqual([{ key: 'new' }]);
  expect(await count('used_references')).toBe(2);
});

describe('events and deliveries', () => {
  /** An event of some age with a delivery that was delivered, or is still waiting. */
  async function event(
    ageDays: number,
    deliveries: readonly ('delivered' | 'waiting' | 'given up')[],
  ): Promise<string> {
    const id = idOf(ageDays);
    const at = `now() - interval '${String(ageDays)} days'`;
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
       VALUES ($1, $2, 'transaction.completed', $3, '{}', ${at})`,
      [id, partnerId, newId()],
    );
    for (const state of deliveries) {
      const endpointId = await openEndpoint(cell.cell, partnerId, ['kyc.verified']);
      await cell.sql(
        `INSERT INTO ${SANDBOX_CELL}.deliveries (endpoint_id, event_id, event_name, delivered_at, next_attempt_at)
         VALUES ($1, $2, 'transaction.completed', ${state === 'delivered' ? at : 'NULL'},
                 ${state === 'waiting' ? 'now()' : 'NULL'})`,
        [endpointId, id],
      );
    }
    return id;
  }

  test.each<[string, number, Parameters<typeof event>[1], events: number, deliveries: number]>([
    ['old, delivered everywhere: gone', 31, ['delivered', 'delivered'], 0, 0],
    ['old, told to nobody: gone', 31, [], 0, 0],
    ['old, waiting for one endpoint: kept for that one', 31, ['delivered', 'waiting'], 1, 1],
    ['old, given up at one endpoint: kept, because it can be recovered', 31, ['given up'], 1, 1],
    ['young, delivered everywhere: kept', 29, ['delivered'], 1, 1],
  ])('%s', async (_what, ageDays, deliveries, eventsLeft, deliveriesLeft) => {
    await event(ageDays, deliveries);
    await forget();
    expect([await count('events'), await count('deliveries')]).toEqual([eventsLeft, deliveriesLeft]);
    await forget();
    expect([await count('events'), await count('deliveries')]).toEqual([eventsLeft, deliveriesLeft]);
  });

  test('more than a page of them: all gone in one run, and what is kept among them does not stop it', async () => {
    await event(40, ['waiting']);
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
       SELECT (lpad(to_hex((extract(epoch FROM now() - interval '35 days') * 1000)::bigint + n), 12, '0')
               || '70008000000000000000')::uuid, $1, 'kyc.verified', gen_random_uuid(), '{}', now() - interval '35 days'
         FROM generate_series(1, 2500) AS n`,
      [partnerId],
    );
    expect(await forget()).toMatchObject({ events: 2500 });
    expect(await count('events')).toBe(1);
  });

  test('a fresh event with its delivery is untouched', async () => {
    await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    await happen(cell.cell, partnerId, 3, completed);
    expect(await forget()).toMatchObject({ events: 0, deliveries: 0 });
    expect([await count('events'), await count('deliveries')]).toEqual([3, 3]);
  });
});

test('started intentions of what is finished; those of what is not stay', async () => {
  const [finished, open] = [
    await createdWallet(cell.cell, partnerId),
    await createdWallet(cell.cell, partnerId),
  ];
  await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'active' WHERE id = $1`, [finished]);
  await cell.sql(`UPDATE ${SANDBOX_CELL}.workflow_intentions SET started_at = now() - interval '31 days'`);
  const waiting = await createdWallet(cell.cell, partnerId);
  const recent = await createdWallet(cell.cell, partnerId);
  await cell.sql(`UPDATE ${SANDBOX_CELL}.workflow_intentions SET started_at = now() WHERE resource_id = $1`, [
    recent,
  ]);
  await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'active' WHERE id = $1`, [recent]);

  expect(await forget()).toMatchObject({ intentions: 1 });
  const left = await cell.sql(`SELECT resource_id FROM ${SANDBOX_CELL}.workflow_intentions`);
  expect(left.map((row) => row['resource_id'] as string).sort()).toEqual([open, waiting, recent].sort());
});

test('the bytes of old callbacks, not what they said', async () => {
  const notice = (eventId: string) => ({
    eventId,
    transferName: 'x',
    attemptNumber: null,
    providerReference: 'x',
    outcome: 'success',
    amountKobo: 1,
    currency: 'NGN',
    occurredAt: new Date(),
  });
  for (const eventId of ['old', 'new']) {
    const kept = { id: newId(), bodySealed: 'sealed', transfer: null, attempt: null };
    await storeCallback(cell.forApi, 'simulator', notice(eventId), kept);
  }
  await cell.sql(`UPDATE ${SANDBOX_CELL}.provider_callbacks SET received_at = now() - interval '31 days'
                   WHERE event_id = 'old'`);
  expect(await forget()).toMatchObject({ 'callback bodies': 1 });
  expect(
    await cell.sql(
      `SELECT event_id, outcome, body_sealed FROM ${SANDBOX_CELL}.provider_callbacks ORDER BY event_id`,
    ),
  ).toEqual([
    { event_id: 'new', outcome: 'success', body_sealed: 'sealed' },
    { event_id: 'old', outcome: 'success', body_sealed: null },
  ]);
});

test('windows of the rate limit, and submissions that are long over', async () => {
  await cell.sql(`INSERT INTO ${SANDBOX_CELL}.rate_windows (partner_id, window_start, used)
    VALUES (gen_random_uuid(), now() - interval '2 hours', 9), (gen_random_uuid(), now(), 9)`);
  const { directory } = activities.sandbox;
  await cell.sql(
    `INSERT INTO ${directory}.submitted_transfers (transaction_id, partner_id) VALUES ($1, $3), ($2, $3)`,
    [idOf(31), idOf(1), partnerId],
  );
  expect(await forget()).toMatchObject({ 'rate windows': 1, submissions: 1 });
  expect(await count('rate_windows')).toBe(1);
});

test('the days of keys, after thirty', async () => {
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.key_days (key_id, day, requests)
     SELECT $1, (now() - n * interval '1 day')::date, 7 FROM unnest(ARRAY[0, 30, 31]) AS n`,
    [partnerId],
  );
  expect(await forget()).toMatchObject({ 'key days': 1 });
  expect(await cell.sql(`SELECT requests::int FROM ${SANDBOX_CELL}.key_days`)).toHaveLength(2);
});

test('requests, by the time in their ids', async () => {
  const old = firstIdOf(Date.now() - 7 * DAY_MS - 60_000);
  const kept = firstIdOf(Date.now() - 7 * DAY_MS + 60_000);
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.requests (id, partner_id, method, operation, duration_ms, replayed)
     SELECT id, $2, 'GET', 'none', 1, false FROM unnest($1::uuid[]) AS id`,
    [[old, kept], partnerId],
  );
  expect(await forget()).toMatchObject({ requests: 1 });
  expect(await cell.sql(`SELECT id FROM ${SANDBOX_CELL}.requests`)).toEqual([{ id: kept }]);
});

test('never the ledger, references or findings, however old', async () => {
  const writer = cell.openWriter();
  const from = await cell.wallet({ partnerId, fundKobo: 100_000 });
  const open = transactionIdOf(await writer.post(bankTransfer({ partnerId, from, amountKobo: 1 })));
  await cell.sql(
    `UPDATE ${SANDBOX_CELL}.transactions SET created_at = '2020-01-01', updated_at = '2020-01-01'`,
  );
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.recon_findings (id, class, resource, detail, first_seen, closed_at)
    VALUES (gen_random_uuid(), 'chain_broken', $1, '{}', '2020-01-01', '2020-01-02')`,
    [open],
  );
  const tables = ['accounts', 'transactions', 'entries', 'used_references', 'recon_findings'];
  const before = await Promise.all(tables.map((table) => count(table)));
  await forget();
  expect(await Promise.all(tables.map((table) => count(table)))).toEqual(before);
});
