/** The published interface (interface: Payments): QR, USSD and split, line by line. */
import { randomUUID } from 'node:crypto';
import jsQr from 'jsqr';
import { PNG } from 'pngjs';
import { openPhone } from '../support/phone';
import { until } from '../support/until';
import {
  openService,
  UUID,
  type Client,
  type Headers,
  type Json,
  type Listener,
  type Service,
} from './client';
import { UNKNOWN_ID } from './operations';
import { openWallets, type Wallets } from './wallets';

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

let service: Service;
let partner: Client;
let listener: Listener;
let payer: string;
let shop: string;
let stranger: Client;
let foreign: string;
/** Wallets of the partner, by state. */
let wallets: Pick<Wallets, 'active' | 'frozen' | 'closed'>;

beforeAll(async () => {
  service = await openService();
  [partner, stranger] = await Promise.all([service.partner(), service.partner()]);
  listener = await partner.listen();
  ({ source: payer, dest: shop, foreign, ...wallets } = await openWallets(partner, stranger, 1_000_000_000));
});

afterAll(() => service.close());

const balances = (...ids: string[]) => Promise.all(ids.map((id) => partner.balanceKobo(id)));
const transactionsOf = async (walletId: string, reference: string): Promise<Json[]> =>
  (await partner.get(`/v1/wallets/${walletId}/transactions?reference=${encodeURIComponent(reference)}`)).body
    .data;

const qrBody = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  wallet_id: shop,
  amount: 25_000,
  reference: randomUUID(),
  ...more,
});
const create = (more?: Record<string, unknown>, headers?: Headers) =>
  partner.post('/v1/payments/qr/create', qrBody(more), headers);
const pay = (qrReference: unknown, source: unknown = payer, headers?: Headers) =>
  partner.post('/v1/payments/qr/pay', { qr_reference: qrReference, source_wallet: source }, headers);

/** The text that a phone's camera reads from the picture. */
function scan(png: string): string | undefined {
  const { data, width, height } = PNG.sync.read(Buffer.from(png, 'base64'));
  return jsQr(new Uint8ClampedArray(data), width, height)?.data;
}

describe('POST /v1/payments/qr/create', () => {
  test('returns 200 `{ data: { qr_code, reference, expires_at } }`', async () => {
    const { status, body } = await create({ reference: 'till 1' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      qr_code: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
      reference: 'till 1',
      expires_at: TIMESTAMP,
    });
  });

  test('qr_code is a picture, and the text in it can be used to pay', async () => {
    const { data } = (await create()).body;
    const text = scan(data.qr_code);
    expect(text).toBe(data.qr_payload);
    expect(await pay(text)).toMatchObject({ status: 200, body: { data: { reference: data.reference } } });
  });

  test('nothing moves before it is paid', async () => {
    const before = await balances(payer, shop);
    const { reference } = (await create()).body.data;
    expect(await balances(payer, shop)).toEqual(before);
    expect(await transactionsOf(shop, reference)).toEqual([]);
  });

  describe('body', () => {
    test.each<[what: string, change: Record<string, unknown>, status: number, code: string | undefined]>([
      ['wallet_id: required', { wallet_id: undefined }, 422, 'VALIDATION_ERROR'],
      ['wallet_id: a uuid', { wallet_id: 'shop' }, 422, 'VALIDATION_ERROR'],
      ['amount: required', { amount: undefined }, 422, 'VALIDATION_ERROR'],
      ['amount: an integer', { amount: 1.5 }, 422, 'VALIDATION_ERROR'],
      ['amount: no text', { amount: '25000' }, 422, 'VALIDATION_ERROR'],
      ['amount: minimum 1', { amount: 1 }, 200, undefined],
      ['amount: not 0', { amount: 0 }, 422, 'AMOUNT_TOO_LOW'],
      ['reference: required', { reference: undefined }, 422, 'VALIDATION_ERROR'],
      ['reference: not empty', { reference: '' }, 422, 'VALIDATION_ERROR'],
      ['description: not required', { description: undefined }, 200, undefined],
      ['description: a string', { description: 'Two loaves' }, 200, undefined],
      ['description: 501 characters', { description: 'd'.repeat(501) }, 422, 'VALIDATION_ERROR'],
      ['expires_in_seconds: 1', { expires_in_seconds: 1 }, 200, undefined],
      ['expires_in_seconds: 86,400', { expires_in_seconds: 86_400 }, 200, undefined],
      ['expires_in_seconds: 0', { expires_in_seconds: 0 }, 422, 'VALIDATION_ERROR'],
      ['expires_in_seconds: 86,401', { expires_in_seconds: 86_401 }, 422, 'VALIDATION_ERROR'],
      ['expires_in_seconds: an integer', { expires_in_seconds: 1.5 }, 422, 'VALIDATION_ERROR'],
    ])('%s', async (_what, change, status, code) => {
      const answer = await create(change);
      expect([answer.status, answer.body.error]).toEqual([status, code]);
    });

    test.each([
      ['default 300', undefined, 300],
      ['60', 60, 60],
      ['86,400', 86_400, 86_400],
    ])('expires_in_seconds: %s', async (_what, seconds, expected) => {
      const asked = Date.now();
      const { data } = (await create({ expires_in_seconds: seconds })).body;
      const lifeMs = Date.parse(data.expires_at) - asked;
      expect(lifeMs).toBeGreaterThanOrEqual(expected * 1_000);
      expect(lifeMs).toBeLessThanOrEqual(expected * 1_000 + (Date.now() - asked));
    });
  });

  describe('Errors', () => {
    test('401', async () => {
      expect((await service.as(null).post('/v1/payments/qr/create', qrBody())).status).toBe(401);
    });

    test.each([
      ['unknown', 404, 'WALLET_NOT_FOUND', () => UNKNOWN_ID],
      ['of another partner', 404, 'WALLET_NOT_FOUND', () => foreign],
      ['closed', 422, 'WALLET_CLOSED', () => wallets.closed],
      ['frozen, which can receive', 200, undefined, () => wallets.frozen],
    ])('wallet that receives the payment: %s', async (_what, status, code, id) => {
      const answer = await create({ wallet_id: id() });
      expect([answer.status, answer.body.error]).toEqual([status, code]);
    });

    test('a reference used for another request is 409; the same request is the same QR', async () => {
      const first = await create({ reference: 'till 2' });
      const again = await create({ reference: 'till 2' });
      expect(again.body.data).toEqual(first.body.data);
      expect(await create({ reference: 'till 2', amount: 1 })).toMatchObject({
        status: 409,
        body: { error: 'DUPLICATE_REFERENCE', detail: { transaction_id: null } },
      });
    });
  });
});

describe('POST /v1/payments/qr/pay', () => {
  test('returns 200 `{ data: Transaction }`: the amount has moved, without a fee', async () => {
    const [from = 0, to = 0] = await balances(payer, shop);
    const { reference } = (await create({ description: 'Two loaves' })).body.data;
    const { status, body } = await pay(reference);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: UUID,
      type: 'qr_payment',
      status: 'completed',
      reference,
      amount: 25_000,
      source_wallet: payer,
      dest_wallet: shop,
      description: 'Two loaves',
      fee_breakdown: { customerFee: 0, merchantFee: 0, platformFee: 0, mfbCost: 0, netAmount: 25_000 },
      completed_at: TIMESTAMP,
    });
    expect(await balances(payer, shop)).toEqual([from - 25_000, to + 25_000]);
    const { data } = await listener.heard('transaction.completed', { id: body.data.id });
    expect(data).toMatchObject({ type: 'qr_payment', reference, source_wallet_id: payer });
  });

  test("the guide's key of the source answers in guide form", async () => {
    const { reference } = (await create()).body.data;
    const body = { qr_reference: reference, source_wallet_id: payer };
    const { data } = (await partner.post('/v1/payments/qr/pay', body)).body;
    expect(data).toMatchObject({ amount_kobo: 25_000, amount_naira: '250.00' });
    expect(data.source_wallet.id).toBe(payer);
  });

  test.each([
    ['qr_reference: required', () => [undefined, payer]],
    ['qr_reference: a string', () => [17, payer]],
    ['source_wallet: required', () => ['till 1', undefined]],
    ['source_wallet: a uuid', () => ['till 1', 'payer']],
  ])('body: %s', async (_what, args) => {
    const [reference, source] = args();
    const body = { qr_reference: reference, source_wallet: source };
    expect(await partner.post('/v1/payments/qr/pay', body)).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR' },
    });
  });

  describe('Errors', () => {
    test('401', async () => {
      expect((await service.as(null).post('/v1/payments/qr/pay', {})).status).toBe(401);
    });

    test('404: an unknown reference, and one of another partner', async () => {
      const body = { wallet_id: foreign, amount: 5, reference: 'theirs' };
      await stranger.post('/v1/payments/qr/create', body);
      for (const reference of ['nobody has it', 'theirs']) {
        expect(await pay(reference)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
      }
    });

    test('422: a scanned text that was altered', async () => {
      const { qr_payload: payload } = (await create()).body.data;
      expect(await pay(payload.replace('250.00', '250.01'))).toMatchObject({
        status: 422,
        body: { error: 'VALIDATION_ERROR' },
      });
    });

    test.each([
      ['unknown', 404, 'WALLET_NOT_FOUND', () => UNKNOWN_ID],
      ['of another partner', 404, 'WALLET_NOT_FOUND', () => foreign],
      ['frozen', 422, 'WALLET_FROZEN', () => wallets.frozen],
      ['closed', 422, 'WALLET_CLOSED', () => wallets.closed],
      ['the receiving one', 422, 'SAME_WALLET_TRANSFER', () => shop],
      ['without funds', 422, 'INSUFFICIENT_FUNDS', () => wallets.active],
    ])('a source wallet that is %s: %i %s, and it can still be paid', async (_what, status, code, id) => {
      const { reference } = (await create()).body.data;
      expect(await pay(reference, id())).toMatchObject({ status, body: { error: code } });
      expect((await pay(reference)).status).toBe(200);
    });

    test('paid already: its payer gets the original, anybody else is refused', async () => {
      const { reference } = (await create()).body.data;
      const first = await pay(reference);
      const before = await balances(payer, shop);
      const again = await pay(reference);
      expect([again.status, again.body.data.id]).toEqual([200, first.body.data.id]);
      expect(again.headers.get('Idempotent-Replayed')).toBe('true');
      expect(await pay(reference, wallets.active)).toMatchObject({
        status: 422,
        body: { error: 'QR_ALREADY_PAID' },
      });
      expect(await balances(payer, shop)).toEqual(before);
    });

    test('of twenty payments at once one succeeds', async () => {
      const { reference } = (await create()).body.data;
      const [before = 0] = await balances(shop);
      const answers = await Promise.all(Array.from({ length: 20 }, () => pay(reference)));
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1);
      expect(await balances(shop)).toEqual([before + 25_000]);
    });

    test('expired: refused, unless it was paid before by the same payer', async () => {
      const [unpaid, paid] = await Promise.all([1, 2].map(() => create({ expires_in_seconds: 3 })));
      const first = await pay(paid?.body.data.reference);
      expect(first.status).toBe(200);
      await until('the end of both', () =>
        [unpaid, paid].every((one) => Date.now() > Date.parse(one?.body.data.expires_at)),
      );
      expect(await pay(unpaid?.body.data.reference)).toMatchObject({
        status: 422,
        body: { error: 'QR_EXPIRED' },
      });
      expect((await pay(paid?.body.data.reference)).body.data.id).toBe(first.body.data.id);
    });
  });
});

const ussdBody = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  wallet_id: payer,
  amount: 250_000,
  reference: randomUUID(),
  phone: '+2348012345678',
  ...more,
});
const ussdGuideBody = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  payer_wallet_id: payer,
  merchant_wallet_id: shop,
  amount_kobo: 250_000,
  merchant_name: 'ADA STORES',
  reference: randomUUID(),
  ...more,
});
const initiate = (body: unknown, headers?: Headers) =>
  partner.post('/v1/payments/ussd/initiate', body, headers);
const session = async (id: string): Promise<Json> => (await partner.get(`/v1/payments/ussd/${id}`)).body.data;

const DIAL_CODE = expect.stringMatching(/^\*[0-9*]+#$/);
const SESSION_ID = expect.stringMatching(/^ussd_.+/);

describe('POST /v1/payments/ussd/initiate', () => {
  test('reference form: returns 200 `{ data: { ussd_code, session_id, expires_at } }`', async () => {
    const { status, body } = await initiate(ussdBody());
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ussd_code: DIAL_CODE, session_id: SESSION_ID, expires_at: TIMESTAMP });
    expect(body.data.dial_code).toBe(body.data.ussd_code);
  });

  test('guide form: no `data` wrapper around its fields', async () => {
    const { status, body } = await initiate(ussdGuideBody());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      session_id: SESSION_ID,
      dial_code: DIAL_CODE,
      amount_kobo: 250_000,
      amount_naira: '2500.00',
      status: 'initiated',
      expires_at: TIMESTAMP,
      meta: { request_id: expect.stringMatching(/^req_/) },
    });
  });

  describe('reference body', () => {
    test.each<[what: string, change: Record<string, unknown>, status: number, code: string | undefined]>([
      ['wallet_id: required', { wallet_id: undefined }, 422, 'VALIDATION_ERROR'],
      ['wallet_id: a uuid', { wallet_id: 'payer' }, 422, 'VALIDATION_ERROR'],
      ['amount: required', { amount: undefined }, 422, 'VALIDATION_ERROR'],
      ['amount: an integer', { amount: 0.5 }, 422, 'VALIDATION_ERROR'],
      ['amount: minimum 1', { amount: 1 }, 200, undefined],
      ['amount: not 0', { amount: 0 }, 422, 'AMOUNT_TOO_LOW'],
      ['reference: required', { reference: undefined }, 422, 'VALIDATION_ERROR'],
      ['phone: required', { phone: undefined }, 422, 'VALIDATION_ERROR'],
      ['phone: E.164', { phone: '+2348012345678' }, 200, undefined],
      ['phone: of 8 digits', { phone: '+12345678' }, 200, undefined],
      ['phone: of 7 digits', { phone: '+1234567' }, 422, 'VALIDATION_ERROR'],
      ['phone: of 15 digits', { phone: '+123456789012345' }, 200, undefined],
      ['phone: of 16 digits', { phone: '+1234567890123456' }, 422, 'VALIDATION_ERROR'],
      ['phone: without +', { phone: '2348012345678' }, 422, 'VALIDATION_ERROR'],
      ['phone: as dialled at home', { phone: '08012345678' }, 422, 'VALIDATION_ERROR'],
      ['phone: not with a zero after the plus', { phone: '+0348012345678' }, 422, 'VALIDATION_ERROR'],
    ])('%s', async (_what, change, status, code) => {
      const answer = await initiate(ussdBody(change));
      expect([answer.status, answer.body.error]).toEqual([status, code]);
    });

    test("the wallet is the payer's; without a merchant the partner's own settlement wallet is paid", async () => {
      const { session_id: id } = (await initiate(ussdBody())).body.data;
      const { payer_wallet_id: from, merchant_wallet_id: to } = await session(id);
      expect(from).toBe(payer);
      expect((await partner.get(`/v1/wallets/${to}`)).body.data.wallet).toMatchObject({
        user_ref: '__settlement__',
        status: 'active',
      });
      const listed = (await partner.get('/v1/wallets?limit=100')).body.data;
      expect(listed.map((one: Json) => one.id)).not.toContain(to);
    });
  });

  describe('guide body', () => {
    test.each<[what: string, change: Record<string, unknown>, status: number, code: string | undefined]>([
      ['payer_wallet_id: required', { payer_wallet_id: undefined }, 422, 'VALIDATION_ERROR'],
      ['amount_kobo: required', { amount_kobo: undefined }, 422, 'VALIDATION_ERROR'],
      ['amount_kobo: minimum 1', { amount_kobo: 0 }, 422, 'AMOUNT_TOO_LOW'],
      ['reference: required', { reference: undefined }, 422, 'VALIDATION_ERROR'],
      ['phone: not required', {}, 200, undefined],
      ['phone: accepted', { phone: '+2348012345678' }, 200, undefined],
      ['merchant_name: 60 characters', { merchant_name: 'm'.repeat(60) }, 200, undefined],
      ['merchant_name: 61 characters', { merchant_name: 'm'.repeat(61) }, 422, 'VALIDATION_ERROR'],
    ])('%s', async (_what, change, status, code) => {
      const answer = await initiate(ussdGuideBody(change));
      expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    });

    test('names payer and merchant', async () => {
      const { session_id: id } = (await initiate(ussdGuideBody())).body;
      expect(await session(id)).toMatchObject({
        payer_wallet_id: payer,
        merchant_wallet_id: shop,
        merchant_name: 'ADA STORES',
      });
    });
  });

  describe('Rules', () => {
    test('the session expires 3 minutes after creation', async () => {
      const { session_id: id, expires_at: expiresAt } = (await initiate(ussdBody())).body.data;
      const { created_at: createdAt } = await session(id);
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(180_000);
    });

    test('the window cannot be extended: not by dialling, not by asking again', async () => {
      const body = ussdGuideBody({ expires_in_seconds: 600 });
      const { session_id: id, dial_code: code, expires_at: expiresAt } = (await initiate(body)).body;
      const phone = openPhone(service.url, code);
      await phone.dial();
      await phone.type('1');
      const again = await initiate(body);
      expect(again.body).toMatchObject({ session_id: id, expires_at: expiresAt });
      expect(again.headers.get('Idempotent-Replayed')).toBe('true');
      expect(await session(id)).toMatchObject({ status: 'pin_entry', expires_at: expiresAt });
    });

    test("the user's wallet must hold enough funds before dialling", async () => {
      const { session_id: id, dial_code: code } = (
        await initiate(ussdGuideBody({ payer_wallet_id: wallets.active }))
      ).body;
      expect(await openPhone(service.url, code).dial()).toMatch(/^END Insufficient balance/);
      expect(await session(id)).toMatchObject({ status: 'failed', failure_reason: 'INSUFFICIENT_FUNDS' });
    });

    test('no partial payments: one kobo too little moves nothing, exactly enough moves the whole amount', async () => {
      const id = await partner.wallet(249_999);
      const dialled = async (): Promise<string> => {
        const { dial_code: code } = (await initiate(ussdGuideBody({ payer_wallet_id: id }))).body;
        const phone = openPhone(service.url, code);
        const menu = await phone.dial();
        if (menu.startsWith('END')) return menu;
        await phone.type('1');
        return phone.type('1234');
      };
      expect(await dialled()).toMatch(/^END Insufficient balance/);
      expect(await balances(id)).toEqual([249_999]);
      await partner.post(`/sandbox/wallets/${id}/fund`, { amount_kobo: 1 });
      expect(await dialled()).toMatch(/^END Payment successful/);
      expect(await balances(id)).toEqual([0]);
    });

    test('at most 3 PIN attempts: the right PIN as a fourth attempt is not checked', async () => {
      const { session_id: id, dial_code: code } = (await initiate(ussdGuideBody())).body;
      const before = await balances(payer, shop);
      const phone = openPhone(service.url, code);
      await phone.dial();
      await phone.type('1');
      expect(await phone.type('0000')).toMatch(/^CON Wrong PIN\. 2 /);
      expect(await phone.type('0000')).toMatch(/^CON Wrong PIN\. 1 /);
      expect(await phone.type('0000')).toMatch(/^END /);
      expect(await phone.type('1234')).toMatch(/^END /);
      expect(await session(id)).toMatchObject({ status: 'failed', pin_attempts_remaining: 0 });
      expect(await balances(payer, shop)).toEqual(before);
    });

    test('a session that stores a phone is for that phone alone', async () => {
      const { dial_code: code } = (await initiate(ussdBody({ phone: '+2348099999999' }))).body.data;
      expect(await openPhone(service.url, code, '+2348011111111').dial()).toMatch(/^END /);
      expect(await openPhone(service.url, code, '+2348099999999').dial()).toMatch(/^CON /);
    });

    test('the payment carries reference, wallets and no fee', async () => {
      const { session_id: id, dial_code: code } = (await initiate(ussdGuideBody())).body;
      const phone = openPhone(service.url, code);
      for (const step of [phone.dial, () => phone.type('1'), () => phone.type('1234')]) await step();
      const { transaction_id: transactionId, reference } = await session(id);
      expect(await partner.transaction(transactionId)).toMatchObject({
        type: 'ussd_payment',
        status: 'completed',
        reference,
        amount: 250_000,
        source_wallet: payer,
        dest_wallet: shop,
        fee_breakdown: { customerFee: 0, merchantFee: 0, platformFee: 0, mfbCost: 0, netAmount: 250_000 },
      });
      const { data } = await listener.heard('transaction.completed', { id: transactionId });
      expect(Object.keys(data)).toEqual([
        'id',
        'type',
        'status',
        'reference',
        'amount_kobo',
        'session_id',
        'completed_at',
      ]);
    });
  });

  describe('Errors', () => {
    test('401', async () => {
      expect((await service.as(null).post('/v1/payments/ussd/initiate', ussdBody())).status).toBe(401);
    });

    test.each([
      ['payer unknown', 404, 'WALLET_NOT_FOUND', () => ({ wallet_id: UNKNOWN_ID })],
      ['payer of another partner', 404, 'WALLET_NOT_FOUND', () => ({ wallet_id: foreign })],
      ['merchant unknown', 404, 'WALLET_NOT_FOUND', () => ({ merchant_wallet_id: UNKNOWN_ID })],
      ['payer frozen', 422, 'WALLET_FROZEN', () => ({ wallet_id: wallets.frozen })],
      ['payer closed', 422, 'WALLET_CLOSED', () => ({ wallet_id: wallets.closed })],
      ['merchant closed', 422, 'WALLET_CLOSED', () => ({ merchant_wallet_id: wallets.closed })],
      ['payer and merchant the same', 422, 'SAME_WALLET_TRANSFER', () => ({ merchant_wallet_id: payer })],
    ])('%s: %i %s', async (_what, status, code, change) => {
      expect(await initiate(ussdBody(change()))).toMatchObject({ status, body: { error: code } });
    });

    test('a reference used for another payment: 409', async () => {
      const body = ussdBody();
      await initiate(body);
      expect(await initiate({ ...body, amount: 1 })).toMatchObject({
        status: 409,
        body: { error: 'DUPLICATE_REFERENCE', detail: { transaction_id: UUID } },
      });
    });
  });
});

describe('GET /v1/payments/ussd/{sessionId}', () => {
  test('returns the session for on-demand status checks', async () => {
    const sent = ussdGuideBody();
    const started = (await initiate(sent)).body;
    const { status, body } = await partner.get(`/v1/payments/ussd/${started.session_id}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      session_id: started.session_id,
      status: 'initiated',
      ussd_code: started.dial_code,
      dial_code: started.dial_code,
      amount: 250_000,
      amount_kobo: 250_000,
      amount_naira: '2500.00',
      currency: 'NGN',
      reference: sent['reference'],
      payer_wallet_id: payer,
      merchant_wallet_id: shop,
      merchant_name: 'ADA STORES',
      transaction_id: UUID,
      pin_attempts_remaining: 3,
      failure_reason: null,
      created_at: TIMESTAMP,
      expires_at: started.expires_at,
      completed_at: null,
    });
  });

  test('404 for an unknown session, one of another partner, and a text that is not a session id', async () => {
    const { session_id: theirs } = (
      await stranger.post('/v1/payments/ussd/initiate', ussdBody({ wallet_id: foreign }))
    ).body.data;
    for (const id of [`ussd_${'0'.repeat(26)}`, theirs, 'ussd_1', UNKNOWN_ID]) {
      expect(await partner.get(`/v1/payments/ussd/${id}`)).toMatchObject({
        status: 404,
        body: { error: 'NOT_FOUND' },
      });
    }
  });
});

const splitBody = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  source_wallet: payer,
  reference: randomUUID(),
  splits: [
    { wallet_id: shop, amount: 70_000 },
    { wallet_id: wallets.active, amount: 30_000 },
  ],
  ...more,
});
const split = (body: unknown, headers?: Headers) => partner.post('/v1/payments/split', body, headers);

describe('POST /v1/payments/split', () => {
  test('returns 200 `{ data: [Transaction] }`: a leg for each destination, all completed, no fee', async () => {
    const [from = 0, first = 0, second = 0] = await balances(payer, shop, wallets.active);
    const sent = splitBody({ description: 'Sale 9', metadata: { sale: 9 } });
    const { status, body } = await split(sent);
    expect(status).toBe(200);
    const leg = (split_index: number, destination: string, amount: number) => ({
      type: 'split_payment',
      status: 'completed',
      reference: sent['reference'],
      amount,
      source_wallet: payer,
      dest_wallet: destination,
      description: 'Sale 9',
      metadata: { sale: 9, split_index },
      fee_breakdown: { customerFee: 0, merchantFee: 0, platformFee: 0, mfbCost: 0, netAmount: amount },
    });
    expect(body.data).toMatchObject([leg(0, shop, 70_000), leg(1, wallets.active, 30_000)]);
    expect(body.data).toHaveLength(2);
    expect(await balances(payer, shop, wallets.active)).toEqual([
      from - 100_000,
      first + 70_000,
      second + 30_000,
    ]);
    for (const { id } of body.data) await listener.heard('transaction.completed', { id });
  });

  test("the guide's key of the source answers in guide form", async () => {
    const { source_wallet: id, ...rest } = splitBody();
    const { data } = (await split({ ...rest, source_wallet_id: id })).body;
    expect(data[0]).toMatchObject({ amount_kobo: 70_000, amount_naira: '700.00' });
  });

  describe('body', () => {
    const shares = (number: number, more: Record<string, unknown> = {}) => ({
      splits: Array.from({ length: number }, () => ({ wallet_id: shop, amount: 5, ...more })),
    });
    test.each<
      [what: string, change: () => Record<string, unknown>, status: number, code: string | undefined]
    >([
      ['source_wallet: required', () => ({ source_wallet: undefined }), 422, 'VALIDATION_ERROR'],
      ['reference: required', () => ({ reference: undefined }), 422, 'VALIDATION_ERROR'],
      ['description: optional', () => ({ description: undefined }), 200, undefined],
      ['splits: required', () => ({ splits: undefined }), 422, 'VALIDATION_ERROR'],
      ['splits: an array', () => ({ splits: { wallet_id: shop, amount: 5 } }), 422, 'VALIDATION_ERROR'],
      ['splits: none', () => shares(0), 422, 'VALIDATION_ERROR'],
      ['splits: 1 item', () => shares(1), 422, 'VALIDATION_ERROR'],
      ['splits: at least 2 items', () => shares(2), 200, undefined],
      ['splits: 100 items', () => shares(100), 200, undefined],
      ['splits: 101 items', () => shares(101), 422, 'VALIDATION_ERROR'],
      ['splits: an amount of 0', () => shares(2, { amount: 0 }), 422, 'AMOUNT_TOO_LOW'],
      ['splits: percentages of 50 and 50', () => shares(2, { percentage: 50 }), 200, undefined],
      ['splits: percentages beyond 100 in sum', () => shares(2, { percentage: 51 }), 422, 'VALIDATION_ERROR'],
    ])('%s', async (_what, change, status, code) => {
      const answer = await split(splitBody(change()));
      expect([answer.status, answer.body.error]).toEqual([status, code]);
    });
  });

  describe('Errors: no destination is paid', () => {
    test('401', async () => {
      expect((await service.as(null).post('/v1/payments/split', splitBody())).status).toBe(401);
    });

    test.each<[what: string, status: number, code: string, change: () => Record<string, unknown>]>([
      ['source unknown', 404, 'WALLET_NOT_FOUND', () => ({ source_wallet: UNKNOWN_ID })],
      ['source of another partner', 404, 'WALLET_NOT_FOUND', () => ({ source_wallet: foreign })],
      ['source frozen', 422, 'WALLET_FROZEN', () => ({ source_wallet: wallets.frozen })],
      ['source closed', 422, 'WALLET_CLOSED', () => ({ source_wallet: wallets.closed })],
      ['a destination unknown', 404, 'WALLET_NOT_FOUND', () => withLast(UNKNOWN_ID)],
      ['a destination of another partner', 404, 'WALLET_NOT_FOUND', () => withLast(foreign)],
      ['a destination closed', 422, 'WALLET_CLOSED', () => withLast(wallets.closed)],
      ['the source among the destinations', 422, 'SAME_WALLET_TRANSFER', () => withLast(payer)],
      ['a sum above the balance', 422, 'INSUFFICIENT_FUNDS', () => withLast(wallets.active, 1_000_000_000)],
    ])('%s: %i %s', async (_what, status, code, change) => {
      const before = await balances(payer, shop, wallets.active);
      const sent = splitBody(change());
      expect(await split(sent)).toMatchObject({ status, body: { error: code } });
      expect(await balances(payer, shop, wallets.active)).toEqual(before);
      expect(await transactionsOf(shop, String(sent['reference']))).toEqual([]);
    });
    const withLast = (id: string, amount = 5) => ({
      splits: [
        { wallet_id: shop, amount: 5 },
        { wallet_id: id, amount },
      ],
    });

    test('a reference used for another split: 409; the same split again: the same legs', async () => {
      const sent = splitBody();
      const first = await split(sent);
      const again = await split(sent);
      expect(again.body.data).toEqual(first.body.data);
      expect(again.headers.get('Idempotent-Replayed')).toBe('true');
      expect(await split({ ...sent, ...withLast(wallets.active) })).toMatchObject({
        status: 409,
        body: { error: 'DUPLICATE_REFERENCE', detail: { transaction_id: first.body.data[0].id } },
      });
    });
  });
});
