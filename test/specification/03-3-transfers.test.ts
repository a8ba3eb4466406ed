/** The published interface (interface: Transfers): P2P, bank transfers and banks, rule by rule. */
import { randomUUID } from 'node:crypto';
import {
  openService,
  UUID,
  type Answer,
  type Client,
  type Headers,
  type Json,
  type Listener,
  type Service,
} from './client';
import { UNKNOWN_ID } from './operations';
import { openWallets, type Wallets } from './wallets';

const BIG_KOBO = 5_000_000_000;
const LARGEST = 9_007_199_254_740_991;
const HOLD = { 'X-Sandbox-Hold': 'true' };

let service: Service;
let partner: Client;
let listener: Listener;
let source: string;
let dest: string;
let foreign: string;
/** Wallets of the partner, by state. */
let wallets: Pick<Wallets, 'active' | 'frozen' | 'closed'>;

beforeAll(async () => {
  service = await openService();
  const stranger = await service.partner();
  partner = await service.partner();
  listener = await partner.listen();
  ({ source, dest, foreign, ...wallets } = await openWallets(partner, stranger, BIG_KOBO));
});

afterAll(() => service.close());

/** The two published forms of a request body and of a refusal. */
interface Form {
  name: 'reference' | 'guide';
  body(more?: {
    source?: unknown;
    dest?: unknown;
    amount?: unknown;
    reference?: unknown;
  }): Record<string, unknown>;
  codeOf(answer: Answer): string;
}
const P2P: readonly Form[] = [
  {
    name: 'reference',
    body: ({ source: from = source, dest: to = dest, amount = 100_000, reference = randomUUID() } = {}) => ({
      source_wallet: from,
      dest_wallet: to,
      amount,
      reference,
    }),
    codeOf: ({ body }) => body.error,
  },
  {
    name: 'guide',
    body: ({ source: from = source, dest: to = dest, amount = 100_000, reference = randomUUID() } = {}) => ({
      source_wallet_id: from,
      dest_wallet_id: to,
      amount_kobo: amount,
      reference,
    }),
    codeOf: ({ body }) => body.error.code,
  },
];
const p2p = (body: unknown, headers?: Headers) => partner.post('/v1/transfers/p2p', body, headers);
const balances = (...ids: string[]) => Promise.all(ids.map((id) => partner.balanceKobo(id)));

describe.each(P2P)('POST /v1/transfers/p2p, $name form', ({ name, body, codeOf }) => {
  const isGuide = name === 'guide';
  const key = (reference: string, guide: string) => (isGuide ? guide : reference);

  describe('body', () => {
    test.each([
      ['the source', key('source_wallet', 'source_wallet_id')],
      ['the destination', key('dest_wallet', 'dest_wallet_id')],
      ['the amount', key('amount', 'amount_kobo')],
      ['the reference', 'reference'],
    ])('%s is required', async (_what, field) => {
      const answer = await p2p({ ...body(), [field]: undefined });
      expect([answer.status, codeOf(answer)]).toEqual([422, 'VALIDATION_ERROR']);
    });

    test.each([
      ['a source that is no uuid', { source: 'ada' }],
      ['a destination that is no uuid', { dest: 17 }],
      ['an amount with a fraction', { amount: 100.5 }],
      ['an amount as text', { amount: '100' }],
      ['an amount beyond the largest exact integer', { amount: LARGEST + 1 }],
      ['amount and fee beyond the largest exact integer', { amount: LARGEST }],
      ['an empty reference', { reference: '' }],
      ['a reference of 129 characters', { reference: 'r'.repeat(129) }],
      ['a reference with a control character', { reference: 'a\u0001b' }],
      ['a reference that is a number', { reference: 17 }],
    ])('refuses %s', async (_what, more) => {
      const answer = await p2p(body(more));
      expect([answer.status, codeOf(answer)]).toEqual([422, 'VALIDATION_ERROR']);
    });

    test.each<[what: string, more: object, others: Record<string, unknown>]>([
      ['a reference of 128 characters', { reference: `${name}${'r'.repeat(128 - name.length)}` }, {}],
      ['the minimum, 1 kobo', { amount: 1 }, {}],
      ['a description', {}, { description: 'Rent\nof May' }],
      ['a description of 500 characters', {}, { description: 'd'.repeat(500) }],
      ['metadata', {}, { metadata: { order: 7, list: [1] } }],
      ['null for what is optional', {}, { description: null, metadata: null }],
      ['an unknown field, which is ignored', {}, { status: 'failed' }],
    ])('accepts %s', async (_what, more, others) => {
      const { status, body: answer } = await p2p({ ...body(more), ...others });
      expect(status).toBe(200);
      expect(answer.data).toMatchObject({
        status: 'completed',
        description: others['description'] ?? '',
        metadata: others['metadata'] ?? {},
      });
    });

    test.each([
      ['a description of 501 characters', { description: 'd'.repeat(501) }],
      ['metadata that is no object', { metadata: [1] }],
    ])('refuses %s', async (_what, others) => {
      const answer = await p2p({ ...body(), ...others });
      expect([answer.status, codeOf(answer)]).toEqual([422, 'VALIDATION_ERROR']);
    });
  });

  test.each([
    ['source', () => ({ source: foreign })],
    ['destination', () => ({ dest: foreign })],
  ])('1. both wallets must belong to the calling partner: foreign %s', async (_which, more) => {
    const answer = await p2p(body(more()));
    expect([answer.status, codeOf(answer)]).toEqual([404, 'WALLET_NOT_FOUND']);
  });

  test.each([
    ['source frozen', 422, 'WALLET_FROZEN', () => ({ source: wallets.frozen })],
    ['source closed', 422, 'WALLET_CLOSED', () => ({ source: wallets.closed })],
    ['destination closed', 422, 'WALLET_CLOSED', () => ({ dest: wallets.closed })],
  ])(
    '2. the source must be `active`, the destination not `closed`: %s',
    async (_what, status, code, more) => {
      const before = await balances(source, dest);
      const answer = await p2p(body(more()));
      expect([answer.status, codeOf(answer)]).toEqual([status, code]);
      expect(await balances(source, dest)).toEqual(before);
    },
  );

  test('2. a frozen destination can receive', async () => {
    expect((await p2p(body({ dest: wallets.frozen, amount: 100 }))).status).toBe(200);
  });

  test.each([
    [1, 0],
    [199, 0],
    [200, 1],
    [399, 1],
    [400, 2],
    [100_000, 500],
    [3_999_800, 19_999],
    [3_999_999, 19_999],
    [4_000_000, 20_000],
    [4_000_001, 20_000],
    [1_000_000_000, 20_000],
  ])(
    '3. of %i kobo the fee is %i, on top, charged to the source; the destination receives the amount',
    async (amount, fee) => {
      const [from = 0, to = 0] = await balances(source, dest);
      const { data } = (await p2p(body({ amount }))).body;
      expect(await balances(source, dest)).toEqual([from - amount - fee, to + amount]);
      expect(data.fee_breakdown).toEqual(
        isGuide
          ? {
              customer_fee_kobo: fee,
              customer_fee_naira: (fee / 100).toFixed(2),
              merchant_fee_kobo: 0,
              platform_fee_kobo: fee,
              mfb_cost_kobo: 0,
              net_amount_kobo: amount,
            }
          : { customerFee: fee, merchantFee: 0, platformFee: fee, mfbCost: 0, netAmount: amount },
      );
    },
  );

  test('3. the source needs amount plus fee: one kobo less is refused, exactly that is enough', async () => {
    const id = await partner.wallet(100_499);
    const refused = await p2p(body({ source: id, amount: 100_000 }));
    expect([refused.status, codeOf(refused)]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    const detail = isGuide ? refused.body.error.detail : refused.body.detail;
    expect(detail).toEqual({ available_kobo: 100_499, required_kobo: 100_500 });
    expect(await balances(id)).toEqual([100_499]);

    await partner.post(`/sandbox/wallets/${id}/fund`, { amount_kobo: 1 });
    expect((await p2p(body({ source: id, amount: 100_000 }))).status).toBe(200);
    expect(await balances(id)).toEqual([0]);
  });

  test('4. 200 means the transfer happened; the transaction status is `completed`', async () => {
    const { status, body: answer } = await p2p(body());
    expect([status, answer.data.status, answer.data.type]).toEqual([200, 'completed', 'p2p_transfer']);
    const read = await partner.transaction(answer.data.id);
    expect(read).toMatchObject({ status: 'completed', amount: 100_000 });
  });

  test('5. the `transaction.completed` event is emitted', async () => {
    const { data } = (await p2p(body())).body;
    const heard = await listener.heard('transaction.completed', { id: data.id });
    expect(heard.data).toEqual({
      id: data.id,
      type: 'p2p_transfer',
      status: 'completed',
      reference: data.reference,
      amount_kobo: 100_000,
      source_wallet_id: source,
      dest_wallet_id: dest,
      created_at: data.created_at,
    });
  });

  describe('Errors', () => {
    test('401', async () => {
      expect((await service.as(null).post('/v1/transfers/p2p', body())).status).toBe(401);
    });

    test.each([
      ['SAME_WALLET_TRANSFER', isGuide ? 400 : 422, () => ({ dest: source })],
      ['AMOUNT_TOO_LOW', isGuide ? 400 : 422, () => ({ amount: 0 })],
      ['AMOUNT_TOO_LOW', isGuide ? 400 : 422, () => ({ amount: -1 })],
      ['WALLET_NOT_FOUND', 404, () => ({ source: UNKNOWN_ID })],
      ['WALLET_NOT_FOUND', 404, () => ({ dest: UNKNOWN_ID })],
      ['INSUFFICIENT_FUNDS', 422, () => ({ source: wallets.active })],
    ])('%s is %i', async (code, status, more) => {
      const answer = await p2p(body(more()));
      expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    });
  });
});

describe('POST /v1/transfers/p2p, the two forms together', () => {
  test('keys of both forms that agree are one, answered in guide form', async () => {
    const [reference, guide] = P2P.map((form) => form.body({ reference: 'both' }));
    const { status, body } = await p2p({ ...reference, ...guide });
    expect([status, body.data.amount_kobo]).toEqual([200, 100_000]);
  });

  test('keys of both forms that differ are refused', async () => {
    const [reference, guide] = P2P.map((form) => form.body({ reference: 'differing' }));
    const answer = await p2p({ ...reference, ...guide, amount_kobo: 7 });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
  });

  test.each([
    ['guide', 0, { amount_kobo: 100_000 }],
    ['reference', 1, { amount: 100_000 }],
  ] as const)('the header X-Response-Form: %s wins over the keys', async (form, sent, seen) => {
    const { body } = await p2p(P2P[sent]?.body(), { 'X-Response-Form': form });
    expect(body.data).toMatchObject(seen);
  });

  test('the header wins for status codes too', async () => {
    const [reference, guide] = P2P.map((form) => form.body({ dest: source }));
    expect((await p2p(reference, { 'X-Response-Form': 'guide' })).status).toBe(400);
    expect((await p2p(guide, { 'X-Response-Form': 'reference' })).status).toBe(422);
  });

  test('a form that is unknown is refused', async () => {
    expect((await p2p(P2P[0]?.body(), { 'X-Response-Form': 'short' })).status).toBe(422);
  });

  test('the guide form adds `amount_naira`, nested wallets and `meta.request_id`', async () => {
    const { data, meta } = (await p2p(P2P[1]?.body({ amount: 123_450 }))).body;
    const [from = 0, to = 0] = await balances(source, dest);
    const naira = (kobo: number) => (kobo / 100).toFixed(2);
    expect(data).toMatchObject({
      amount_kobo: 123_450,
      amount_naira: '1234.50',
      source_wallet: { id: source, balance_after_kobo: from, balance_after_naira: naira(from) },
      dest_wallet: { id: dest, balance_after_kobo: to, balance_after_naira: naira(to) },
    });
    expect(meta.request_id).toMatch(/^req_/);
  });
});

const account = (more: Record<string, unknown> = {}) => ({
  bank_code: '058',
  account_number: '0123456789',
  account_name: 'ADA OBI',
  ...more,
});
const BANK: readonly Form[] = P2P.map((form) => ({
  ...form,
  body({ dest: to = account(), ...more } = {}) {
    const {
      dest_wallet: _reference,
      dest_wallet_id: _guide,
      ...rest
    } = form.body({ amount: 40_000, ...more });
    return { ...rest, dest_account: to };
  },
}));
const bank = (body: unknown, headers?: Headers) => partner.post('/v1/transfers/bank', body, headers);

describe.each(BANK)('POST /v1/transfers/bank, $name form', ({ name, body, codeOf }) => {
  const isGuide = name === 'guide';

  describe('body', () => {
    test.each([
      ['the source', { [isGuide ? 'source_wallet_id' : 'source_wallet']: undefined }],
      ['dest_account', { dest_account: undefined }],
      ['the amount', { [isGuide ? 'amount_kobo' : 'amount']: undefined }],
      ['the reference', { reference: undefined }],
      ['dest_account.bank_code', { dest_account: account({ bank_code: undefined }) }],
      ['dest_account.account_number', { dest_account: account({ account_number: undefined }) }],
      ['dest_account.account_name', { dest_account: account({ account_name: undefined }) }],
    ])('%s is required', async (_what, change) => {
      const answer = await bank({ ...body(), ...change });
      expect([answer.status, codeOf(answer)]).toEqual([422, 'VALIDATION_ERROR']);
    });

    test('description is optional; metadata is kept', async () => {
      const { data } = (await bank({ ...body(), description: 'School fees', metadata: { term: 1 } }, HOLD))
        .body;
      expect(data).toMatchObject({ description: 'School fees', metadata: { term: 1 } });
    });

    test('the minimum is 1 kobo', async () => {
      expect((await bank(body({ amount: 1 }), HOLD)).status).toBe(202);
    });
  });

  test.each([1, 40_000, 500_000_000])(
    '1. the source wallet is debited immediately on acceptance: %i kobo plus the flat fee',
    async (amount) => {
      const [before = 0] = await balances(source);
      const { status } = await bank(body({ amount }), HOLD);
      expect(status).toBe(202);
      expect(await balances(source)).toEqual([before - amount - 5_000]);
    },
  );

  test('1. one kobo less than amount plus fee is refused, exactly that is enough', async () => {
    const id = await partner.wallet(44_999);
    const refused = await bank(body({ source: id }));
    expect([refused.status, codeOf(refused)]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    const detail = isGuide ? refused.body.error.detail : refused.body.detail;
    expect(detail).toEqual({ available_kobo: 44_999, required_kobo: 45_000 });
    await partner.post(`/sandbox/wallets/${id}/fund`, { amount_kobo: 1 });
    expect((await bank(body({ source: id }), HOLD)).status).toBe(202);
    expect(await balances(id)).toEqual([0]);
  });

  test('2. response 202: `status` = `processing`, `type` = `bank_transfer`, the account, the fees', async () => {
    const [before = 0] = await balances(source);
    const { status, body: answer } = await bank(body(), HOLD);
    const { data } = answer;
    expect(status).toBe(202);
    expect(data).toMatchObject({
      id: UUID,
      type: 'bank_transfer',
      status: 'processing',
      dest_wallet: null,
      dest_account: {
        bank_code: '058',
        bank_name: expect.stringMatching(/./),
        account_number: '0123456789',
        account_name: 'ADA OBI',
      },
      completed_at: null,
    });
    if (isGuide) {
      expect(data).toMatchObject({ amount_kobo: 40_000, amount_naira: '400.00' });
      expect(data.source_wallet).toMatchObject({ id: source, balance_after_kobo: before - 45_000 });
      expect(data.fee_breakdown).toMatchObject({ customer_fee_kobo: 5_000, platform_fee_kobo: 5_000 });
      expect(Number.isInteger(data.fee_breakdown.mfb_cost_kobo)).toBe(true);
    } else {
      expect(data).toMatchObject({ amount: 40_000, source_wallet: source });
      expect(data.fee_breakdown).toMatchObject({ customerFee: 5_000, platformFee: 5_000, netAmount: 40_000 });
    }
  });

  test('3. the final outcome arrives later through `transaction.completed`', async () => {
    const { id, reference } = (await bank(body())).body.data;
    const heard = await listener.heard('transaction.completed', { id });
    expect(Object.keys(heard.data)).toEqual([
      'id',
      'type',
      'status',
      'reference',
      'amount_kobo',
      'psp_reference',
      'completed_at',
      'name_matches',
    ]);
    expect(heard.data).toMatchObject({ type: 'bank_transfer', reference, amount_kobo: 40_000 });
    expect(await partner.transaction(id)).toMatchObject({
      status: 'completed',
      psp_reference: heard.data.psp_reference,
    });
  });

  test('3. or through `transaction.failed`; the source is credited back in full automatically, once', async () => {
    const walletId = await partner.wallet(1_000_000);
    const to = account({ account_number: '0123450000' });
    const { id } = (await bank(body({ source: walletId, dest: to }))).body.data;
    const { data } = await listener.heard('transaction.failed', { id });
    expect(data).toMatchObject({
      type: 'bank_transfer',
      status: 'failed',
      amount_kobo: 40_000,
      failure_reason: expect.stringMatching(/./),
      reversal: { reversed: true, reversal_tx_id: UUID, amount_kobo: 45_000 },
      reversal_status: 'completed',
    });
    expect(await balances(walletId)).toEqual([1_000_000]);
    expect(await partner.transaction(data.reversal.reversal_tx_id)).toMatchObject({
      type: 'reversal',
      status: 'completed',
      amount: 45_000,
      dest_wallet: walletId,
    });
  });

  test('4. a transfer to a valid but unintended account cannot be reversed', async () => {
    const { id } = (await bank(body())).body.data;
    await partner.ended(id);
    const late = await partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: id });
    expect(late).toMatchObject({ status: 422, body: { error: 'TRANSACTION_NOT_PROCESSING' } });
    expect(await partner.transaction(id)).toMatchObject({ status: 'completed' });
  });

  describe('5. Errors', () => {
    test('401', async () => {
      expect((await service.as(null).post('/v1/transfers/bank', body())).status).toBe(401);
    });

    test.each([
      ['VALIDATION_ERROR', 422, () => ({ dest: account({ account_number: '012345678' }) })],
      ['VALIDATION_ERROR', 422, () => ({ dest: account({ bank_code: '05' }) })],
      ['INVALID_BANK_CODE', 422, () => ({ dest: account({ bank_code: '777' }) })],
      ['AMOUNT_TOO_LOW', 422, () => ({ amount: 0 })],
      ['WALLET_NOT_FOUND', 404, () => ({ source: UNKNOWN_ID })],
      ['WALLET_NOT_FOUND', 404, () => ({ source: foreign })],
      ['WALLET_FROZEN', 422, () => ({ source: wallets.frozen })],
      ['WALLET_CLOSED', 422, () => ({ source: wallets.closed })],
      ['INSUFFICIENT_FUNDS', 422, () => ({ source: wallets.active })],
    ])('%s is %i', async (code, status, more) => {
      const answer = await bank(body(more()));
      expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    });
  });
});

describe('GET /v1/banks/resolve', () => {
  const resolve = (query: string) => partner.get(`/v1/banks/resolve?${query}`);

  test('returns 200: the bank account resolution object', async () => {
    const { status, body } = await resolve('bank_code=058&account_number=0123456789');
    expect(status).toBe(200);
    const four = {
      account_number: '0123456789',
      account_name: expect.stringMatching(/./),
      bank_code: '058',
      bank_name: expect.stringMatching(/./),
    };
    expect(body).toEqual({ ...four, data: four, meta: { request_id: expect.stringMatching(/^req_/) } });
  });

  test('the name is the same whenever it is asked for', async () => {
    const names = await Promise.all(
      [1, 2].map(async () => (await resolve('bank_code=058&account_number=1112223334')).body.account_name),
    );
    expect(new Set(names).size).toBe(1);
  });

  test('the account of a wallet has the name of the wallet', async () => {
    const { wallet } = (await partner.get(`/v1/wallets/${source}`)).body.data;
    const query = `bank_code=${wallet.bank_code}&account_number=${wallet.account_number}`;
    expect((await resolve(query)).body).toMatchObject({
      account_name: wallet.account_name,
      bank_name: wallet.bank_name,
    });
  });

  test.each([
    ['bank_code missing', 'account_number=0123456789', 'VALIDATION_ERROR'],
    ['account_number missing', 'bank_code=058', 'VALIDATION_ERROR'],
    ['account_number of 9 digits', 'bank_code=058&account_number=012345678', 'VALIDATION_ERROR'],
    [
      'account_number given twice',
      'bank_code=058&account_number=0123456789&account_number=1',
      'VALIDATION_ERROR',
    ],
    ['a bank that nobody knows', 'bank_code=777&account_number=0123456789', 'ACCOUNT_RESOLUTION_FAILED'],
    [
      'an account that cannot be resolved',
      'bank_code=058&account_number=0123450404',
      'ACCOUNT_RESOLUTION_FAILED',
    ],
  ])('failure is 422: %s', async (_what, query, code) => {
    expect(await resolve(query)).toMatchObject({ status: 422, body: { error: code } });
  });

  test('an account to which transfers fail still resolves', async () => {
    expect((await resolve('bank_code=058&account_number=0123450000')).status).toBe(200);
  });

  test('401', async () => {
    expect((await service.as(null).get('/v1/banks/resolve')).status).toBe(401);
  });
});

describe('GET /v1/banks', () => {
  test('returns the list of supported banks, by name', async () => {
    const { status, body } = await partner.get('/v1/banks');
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThan(10);
    for (const one of body.data) expect(Object.keys(one)).toEqual(['code', 'name', 'slug', 'nip_code']);
    const names: string[] = body.data.map(({ name }: Json) => name.toLowerCase());
    expect(names).toEqual([...names].sort());
    expect(body.data).toContainEqual(expect.objectContaining({ code: '058' }));
  });

  test('each can be resolved and sent to', async () => {
    const { data } = (await partner.get('/v1/banks')).body;
    for (const { code } of data.slice(0, 5)) {
      const query = `bank_code=${code}&account_number=0123456789`;
      expect((await partner.get(`/v1/banks/resolve?${query}`)).status).toBe(200);
      expect((await bank(BANK[0]?.body({ dest: account({ bank_code: code }) }), HOLD)).status).toBe(202);
    }
  });

  test('our own microfinance bank is there in sandbox', async () => {
    const { wallet } = (await partner.get(`/v1/wallets/${source}`)).body.data;
    const { data } = (await partner.get('/v1/banks')).body;
    expect(data).toContainEqual(expect.objectContaining({ code: wallet.bank_code, name: wallet.bank_name }));
  });

  test('401', async () => {
    expect((await service.as(null).get('/v1/banks')).status).toBe(401);
  });
});
