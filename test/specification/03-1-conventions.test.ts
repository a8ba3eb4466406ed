/** The published interface, line by line (interface: Conventions, Health). */
import { randomUUID } from 'node:crypto';
import { STEP_NAMES, submit } from '../support/compliance';
import { until } from '../support/until';
import { type Answer, type Client, type Headers, type Json, type Service } from './client';
import { openOwnService } from './own-service';
import { OPERATIONS, UNKNOWN_ID, withId } from './operations';

/** The window of keys, published as 24 hours; here short enough to wait for its end. */
const WINDOW_MS = 10_000;

let service: Service;
let partner: Client;
let source: string;
let dest: string;
/** Requests that were sent with a key when the file began. */
let early: { body: Record<string, unknown>; headers: Headers; first: Answer };

beforeAll(async () => {
  service = await openOwnService({
    IDEMPOTENCY_WINDOW_MS: String(WINDOW_MS),
    RATE_LIMIT_UNAUTHENTICATED: '1000',
  });
  partner = await service.partner();
  [source, dest] = await Promise.all([partner.wallet(100_000_000), partner.wallet()]);
  const sent = { body: transfer(), headers: { 'Idempotency-Key': 'an early key' } };
  early = { ...sent, first: await partner.post('/v1/transfers/p2p', sent.body, sent.headers) };
});

afterAll(() => service.close());

const transfer = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 1_000,
  reference: randomUUID(),
  ...more,
});
const guideTransfer = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  source_wallet_id: source,
  dest_wallet_id: dest,
  amount_kobo: 1_000,
  reference: randomUUID(),
  ...more,
});
const account = { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' };
const bankTransfer = (): Record<string, unknown> => ({
  source_wallet: source,
  dest_account: account,
  amount: 1_000,
  reference: randomUUID(),
});
const guideBankTransfer = (): Record<string, unknown> => ({
  source_wallet_id: source,
  dest_account: account,
  amount_kobo: 1_000,
  reference: randomUUID(),
});
const split = (legs = 2): Record<string, unknown> => ({
  source_wallet: source,
  reference: randomUUID(),
  splits: Array.from({ length: legs }, () => ({ wallet_id: dest, amount: 10 })),
});
const qr = (): Record<string, unknown> => ({ wallet_id: dest, amount: 1_000, reference: randomUUID() });
const ussd = (): Record<string, unknown> => ({
  wallet_id: source,
  merchant_wallet_id: dest,
  amount: 1_000,
  reference: randomUUID(),
  phone: '+2348012345678',
});

describe('request and response bodies are JSON', () => {
  test('bodies are sent with `Content-Type: application/json`', async () => {
    const body = JSON.stringify({ user_ref: 'typed' });
    const charset = { 'Content-Type': 'application/json; charset=utf-8' };
    expect((await partner.post('/v1/wallets', body, charset)).status).toBe(202);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])(
    'a body that is sent as %s is refused',
    async (type) => {
      const body = JSON.stringify({ user_ref: `as ${type}` });
      const answer = await partner.post('/v1/wallets', body, { 'Content-Type': type });
      expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    },
  );

  test.each([
    ['cut off', '{"user_ref":'],
    ['a list', '[]'],
    ['a text', '"ada"'],
    ['nothing', ''],
  ])('a body that is %s is refused', async (_what, body) => {
    const answer = await partner.post('/v1/wallets', body);
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });

  test('answers are JSON', async () => {
    for (const path of ['/v1/banks', '/v1/wallets/none', '/health']) {
      expect((await partner.get(path)).headers.get('content-type')).toMatch(/^application\/json/);
    }
  });
});

describe('every request carries `Authorization: Bearer <ACCESS_TOKEN_OR_API_KEY>`', () => {
  test.each(OPERATIONS)('%s %s: 401 for a missing and for an invalid token', async (method, path) => {
    const body = method === 'POST' ? {} : undefined;
    const [missing, invalid] = await Promise.all(
      [null, 'sk_test_invented'].map((token) => service.as(token).ask(method, withId(path), body)),
    );
    expect(missing).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
    expect(invalid).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
  });
});

describe('success bodies are wrapped as `{ data: ... }`', () => {
  test.each<[operation: string, status: number, ask: () => Promise<Answer>]>([
    ['POST /v1/wallets', 202, () => partner.post('/v1/wallets', { user_ref: randomUUID() })],
    ['GET /v1/wallets/{id}', 200, () => partner.get(`/v1/wallets/${source}`)],
    ['GET /v1/wallets/{id}/transactions', 200, () => partner.get(`/v1/wallets/${source}/transactions`)],
    ['POST /v1/transfers/p2p', 200, () => partner.post('/v1/transfers/p2p', transfer())],
    ['POST /v1/transfers/p2p, guide', 200, () => partner.post('/v1/transfers/p2p', guideTransfer())],
    ['POST /v1/transfers/bank', 202, () => partner.post('/v1/transfers/bank', bankTransfer())],
    ['POST /v1/transfers/bank, guide', 202, () => partner.post('/v1/transfers/bank', guideBankTransfer())],
    ['GET /v1/banks', 200, () => partner.get('/v1/banks')],
    ['POST /v1/payments/qr/create', 200, () => partner.post('/v1/payments/qr/create', qr())],
    ['POST /v1/payments/ussd/initiate', 200, () => partner.post('/v1/payments/ussd/initiate', ussd())],
    ['POST /v1/payments/split', 200, () => partner.post('/v1/payments/split', split())],
    ['POST /v1/kyc/bvn', 202, () => partner.post('/v1/kyc/bvn', { user_ref: 'a', bvn: '22222222222' })],
    ['GET /v1/kyc/{userRef}/status', 200, () => partner.get('/v1/kyc/a/status')],
    ['GET /v1/webhooks', 200, () => partner.get('/v1/webhooks')],
    ['GET /v1/partner/compliance/status', 200, () => partner.get('/v1/partner/compliance/status')],
  ])('%s', async (_operation, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.body).toHaveProperty('data');
    expect(Object.keys(answer.body).filter((key) => !['data', 'meta'].includes(key))).toEqual([]);
  });

  test.each(STEP_NAMES)(
    "except compliance step submissions, which return `{ status: 'ok' }`: %s",
    async (step) => {
      expect(await submit(partner, step)).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    },
  );

  test.each<[operation: string, keys: string[], ask: (other: Client) => Promise<Answer>]>([
    [
      'fund',
      ['wallet_id', 'transaction_id'],
      () => partner.post(`/sandbox/wallets/${dest}/fund`, { amount_kobo: 1 }),
    ],
    [
      'ussd/simulate',
      ['session_id', 'action', 'result', 'transaction_id'],
      async () => {
        const { session_id: id } = (await partner.post('/v1/payments/ussd/initiate', ussd())).body.data;
        return partner.post('/v1/sandbox/ussd/simulate', { session_id: id, action: 'cancel' });
      },
    ],
    [
      'bank-transfer/complete',
      ['transaction_id', 'status', 'result'],
      async () =>
        partner.post('/v1/sandbox/bank-transfer/complete', { transaction_id: (await held()).body.data.id }),
    ],
    [
      'bank-transfer/fail',
      ['transaction_id', 'status', 'result'],
      async () =>
        partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: (await held()).body.data.id }),
    ],
    ['reset', ['result', 'reset_at'], (other) => other.post('/v1/sandbox/reset')],
  ])('except the sandbox operations, which return flat objects: %s', async (_operation, keys, ask) => {
    const { status, body } = await ask(await service.partner());
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(keys));
    expect(body).not.toHaveProperty('data');
    expect(body).not.toHaveProperty('meta');
  });
  const held = () => partner.post('/v1/transfers/bank', bankTransfer(), { 'X-Sandbox-Hold': 'true' });
});

describe('pagination', () => {
  let list: string;
  let total: number;
  beforeAll(async () => {
    const payer = await partner.wallet(100_000);
    // One hundred legs of a split, and the funding.
    await partner.post('/v1/payments/split', { ...split(100), source_wallet: payer });
    list = `/v1/wallets/${payer}/transactions`;
    total = 101;
  });

  test.each([
    ['limit: default 20', '', 20],
    ['limit: minimum 1', '?limit=1', 1],
    ['limit: 21', '?limit=21', 21],
    ['limit: maximum 100', '?limit=100', 100],
  ])('%s', async (_what, query, size) => {
    const { body } = await partner.get(list + query);
    expect(body.data).toHaveLength(size);
    expect(body.meta).toMatchObject({ has_more: true, next_cursor: expect.stringMatching(/./) });
  });

  test.each(['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=ten', 'limit=', 'limit=1&limit=2'])(
    '%s is refused',
    async (query) => {
      expect(await partner.get(`${list}?${query}`)).toMatchObject({
        status: 422,
        body: { error: 'VALIDATION_ERROR' },
      });
    },
  );

  test('cursor, taken from the previous response, leads through everything once, newest first', async () => {
    const seen: Json[] = [];
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await partner.get(`${list}?limit=40${query}`);
      seen.push(...body.data);
      expect(body.meta.has_more).toBe(body.meta.next_cursor !== null);
      cursor = body.meta.next_cursor;
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(total);
    const places = seen.map(({ created_at: at, id }) => `${at} ${id}`);
    expect(places).toEqual([...places].sort().reverse());
  });

  test.each([
    ['invented', () => 'abc'],
    ['empty', () => ''],
    ['altered', (cursor: string) => `${cursor.slice(0, -2)}zz`],
  ])('a cursor that was %s is refused', async (_what, change) => {
    const { meta } = (await partner.get(list)).body;
    const cursor = encodeURIComponent(change(meta.next_cursor));
    const answer = await partner.get(`${list}?cursor=${cursor}`);
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });

  test('a cursor of another list is refused', async () => {
    const { meta } = (await partner.get(list)).body;
    const other = `/v1/wallets/${source}/transactions?cursor=${encodeURIComponent(meta.next_cursor)}`;
    expect((await partner.get(other)).status).toBe(422);
  });

  test.each([
    ['the wallets', () => '/v1/wallets'],
    ['the ledger of a wallet', () => list.replace('transactions', 'ledger')],
  ])('the same holds for %s', async (_what, path) => {
    const first = (await partner.get(`${path()}?limit=1`)).body;
    const cursor = encodeURIComponent(first.meta.next_cursor);
    const second = (await partner.get(`${path()}?limit=1&cursor=${cursor}`)).body;
    expect(first.data).toHaveLength(1);
    expect(second.data).toHaveLength(1);
    expect(second.data[0].id).not.toBe(first.data[0].id);
    expect((await partner.get(`${path()}?limit=101`)).status).toBe(422);
  });
});

describe('idempotency: `Idempotency-Key`', () => {
  const FORMS: [form: string, path: string, body: () => Record<string, unknown>][] = [
    ['P2P, reference', '/v1/transfers/p2p', transfer],
    ['P2P, guide', '/v1/transfers/p2p', guideTransfer],
    ['bank transfer, reference', '/v1/transfers/bank', bankTransfer],
    ['bank transfer, guide', '/v1/transfers/bank', guideBankTransfer],
  ];

  test.each(FORMS)(
    '%s: the same key again within 24 hours returns the original response, no new transaction',
    async (form, path, body) => {
      const key = { 'Idempotency-Key': `key of ${form}` };
      const sent = body();
      const first = await partner.post(path, sent, key);
      const before = await partner.balanceKobo(source);
      const again = await partner.post(path, sent, key);
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      expect(first.headers.get('Idempotent-Replayed')).toBeNull();
      expect(again.headers.get('Idempotent-Replayed')).toBe('true');
      expect(await partner.balanceKobo(source)).toBe(before);
      const reference = encodeURIComponent(String(sent.reference));
      const listed = await partner.get(`/v1/wallets/${source}/transactions?reference=${reference}`);
      expect(listed.body.data).toHaveLength(1);
    },
  );

  test.each(FORMS)('%s: without a key, a transfer is still made', async (_form, path, body) => {
    const { status, body: answer } = await partner.post(path, body());
    expect(status).toBeLessThan(300);
    expect(answer.data.idempotency_key).toBeNull();
  });

  test.each<[operation: string, path: () => string, body: () => Promise<object> | object]>([
    ['wallet create', () => '/v1/wallets', () => ({ user_ref: randomUUID() })],
    ['QR create', () => '/v1/payments/qr/create', qr],
    [
      'QR pay',
      () => '/v1/payments/qr/pay',
      async () => {
        const { reference } = (await partner.post('/v1/payments/qr/create', qr())).body.data;
        return { qr_reference: reference, source_wallet: source };
      },
    ],
    ['USSD initiate', () => '/v1/payments/ussd/initiate', ussd],
    ['split', () => '/v1/payments/split', split],
    ['sandbox fund', () => `/sandbox/wallets/${dest}/fund`, () => ({ amount_kobo: 7 })],
  ])('the other operations that create something keep it too: %s', async (operation, path, body) => {
    const key = { 'Idempotency-Key': `key of ${operation}` };
    const sent = await body();
    const first = await partner.post(path(), sent, key);
    const again = await partner.post(path(), sent, key);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(first.status).toBeLessThan(300);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  });

  test('sent twenty times at once, one transfer is made and every answer is the same', async () => {
    const before = await partner.balanceKobo(dest);
    const body = transfer();
    const key = { 'Idempotency-Key': 'twenty at once' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => partner.post('/v1/transfers/p2p', body, key)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await partner.balanceKobo(dest)).toBe(before + 1_000);
  });

  test.each([
    ['another amount', { amount: 1_001 }],
    ['another reference', { reference: 'another' }],
    ['another description', { description: 'another' }],
  ])('the same key with %s: nothing moves', async (what, change) => {
    const key = { 'Idempotency-Key': `key for ${what}` };
    const body = transfer();
    await partner.post('/v1/transfers/p2p', body, key);
    const before = await partner.balanceKobo(source);
    expect(await partner.post('/v1/transfers/p2p', { ...body, ...change }, key)).toMatchObject({
      status: 422,
      body: { error: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect(await partner.balanceKobo(source)).toBe(before);
  });

  test('a refusal does not use the key up', async () => {
    const key = { 'Idempotency-Key': 'after a refusal' };
    const refused = await partner.post('/v1/transfers/p2p', transfer({ amount: 1_000_000_000 }), key);
    expect(refused.status).toBe(422);
    expect((await partner.post('/v1/transfers/p2p', transfer(), key)).status).toBe(200);
  });

  test('a key belongs to one partner and one operation', async () => {
    const key = { 'Idempotency-Key': 'an early key' };
    expect((await partner.post('/v1/transfers/bank', bankTransfer(), key)).status).toBe(202);
    const other = await service.partner();
    const [from, to] = await Promise.all([other.wallet(10_000), other.wallet()]);
    const body = transfer({ source_wallet: from, dest_wallet: to });
    const answer = await other.post('/v1/transfers/p2p', body, key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Idempotent-Replayed')).toBeNull();
  });

  test.each([
    ['1 character', 'k', 200],
    ['255 characters', 'k'.repeat(255), 200],
    ['256 characters', 'k'.repeat(256), 422],
    ['no character', '', 422],
    ['a letter beyond ASCII', 'clé', 422],
  ])('a key of %s', async (_what, key, status) => {
    const answer = await partner.post('/v1/transfers/p2p', transfer(), { 'Idempotency-Key': key });
    expect(answer.status).toBe(status);
  });

  test('after 24 hours the key may create a new transfer', async () => {
    const body = transfer();
    const made = await until('the end of the window', async () => {
      const answer = await partner.post('/v1/transfers/p2p', body, early.headers);
      if (answer.status === 200) return answer;
      expect(answer).toMatchObject({ status: 422, body: { error: 'IDEMPOTENCY_KEY_REUSED' } });
      return false;
    });
    expect(made.headers.get('Idempotent-Replayed')).toBeNull();
    expect(made.body.data.id).not.toBe(early.first.body.data.id);
  });

  test('to check a transfer older than 24 hours: the wallet transactions filtered by `reference`', async () => {
    const { reference, id } = early.first.body.data;
    const { body } = await partner.get(`/v1/wallets/${source}/transactions?reference=${reference}`);
    expect(body.data).toMatchObject([{ id, reference }]);
  });

  test('after the window the same body does not pay twice, because its `reference` is used', async () => {
    const before = await partner.balanceKobo(source);
    const again = await partner.post('/v1/transfers/p2p', early.body, {
      'Idempotency-Key': 'a later key',
    });
    expect(again.body.data.id).toBe(early.first.body.data.id);
    expect(await partner.balanceKobo(source)).toBe(before);
  });
});

describe('idempotency: `reference`', () => {
  const REFERENCE = 'order 17';
  let original: Json;
  let other: string;
  beforeAll(async () => {
    other = await partner.wallet(100_000);
    const body = transfer({ reference: REFERENCE, description: 'first' });
    original = (await partner.post('/v1/transfers/p2p', body)).body.data;
  });

  test.each([
    ['reference form', () => transfer({ reference: REFERENCE })],
    ['guide form', () => guideTransfer({ reference: REFERENCE })],
    ['another description', () => transfer({ reference: REFERENCE, description: 'second' })],
  ])('the same transfer again returns the original: %s', async (_what, body) => {
    const before = await partner.balanceKobo(source);
    const answer = await partner.post('/v1/transfers/p2p', body());
    expect(answer).toMatchObject({ status: 200, body: { data: { id: original.id, description: 'first' } } });
    expect(answer.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await partner.balanceKobo(source)).toBe(before);
  });

  test.each<[what: string, path: string, body: () => Record<string, unknown>]>([
    ['amount', '/v1/transfers/p2p', () => transfer({ amount: 1_001 })],
    ['amount, guide form', '/v1/transfers/p2p', () => guideTransfer({ amount_kobo: 1_001 })],
    ['destination', '/v1/transfers/p2p', () => transfer({ dest_wallet: other })],
    ['source', '/v1/transfers/p2p', () => transfer({ source_wallet: other })],
    ['type: bank transfer', '/v1/transfers/bank', bankTransfer],
    ['type: bank transfer, guide form', '/v1/transfers/bank', guideBankTransfer],
    ['type: split', '/v1/payments/split', split],
    ['type: QR', '/v1/payments/qr/create', qr],
    ['type: USSD', '/v1/payments/ussd/initiate', ussd],
  ])(
    'reuse for a different transfer yields 409 `DUPLICATE_REFERENCE`: another %s',
    async (what, path, body) => {
      const answer = await partner.post(path, { ...body(), reference: REFERENCE });
      const detail = { transaction_id: original.id };
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject(
        what.endsWith('guide form')
          ? { error: { code: 'DUPLICATE_REFERENCE', http_status: 409, detail } }
          : { error: 'DUPLICATE_REFERENCE', detail },
      );
    },
  );

  test('a refused request does not use its reference up', async () => {
    const reference = 'tried twice';
    const refused = await partner.post('/v1/transfers/p2p', transfer({ reference, amount: 1_000_000_000 }));
    expect(refused.body.error).toBe('INSUFFICIENT_FUNDS');
    expect((await partner.post('/v1/transfers/p2p', transfer({ reference }))).status).toBe(200);
  });
});

describe('not shown', () => {
  test.each([
    ['list wallets', () => partner.get('/v1/wallets')],
    ['list wallets by user_ref', () => partner.get('/v1/wallets?user_ref=typed')],
    ['an operation returning ledger entries', () => partner.get(`/v1/wallets/${source}/ledger`)],
    ['a single transaction', () => partner.get(`/v1/transactions/${early.first.body.data.id}`)],
  ])('added as an extension: %s', async (_what, ask) => {
    expect(await ask()).toMatchObject({ status: 200, body: { data: expect.anything() } });
  });

  test.each([
    ['replacement of a single webhook endpoint', 'PUT', `/v1/webhooks/${UNKNOWN_ID}`],
    ['replacement of a wallet', 'PUT', `/v1/wallets/${UNKNOWN_ID}`],
    ['deletion of a wallet', 'DELETE', `/v1/wallets/${UNKNOWN_ID}`],
  ])('not there: %s, %s', async (_what, method, path) => {
    const answer = await partner.ask(method, path);
    expect(answer).toMatchObject({ status: 405, body: { error: 'METHOD_NOT_ALLOWED' } });
    expect(answer.headers.get('Allow')).toMatch(/./);
  });

  test('an unknown path is 404', async () => {
    expect(await partner.get('/v1/nothing')).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  });
});

describe('GET /health', () => {
  test.each(['/health', '/v1/health'])(
    '%s returns `{ status, timestamp }`, without a token',
    async (path) => {
      const { status, body, headers } = await service.as(null).get(path);
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['status', 'timestamp']);
      expect(body.status).toBe('ok');
      expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
      expect(headers.get('X-RateLimit-Limit')).toBeNull();
    },
  );
});
