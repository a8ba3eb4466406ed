/** Payments by QR (interface: Payments; D23, D45, D64-D68, D130, D160, D166). */
import jsQr from 'jsqr';
import { PNG } from 'pngjs';
import { crc16, writeEmv } from '../../src/wire/emv';
import { SANDBOX_CELL } from '../setup/cells';
import type { Answer, Json } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile, partnerForFile } from '../support/scene';

const CREATE = '/v1/payments/qr/create';
const PAY = '/v1/payments/qr/pay';
const ABSENT = '018f0000-0000-7000-8000-00000000dead';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let shop: string;
let payer: string;
beforeAll(async () => {
  shop = await partner.wallet();
  payer = await partner.wallet({ fundKobo: 10_000_000 });
});

let count = 0;
const fresh = (): string => `qr-${(count += 1)}`;
const create = (more: object = {}, headers = {}): Promise<Answer> =>
  partner.post(CREATE, { wallet_id: shop, amount: 25_000, reference: fresh(), ...more }, headers);
const pay = (qrReference: string, source = payer, headers = {}): Promise<Answer> =>
  partner.post(PAY, { qr_reference: qrReference, source_wallet: source }, headers);
/** Ends the life of a QR request now. */
const expire = (reference: string) =>
  world.sql(`UPDATE ${SANDBOX_CELL}.qr_requests SET expires_at = now() WHERE reference = $1`, [reference]);
const requests = async (reference: string): Promise<number> =>
  (await world.sql(`SELECT FROM ${SANDBOX_CELL}.qr_requests WHERE reference = $1`, [reference])).length;

function textIn(png: string): string | undefined {
  const { data, width, height } = PNG.sync.read(Buffer.from(png, 'base64'));
  return jsQr(new Uint8ClampedArray(data), width, height)?.data;
}

describe('creating', () => {
  test('gives a picture that scans to the EMV text, the reference and five minutes', async () => {
    const reference = fresh();
    const { status, body } = await create({ reference });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        qr_code: expect.any(String),
        qr_payload: expect.stringMatching(
          /^000201.*NG\.PARTNERWALLET.*5406250\.005802NG5919ACME FINTECH\/\d{6}/,
        ),
        reference,
        expires_at: expect.any(String),
      },
      meta: { request_id: expect.any(String) },
    });
    expect(textIn(body.data.qr_code)).toBe(body.data.qr_payload);
    const seconds = (Date.parse(body.data.expires_at) - Date.now()) / 1_000;
    expect(Math.abs(seconds - 300)).toBeLessThan(30);
  });

  test('moves nothing and is no transaction yet', async () => {
    const before = await partner.balanceKobo(shop);
    const reference = fresh();
    await create({ reference });
    expect(await partner.balanceKobo(shop)).toBe(before);
    const listed = await partner.get(`/v1/wallets/${shop}/transactions?reference=${reference}`);
    expect(listed.body.data).toEqual([]);
  });

  test.each([
    ['wallet_id missing', { wallet_id: undefined }, 422, 'VALIDATION_ERROR'],
    ['wallet_id malformed', { wallet_id: 'x' }, 422, 'VALIDATION_ERROR'],
    ['amount missing', { amount: undefined }, 422, 'VALIDATION_ERROR'],
    ['amount as text', { amount: '25000' }, 422, 'VALIDATION_ERROR'],
    ['amount of 0', { amount: 0 }, 422, 'AMOUNT_TOO_LOW'],
    ['amount below 0', { amount: -1 }, 422, 'AMOUNT_TOO_LOW'],
    ['reference missing', { reference: undefined }, 422, 'VALIDATION_ERROR'],
    ['reference of 129 characters', { reference: 'x'.repeat(129) }, 422, 'VALIDATION_ERROR'],
    ['description of 501 characters', { description: 'x'.repeat(501) }, 422, 'VALIDATION_ERROR'],
    ['a life of 0 seconds', { expires_in_seconds: 0 }, 422, 'VALIDATION_ERROR'],
    ['a life of 86,401 seconds', { expires_in_seconds: 86_401 }, 422, 'VALIDATION_ERROR'],
    ['a life of 1.5 seconds', { expires_in_seconds: 1.5 }, 422, 'VALIDATION_ERROR'],
    ['an absent wallet', { wallet_id: ABSENT }, 404, 'WALLET_NOT_FOUND'],
  ])('%s is refused', async (_what, more, status, code) => {
    const answer = await create(more);
    expect([answer.status, answer.body.error]).toEqual([status, code]);
    const guide = await create(more, { 'X-Response-Form': 'guide' });
    expect([guide.status, guide.body.error.code]).toEqual([status, code]);
  });

  test.each([1, 86_400])('a life of %s seconds is given', async (seconds) => {
    expect((await create({ expires_in_seconds: seconds })).status).toBe(200);
  });

  test.each(['pending', 'frozen'] as const)('a wallet that is %s may be paid', async (status) => {
    const wallet = await partner.wallet({ status });
    const reference = fresh();
    expect((await create({ wallet_id: wallet, reference })).status).toBe(200);
    expect((await pay(reference)).status).toBe(200);
  });

  test('a closed wallet and a foreign one are refused, and the reference stays free', async () => {
    const closed = await partner.wallet({ status: 'closed' });
    const other = await api.partner();
    const foreign = await other.wallet();
    const reference = fresh();
    expect((await create({ wallet_id: closed, reference })).body.error).toBe('WALLET_CLOSED');
    expect((await create({ wallet_id: foreign, reference })).body.error).toBe('WALLET_NOT_FOUND');
    expect((await create({ reference })).status).toBe(200);
  });

  test('the same request again is the same QR; another one with its reference is refused', async () => {
    const reference = fresh();
    const first = await create({ reference });
    const again = await create({ reference, description: 'whatever' });
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    const other = await create({ reference, amount: 25_001 });
    expect([other.status, other.body.error]).toEqual([409, 'DUPLICATE_REFERENCE']);
    expect(other.body.detail).toEqual({ transaction_id: null });
    expect(await requests(reference)).toBe(1);
  });

  test('twenty at once with one reference make one QR', async () => {
    const reference = fresh();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ reference })));
    expect(answers.map((answer) => answer.body.error ?? answer.status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map((answer) => answer.body.data?.qr_payload)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await requests(reference)).toBe(1);
  });

  test('a reference that a transfer used is refused, and a transfer may not use the QR’s', async () => {
    const reference = fresh();
    const body = { source_wallet: payer, dest_wallet: shop, amount: 25_000, reference };
    const transfer = await partner.post('/v1/transfers/p2p', body);
    const refused = await create({ reference });
    expect([refused.status, refused.body.detail]).toEqual([409, { transaction_id: transfer.body.data.id }]);
    const used = fresh();
    await create({ reference: used });
    const answer = await partner.post('/v1/transfers/p2p', { ...body, reference: used });
    expect([answer.status, answer.body.detail]).toEqual([409, { transaction_id: null }]);
  });

  test('a request with a used key gets the bytes of the first answer, or a refusal when its body differs', async () => {
    const headers = { 'Idempotency-Key': fresh() };
    const reference = fresh();
    const first = await create({ reference }, headers);
    const again = await create({ reference }, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await create({ reference, amount: 1 }, headers);
    expect([other.status, other.body.error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });
});

describe('paying', () => {
  const created = async (more: object = {}) => {
    const reference = fresh();
    const { body } = await create({ reference, description: 'Two loaves', ...more });
    return { reference, payload: body.data.qr_payload as string };
  };

  test.each(['the reference', 'the scanned text'])('by %s moves the money and is completed', async (by) => {
    const { reference, payload } = await created();
    const [from, to] = [await partner.balanceKobo(payer), await partner.balanceKobo(shop)];
    const { status, body } = await pay(by === 'the reference' ? reference : payload);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      type: 'qr_payment',
      status: 'completed',
      amount: 25_000,
      reference,
      description: 'Two loaves',
      source_wallet: payer,
      dest_wallet: shop,
      fee_breakdown: { customerFee: 0, netAmount: 25_000 },
    });
    expect(await partner.balanceKobo(payer)).toBe(from - 25_000);
    expect(await partner.balanceKobo(shop)).toBe(to + 25_000);
    const listed = await partner.get(`/v1/wallets/${shop}/transactions?reference=${reference}`);
    expect(listed.body.data).toEqual([body.data]);
  });

  test('in guide form shows both wallets after the payment', async () => {
    const { reference } = await created();
    const { body } = await pay(reference, payer, { 'X-Response-Form': 'guide' });
    expect(body.data.source_wallet).toEqual({
      id: payer,
      balance_after_kobo: await partner.balanceKobo(payer),
      balance_after_naira: expect.any(String),
    });
    expect(body.data.dest_wallet.balance_after_kobo).toBe(await partner.balanceKobo(shop));
  });

  test('an amount in the body is ignored: the request’s own counts', async () => {
    const { reference } = await created();
    const body = { qr_reference: reference, source_wallet: payer, amount: 1 };
    expect((await partner.post(PAY, body)).body.data.amount).toBe(25_000);
  });

  test('again by the same payer is the original, also after it expired; by another it is refused', async () => {
    const { reference } = await created();
    const other = await partner.wallet({ fundKobo: 100_000 });
    const first = await pay(reference);
    await expire(reference);
    const again = await pay(reference);
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const refused = await pay(reference, other);
    expect([refused.status, refused.body.error]).toEqual([422, 'QR_ALREADY_PAID']);
    expect(await partner.balanceKobo(other)).toBe(100_000);
  });

  test('after it expired is refused', async () => {
    const { reference } = await created();
    await expire(reference);
    const answer = await pay(reference);
    expect([answer.status, answer.body.error]).toEqual([422, 'QR_EXPIRED']);
  });

  test('twenty payers at once: one pays', async () => {
    const { reference } = await created();
    const payers = await Promise.all(Array.from({ length: 20 }, () => partner.wallet({ fundKobo: 100_000 })));
    const before = await partner.balanceKobo(shop);
    const answers = await Promise.all(payers.map((one) => pay(reference, one)));
    const statuses = answers.map((answer) => answer.body.error ?? answer.body.data.status).sort();
    expect(statuses).toEqual([...Array<string>(19).fill('QR_ALREADY_PAID'), 'completed']);
    expect(await partner.balanceKobo(shop)).toBe(before + 25_000);
  });

  test.each([
    ['an unknown reference', () => fresh(), 404, 'NOT_FOUND'],
    [
      'a sound code that is not ours',
      () => writeEmv({ walletId: ABSENT, amountKobo: 1, payeeName: 'X', label: 'Q7K2M9X4TB3H' }),
      404,
      'NOT_FOUND',
    ],
    ['a code with a wrong check', () => '0002010102121234', 422, 'VALIDATION_ERROR'],
    [
      'a code of another structure',
      () => `00020199996304${crc16('00020199996304')}`,
      422,
      'VALIDATION_ERROR',
    ],
    ['an empty reference', () => '', 422, 'VALIDATION_ERROR'],
  ])('%s is refused', async (_what, qrReference, status, code) => {
    const answer = await pay(qrReference());
    expect([answer.status, answer.body.error]).toEqual([status, code]);
  });

  test('a QR of another partner does not exist', async () => {
    const { reference, payload } = await created();
    const other = await api.partner();
    const source_wallet = await other.wallet({ fundKobo: 100_000 });
    for (const qr_reference of [reference, payload]) {
      expect((await other.post(PAY, { qr_reference, source_wallet })).body.error).toBe('NOT_FOUND');
    }
  });

  test.each([
    ['the receiving wallet itself', () => Promise.resolve(shop), 422, 'SAME_WALLET_TRANSFER'],
    ['an absent wallet', () => Promise.resolve(ABSENT), 404, 'WALLET_NOT_FOUND'],
    ['a closed wallet', () => partner.wallet({ status: 'closed' }), 422, 'WALLET_CLOSED'],
    ['a frozen wallet', () => partner.wallet({ fundKobo: 100_000, status: 'frozen' }), 422, 'WALLET_FROZEN'],
    ['a pending wallet', () => partner.wallet({ status: 'pending' }), 422, 'WALLET_NOT_ACTIVE'],
    ['too little money', () => partner.wallet({ fundKobo: 24_999 }), 422, 'INSUFFICIENT_FUNDS'],
  ])('from %s is refused in both forms, and can be paid afterwards', async (_what, wallet, status, code) => {
    const { reference } = await created();
    const source = await wallet();
    const answer = await pay(reference, source);
    expect([answer.status, answer.body.error]).toEqual([status, code]);
    const guide = await pay(reference, source, { 'X-Response-Form': 'guide' });
    expect([guide.status, guide.body.error.code]).toEqual([status, code]);
    expect((await pay(reference)).status).toBe(200);
  });

  test('is refused when the receiving wallet has been closed meanwhile', async () => {
    const wallet = await partner.wallet();
    const { reference } = await created({ wallet_id: wallet });
    await world.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'closed' WHERE id = $1`, [wallet]);
    expect((await pay(reference)).body.error).toBe('WALLET_CLOSED');
  });
});

describe('looking up (D198)', () => {
  const references: string[] = [];
  let owner: TestPartner;
  let till: string;
  let buyer: string;
  beforeAll(async () => {
    owner = await api.partner();
    till = await owner.wallet();
    buyer = await owner.wallet({ fundKobo: 1_000_000 });
    for (const walletId of [till, till, buyer, till]) {
      const reference = `a/b ${fresh()} 100%`;
      const body = {
        wallet_id: walletId,
        amount: 500,
        reference,
        description: 'tea',
        metadata: { table: 4 },
      };
      expect((await owner.post(CREATE, body)).status).toBe(200);
      references.push(reference);
    }
    expect((await owner.post(PAY, { qr_reference: references[0], source_wallet: buyer })).status).toBe(200);
    await expire(references[1]!);
  });

  const list = (query = ''): Promise<Answer> => owner.get(`/v1/payments/qr${query}`);
  const found = ({ body }: Answer): string[] => body.data.map((one: Json) => one.reference);

  test('one shows what became of it, with its picture', async () => {
    const { body } = await owner.get(`/v1/payments/qr/${encodeURIComponent(references[0]!)}`);
    const payment = (await owner.get(`/v1/transactions/${body.data.transaction_id}`)).body.data;
    expect([payment.type, payment.source_wallet]).toEqual(['qr_payment', buyer]);
    expect(body.data).toEqual({
      reference: references[0],
      status: 'paid',
      wallet_id: till,
      amount: 500,
      currency: 'NGN',
      description: 'tea',
      metadata: { table: 4 },
      transaction_id: payment.id,
      source_wallet: buyer,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      qr_code: expect.any(String),
      qr_payload: expect.any(String),
    });
    expect(textIn(body.data.qr_code)).toBe(body.data.qr_payload);
  });

  test('the list shows the same without pictures, newest first', async () => {
    const answer = await list();
    expect(found(answer)).toEqual([...references].reverse());
    const one = await owner.get(`/v1/payments/qr/${encodeURIComponent(references[2]!)}`);
    const { qr_code: _code, qr_payload: _payload, ...rest } = one.body.data;
    expect(answer.body.data[1]).toEqual(rest);
    expect(rest).toMatchObject({ status: 'open', transaction_id: null, source_wallet: null });
  });

  test('pages of one cover everything once', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(`?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...found(page));
      cursor = page.body.meta.next_cursor;
    }
    expect(seen).toEqual([...references].reverse());
  });

  test.each<[string, () => string, places: number[]]>([
    ['paid', () => 'status=paid', [0]],
    ['expired', () => 'status=expired', [1]],
    ['open', () => 'status=open', [3, 2]],
    ['of a wallet', () => `wallet_id=${till}`, [3, 1, 0]],
    ['open, of a wallet', () => `wallet_id=${buyer}&status=open`, [2]],
    ['of a wallet that is not there', () => `wallet_id=${ABSENT}`, []],
  ])('those that are %s', async (_what, query, places) => {
    expect(found(await list(`?${query()}`))).toEqual(places.map((place) => references[place]));
  });

  test('a page with a filter walks past a thousand requests at most', async () => {
    const many = await api.partner();
    const wallet = await many.wallet();
    const oldest = fresh();
    await many.post(CREATE, { wallet_id: wallet, amount: 500, reference: oldest });
    await world.sql(
      `INSERT INTO ${SANDBOX_CELL}.qr_requests (id, partner_id, wallet_id, amount_kobo, reference, label,
         created_at, expires_at)
       SELECT uuidv7(), $1, $2, 1, 'n' || n, '0000000' || (10000 + n), now(), now()
         FROM generate_series(1, 1500) AS n`,
      [many.id, wallet],
    );
    const first = await many.get('/v1/payments/qr?status=open');
    expect(first.body).toMatchObject({ data: [], meta: { has_more: true } });
    const second = await many.get(`/v1/payments/qr?status=open&cursor=${first.body.meta.next_cursor}`);
    expect(found(second)).toEqual([oldest]);
  });

  test.each(['never', '%00', 'x'.repeat(129)])('%s: 404', async (reference) => {
    expect((await owner.get(`/v1/payments/qr/${reference}`)).body.error).toBe('NOT_FOUND');
  });

  test.each(['status=gone', 'wallet_id=x', 'reference=x'])('%s: 422', async (query) => {
    expect((await list(`?${query}`)).body.error).toBe('VALIDATION_ERROR');
  });

  test('another partner sees none of them', async () => {
    expect(found(await partner.get(`/v1/payments/qr?wallet_id=${till}`))).toEqual([]);
    const path = `/v1/payments/qr/${encodeURIComponent(references[0]!)}`;
    expect((await partner.get(path)).status).toBe(404);
  });
});
