/** Fields that an operation does not read are never silent where money moves (D117, D131, D209). */
import { apiForFile, partnerForFile } from '../support/scene';
import type { Json } from '../support/api';
import { until } from '../support/until';

const { api } = apiForFile();
const partner = partnerForFile(api);
let source: string;
let dest: string;
let count = 0;
const fresh = (): string => `unknown-${String((count += 1))}`;
beforeAll(async () => {
  source = await partner.wallet({ fundKobo: 10_000_000 });
  dest = await partner.wallet();
});

const BANK = { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' };
const LATER = '2030-01-31T09:00:00+01:00';
const p2p = (more: object = {}): Json => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 100,
  reference: fresh(),
  ...more,
});

test.each<[string, () => Json, string[]]>([
  ['/v1/transfers/p2p', () => p2p({ amout: 1, meta: {} }), ['amout', 'meta']],
  [
    '/v1/transfers/bank',
    () => ({ ...p2p({ dest_wallet: undefined }), dest_account: { ...BANK, bank: 'GTB' } }),
    ['dest_account.bank'],
  ],
  [
    '/v1/transfers/bulk',
    () => ({ reference: fresh(), transfers: [p2p(), p2p({ note: 'x' })] }),
    ['transfers[1].note'],
  ],
  ['/v1/transfers/scheduled', () => p2p({ due_at: LATER, dueAt: LATER }), ['dueAt']],
  ['/v1/holds', () => ({ wallet_id: source, amount: 1, reference: fresh(), expires: 5 }), ['expires']],
  [
    '/v1/payments/split',
    () => ({
      source_wallet: source,
      reference: fresh(),
      splits: [
        { wallet_id: dest, amount: 1 },
        { wallet_id: dest, amount: 1, share: 2 },
      ],
    }),
    ['splits[1].share'],
  ],
  [
    '/v1/payments/qr/create',
    () => ({ wallet_id: dest, amount: 1, reference: fresh(), expiry: 1 }),
    ['expiry'],
  ],
  [
    '/v1/payments/ussd/initiate',
    () => ({
      payer_wallet_id: source,
      merchant_wallet_id: dest,
      amount_kobo: 1,
      merchant_name: 'A',
      reference: fresh(),
      pin: '1',
    }),
    ['pin'],
  ],
])('%s is done, and its answer names what had no effect', async (path, body, ignored) => {
  const answer = await partner.post(path, body());
  expect(answer.status).toBeLessThan(300);
  expect(answer.body.meta.ignored_fields).toEqual(ignored);
});

test('a capture and a refusal name them too', async () => {
  const hold = await partner.post('/v1/holds', { wallet_id: source, amount: 5, reference: fresh() });
  const to = { amount: 5, dest_wallet: dest, wallet: dest };
  const captured = await partner.post(`/v1/holds/${hold.body.data.id}/capture`, to);
  expect(captured).toMatchObject({ status: 200, body: { meta: { ignored_fields: ['wallet'] } } });
  const refused = await partner.post('/v1/transfers/p2p', p2p({ amount: undefined, amout: 5 }));
  expect(refused).toMatchObject({
    status: 422,
    body: { message: 'amount: is required', meta: { ignored_fields: ['amout'] } },
  });
});

test('where nothing was ignored there is no such field', async () => {
  const { body } = await partner.post('/v1/transfers/p2p', p2p({ metadata: { any: { thing: 1 } } }));
  expect(body.meta).toEqual({ request_id: expect.any(String) });
  const wallet = await partner.post('/v1/wallets', { user_ref: fresh(), colour: 'red' });
  expect(wallet.body.meta).toEqual({ request_id: expect.any(String) });
});

test('a repeat is answered with the same bytes, by key and by reference', async () => {
  const body = p2p({ amout: 1, metadata: { b: 1, a: [1.5, null] } });
  const headers = { 'Idempotency-Key': fresh() };
  const first = await partner.post('/v1/transfers/p2p', body, headers);
  expect(first.body.meta.ignored_fields).toEqual(['amout']);
  const again = await partner.post('/v1/transfers/p2p', body, headers);
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
  // Other unknown fields make no other request, so the answer is the first one.
  for (const other of [p2p({ ...body, amout: undefined }), p2p({ ...body, extra: 1 })]) {
    const repeated = await partner.post('/v1/transfers/p2p', other, headers);
    expect(JSON.stringify(repeated.body)).toBe(JSON.stringify(first.body));
  }
  const byReference = await partner.post('/v1/transfers/p2p', body);
  expect(byReference.body).toMatchObject({ data: first.body.data, meta: { ignored_fields: ['amout'] } });
});

test.each<[string, () => Json]>([
  ['/v1/holds', () => ({ wallet_id: source, amount: 1, reference: fresh() })],
  ['/v1/transfers/scheduled', () => p2p({ due_at: LATER })],
])('a repeat of %s is answered with the same bytes too', async (path, asked) => {
  const [body, headers] = [asked(), { 'Idempotency-Key': fresh() }];
  const first = await partner.post(path, { ...body, more: 1 }, headers);
  expect(first.body.meta.ignored_fields).toEqual(['more']);
  for (const again of [{ ...body, more: 1 }, body]) {
    const repeated = await partner.post(path, again, headers);
    expect(JSON.stringify(repeated.body)).toBe(JSON.stringify(first.body));
  }
});

describe('X-Strict: true', () => {
  const strict = { 'X-Strict': 'true' };

  test('refuses them with what was probably meant, in both forms, and nothing moves', async () => {
    const before = await partner.balanceKobo(source);
    const refused = await partner.post('/v1/transfers/p2p', p2p({ amout: 1, colour: 2 }), strict);
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: 'VALIDATION_ERROR',
        detail: {
          fields: [
            { field: 'amout', message: 'is not a field of this operation; did you mean amount?' },
            { field: 'colour', message: 'is not a field of this operation' },
          ],
        },
      },
    });
    const guide = {
      source_wallet_id: source,
      dest_wallet_id: dest,
      amount_kobo: 1,
      reference: fresh(),
      fee: 1,
    };
    const { body } = await partner.post('/v1/transfers/p2p', guide, strict);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', detail: { fields: [{ field: 'fee' }] } });
    const lines = { reference: fresh(), transfers: [p2p({ narration: 'x' })] };
    const bulk = await partner.post('/v1/transfers/bulk', lines, strict);
    expect(bulk.body.detail.fields).toMatchObject([{ field: 'transfers[0].narration' }]);
    expect(await partner.balanceKobo(source)).toBe(before);
  });

  test('uses up neither key nor reference', async () => {
    const body = p2p();
    const headers = { ...strict, 'Idempotency-Key': fresh() };
    const asked = { ...body, amout: 1 };
    expect((await partner.post('/v1/transfers/p2p', asked, headers)).status).toBe(422);
    expect((await partner.post('/v1/transfers/p2p', body, headers)).status).toBe(200);
    expect((await partner.post('/v1/transfers/p2p', asked, headers)).body.error).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  test('is for every operation with a body, and a right body passes', async () => {
    const wallet = await partner.post('/v1/wallets', { user_ref: fresh(), userref: 'x' }, strict);
    expect(wallet).toMatchObject({
      status: 422,
      body: { message: 'userref: is not a field of this operation; did you mean user_ref?' },
    });
    expect((await partner.post('/v1/wallets', { user_ref: fresh() }, strict)).status).toBe(202);
    expect((await partner.post('/v1/transfers/p2p', p2p(), strict)).status).toBe(200);
    expect((await partner.get('/v1/wallets', strict)).status).toBe(200);
  });

  test('lets a quote have the whole body of its transfer', async () => {
    expect((await partner.post('/v1/quotes', { ...p2p(), type: 'p2p_transfer' }, strict)).status).toBe(200);
  });

  test.each(['yes', 'TRUE', '1', ''])('%p is no value of it', async (value) => {
    const refused = await partner.post('/v1/transfers/p2p', p2p(), { 'X-Strict': value });
    expect(refused).toMatchObject({ status: 422, body: { message: 'X-Strict: must be true or false' } });
  });

  test('false is as without it', async () => {
    const done = await partner.post('/v1/transfers/p2p', p2p({ amout: 1 }), { 'X-Strict': 'false' });
    expect(done.body.meta.ignored_fields).toEqual(['amout']);
  });
});

test('the log of requests has their paths, and neither values nor what names a person', async () => {
  const secret = 'what-nobody-logs';
  const { body } = await partner.post('/v1/transfers/p2p', p2p({ amout: secret, '08012345678': secret }));
  const logged = await until('the request is in the log', async () => {
    const found = await partner.get(`/v1/requests/${body.meta.request_id}`);
    return found.status === 200 ? found.body.data : null;
  });
  expect([...logged.ignored_fields].sort()).toEqual(['[hidden]', 'amout']);
  expect(JSON.stringify(logged)).not.toMatch(/what-nobody-logs|08012345678/);
  const none = await partner.post('/v1/transfers/p2p', p2p());
  const clean = await until('the request is in the log', async () => {
    const found = await partner.get(`/v1/requests/${none.body.meta.request_id}`);
    return found.status === 200 ? found.body.data : null;
  });
  expect(clean).not.toHaveProperty('ignored_fields');
});
