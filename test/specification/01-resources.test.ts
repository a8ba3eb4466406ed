/**
 * The published interface (interface: Resources and their fields): one table for each resource, one row per field.
 */
import { complianceOf, STEPS, submitAll } from '../support/compliance';
import { openService, UUID, type Client, type Json, type Service } from './client';

let service: Service;
let partner: Client;
/** Resources by the name of their table, as answers gave them. */
const seen: Record<string, Json> = {};

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const TEXT = expect.any(String);
const FILLED = expect.stringMatching(/./);
const REGISTRATION = {
  business_name: 'Acme Fintech',
  email: 'owner@resources.example',
  phone: '+2348012345678',
  password: 'correct horse battery staple',
};
const QUICKSTART = { 'X-Response-Form': 'quickstart' };

type Row = [field: string, meaning: string, expected: unknown];
/** The rows of one published table, against the resource seen under `name`. */
const table = (name: string, rows: readonly Row[]) =>
  test.each(rows)('%s: %s', (field, _meaning, expected) => {
    const value = typeof expected === 'function' && !('asymmetricMatch' in expected) ? expected() : expected;
    expect(Object.keys(seen[name])).toContain(field);
    expect(seen[name][field]).toEqual(value);
  });

const p2p = (more: Record<string, unknown> = {}) => ({
  source_wallet: seen.source,
  dest_wallet: seen.dest,
  amount: 100_000,
  ...more,
});

beforeAll(async () => {
  service = await openService();
  const registered = await service.as(null).post('/v1/auth/register', REGISTRATION);
  seen.partner = registered.body.data;
  const { email, password } = REGISTRATION;
  const login = await service.as(null).post('/v1/auth/login', { email, password });
  const person = service.as(login.body.data.access_token);
  const made = await person.post('/v1/api-keys', { label: 'checkout' });
  seen.madeKey = made.body.data;
  seen.key = (await person.get('/v1/api-keys')).body.data[0];
  partner = service.as(made.body.data.key);

  [seen.source, seen.dest] = await Promise.all([partner.wallet(10_000_000), partner.wallet()]);
  const asked = { user_ref: 'ada', metadata: { first_name: 'Ada', tags: ['a', 1, null] } };
  seen.pending = (await partner.post('/v1/wallets', asked)).body.data;
  seen.wallet = (await partner.get(`/v1/wallets/${seen.source}`)).body.data.wallet;
  seen.fresh = await complianceOf(partner);
  seen.transfer = (
    await partner.post('/v1/transfers/p2p', p2p({ reference: 'rent-1', metadata: { order: 7 } }))
  ).body.data;
});

afterAll(() => service.close());

describe('Notation and naming variants', () => {
  test('1. reference schemas: snake_case names, fee keys in camelCase', () => {
    const camelCase = /[A-Z]/;
    expect(Object.keys({ ...seen.wallet, ...seen.transfer }).filter((name) => camelCase.test(name))).toEqual(
      [],
    );
    expect(Object.keys(seen.transfer.fee_breakdown)).toEqual([
      'customerFee',
      'merchantFee',
      'platformFee',
      'mfbCost',
      'netAmount',
    ]);
  });

  test.each([
    ['POST /v1/wallets', () => partner.post('/v1/wallets', { user_ref: 'quick' }, QUICKSTART)],
    ['GET /v1/wallets/{id}', () => partner.get(`/v1/wallets/${seen.source}`, QUICKSTART)],
  ])('2. quickstart wallet example, %s: field names in PascalCase', async (_operation, ask) => {
    const { data } = (await ask()).body;
    expect(Object.keys(data.wallet ?? data)).toEqual([
      'ID',
      'PartnerID',
      'UserRef',
      'Currency',
      'Status',
      'AccountNumber',
      'AccountName',
      'BankCode',
      'BankName',
      'MFBReference',
      'AccountStatus',
      'Metadata',
      'CreatedAt',
      'UpdatedAt',
    ]);
  });

  test('2. quickstart transaction example: snake_case, with more fields, failed_reason an empty string', async () => {
    const { data } = (await partner.post('/v1/transfers/p2p', p2p({ reference: 'quick' }), QUICKSTART)).body;
    expect(data).toMatchObject({
      source_account: null,
      dest_account: null,
      split_config: null,
      psp_reference: null,
      psp_meta: null,
      idempotency_key: null,
      failed_reason: '',
      partner_id: expect.any(String),
    });
    expect(seen.transfer.failed_reason).toBeNull();
  });

  describe('3. P2P guide', () => {
    const guide = (): Record<string, unknown> => ({
      source_wallet_id: seen.source,
      dest_wallet_id: seen.dest,
      amount_kobo: 123_450,
    });
    let answer: Json;
    beforeAll(async () => {
      answer = (await partner.post('/v1/transfers/p2p', { ...guide(), reference: 'guide' })).body;
    });

    test('amounts named `amount_kobo`, plus `amount_naira` (decimal string)', () => {
      expect(answer.data).toMatchObject({ amount_kobo: 123_450, amount_naira: '1234.50' });
      expect(answer.data).not.toHaveProperty('amount');
    });

    test('fee keys snake_case with `_kobo` suffix, and `customer_fee_naira`', () => {
      // 0.5 percent of 123,450 is 617.25; the fee is rounded down to a whole kobo.
      expect(answer.data.fee_breakdown).toEqual({
        customer_fee_kobo: 617,
        customer_fee_naira: '6.17',
        merchant_fee_kobo: 0,
        platform_fee_kobo: 617,
        mfb_cost_kobo: 0,
        net_amount_kobo: 123_450,
      });
    });

    test('`source_wallet` and `dest_wallet` are objects: id and balance after, in kobo and naira', async () => {
      const { data } = (await partner.get(`/v1/wallets/${seen.dest}`)).body;
      expect(answer.data.dest_wallet).toEqual({
        id: seen.dest,
        balance_after_kobo: data.balance_kobo,
        balance_after_naira: data.balance_naira,
      });
      expect(Object.keys(answer.data.source_wallet)).toEqual([
        'id',
        'balance_after_kobo',
        'balance_after_naira',
      ]);
    });

    test.each([
      ['wlt_', () => partner.get(`/v1/wallets/wlt_${seen.source}`)],
      [
        'wlt_ in a body',
        () =>
          partner.post('/v1/transfers/p2p', {
            ...guide(),
            source_wallet_id: `wlt_${seen.source}`,
            dest_wallet_id: `wlt_${seen.dest}`,
            reference: 'prefixed',
          }),
      ],
      ['tx_', () => partner.get(`/v1/transactions/tx_${seen.transfer.id}`)],
    ])('identifiers with a prefix are understood: %s', async (_prefix, ask) => {
      expect((await ask()).status).toBe(200);
    });

    test.each([
      ['a guide answer', () => answer.meta.request_id],
      ['a reference answer', async () => (await partner.get('/v1/banks')).body.meta.request_id],
      ['a refusal', async () => (await partner.get('/v1/wallets/none')).body.meta.request_id],
    ])('every response carries `meta.request_id`, prefixed req_: %s', async (_what, read) => {
      expect(await read()).toMatch(/^req_.+/);
    });
  });
});

describe('Wallet', () => {
  table('wallet', [
    ['id', 'uuid', () => seen.source],
    ['partner_id', 'uuid', () => seen.partner.id],
    ['user_ref', 'partner-supplied identifier of the owner', expect.stringMatching(/^user-/)],
    ['currency', 'NGN', 'NGN'],
    ['status', '`pending`, `active`, `frozen`, `closed`', 'active'],
    ['account_number', 'MFB-issued NUBAN', expect.stringMatching(/^[0-9]{10}$/)],
    ['account_name', 'string', FILLED],
    ['bank_code', 'string', FILLED],
    ['bank_name', 'string', FILLED],
    ['mfb_reference', 'internal MFB reference of the virtual account', FILLED],
    ['account_status', '`provisioning`, `active`, `suspended`, `closed`', 'active'],
    ['metadata', 'object', {}],
    ['created_at', 'timestamp', TIMESTAMP],
    ['updated_at', 'timestamp', TIMESTAMP],
  ]);

  describe('until provisioning completes', () => {
    table('pending', [
      ['id', 'uuid', UUID],
      ['user_ref', 'as it was sent', 'ada'],
      ['status', 'pending', 'pending'],
      ['account_number', 'empty string', ''],
      ['account_name', 'empty string', ''],
      ['bank_code', 'empty string', ''],
      ['bank_name', 'empty string', ''],
      ['mfb_reference', 'empty', ''],
      ['account_status', 'provisioning', 'provisioning'],
      ['metadata', 'free-form JSON object', { first_name: 'Ada', tags: ['a', 1, null] }],
    ]);
  });

  test('user_ref is unique per partner: a second wallet yields 409, another partner has its own', async () => {
    expect((await partner.post('/v1/wallets', { user_ref: 'ada' })).status).toBe(409);
    const other = await service.partner();
    expect((await other.post('/v1/wallets', { user_ref: 'ada' })).status).toBe(202);
  });
});

describe('Transaction', () => {
  table('transfer', [
    ['id', 'uuid', UUID],
    ['partner_id', 'uuid', () => seen.partner.id],
    ['reference', 'partner-supplied', 'rent-1'],
    ['type', 'string', 'p2p_transfer'],
    ['status', 'string', 'completed'],
    ['amount', 'integer, kobo', 100_000],
    ['currency', 'string', 'NGN'],
    ['source_wallet', 'uuid', () => seen.source],
    ['dest_wallet', 'uuid', () => seen.dest],
    ['fee_breakdown', 'FeeBreakdown', expect.any(Object)],
    ['mfb_reference', 'nullable', null],
    ['description', 'string', ''],
    ['metadata', 'object', { order: 7 }],
    ['failed_reason', 'nullable', null],
    ['completed_at', 'timestamp', TIMESTAMP],
    ['created_at', 'timestamp', TIMESTAMP],
    ['updated_at', 'timestamp', TIMESTAMP],
  ]);

  describe('nullable fields of a bank transfer in flight', () => {
    beforeAll(async () => {
      const dest = { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' };
      const body = { source_wallet: seen.source, dest_account: dest, amount: 1_000, reference: 'held' };
      const held = await partner.post('/v1/transfers/bank', body, { 'X-Sandbox-Hold': 'true' });
      seen.held = held.body.data;
    });
    table('held', [
      ['source_wallet', 'uuid', () => seen.source],
      ['dest_wallet', 'null: the money leaves', null],
      ['completed_at', 'null as long as it is processing', null],
      ['failed_reason', 'null as long as it has not failed', null],
    ]);
  });

  test('metadata is returned on all transaction responses', async () => {
    const { id, reference } = seen.transfer;
    const single = await partner.get(`/v1/transactions/${id}`);
    const list = await partner.get(`/v1/wallets/${seen.dest}/transactions?reference=${reference}`);
    const replay = await partner.post(
      '/v1/transfers/p2p',
      p2p({ reference, metadata: { order: 'another' } }),
    );
    const all = [single.body.data, list.body.data[0], replay.body.data];
    expect(all.map((one) => one.metadata)).toEqual(all.map(() => ({ order: 7 })));
  });

  test('reference is unique per partner: another partner has its own', async () => {
    const other = await service.partner();
    const [source, dest] = await Promise.all([other.wallet(10_000), other.wallet()]);
    const body = { source_wallet: source, dest_wallet: dest, amount: 5, reference: 'rent-1' };
    expect((await other.post('/v1/transfers/p2p', body)).status).toBe(200);
  });
});

describe('FeeBreakdown (all kobo integers)', () => {
  beforeAll(() => {
    seen.fees = seen.transfer.fee_breakdown;
  });
  table('fees', [
    ['customerFee', 'fee charged to the end customer', 500],
    ['merchantFee', 'fee charged to the partner', 0],
    ['platformFee', 'gross revenue of the service on the transaction', 500],
    ['mfbCost', 'cost paid to the MFB', 0],
    ['netAmount', 'amount received by the destination after fees', 100_000],
  ]);
});

describe('LedgerEntry', () => {
  beforeAll(async () => {
    const [source, dest] = await Promise.all([partner.wallet(500_000), partner.wallet()]);
    const body = { source_wallet: source, dest_wallet: dest, amount: 200_000, reference: 'for the ledger' };
    seen.moved = (await partner.post('/v1/transfers/p2p', body)).body.data;
    [seen.debit] = (await partner.get(`/v1/wallets/${source}/ledger`)).body.data;
    [seen.credit] = (await partner.get(`/v1/wallets/${dest}/ledger`)).body.data;
  });

  describe('of the source', () => {
    table('debit', [
      ['id', 'uuid', UUID],
      ['wallet_id', 'uuid', () => seen.moved.source_wallet],
      ['transaction_id', 'uuid', () => seen.moved.id],
      ['direction', '`debit`', 'debit'],
      ['amount', 'kobo: amount and fee in one', 201_000],
      ['currency', 'string', 'NGN'],
      ['balance_after', 'wallet balance after the entry, kobo', 299_000],
      ['status', '`pending`, `posted`, `reversed`', 'posted'],
      ['description', 'string', TEXT],
      ['metadata', 'object', expect.any(Object)],
      ['created_at', 'timestamp', TIMESTAMP],
    ]);
  });

  describe('of the destination', () => {
    table('credit', [
      ['wallet_id', 'uuid', () => seen.moved.dest_wallet],
      ['direction', '`credit`', 'credit'],
      ['amount', 'kobo', 200_000],
      ['balance_after', 'wallet balance after the entry, kobo', 200_000],
    ]);
  });
});

describe('SplitEntry', () => {
  const pay = (splits: unknown, reference: string) =>
    partner.post('/v1/payments/split', { source_wallet: seen.source, reference, splits });
  const two = (): Record<string, unknown>[] => [
    { wallet_id: seen.dest, amount: 100 },
    { wallet_id: seen.dest, amount: 200 },
  ];

  test.each([
    ['wallet_id: required', { wallet_id: undefined }, 422],
    ['amount: required', { amount: undefined }, 422],
    ['percentage: not required', { percentage: undefined }, 200],
    ['percentage: a float', { percentage: 33.3 }, 200],
    ['percentage: 100', { percentage: 100 }, 200],
    ['percentage: 0', { percentage: 0 }, 422],
    ['percentage: more than 100', { percentage: 100.01 }, 422],
    ['percentage: not a string', { percentage: '33.3' }, 422],
  ])('%s', async (what, change, status) => {
    const [first, second] = two();
    expect((await pay([{ ...first, ...change }, second], `entry ${what}`)).status).toBe(status);
  });

  test('SplitConfig: object with `splits`, an array of SplitEntry', async () => {
    const [first, second] = two();
    const splits = [{ ...first, percentage: 33.3 }, second];
    const { data } = (await pay(splits, 'config')).body;
    expect(data).toHaveLength(2);
    for (const leg of data) {
      expect(leg.split_config.splits).toMatchObject([
        { wallet_id: seen.dest, amount: 100, percentage: 33.3 },
        { wallet_id: seen.dest, amount: 200 },
      ]);
    }
  });
});

describe('BankAccount', () => {
  const whole = { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' };
  test.each([
    ['all three', {}, 202],
    ['bank_code: required', { bank_code: undefined }, 422],
    ['account_number: required', { account_number: undefined }, 422],
    ['account_name: required', { account_name: undefined }, 422],
    ['bank_code: a string', { bank_code: 58 }, 422],
    ['account_number: 10 digits', { account_number: '012345678' }, 422],
    ['account_number: not 11', { account_number: '01234567890' }, 422],
    ['account_number: nothing but digits', { account_number: '012345678X' }, 422],
  ])('%s', async (what, change, status) => {
    const dest = { ...whole, ...change };
    const body = { source_wallet: seen.source, dest_account: dest, amount: 100, reference: `to ${what}` };
    expect((await partner.post('/v1/transfers/bank', body)).status).toBe(status);
  });
});

describe('Partner', () => {
  table('partner', [
    ['id', 'uuid', UUID],
    ['business_name', 'string', 'Acme Fintech'],
    ['email', 'string (email)', 'owner@resources.example'],
    ['phone', 'string', '+2348012345678'],
    ['status', '`registered` at first', 'registered'],
    ['tier', '`starter` at first', 'starter'],
    ['created_at', 'timestamp', TIMESTAMP],
  ]);
});

describe('APIKey', () => {
  table('key', [
    ['id', 'uuid', UUID],
    ['partner_id', 'uuid', () => seen.partner.id],
    ['key_prefix', 'first 12 characters followed by three dots', () => `${seen.madeKey.key.slice(0, 12)}...`],
    ['environment', '`live`, `sandbox`', 'sandbox'],
    ['label', 'string', 'checkout'],
    ['last_used_at', 'null before its first use', null],
    ['expires_at', 'nullable', null],
    ['created_at', 'timestamp', TIMESTAMP],
  ]);

  test('never the full key', () => {
    expect(seen.madeKey.key).toMatch(/^sk_test_[0-9A-Za-z]+$/);
    expect(seen.key).not.toHaveProperty('key');
  });
});

describe('ComplianceStatus (partner KYB record)', () => {
  describe('before anything was submitted', () => {
    table('fresh', [
      ['overall_status', 'incomplete', 'incomplete'],
      ['cac_number', 'string', ''],
      ['business_type', 'string', ''],
      ['terms_version', 'string', ''],
      ['rejection_reason', 'nullable', null],
      ['steps', 'booleans', { business_info: false, directors: false, agreements: false, use_case: false }],
      ['directors_submitted_at', 'nullable', null],
      ['terms_accepted_at', 'nullable', null],
      ['aml_policy_accepted_at', 'nullable', null],
      ['dpa_accepted_at', 'nullable', null],
      ['use_case_description', 'string', ''],
    ]);
  });

  describe('after all four steps', () => {
    beforeAll(async () => {
      await submitAll(partner);
      seen.submitted = await complianceOf(partner);
    });
    table('submitted', [
      ['overall_status', 'submitted', 'submitted'],
      ['cac_number', 'string', 'RC123456'],
      ['business_type', '`llc`, `sole_prop`, `ngo`, `partnership`', 'llc'],
      ['terms_version', 'string', FILLED],
      ['rejection_reason', 'nullable', null],
      ['steps', 'booleans', { business_info: true, directors: true, agreements: true, use_case: true }],
      ['directors_submitted_at', 'timestamp', TIMESTAMP],
      ['terms_accepted_at', 'timestamp', TIMESTAMP],
      ['aml_policy_accepted_at', 'timestamp', TIMESTAMP],
      ['dpa_accepted_at', 'timestamp', TIMESTAMP],
      ['use_case_description', 'string', STEPS['use-case'].description],
    ]);
  });
});

describe('WebhookEndpoint', () => {
  beforeAll(async () => {
    const body = { url: 'https://shop.example/hook', events: ['wallet.activated', 'kyc.failed'] };
    seen.registered = (await partner.post('/v1/webhooks', body)).body.data;
    [seen.listed] = (await partner.get('/v1/webhooks')).body.data;
  });
  const ROWS: Row[] = [
    ['id', 'uuid', UUID],
    ['partner_id', 'uuid', () => seen.partner.id],
    ['url', 'string (uri)', 'https://shop.example/hook'],
    ['events', 'event kinds subscribed', ['wallet.activated', 'kyc.failed']],
    ['is_active', 'boolean', true],
    ['created_at', 'timestamp', TIMESTAMP],
    ['failure_count', 'initially 0', 0],
    ['last_success_at', 'nullable', null],
  ];
  describe('at registration', () => {
    table('registered', [
      ...ROWS,
      ['secret', '`sk_wh_` followed by opaque text', expect.stringMatching(/^sk_wh_.+/)],
    ]);
  });
  describe('in the list', () => {
    table('listed', ROWS);
    test('secret: returned at registration only', () => expect(seen.listed).not.toHaveProperty('secret'));
  });
});

describe('KYC verification (end user)', () => {
  describe.each([
    ['bvn', '22222222222'],
    ['nin', '12345678901'],
  ])('%s', (type, number) => {
    beforeAll(async () => {
      const submitted = await partner.post(`/v1/kyc/${type}`, { user_ref: `kyc-${type}`, [type]: number });
      const { data } = (await partner.get(`/v1/kyc/kyc-${type}/status`)).body;
      seen.verification = data.verifications[0];
      seen.verificationId = submitted.body.data.verification_id;
    });
    table('verification', [
      ['verification_id', 'uuid', () => seen.verificationId],
      ['type', '`bvn`, `nin`', type],
      ['status', '`pending`, `verified`, `failed`', expect.stringMatching(/^(pending|verified)$/)],
      ['created_at', 'timestamp', TIMESTAMP],
    ]);
  });
});

describe('QR payment request', () => {
  beforeAll(async () => {
    const body = { wallet_id: seen.dest, amount: 2_500, reference: 'qr-1' };
    seen.qr = (await partner.post('/v1/payments/qr/create', body)).body.data;
  });
  table('qr', [
    ['qr_code', 'base64 QR image', expect.stringMatching(/^iVBORw0KGgo[A-Za-z0-9+/]+=*$/)],
    ['reference', 'string', 'qr-1'],
    ['expires_at', 'timestamp', TIMESTAMP],
  ]);
});

describe('USSD session', () => {
  const DIAL_CODE = expect.stringMatching(/^\*[0-9*]+#$/);
  describe('reference form', () => {
    beforeAll(async () => {
      const body = { wallet_id: seen.source, amount: 5_000, reference: 'ussd-1', phone: '+2348012345678' };
      seen.session = (await partner.post('/v1/payments/ussd/initiate', body)).body.data;
    });
    table('session', [
      ['ussd_code', 'a dial code', DIAL_CODE],
      ['session_id', 'prefixed `ussd_`', expect.stringMatching(/^ussd_.+/)],
      ['expires_at', 'timestamp', TIMESTAMP],
    ]);
  });

  describe('guide form', () => {
    beforeAll(async () => {
      const body = {
        payer_wallet_id: seen.source,
        merchant_wallet_id: seen.dest,
        amount_kobo: 123_450,
        merchant_name: 'ADA STORES',
        reference: 'ussd-2',
      };
      seen.guideSession = (await partner.post('/v1/payments/ussd/initiate', body)).body;
    });
    table('guideSession', [
      ['dial_code', 'instead of `ussd_code`', DIAL_CODE],
      ['session_id', 'prefixed `ussd_`', expect.stringMatching(/^ussd_.+/)],
      ['expires_at', 'timestamp', TIMESTAMP],
      ['amount_kobo', 'kobo', 123_450],
      ['amount_naira', 'decimal string', '1234.50'],
      ['status', 'see States', 'initiated'],
      ['meta', 'meta.request_id', { request_id: expect.stringMatching(/^req_/) }],
    ]);
  });
});

describe('Bank account resolution', () => {
  beforeAll(async () => {
    const answer = await partner.get('/v1/banks/resolve?bank_code=058&account_number=0123456789');
    seen.resolution = answer.body;
  });
  table('resolution', [
    ['account_number', 'string', '0123456789'],
    ['account_name', 'string', FILLED],
    ['bank_code', 'string', '058'],
    ['bank_name', 'string', FILLED],
    ['meta', 'meta.request_id', { request_id: expect.stringMatching(/^req_/) }],
  ]);
});
