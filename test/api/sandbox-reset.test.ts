/**
 * What a sandbox reset deletes, what it leaves, and the fence that stands meanwhile (D97, D140; R11, R13; G21).
 * Its steps are taken here one by one, without Temporal; test/e2e/sandbox-reset.test.ts lets the workflow take
 * them.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beginReset, epochOf, finishReset, NoSuchResetError } from '../../src/db/upkeep/epochs';
import { erasePartner } from '../../src/db/upkeep/erase';
import { insertResetOrder } from '../../src/db/payments/hand-orders';
import { adjustmentOpening } from '../../src/domain/adjustments';
import { newId } from '../../src/db/pg/ids';
import { fundingReference } from '../../src/domain/transactions';
import type { OpenCell } from '../../src/runtime/environment';
import { transactionCompleted } from '../../src/wire/webhooks';
import type { Json } from '../support/api';
import { asLogin } from '../support/logins';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { until } from '../support/until';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';
import { REHEARSAL } from '../support/settings';

const { world, api } = apiForFile(REHEARSAL);

const DIRECTORY = 'sandbox_directory';
const cellOf = async (partner: TestPartner): Promise<OpenCell> =>
  (await api.environments.sandbox.partner(partner.id)).cell;
/** The pool of the login that only the worker has. */
let resetting: pg.Pool;
beforeAll(() => {
  resetting = new pg.Pool({ connectionString: asLogin(world.databaseUrl, 'sandbox_reset'), max: 4 });
});
afterAll(() => resetting.end());
const resetPool = () => resetting;

/** The steps of one reset by one order of the API. */
interface Steps {
  begin: () => Promise<void>;
  erase: () => Promise<void>;
  finish: () => Promise<Date>;
}
function stepsBy(partner: TestPartner, orderId: string): Steps {
  const by = { partnerId: partner.id, orderId };
  const place = { schema: SANDBOX_CELL, directory: DIRECTORY, ...by };
  return {
    begin: async () => expect(await beginReset(resetPool(), SANDBOX_CELL, by)).toBeNull(),
    erase: () => erasePartner(resetPool(), place, () => undefined),
    finish: () => finishReset(resetPool(), SANDBOX_CELL, by),
  };
}
const ordered = async (partner: TestPartner): Promise<Steps> =>
  stepsBy(partner, await insertResetOrder(await cellOf(partner), partner.id));
async function begun(partner: TestPartner): Promise<Steps> {
  const steps = await ordered(partner);
  await steps.begin();
  return steps;
}
async function reset(partner: TestPartner): Promise<void> {
  const { erase, finish } = await begun(partner);
  await erase();
  await finish();
}

const p2p = (source: string, dest: string, reference: string) => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 100,
  reference,
});
const bank = (source: string, reference: string) => ({
  source_wallet: source,
  dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' },
  amount: 100,
  reference,
});

/** A row of every table, so that no table is forgotten. */
async function fill(partner: TestPartner): Promise<{ source: string; dest: string }> {
  const endpoint = { url: 'https://example.com/hook', events: ['transaction.completed', 'wallet.activated'] };
  const kept = (await partner.post('/v1/webhooks', endpoint)).body.data.id;
  await partner.post(`/v1/webhooks/${kept}/rotate-secret`, {});
  const another = { ...endpoint, url: 'https://example.com/deleted' };
  const deleted = (await partner.post('/v1/webhooks', another)).body.data.id;
  const source = await partner.wallet({ userRef: 'ada', fundKobo: 100_000 });
  const dest = await partner.wallet({ userRef: 'bola' });
  await partner.wallet({ userRef: 'pending', status: 'pending' });
  await partner.wallet({ userRef: '__settlement__' });
  await partner.delete(`/v1/webhooks/${deleted}`);
  await partner.post('/v1/transfers/p2p', p2p(source, dest, 'order-1'), { 'Idempotency-Key': 'key-1' });
  const transfer = await partner.post('/v1/transfers/bank', bank(source, 'order-2'));
  const failing = await partner.post('/v1/transfers/bank', bank(source, 'order-3'));
  await partner.post(`/v1/wallets/${dest}/freeze`, { reason: 'lost' });
  await partner.post('/v1/kyc/bvn', { user_ref: 'ada', bvn: '22222222222' });
  const qr = { wallet_id: dest, amount: 100 };
  await partner.post('/v1/payments/qr/create', { ...qr, reference: 'order-4' });
  await partner.post('/v1/payments/qr/create', { ...qr, reference: 'order-5' });
  const paid = await partner.post('/v1/payments/qr/pay', { qr_reference: 'order-4', source_wallet: source });
  expect(paid.status).toBe(200);
  const session = { wallet_id: source, amount: 100, reference: 'order-6', phone: '+2348012345678' };
  const dialled = await partner.post('/v1/payments/ussd/initiate', session);
  expect(dialled.status).toBe(200);
  expect((await partner.put(`/v1/wallets/${source}/pin`, { pin: '0731' })).status).toBe(200);
  const bulk = { reference: 'order-7', transfers: [p2p(source, dest, 'order-8')] };
  expect((await partner.post('/v1/transfers/bulk', bulk)).status).toBe(202);
  const scheduled = { ...p2p(source, dest, 'order-10'), due_at: '2030-01-31T09:00:00+01:00' };
  expect((await partner.post('/v1/transfers/scheduled', scheduled)).status).toBe(201);
  const hold = { wallet_id: source, amount: 100, reference: 'order-9' };
  expect((await partner.post('/v1/holds', hold)).status).toBe(200);
  await insertByHand(partner, transfer.body.data.id);
  const { cell } = await api.environments[partner.key.startsWith('sk_live') ? 'live' : 'sandbox'].partner(
    partner.id,
  );
  // A correction that explains nothing: what it leaves in suspense goes with the partner.
  await cell.ledger.post({
    movement: adjustmentOpening(newId(), partner.id, {
      walletId: source,
      direction: 'credit',
      amountKobo: 700,
      reason: 'A mistake',
    }),
    announce: () => [],
  });
  const transactionId = newId();
  await cell.ledger.post({
    movement: {
      kind: 'open',
      type: 'wallet_funding',
      from: { kind: 'own_mfb', bankTransferId: transfer.body.data.id },
      transactionId,
      partnerId: partner.id,
      destWalletId: dest,
      reference: fundingReference(transactionId),
      amountKobo: 100,
      description: '',
      metadata: {},
      key: null,
    },
    announce: (posted) => [transactionCompleted(posted.transaction)],
  });
  await cell.ledger.post({
    movement: {
      kind: 'settle',
      transactionId: failing.body.data.id,
      partnerId: partner.id,
      sourceWalletId: source,
      trigger: 'provider_failure',
      reversalId: newId(),
      duty: { transactionId: newId(), reversalId: newId() },
      failedReason: 'No such account',
      facts: null,
      handOrder: null,
    },
    announce: () => [],
  });
  return { source, dest };
}

/**
 * Rows that no request of this test makes: an attempt of a PIN, an attempt to pay a transfer, a provider's callback, an order
 * by hand, and limits that are on, which would refuse the payments of this test.
 */
async function insertByHand(partner: TestPartner, transferId: string) {
  const isLive = partner.key.startsWith('sk_live');
  const cell = isLive ? LIVE_CELL : SANDBOX_CELL;
  await world.sql(
    `WITH submitted AS (
       INSERT INTO ${isLive ? 'live' : 'sandbox'}_directory.submitted_transfers VALUES ($1, $2)),
     attempted AS (
       INSERT INTO ${cell}.transfer_attempts (transaction_id, n, provider, state, open_posts)
       VALUES ($1, 1, 'simulator', 'sending', 1)),
     heard AS (
       INSERT INTO ${cell}.provider_callbacks (id, provider, event_id, partner_id, transaction_id,
         provider_reference, outcome, amount_kobo, currency, occurred_at)
       VALUES (gen_random_uuid(), 'simulator', gen_random_uuid()::text, $2, $1, 'SBX_1', 'success', 100, 'NGN', now())),
     ordered AS (
       INSERT INTO ${cell}.hand_orders (id, partner_id, kind, resource_id, verdict, actor)
       VALUES (gen_random_uuid(), $2, 'settle_transfer', $1, 'completed', 'sandbox'))
     INSERT INTO ${cell}.ussd_pin_attempts (id, partner_id, session_id, gateway_session, hop, number)
     SELECT gen_random_uuid(), partner_id, id, 'ATUid_1', 2, 1 FROM ${cell}.ussd_sessions WHERE partner_id = $2`,
    [transferId, partner.id],
  );
  for (const table of isLive ? [] : ['enforced_limits', 'sandbox_requirements']) {
    await world.sql(`INSERT INTO ${cell}.${table} (partner_id) VALUES ($1)`, [partner.id]);
  }
  await world.sql(
    `INSERT INTO ${cell}.delivery_tries (id, event_id, endpoint_id, status, duration_ms)
     SELECT gen_random_uuid(), d.event_id, d.endpoint_id, 500, 12 FROM ${cell}.deliveries d
       JOIN ${cell}.events e ON e.id = d.event_id WHERE e.partner_id = $1 LIMIT 1`,
    [partner.id],
  );
  await world.sql(
    `INSERT INTO ${cell}.scheduled_transfer_runs (scheduled_transfer_id, number, due_at, reference, status)
     SELECT id, 1, now(), 'order-10-1', 'running' FROM ${cell}.scheduled_transfers WHERE partner_id = $1`,
    [partner.id],
  );
  await world.sql(
    `WITH found AS (
       INSERT INTO ${cell}.recon_findings (id, class, resource, detail, closed_at)
       VALUES (gen_random_uuid(), 'chain_broken', $2, '{}', now()) RETURNING id)
     INSERT INTO ${cell}.repairs (id, proposal_id, finding_id, partner_id, kind, resource, step, terms, note,
       evidence_ref, proposed_by)
     SELECT gen_random_uuid(), gen_random_uuid(), id, $1, 'step', $2::uuid, 'accept', '{}', '', '', 'Tunde' FROM found`,
    [partner.id, transferId],
  );
}

type Rows = Map<string, string[]>;

/** Every row of every table but the migrations' own, as text. */
async function everything(): Promise<Rows> {
  await until('security events in their list', async () => {
    const waiting = await world.sql(
      `SELECT id FROM ${SANDBOX_CELL}.security_notices UNION SELECT id FROM ${LIVE_CELL}.security_notices`,
    );
    return waiting.length === 0;
  });
  const tables = await world.sql(
    `SELECT schemaname AS schema, tablename AS name FROM pg_tables
      WHERE schemaname ~ '^(platform|sandbox|live)' AND tablename !~ '^migrations_of' ORDER BY 1, 2`,
  );
  const rows: Rows = new Map();
  for (const { schema, name } of tables) {
    // The relay counts failed starts, which may change this row at any time.
    const row = name === 'workflow_intentions' ? `concat_ws(',', workflow_id, input, created_at)` : 't::text';
    const found = await world.sql(`SELECT ${row} AS row FROM ${schema}.${name} t ORDER BY 1`);
    rows.set(
      `${schema}.${name}`,
      found.map(({ row }) => row as string),
    );
  }
  return rows;
}

/** The ids of what belongs to a partner: a row that names one of them is the partner's. */
async function idsOf(partner: TestPartner): Promise<string[]> {
  const rows = await world.sql(
    `SELECT $1::text AS id
     UNION ALL SELECT id::text FROM ${SANDBOX_CELL}.wallets WHERE partner_id = $1::uuid
     UNION ALL SELECT id::text FROM ${SANDBOX_CELL}.transactions WHERE partner_id = $1::uuid
     UNION ALL SELECT id::text FROM ${SANDBOX_CELL}.events WHERE partner_id = $1::uuid
     UNION ALL SELECT id::text FROM ${SANDBOX_CELL}.scheduled_transfers WHERE partner_id = $1::uuid`,
    [partner.id],
  );
  return rows.map(({ id }) => id as string);
}

/**
 * What stays of a partner (D97): its endpoints, its compliance, and the counters of its requests, of what they have
 * stored, and of its resets.
 * The findings and the progress of reconciliation belong to the platform.
 */
const KEPT = [
  'webhook_endpoints',
  'retiring_webhook_secrets',
  // They are on their way to the list of security events.
  'security_notices',
  // They are placed in live alone.
  'legal_holds',
  // Money from outside comes in live alone.
  'inbound_credits',
  'inbound_refunds',
  'provider_customers',
  'compliance_requests',
  'compliance_records',
  'compliance_moves',
  'directors',
  'requests',
  'key_days',
  'rate_windows',
  'sandbox_storage',
  'partner_epochs',
  'recon_findings',
  'recon_progress',
];
const isKept = (table: string): boolean => KEPT.includes(table.split('.')[1]!);
/** Counters and logs that every reset moves, or every process in its own time. */
const isCounter = (table: string): boolean =>
  /\.(partner_epochs|sandbox_storage|rate_windows|requests|key_days)$/.test(table);
const isOfSandbox = (table: string): boolean => table.startsWith('sandbox');

describe('a reset', () => {
  let partner: TestPartner;
  let before: Rows;
  let after: Rows;
  let ids: string[];
  const isOurs = (row: string): boolean => ids.some((id) => row.includes(id));

  beforeAll(async () => {
    partner = await api.partner({ status: 'active' });
    await fill(partner);
    await partner.post('/v1/sandbox/clock/forward', { seconds: 1 });
    await fill(await api.partner());
    await fill(await api.partner({ id: partner.id, environment: 'live' }));
    ids = await idsOf(partner);
    before = await everything();
    await reset(partner);
    after = await everything();
  });

  test('this test knows every table: the partner had a row in each', () => {
    const empty = [...before].filter(
      ([table, rows]) => table.startsWith(`${SANDBOX_CELL}.`) && !isKept(table) && !rows.some(isOurs),
    );
    expect(empty.map(([table]) => table)).toEqual([]);
  });

  test('leaves nothing of the partner in the sandbox but what is kept', () => {
    const left = [...after].filter(
      ([table, rows]) => isOfSandbox(table) && !isKept(table) && rows.some(isOurs),
    );
    expect(left).toEqual([]);
  });

  test('leaves everybody else’s rows, the partner’s own in live, and keys and endpoints as they were', () => {
    for (const [table, rows] of before) {
      if (isCounter(table)) continue;
      // The money of a finding goes with the postings that it was about.
      if (table === `${SANDBOX_CELL}.recon_findings`) {
        const others = (all: readonly string[]) => all.filter((row) => !isOurs(row));
        expect(others(after.get(table) ?? [])).toEqual(others(rows));
        const ours = rows.filter(isOurs);
        expect(ours.filter((row) => row.includes(',2900,'))).toHaveLength(1);
        const left = ours.map((row) => (row.includes(',2900,') ? expect.stringMatching(/,2900,0\)$/) : row));
        expect(after.get(table)?.filter(isOurs)).toEqual(left);
        continue;
      }
      const expected = isOfSandbox(table) && !isKept(table) ? rows.filter((row) => !isOurs(row)) : rows;
      expect([table, after.get(table)]).toEqual([table, expected]);
    }
  });

  test('leaves sound books', async () => {
    const [sum] = await world.sql(
      `SELECT coalesce(sum(amount_kobo), 0)::text AS sum FROM ${SANDBOX_CELL}.entries`,
    );
    expect(sum).toEqual({ sum: '0' });
  });

  test('frees user_refs and references, and issues no account number twice', async () => {
    const numbers = before.get(`${DIRECTORY}.nubans`)!.map((row) => row.slice(1, 11));
    const source = await partner.wallet({ userRef: 'ada', fundKobo: 10_000 });
    const dest = await partner.wallet({ userRef: 'bola' });
    const sent = await partner.post('/v1/transfers/p2p', p2p(source, dest, 'order-1'), {
      'Idempotency-Key': 'key-1',
    });
    expect(sent).toMatchObject({
      status: 200,
      body: { data: { source_wallet: source, reference: 'order-1' } },
    });
    expect(sent.headers.get('Idempotent-Replayed')).toBeNull();
    const { wallet } = (await partner.get(`/v1/wallets/${source}`)).body.data;
    expect(numbers).not.toContain(wallet.account_number);
  });

  test('of an empty sandbox changes nothing', async () => {
    const nobody = await api.partner();
    const then = await everything();
    await reset(nobody);
    const now = await everything();
    for (const [table, rows] of then) {
      if (!isCounter(table)) expect([table, now.get(table)]).toEqual([table, rows]);
    }
  });
});

describe('the epoch', () => {
  test('is 0 until the first reset, and one more with each', async () => {
    const partner = await api.partner();
    const cell = await cellOf(partner);
    const epochs = [await epochOf(cell, partner.id)];
    for (let round = 0; round < 2; round++) {
      await reset(partner);
      epochs.push(await epochOf(cell, partner.id));
    }
    expect(epochs).toEqual([0, 1, 2]);
  });

  test('does not change when a step of the reset is repeated', async () => {
    const partner = await api.partner();
    const { begin, finish } = await begun(partner);
    await begin();
    expect(await epochOf(await cellOf(partner), partner.id)).toBe(1);
    const [once, twice] = [await finish(), await finish()];
    expect(twice).toEqual(once);
    await begin();
    expect(await partner.post('/v1/wallets', { user_ref: 'ada' })).toMatchObject({ status: 202 });
  });

  test('is in the input of every workflow that starts in it', async () => {
    const partner = await api.partner();
    await reset(partner);
    const source = await partner.wallet({ fundKobo: 10_000 });
    await partner.post('/v1/transfers/bank', bank(source, 'epoch'));
    await partner.post('/v1/kyc/nin', { user_ref: 'ada', nin: '22222222222' });
    const inputs = await world.sql(
      `SELECT workflow_type, input FROM ${SANDBOX_CELL}.workflow_intentions WHERE partner_id = $1 ORDER BY 1`,
      [partner.id],
    );
    expect(inputs.map(({ workflow_type: type, input }) => [type, input.epoch])).toEqual([
      ['bankTransfer', 1],
      ['kycVerification', 1],
      ['walletProvisioning', 1],
    ]);
  });
});

describe('while the fence stands', () => {
  let partner: TestPartner;
  let wallets: { source: string; dest: string };
  let endpointId: string;
  let before: Rows;
  let steps: Steps;
  beforeAll(async () => {
    partner = await api.partner();
    wallets = await fill(partner);
    // What lacks details is refused before the fence is looked at.
    await partner.put('/v1/sandbox/requirements', { as_live: false });
    endpointId = (await partner.get('/v1/webhooks')).body.data[0].id;
    steps = await begun(partner);
    before = await everything();
  });

  const writes: [string, () => [path: string, body?: unknown]][] = [
    ['a wallet', () => ['/v1/wallets', { user_ref: 'late' }]],
    ['a freeze', () => [`/v1/wallets/${wallets.source}/freeze`]],
    ['a P2P transfer', () => ['/v1/transfers/p2p', p2p(wallets.source, wallets.dest, 'late')]],
    ['a bank transfer', () => ['/v1/transfers/bank', bank(wallets.source, 'late')]],
    ['a funding', () => [`/sandbox/wallets/${wallets.source}/fund`, { amount_kobo: 1 }]],
    ['a verification', () => ['/v1/kyc/bvn', { user_ref: 'late', bvn: '22222222222' }]],
    [
      'a QR request',
      () => ['/v1/payments/qr/create', { wallet_id: wallets.dest, amount: 1, reference: 'late-qr' }],
    ],
    [
      'a QR payment',
      () => ['/v1/payments/qr/pay', { qr_reference: 'order-5', source_wallet: wallets.source }],
    ],
    [
      'a USSD session',
      () => [
        '/v1/payments/ussd/initiate',
        { wallet_id: wallets.source, amount: 1, reference: 'late-ussd', phone: '+2348012345678' },
      ],
    ],
    ['a test of an endpoint', () => [`/v1/webhooks/${endpointId}/test`]],
  ];
  test.each(writes)('%s is answered 503 with Retry-After', async (_what, request) => {
    const answer = await partner.post(...request());
    expect(answer).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers.get('Retry-After')).toBe('1');
  });

  test('none of them has written anything', async () => {
    const now = await everything();
    for (const [table, rows] of before) {
      if (!/requests|key_days|rate_windows|stranger_windows|sandbox_storage|api_keys/.test(table))
        expect([table, now.get(table)]).toEqual([table, rows]);
    }
  });

  test('the partner can read, and another partner is served as usual', async () => {
    expect((await partner.get(`/v1/wallets/${wallets.source}`)).status).toBe(200);
    expect((await (await api.partner()).post('/v1/wallets', { user_ref: 'ada' })).status).toBe(202);
    const live = await api.partner({ id: partner.id, environment: 'live' });
    expect((await live.get('/v1/wallets')).status).toBe(200);
  });

  test('once the fence is down everything can be written again', async () => {
    await steps.erase();
    await steps.finish();
    expect((await partner.post('/v1/wallets', { user_ref: 'late' })).status).toBe(202);
  });
});

describe('the order of a reset', () => {
  let partner: TestPartner;
  let walletId: string;
  beforeEach(async () => {
    partner = await api.partner();
    walletId = await partner.wallet();
  });
  const isThere = async () => (await partner.get(`/v1/wallets/${walletId}`)).status === 200;

  test('is used up by the reset, and the next request needs another one', async () => {
    const orderId = await insertResetOrder(await cellOf(partner), partner.id);
    const { begin, erase, finish } = stepsBy(partner, orderId);
    await begin();
    const [order] = await world.sql(`SELECT used_at FROM ${SANDBOX_CELL}.hand_orders WHERE id = $1`, [
      orderId,
    ]);
    expect(order).toEqual({ used_at: expect.any(Date) });
    await erase();
    await finish();
    await reset(partner);
    expect(await beginReset(resetPool(), SANDBOX_CELL, { partnerId: partner.id, orderId })).toMatchObject({
      refusal: { code: 'FORBIDDEN' },
    });
  });

  test('that came while another reset was under way is still good after it', async () => {
    const { erase, finish } = await begun(partner);
    const next = await ordered(partner);
    await erase();
    await finish();
    await next.begin();
    expect(await epochOf(await cellOf(partner), partner.id)).toBe(2);
    await next.finish();
  });

  test('takes over a reset that stopped in the middle, in the same epoch; the steps of the first do no more', async () => {
    const first = await begun(partner);
    const second = await begun(partner);
    expect(await epochOf(await cellOf(partner), partner.id)).toBe(1);
    await expect(first.erase()).rejects.toThrow(NoSuchResetError);
    await expect(first.finish()).rejects.toThrow(NoSuchResetError);
    expect(await isThere()).toBe(true);
    await second.erase();
    await second.finish();
    expect(await isThere()).toBe(false);
  });

  test('deletes nothing after its reset has ended, however late a step of it is tried again', async () => {
    const { erase, finish } = await begun(partner);
    await finish();
    await expect(erase()).rejects.toThrow(NoSuchResetError);
    expect(await isThere()).toBe(true);
  });
});

describe('what was under way when the reset began', () => {
  let client: pg.Client;
  beforeEach(async () => {
    client = new pg.Client({ connectionString: world.databaseUrl });
    await client.connect();
    await client.query('BEGIN');
  });
  afterEach(() => client.end());

  const isDone = (work: Promise<unknown>): Promise<boolean> =>
    Promise.race([
      work.then(() => true),
      // This gives work that wrongly does not wait the chance to end; `waitsForALock` finds work that waits.
      new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
    ]);
  async function waitsForALock(): Promise<void> {
    for (;;) {
      const rows = await world.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (rows.length > 0) return;
    }
  }

  test('a write that passed the fence earlier: the reset waits for its commit, and deletes it', async () => {
    const partner = await api.partner();
    const id = newId();
    await client.query(`SELECT ${SANDBOX_CELL}.refuse_while_resetting($1)`, [partner.id]);
    const { begin, erase, finish } = await ordered(partner);
    const beginning = begin();
    await waitsForALock();
    expect(await isDone(beginning)).toBe(false);
    await client.query(
      `WITH account AS (INSERT INTO ${SANDBOX_CELL}.accounts (id, partner_id, status) VALUES ($1, $2, 'pending'))
       INSERT INTO ${SANDBOX_CELL}.wallets (id, partner_id, user_ref) VALUES ($1, $2, 'ada')`,
      [id, partner.id],
    );
    await client.query('COMMIT');
    await beginning;
    await erase();
    await finish();
    expect(await world.sql(`SELECT FROM ${SANDBOX_CELL}.wallets WHERE id = $1`, [id])).toEqual([]);
  });

  test('a batch of movements that holds an account: nothing is deleted before its commit', async () => {
    const partner = await api.partner();
    const walletId = await partner.wallet({ fundKobo: 1_000 });
    await client.query(`SELECT FROM ${SANDBOX_CELL}.accounts WHERE id = $1 FOR NO KEY UPDATE`, [walletId]);
    const { erase, finish } = await begun(partner);
    const erased = erase();
    await waitsForALock();
    expect(await isDone(erased)).toBe(false);
    const [transactions] = await world.sql(
      `SELECT count(*)::int AS number FROM ${SANDBOX_CELL}.transactions WHERE partner_id = $1`,
      [partner.id],
    );
    expect(transactions).toEqual({ number: 1 });
    await client.query('COMMIT');
    await erased;
    await finish();
    expect(
      await world.sql(`SELECT FROM ${SANDBOX_CELL}.accounts WHERE partner_id = $1`, [partner.id]),
    ).toEqual([]);
  });
});

describe('who may reset a sandbox', () => {
  test.each(['/sandbox/reset', '/v1/sandbox/reset'])(
    'a live key on POST %s: 403 SANDBOX_ONLY',
    async (path) => {
      const live = await api.partner({ environment: 'live', status: 'active' });
      for (const body of [undefined, {}, '{']) {
        expect(await live.post(path, body)).toMatchObject({ status: 403, body: { error: 'SANDBOX_ONLY' } });
      }
    },
  );

  test('without Temporal a reset is 503, and nothing is deleted', async () => {
    const partner = await api.partner();
    const walletId = await partner.wallet();
    expect(await partner.post('/v1/sandbox/reset')).toMatchObject({
      status: 503,
      body: { error: 'SERVICE_UNAVAILABLE' },
    });
    expect((await partner.get(`/v1/wallets/${walletId}`)).status).toBe(200);
    expect((await partner.post('/v1/wallets', { user_ref: 'ada' })).status).toBe(202);
  });

  const stateOf = (pool: pg.Pool, statement: string): Promise<string> =>
    pool.query(statement).then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    );

  test.each(['accounts', 'wallets', 'transactions', 'entries', 'events', 'deliveries', 'wallet_actions'])(
    'the role that deletes %s of the sandbox cannot see those of live',
    async (table) => {
      expect(await stateOf(resetPool(), `DELETE FROM ${LIVE_CELL}.${table} WHERE false`)).toBe('42501');
      expect(await stateOf(resetPool(), `DELETE FROM ${SANDBOX_CELL}.${table} WHERE false`)).toBe('done');
    },
  );

  test('nobody else deletes entries, and the role that does cannot change them or empty the table', async () => {
    const { sandbox, live } = api.environments;
    expect([sandbox.resetPool, live.resetPool]).toEqual([null, null]);
    const entries = `${SANDBOX_CELL}.entries`;
    expect(await stateOf(sandbox.pool, `DELETE FROM ${entries} WHERE false`)).toBe('42501');
    expect(await stateOf(live.pool, `DELETE FROM ${LIVE_CELL}.entries WHERE false`)).toBe('42501');
    expect(await stateOf(resetPool(), `UPDATE ${entries} SET amount_kobo = 1`)).toBe('42501');
    expect(await stateOf(resetPool(), `TRUNCATE ${entries}`)).toBe('42501');
    await expect(world.sql(`DELETE FROM ${entries}`)).rejects.toMatchObject({ code: '23001' });
  });

  test('nobody but that role raises the fence', async () => {
    const { sandbox, live } = api.environments;
    expect(
      await stateOf(sandbox.pool, `SELECT ${SANDBOX_CELL}.begin_reset('${randomUUID()}', '${randomUUID()}')`),
    ).toBe('42501');
    expect(
      await stateOf(live.pool, `SELECT ${LIVE_CELL}.begin_reset('${randomUUID()}', '${randomUUID()}')`),
    ).toBe('42501');
  });
});

/** An id that a reset has deleted looks like an id that never existed. */
test('what was deleted is absent, byte for byte', async () => {
  const partner = await api.partner();
  const { source } = await fill(partner);
  await reset(partner);
  const bodyOf = ({ body }: Json): unknown => ({ ...body, meta: undefined });
  const [gone, never] = [
    await partner.get(`/v1/wallets/${source}`),
    await partner.get(`/v1/wallets/${randomUUID()}`),
  ];
  expect([gone.status, bodyOf(gone)]).toEqual([404, bodyOf(never)]);
});
