/** The published interface (interface: Wallets), line by line. */
import { randomUUID } from 'node:crypto';
import { openService, UUID, type Answer, type Client, type Headers, type Json, type Service } from './client';
import { UNKNOWN_ID } from './operations';

const QUICKSTART = { 'X-Response-Form': 'quickstart' };
const GUIDE = { 'X-Response-Form': 'guide' };

let service: Service;
let partner: Client;
let stranger: Client;
let source: string;
let dest: string;
let foreign: string;

beforeAll(async () => {
  service = await openService();
  [partner, stranger] = await Promise.all([service.partner(), service.partner()]);
  [source, dest, foreign] = await Promise.all([
    partner.wallet(10_000_000),
    partner.wallet(),
    stranger.wallet(5_000),
  ]);
});

afterAll(() => service.close());

const create = (body: unknown, headers?: Headers) => partner.post('/v1/wallets', body, headers);

describe('POST /v1/wallets', () => {
  test('returns 202 `{ data: Wallet }`: `pending`, `provisioning`, empty account fields', async () => {
    const { status, body } = await create({ user_ref: 'ada' });
    expect(status).toBe(202);
    expect(body.data).toEqual({
      id: UUID,
      partner_id: partner.partnerId,
      user_ref: 'ada',
      currency: 'NGN',
      status: 'pending',
      account_number: '',
      account_name: '',
      bank_code: '',
      bank_name: '',
      mfb_reference: '',
      account_status: 'provisioning',
      metadata: {},
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  describe('user_ref: string, required', () => {
    test.each([
      ['missing', {}, 422],
      ['null', { user_ref: null }, 422],
      ['a number', { user_ref: 5 }, 422],
      ['empty', { user_ref: '' }, 422],
      ['1 character', { user_ref: 'a' }, 202],
      ['128 characters', { user_ref: 'a'.repeat(128) }, 202],
      ['129 characters', { user_ref: 'a'.repeat(129) }, 422],
      ['with a leading space', { user_ref: ' ada' }, 422],
      ['with a trailing space', { user_ref: 'ada ' }, 422],
      ['with a space inside', { user_ref: 'ada obi' }, 202],
      ['with a control character', { user_ref: 'ada\u0007' }, 422],
      ['in capitals, another owner', { user_ref: 'ADA' }, 202],
      ['beginning with `__`', { user_ref: '__ada' }, 422],
      ["as `userRef`, the quickstart's key", { userRef: 'quickstart' }, 202],
      ['under both keys, agreeing', { user_ref: 'both', userRef: 'both' }, 202],
      ['under both keys, differing', { user_ref: 'one', userRef: 'other' }, 422],
    ])('%s', async (_what, body, status) => {
      const answer = await create(body);
      expect(answer.status).toBe(status);
      if (status === 422) {
        expect(answer.body).toMatchObject({
          error: 'VALIDATION_ERROR',
          message: expect.stringContaining('user_ref'),
        });
      }
    });
  });

  describe('currency: not required, default `NGN`; only NGN supported', () => {
    test.each([
      ['left out', {}, 202],
      ['NGN', { currency: 'NGN' }, 202],
      ['null, as if left out', { currency: null }, 202],
      ['USD', { currency: 'USD' }, 422],
      ['ngn', { currency: 'ngn' }, 422],
      ['empty', { currency: '' }, 422],
    ])('%s', async (_what, more, status) => {
      const answer = await create({ user_ref: randomUUID(), ...more });
      expect(answer.status).toBe(status);
      if (status === 202) expect(answer.body.data.currency).toBe('NGN');
    });
  });

  describe('metadata: object, not required, free-form', () => {
    const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    test.each([
      ['left out', undefined, 202],
      ['null', null, 202],
      ['empty', {}, 202],
      ['nested', { a: [1, 2.5, { b: null }], c: { d: 'ẹ́' } }, 202],
      ['16,384 bytes', ofBytes(16_384), 202],
      ['16,385 bytes', ofBytes(16_385), 422],
      ['a list', [], 422],
      ['a text', 'free', 422],
    ])('%s', async (_what, metadata, status) => {
      const answer = await create({ user_ref: randomUUID(), metadata });
      expect(answer.status).toBe(status);
      if (status === 202) expect(answer.body.data.metadata).toEqual(metadata ?? {});
    });
  });

  test('the account name is what metadata says, else the partner and six digits of the number', async () => {
    const nameOf = async (more: object): Promise<string> => {
      const { id } = (await create({ user_ref: randomUUID(), ...more })).body.data;
      await heard(id);
      return (await partner.get(`/v1/wallets/${id}`)).body.data.wallet.account_name;
    };
    const { heard: listened } = await partner.listen(['wallet.activated']);
    const heard = (id: string): Promise<Json> => listened('wallet.activated', { id });
    expect(
      await Promise.all([
        nameOf({ metadata: { account_name: 'Ada Stores', first_name: 'Ada', last_name: 'Obi' } }),
        nameOf({ metadata: { first_name: 'Ada', last_name: 'Obi' } }),
        nameOf({ user_ref: 'the owner' }),
      ]),
    ).toEqual(['ADA STORES', 'ADA OBI', expect.stringMatching(/^ACME FINTECH\/[0-9]{6}$/)]);
  });

  describe('Errors', () => {
    test('401', async () => {
      expect(await service.as(null).post('/v1/wallets', { user_ref: 'x' })).toMatchObject({
        status: 401,
        body: { error: 'INVALID_TOKEN' },
      });
    });

    test('409: a wallet already exists for this `user_ref`, and which', async () => {
      const first = await create({ user_ref: 'taken' });
      for (const body of [{ user_ref: 'taken' }, { userRef: 'taken', metadata: { other: 1 } }]) {
        expect(await create(body)).toMatchObject({
          status: 409,
          body: { error: 'WALLET_ALREADY_EXISTS', detail: { wallet_id: first.body.data.id } },
        });
      }
    });

    test('409 also after the wallet was closed', async () => {
      const id = await partner.wallet();
      const { user_ref: userRef } = (await partner.get(`/v1/wallets/${id}`)).body.data.wallet;
      await partner.post(`/v1/wallets/${id}/close`, {});
      expect((await create({ user_ref: userRef })).status).toBe(409);
    });

    test("409 in guide form has the guide's envelope", async () => {
      await create({ user_ref: 'taken in guide form' });
      const { status, body } = await create({ user_ref: 'taken in guide form' }, GUIDE);
      expect([status, body.error.code, body.error.http_status]).toEqual([409, 'WALLET_ALREADY_EXISTS', 409]);
    });
  });
});

describe('GET /v1/wallets/{id}', () => {
  test('returns 200 `{ data: { wallet, balance_kobo } }`, the decimal string `balance_naira`, and what is available', async () => {
    const { status, body } = await partner.get(`/v1/wallets/${source}`);
    expect(status).toBe(200);
    expect(Object.keys(body.data)).toEqual(['wallet', 'balance_kobo', 'balance_naira', 'available_kobo']);
    expect(body.data).toMatchObject({
      wallet: { id: source, status: 'active' },
      balance_kobo: 10_000_000,
      balance_naira: '100000.00',
      available_kobo: 10_000_000,
    });
  });

  test.each([
    [1, '0.01'],
    [99, '1.00'],
    [23_350, '234.50'],
  ])('`balance_kobo` is the current posted balance: after %i kobo more', async (amountKobo, naira) => {
    await partner.post(`/sandbox/wallets/${dest}/fund`, { amount_kobo: amountKobo });
    const { data } = (await partner.get(`/v1/wallets/${dest}`)).body;
    expect(data.balance_naira).toBe(naira);
    expect(data.balance_kobo).toBe(Math.round(Number(naira) * 100));
  });

  test('in quickstart form the wallet inside has PascalCase names', async () => {
    const { data } = (await partner.get(`/v1/wallets/${source}`, QUICKSTART)).body;
    expect(data.wallet).toMatchObject({ ID: source, Status: 'active', AccountStatus: 'active' });
    expect(data.balance_kobo).toBe(10_000_000);
  });

  test.each([
    ['of nobody', () => UNKNOWN_ID],
    ['of another partner', () => foreign],
    ['that is no uuid', () => 'ada'],
  ])('404 for an id %s', async (_what, id) => {
    expect(await partner.get(`/v1/wallets/${id()}`)).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND' },
    });
  });

  test('401', async () => {
    expect((await service.as(null).get(`/v1/wallets/${source}`)).status).toBe(401);
  });
});

describe('GET /v1/wallets/{id}/transactions', () => {
  let payer: string;
  let payee: string;
  let sent: Record<string, Json>;
  const list = (id: string, query = '', headers?: Headers): Promise<Answer> =>
    partner.get(`/v1/wallets/${id}/transactions${query}`, headers);

  beforeAll(async () => {
    [payer, payee] = await Promise.all([partner.wallet(1_000_000), partner.wallet()]);
    const p2p = { source_wallet: payer, dest_wallet: payee, amount: 200, reference: 'rent' };
    const account = { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' };
    const bank = { source_wallet: payer, dest_account: account, amount: 300, reference: 'school' };
    const splits = [payee, dest].map((id) => ({ wallet_id: id, amount: 100 }));
    sent = {
      p2p: (await partner.post('/v1/transfers/p2p', p2p)).body.data,
      bank: (await partner.post('/v1/transfers/bank', bank, { 'X-Sandbox-Hold': 'true' })).body.data,
      legs: (await partner.post('/v1/payments/split', { source_wallet: payer, reference: 'shares', splits }))
        .body.data,
    };
  });

  test('returns 200 `{ data: [Transaction] }`: all of which the wallet is source or destination', async () => {
    const { status, body } = await list(payer);
    expect(status).toBe(200);
    expect(body.data.map((one: Json) => one.type)).toEqual([
      'split_payment',
      'split_payment',
      'bank_transfer',
      'p2p_transfer',
      'wallet_funding',
    ]);
    expect((await list(payee)).body.data.map((one: Json) => one.reference)).toEqual(['shares', 'rent']);
  });

  test('each as its own answer had it', async () => {
    const { data } = (await list(payer)).body;
    const { idempotency_key: _key, ...p2p } = sent.p2p;
    expect(data.find((one: Json) => one.reference === 'rent')).toMatchObject(p2p);
  });

  test.each([
    ['one transfer', 'rent', 1],
    ['a split: its legs', 'shares', 2],
    ['part of one only', 'ren', 0],
    ['in capitals', 'RENT', 0],
    ['never used', 'unknown', 0],
  ])("`reference` filters by the partner's reference: %s", async (_what, reference, found) => {
    const { body } = await list(payer, `?reference=${reference}`);
    expect(body.data).toHaveLength(found);
    expect(body.data.every((one: Json) => one.reference === reference)).toBe(true);
  });

  test('of a split, a destination sees its own leg', async () => {
    const { body } = await list(payee, '?reference=shares');
    expect(body.data).toMatchObject([{ id: sent.legs[0].id, dest_wallet: payee, amount: 100 }]);
  });

  test('`cursor` and `limit`', async () => {
    const first = (await list(payer, '?limit=4')).body;
    expect([first.data.length, first.meta.has_more]).toEqual([4, true]);
    const rest = (await list(payer, `?limit=4&cursor=${encodeURIComponent(first.meta.next_cursor)}`)).body;
    expect(rest.data).toMatchObject([{ type: 'wallet_funding' }]);
    expect(rest.meta).toMatchObject({ has_more: false, next_cursor: null });
  });

  test('in guide form the wallets stay ids', async () => {
    const [found] = (await list(payer, '?reference=rent', GUIDE)).body.data;
    expect(found).toMatchObject({
      amount_kobo: 200,
      amount_naira: '2.00',
      source_wallet: payer,
      dest_wallet: payee,
    });
  });

  test.each([
    ['of nobody', () => UNKNOWN_ID],
    ['of another partner', () => foreign],
    ['that is no uuid', () => 'ada'],
  ])('404 for an id %s', async (_what, id) => {
    expect(await list(id())).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  });

  test('401', async () => {
    expect((await service.as(null).get(`/v1/wallets/${payer}/transactions`)).status).toBe(401);
  });
});
