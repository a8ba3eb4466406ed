/** Callbacks of providers (D115, D155, R23): signatures, what is kept, and that none of them moves money. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLBACK_SECRETS, callbackBody, sendCallback } from '../support/callbacks';
import { openWorld } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { callbackBodyPlace, noticeBodyPlace } from '../../src/secrets/sealing';
import { directoryOf } from '../../src/db/pg/schema';
import { payoutReference } from '../../src/domain/payouts';
import { paystackSignature, simulatorSignature } from '../../src/wire/provider-callbacks';
import { pathSecret } from '../../src/wire/ussd-gateway';
import { FIRST_LIVE_CELL, LIVE_CELL, SANDBOX_CELL } from '../setup/cells';
import { REHEARSAL } from '../support/settings';
import { openFakePaystack, type FakePaystack } from '../support/fake-paystack';

const LIVE_DIRECTORY = directoryOf('live');

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let url: string;
let source: string;
beforeAll(async () => {
  url = `http://127.0.0.1:${api.port}`;
  source = await partner.wallet({ fundKobo: 1_000_000 });
});

let count = 0;
async function transfer(): Promise<string> {
  const answer = await partner.post('/v1/transfers/bank', {
    source_wallet: source,
    dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
    amount: 10_000,
    reference: `called-back-${(count += 1)}`,
  });
  return answer.body.data.id;
}
const kept = (eventId: string, cell = SANDBOX_CELL) =>
  world.sql(`SELECT * FROM ${cell}.provider_callbacks WHERE event_id = $1`, [eventId]);
const ledgerOf = async (id: string) =>
  (
    await world.sql(
      `SELECT t.status, count(e.id)::int AS entries FROM ${SANDBOX_CELL}.transactions t
         LEFT JOIN ${SANDBOX_CELL}.entries e ON e.transaction_id = t.id WHERE t.id = $1 GROUP BY t.id`,
      [id],
    )
  )[0];
const UNTOUCHED = { status: 'processing', entries: 3 };

test('a genuine callback: 200 at once, kept with its bytes, waiting to be told to the workflow', async () => {
  const id = await transfer();
  const body = callbackBody(id);
  const answer = await sendCallback(url, body);
  expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await kept(body.event_id)).toMatchObject([
    {
      provider: 'simulator',
      partner_id: partner.id,
      transaction_id: id,
      provider_reference: `SBX_${id}`,
      outcome: 'success',
      amount_kobo: '10000',
      currency: 'NGN',
      attempt_n: null,
      told_at: null,
    },
  ]);
  const [row] = await kept(body.event_id);
  const { sealing } = api.environments.sandbox;
  expect(sealing.open(row?.body_sealed, callbackBodyPlace(row?.id))).toBe(JSON.stringify(body));
  expect(await ledgerOf(id)).toEqual(UNTOUCHED);
});

test('the same event again, and ten at once: 200 each, kept once', async () => {
  const body = callbackBody(await transfer());
  const answers = await Promise.all(Array.from({ length: 10 }, () => sendCallback(url, body)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await kept(body.event_id)).toHaveLength(1);
});

describe('without a right signature: 401 INVALID_TOKEN, and nothing is kept', () => {
  test.each<[string, (text: string) => Parameters<typeof sendCallback>[2]]>([
    ['none', () => ({ headers: { 'X-Simulator-Signature': '' } })],
    ['of another secret', () => ({ secret: 'another secret' })],
    ['without its prefix', () => ({ headers: { 'X-Simulator-Signature': 'ab'.repeat(32) } })],
    ['cut short', () => ({ headers: { 'X-Simulator-Signature': 'sha256=ab' } })],
    ['not of these bytes', () => ({ headers: { 'X-Simulator-Signature': `sha256=${'0'.repeat(64)}` } })],
  ])('%s', async (_what, options) => {
    const body = callbackBody(await transfer());
    const answer = await sendCallback(url, body, options(JSON.stringify(body)));
    expect(answer).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
    expect(await kept(body.event_id)).toEqual([]);
  });

  test('the bytes altered by one', async () => {
    const body = callbackBody(await transfer());
    const text = JSON.stringify(body);
    const signature = simulatorSignature(text, CALLBACK_SECRETS.sandbox);
    const answer = await sendCallback(url, text.replace('10000', '10001'), {
      headers: { 'X-Simulator-Signature': signature },
    });
    expect(answer.status).toBe(401);
    expect(await kept(body.event_id)).toEqual([]);
  });

  test('again and again from one address: 429 with Retry-After, while genuine ones pass', async () => {
    const other = await openWorld();
    const careful = await other.startApi({ RATE_LIMIT_UNAUTHENTICATED: '3' });
    const at = `http://127.0.0.1:${careful.port}`;
    const body = callbackBody('not-one-of-ours');
    const statuses: number[] = [];
    for (let sent = 0; sent < 5; sent++) {
      statuses.push((await sendCallback(at, body, { secret: 'guessed' })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const refused = await sendCallback(at, body, { secret: 'guessed' });
    expect(refused.body).toMatchObject({ error: 'RATE_LIMIT_EXCEEDED' });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await sendCallback(at, body)).status).toBe(200);
    await other.close();
  });
});

test.each(['paystack', 'Simulator', '__proto__', 'constructor', 'a%20b'])(
  'the unknown provider %s: 404 without credentials',
  async (provider) => {
    const answer = await sendCallback(url, {}, { provider });
    expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  },
);

test('another method: 405 with Allow', async () => {
  const answer = await api.call('GET', '/v1/providers/simulator/callback');
  expect(answer.status).toBe(405);
  expect(answer.headers.get('Allow')).toBe('POST, OPTIONS');
});

describe('signed, but without content that can be kept: 422 VALIDATION_ERROR', () => {
  const without = (field: string) => {
    const { [field]: _gone, ...body } = callbackBody('01980000-0000-7000-8000-00000000dead');
    return body as unknown;
  };
  test.each<[string, unknown]>([
    ['not JSON', '{'],
    ['a list', []],
    ['no event_id', without('event_id')],
    ['no transaction_id', without('transaction_id')],
    ['no provider_reference', without('provider_reference')],
    ['no outcome', without('outcome')],
    ['no amount', without('amount_kobo')],
    ['no time', without('occurred_at')],
    ['an amount as text', callbackBody('x', { amount_kobo: '10000' })],
    ['half a kobo', callbackBody('x', { amount_kobo: 0.5 })],
    ['a time that is none', callbackBody('x', { occurred_at: 'yesterday' })],
    ['an event_id of 129 characters', callbackBody('x', { event_id: 'e'.repeat(129) })],
    ['__proto__ as a key', '{"__proto__": {}}'],
  ])('%s', async (_what, body) => {
    expect(await sendCallback(url, body)).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR' },
    });
  });
});

test('a body beyond the limit: 413, whoever signed it', async () => {
  const answer = await sendCallback(url, callbackBody('x', { more: 'x'.repeat(300_000) }));
  expect(answer).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
});

describe('signed, but contradicts our books: 200, kept, no workflow is told, nothing moves', () => {
  test.each<[string, Record<string, unknown>]>([
    ['another amount', { amount_kobo: 10_001 }],
    ['another currency', { currency: 'USD' }],
    ['an outcome that nobody knows', { outcome: 'weird' }],
  ])('%s', async (_what, more) => {
    const id = await transfer();
    const body = callbackBody(id, more);
    expect(await sendCallback(url, body)).toMatchObject({ status: 200 });
    expect(await kept(body.event_id)).toMatchObject([{ transaction_id: id, told_at: expect.any(Date) }]);
    expect(await ledgerOf(id)).toEqual(UNTOUCHED);
  });

  test.each(['01980000-0000-7000-8000-00000000dead', 'not-one-of-ours'])(
    'the unknown transaction %s',
    async (name) => {
      const body = callbackBody(name);
      expect(await sendCallback(url, body)).toMatchObject({ status: 200 });
      const rows = (
        await Promise.all([...api.environments.sandbox.cells.keys()].map((cell) => kept(body.event_id, cell)))
      ).flat();
      expect(rows).toMatchObject([{ partner_id: null, transaction_id: null, told_at: expect.any(Date) }]);
    },
  );
});

describe('the environment is the one whose secret made the signature', () => {
  test('live without providers does not know the simulator: its signature is not good', async () => {
    const answer = await sendCallback(url, callbackBody('x'), { secret: CALLBACK_SECRETS.live });
    expect(answer.status).toBe(401);
  });

  test('rehearsed live: a callback signed with its secret finds the transfers of live and no others', async () => {
    const rehearsal = await world.startApi(REHEARSAL);
    const at = `http://127.0.0.1:${rehearsal.port}`;
    const trader = await rehearsal.partner({ environment: 'live', status: 'active' });
    const wallet = await trader.wallet({ fundKobo: 100_000 });
    const sent = await trader.post('/v1/transfers/bank', {
      source_wallet: wallet,
      dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
      amount: 10_000,
      reference: 'live-1',
    });
    expect(sent.status).toBe(202);
    const about = callbackBody(sent.body.data.id);
    expect((await sendCallback(at, about, { secret: CALLBACK_SECRETS.live })).status).toBe(200);
    expect(await kept(about.event_id, LIVE_CELL)).toMatchObject([{ transaction_id: sent.body.data.id }]);

    const crossing = callbackBody(await transfer());
    expect((await sendCallback(at, crossing, { secret: CALLBACK_SECRETS.live })).status).toBe(200);
    expect(await kept(crossing.event_id)).toEqual([]);
  });
});

describe('the events of Paystack', () => {
  const [KEY, OLD_KEY] = ['sk_test_new', 'sk_test_old'];
  let at: string;
  let id: string;
  beforeAll(async () => {
    const paid = await world.startApi({
      LIVE_PAYOUTS: 'paystack',
      PAYSTACK_SECRET_KEY: KEY,
      PAYSTACK_SECRET_KEY_OLD: OLD_KEY,
    });
    at = `http://127.0.0.1:${paid.port}`;
    const trader = await paid.partner({ environment: 'live', status: 'active' });
    const wallet = await trader.wallet({ fundKobo: 100_000 });
    const sent = await trader.post('/v1/transfers/bank', {
      source_wallet: wallet,
      dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
      amount: 10_000,
      reference: 'by-paystack-1',
    });
    id = sent.body.data.id;
    await world.sql(
      `INSERT INTO ${LIVE_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts, provider_ref)
       VALUES ($1, 1, 'paystack', 'refused', 0, NULL), ($1, 2, 'paystack', 'accepted', 1, 'TRF_2')`,
      [id],
    );
  });
  /** As the example of its page on webhooks; `more` replaces fields of `data`. */
  const transferEvent = (n: number, event = 'transfer.success', more: object = {}) => ({
    event,
    data: {
      amount: 10_000,
      currency: 'NGN',
      domain: 'test',
      id: 860_703_114,
      integration: { id: 100_073, business_name: 'A business' },
      reason: 'Rent',
      reference: payoutReference(id, n),
      source: 'balance',
      status: 'success',
      transfer_code: `TRF_${String(n)}`,
      createdAt: '2026-11-21T10:00:00.000Z',
      updatedAt: '2026-11-21T10:00:01.000Z',
      recipient: { name: 'Ada Obi', details: { account_number: '0123456789', bank_code: '058' } },
      ...more,
    },
  });
  const send = (body: unknown, signature: string) =>
    sendCallback(at, body, {
      provider: 'paystack',
      headers: { 'X-Simulator-Signature': '', 'x-paystack-signature': signature },
    });
  const sendSigned = (body: unknown, key = KEY) => send(body, paystackSignature(JSON.stringify(body), key));
  const rows = (reference: string, cell = LIVE_CELL) =>
    world.sql(
      `SELECT transaction_id, attempt_n, outcome, told_at IS NULL AS waits, body_sealed FROM ${cell}.provider_callbacks
        WHERE provider = 'paystack' AND provider_reference = $1`,
      [reference],
    );

  const chargeEvent = (reference: string, more: object = {}) => ({
    event: 'charge.success',
    data: {
      id: 1,
      domain: 'test',
      status: 'success',
      reference,
      amount: 100,
      channel: 'dedicated_nuban',
      ...more,
    },
  });
  const notices = (reference: string) =>
    world.sql(
      `SELECT id, about, body_sealed, told_at IS NULL AS waits FROM ${LIVE_DIRECTORY}.provider_notices WHERE reference = $1`,
      [reference],
    );

  test('a payment to an account number: kept once, its bytes sealed, and waiting to be asked about', async () => {
    const body = chargeEvent('T1.a=b_c-d');
    for (const _time of [1, 2, 3]) expect((await sendSigned(body)).status).toBe(200);
    const [row, ...more] = await notices('T1.a=b_c-d');
    expect([row?.waits, more]).toEqual([true, []]);
    const { sealing } = api.environments.live;
    expect(sealing.open(row?.body_sealed, noticeBodyPlace(row?.id))).toBe(JSON.stringify(body));
  });

  test.each([
    ['by card', { channel: 'card' }],
    ['of the other world', { domain: 'live' }],
  ])('a payment %s: 200, and nothing is kept', async (_what, more) => {
    const body = chargeEvent('not-ours', more);
    expect((await sendSigned(body)).status).toBe(200);
    expect(await notices('not-ours')).toEqual([]);
  });

  test.each<[what: string, event: string, data: object]>([
    ['a refund', 'refund.processed', { transaction_reference: 'T1', status: 'processed', amount: '100' }],
    [
      'a claim of its payer',
      'charge.dispute.create',
      { transaction_reference: null, transaction: { reference: 'T1' } },
    ],
    [
      'a claim that has ended',
      'charge.dispute.resolve',
      { transaction: { reference: 'T1', status: 'reversed' } },
    ],
  ])(
    '%s: kept once as something that goes back, and waiting to be asked about',
    async (_what, event, data) => {
      const reference = `T-${event}`;
      const body = JSON.parse(
        JSON.stringify({ event, data: { domain: 'test', ...data } }).replace('"T1"', `"${reference}"`),
      ) as object;
      for (const _time of [1, 2]) expect((await sendSigned(body)).status).toBe(200);
      expect(await notices(reference)).toMatchObject([{ about: 'return', waits: true }]);
    },
  );

  test.each<[what: string, data: object, status: number]>([
    ['of the other world', { domain: 'live', transaction_reference: 'T2' }, 200],
    ['that names no payment', { domain: 'test' }, 200],
    ['whose reference is none', { domain: 'test', transaction_reference: 'a/b' }, 422],
  ])('a refund %s is not kept', async (_what, data, status) => {
    const before = await world.sql(`SELECT count(*) FROM ${LIVE_DIRECTORY}.provider_notices`);
    expect((await sendSigned({ event: 'refund.failed', data })).status).toBe(status);
    expect(await world.sql(`SELECT count(*) FROM ${LIVE_DIRECTORY}.provider_notices`)).toEqual(before);
  });

  test.each(['', 'a/b', 'a b', 'x'.repeat(129)])(
    'a payment with the reference %p: 422, and nothing is kept',
    async (reference) => {
      expect((await sendSigned(chargeEvent(reference))).status).toBe(422);
      expect(await notices(reference)).toEqual([]);
    },
  );

  test.each([
    ['the key', KEY],
    ['the key before it', OLD_KEY],
  ])(
    'signed with %s: kept once with its attempt, its bytes sealed, and its workflow is told',
    async (_what, key) => {
      const code = `TRF_${key}`;
      await world.sql(`UPDATE ${LIVE_CELL}.transfer_attempts SET provider_ref = $1 WHERE n = 2`, [code]);
      const body = transferEvent(2, 'transfer.success', { transfer_code: code });
      for (const _time of [1, 2]) expect((await sendSigned(body, key)).status).toBe(200);
      expect(await rows(code)).toEqual([
        {
          transaction_id: id,
          attempt_n: 2,
          outcome: 'success',
          waits: true,
          body_sealed: expect.any(String),
        },
      ]);
      expect(JSON.stringify(await rows(code))).not.toContain('Ada Obi');
    },
  );

  test.each<[string, () => string]>([
    ['nothing', () => ''],
    ['another key', () => paystackSignature(JSON.stringify(transferEvent(1)), 'sk_test_guessed')],
    [
      'the secret of the simulator',
      () => simulatorSignature(JSON.stringify(transferEvent(1)), CALLBACK_SECRETS.live),
    ],
    ['other bytes', () => paystackSignature('{}', KEY)],
  ])('signed with %s: 401, and nothing is kept', async (_what, signature) => {
    expect(await send(transferEvent(1), signature())).toMatchObject({ status: 401 });
    expect(await rows('TRF_1')).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    ['another kind', () => ({ event: 'customeridentification.success', data: { email: 'ada@example.com' } })],
    ['the other world', () => transferEvent(1, 'transfer.success', { domain: 'live' })],
  ])('an event of %s: 200, so that it is not sent again, and nothing is kept', async (_what, body) => {
    expect((await sendSigned(body())).status).toBe(200);
    expect(await rows('TRF_1')).toEqual([]);
  });

  test('a late failure of an earlier attempt is kept, and no workflow is told', async () => {
    expect((await sendSigned(transferEvent(1, 'transfer.failed'))).status).toBe(200);
    expect(await rows('TRF_1')).toMatchObject([{ attempt_n: 1, outcome: 'failed', waits: false }]);
  });

  test('a transfer that we have not ordered is kept, for the finding', async () => {
    const body = transferEvent(1, 'transfer.success', {
      reference: 'by-hand-0001',
      transfer_code: 'TRF_hand',
    });
    expect((await sendSigned(body)).status).toBe(200);
    expect(await rows('TRF_hand', FIRST_LIVE_CELL)).toMatchObject([
      { transaction_id: null, attempt_n: null },
    ]);
  });

  test('an event about a transfer without its reference: 422', async () => {
    const body = transferEvent(1, 'transfer.success', { reference: undefined });
    expect((await sendSigned(body)).status).toBe(422);
  });
});

describe('Paystack asks before it pays', () => {
  const SECRET = pathSecret(CALLBACK_SECRETS.live);
  let at: string;
  let wallet: string;
  let trader: Awaited<ReturnType<typeof api.partner>>;
  let paystack: FakePaystack;
  /** The code of a recipient with this account at the fake Paystack. */
  async function recipient(account: { account_number: string; bank_code: string }): Promise<string> {
    const answered = await fetch(`${paystack.url}/transferrecipient`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_new', 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'nuban', name: 'Ada Obi', ...account }),
    });
    return ((await answered.json()) as { data: { recipient_code: string } }).data.recipient_code;
  }
  const folder = mkdtempSync(join(tmpdir(), 'banks-'));
  const banksFile = join(folder, 'banks.json');
  afterAll(async () => {
    await paystack.close();
    rmSync(folder, { recursive: true });
  });
  beforeAll(async () => {
    // Paystack has the code 888 for Alpha, and does not have Beta, whose usual code that is.
    const banks = [
      { code: '058', name: 'Guaranty Trust Bank', slug: 'gtb' },
      { code: '044', name: 'Access Bank', slug: 'access-bank' },
      { code: '777', name: 'Alpha', slug: 'alpha', company_codes: { paystack: '888' } },
      { code: '888', name: 'Beta', slug: 'beta', company_codes: { paystack: null } },
    ];
    writeFileSync(banksFile, JSON.stringify(banks));
    paystack = await openFakePaystack();
    await paystack.set({ secretKey: 'sk_test_new' });
    const paid = await world.startApi({
      LIVE_PAYOUTS: 'paystack',
      PAYSTACK_SECRET_KEY: 'sk_test_new',
      PAYSTACK_BASE_URL: paystack.url,
      BANKS_FILE: banksFile,
    });
    at = `http://127.0.0.1:${paid.port}`;
    trader = await paid.partner({ environment: 'live', status: 'active' });
    wallet = await trader.wallet({ fundKobo: 1_000_000 });
  });
  /** A transfer with one attempt. */
  async function attempted(state: string, provider = 'paystack', bankCode = '058'): Promise<string> {
    const { body } = await trader.post('/v1/transfers/bank', {
      source_wallet: wallet,
      dest_account: { bank_code: bankCode, account_number: '0123456789', account_name: 'Ada Obi' },
      amount: 10_000,
      reference: `asked-${String((count += 1))}`,
    });
    const id = body.data.id as string;
    await world.sql(`INSERT INTO ${LIVE_DIRECTORY}.submitted_transfers VALUES ($1, $2)`, [id, trader.id]);
    await world.sql(
      `INSERT INTO ${LIVE_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts)
       VALUES ($1, 1, $2, $3, $4)`,
      [id, provider, state, state === 'refused' ? 0 : 1],
    );
    return id;
  }
  const question = (id: string, more: object = {}, n = 1) => ({
    reference: payoutReference(id, n),
    amount: 10_000,
    currency: 'NGN',
    recipient: { recipient_code: 'RCP_1', details: { account_number: '0123456789', bank_code: '058' } },
    ...more,
  });
  async function ask(body: unknown, secret = SECRET): Promise<number> {
    const url = `${at}/v1/providers/paystack/approvals/${secret}`;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return (await fetch(url, { method: 'POST', body: text })).status;
  }
  const attemptOf = async (id: string) =>
    (
      await world.sql(
        `SELECT state, approved_at IS NOT NULL AS approved FROM ${LIVE_CELL}.transfer_attempts WHERE transaction_id = $1`,
        [id],
      )
    )[0];

  test.each(['sending', 'accepted'])(
    'an attempt that is %s is approved and accepted, twice alike',
    async (state) => {
      const id = await attempted(state);
      expect([await ask(question(id)), await ask({ event: 'transfer', data: question(id) })]).toEqual([
        200, 200,
      ]);
      expect(await attemptOf(id)).toEqual({ state: 'accepted', approved: true });
    },
  );

  test.each(['refused', 'released', 'failed', 'succeeded'])('an attempt that is %s is not', async (state) => {
    const id = await attempted(state);
    expect(await ask(question(id))).toBe(400);
    expect(await attemptOf(id)).toEqual({ state, approved: false });
  });

  test.each<[what: string, of: (code: string) => unknown]>([
    ['as a code alone', (code) => code],
    ['as an object with the code', (code) => ({ recipient_code: code })],
    ['with details that say nothing', (code) => ({ recipient_code: code, details: null })],
  ])('a recipient %s is looked up, and must be the account that we pay', async (_what, of) => {
    const ours = await recipient({ account_number: '0123456789', bank_code: '058' });
    const others = await recipient({ account_number: '0123456780', bank_code: '058' });
    const id = await attempted('sending');
    expect(await ask(question(id, { recipient: of(others) }))).toBe(400);
    expect(await ask(question(id, { recipient: of('RCP_nobody') }))).toBe(400);
    expect(await attemptOf(id)).toEqual({ state: 'sending', approved: false });
    expect(await ask(question(id, { recipient: of(ours) }))).toBe(200);
    expect(await attemptOf(id)).toEqual({ state: 'accepted', approved: true });
  });

  test('where Paystack does not answer about its recipient, nothing is approved', async () => {
    const code = await recipient({ account_number: '0123456789', bank_code: '058' });
    const id = await attempted('sending');
    await paystack.fault({ on: 'GET /transferrecipient', does: 'answer', status: 500, body: '' });
    expect(await ask(question(id, { recipient: code }))).toBeGreaterThanOrEqual(400);
    expect(await attemptOf(id)).toEqual({ state: 'sending', approved: false });
  });

  const details = (more: object) => ({
    recipient: { details: { account_number: '0123456789', bank_code: '058', ...more } },
  });
  test.each<[string, (id: string) => unknown]>([
    ['of another amount', (id) => question(id, { amount: 10_001 })],
    ['of another currency', (id) => question(id, { currency: 'USD' })],
    ['to another account', (id) => question(id, details({ account_number: '0123456780' }))],
    ['to another bank', (id) => question(id, details({ bank_code: '044' }))],
    ['to nobody that is told', (id) => question(id, { recipient: 10_751_086 })],
    ['of another attempt', (id) => question(id, {}, 2)],
    ['of nobody', () => question('01980000-0000-7000-8000-00000000dead')],
    ['by hand', (id) => question(id, { reference: 'by-hand-0001' })],
    ['that is not JSON', () => '{'],
  ])('a payout %s is not approved', async (_what, asked) => {
    const id = await attempted('sending');
    expect(await ask(asked(id))).toBe(400);
    expect(await attemptOf(id)).toEqual({ state: 'sending', approved: false });
  });

  test.each<[what: string, bankCode: string, toldCode: string, status: number]>([
    ['by the code that Paystack has for the bank', '777', '888', 200],
    ['by our code of the bank, which is another one there', '777', '777', 400],
    ['to a bank that Paystack does not have', '888', '888', 400],
  ])('where Paystack has codes of its own, a payout %s', async (_what, bankCode, toldCode, status) => {
    const id = await attempted('sending', 'paystack', bankCode);
    expect(await ask(question(id, details({ bank_code: toldCode })))).toBe(status);
  });

  test('nor is one of another company, or of a transfer that has ended', async () => {
    const [other, ended] = [await attempted('sending', 'another'), await attempted('sending')];
    await world.sql(`UPDATE ${LIVE_CELL}.transactions SET status = 'failed' WHERE id = $1`, [ended]);
    expect([await ask(question(other)), await ask(question(ended))]).toEqual([400, 400]);
  });

  test('after a restore that may have forgotten a release, only what was accepted before is approved', async () => {
    const [sending, accepted] = [await attempted('sending'), await attempted('accepted')];
    await world.sql(
      `UPDATE ${LIVE_CELL}.transactions SET created_at = now() - interval '16 minutes' WHERE id = ANY($1)`,
      [[sending, accepted]],
    );
    await world.sql(`INSERT INTO ${LIVE_DIRECTORY}.restores (taken_at) VALUES (now() - interval '1 minute')`);
    expect([await ask(question(sending)), await ask(question(accepted))]).toEqual([400, 200]);
    await world.sql(`DELETE FROM ${LIVE_DIRECTORY}.restores`);
    expect(await ask(question(sending))).toBe(200);
  });

  test('nobody without the secret is told anything: 404', async () => {
    const id = await attempted('sending');
    expect(await ask(question(id), 'guessed')).toBe(404);
    expect(await attemptOf(id)).toEqual({ state: 'sending', approved: false });
  });
});
