/** Fees and quotes: what is quoted is what the payment then does (D190). */
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { LimitTier } from '../../src/domain/limits';
import type { WalletStatus } from '../../src/domain/wallets';
import type { Json } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';
import { unchecked } from '../support/past-checks';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
const ABSENT = '01980000-0000-7000-8000-00000000dead';
const ACCOUNT = { bank_code: '058', account_number: '0123456789' };

const quoted = (body: object, headers?: Record<string, string>) => partner.post('/v1/quotes', body, headers);

test('the fees are one rule for each type that has a source', async () => {
  const { status, body } = await partner.get('/v1/fees');
  expect(status).toBe(200);
  expect(body.data).toEqual([
    { type: 'wallet_debit', flat_kobo: 0, basis_points: 0, cap_kobo: null },
    { type: 'p2p_transfer', flat_kobo: 0, basis_points: 50, cap_kobo: 20_000 },
    { type: 'bank_transfer', flat_kobo: 5_000, basis_points: 0, cap_kobo: null },
    { type: 'ussd_payment', flat_kobo: 0, basis_points: 0, cap_kobo: null },
    { type: 'qr_payment', flat_kobo: 0, basis_points: 0, cap_kobo: null },
    { type: 'split_payment', flat_kobo: 0, basis_points: 0, cap_kobo: null },
  ]);
});

test('a quote moves nothing, and says what would be debited and what arrives', async () => {
  const [source, dest] = [await partner.wallet({ fundKobo: 1_000_000 }), await partner.wallet()];
  const answer = await quoted({
    source_wallet: source,
    dest_wallet: dest,
    amount: 150_000,
  });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      data: {
        type: 'p2p_transfer',
        amount: 150_000,
        fee_breakdown: { customerFee: 750, netAmount: 150_000 },
        total_debit: 150_750,
        refusal: null,
      },
    },
  });
  expect(await partner.balanceKobo(source)).toBe(1_000_000);
});

test('a quote for too little money has the code and the detail of the payment', async () => {
  const [source, dest] = [await partner.wallet({ fundKobo: 100_000 }), await partner.wallet()];
  const { body } = await quoted({
    source_wallet_id: source,
    dest_wallet_id: dest,
    amount_kobo: 150_000,
  });
  expect(body.data.refusal).toEqual({
    error: 'INSUFFICIENT_FUNDS',
    message: expect.any(String),
    detail: { available_kobo: 100_000, required_kobo: 150_750 },
  });
});

test.each<[what: string, amount: number, duty: number]>([
  ['from NGN 10,000 on', 1_000_000, 5_000],
  ['below it', 999_999, 0],
])(
  'where stamp duty is charged, a transfer to a bank %s is quoted and debited with it',
  async (_what, amount, duty) => {
    const charging = await (await world.startApi({ STAMP_DUTY: 'charge' })).partner();
    const source = await charging.wallet({ fundKobo: 1_100_000 });
    const body = { source_wallet: source, dest_account: { ...ACCOUNT, account_name: 'ADA OBI' }, amount };
    const { data } = (await charging.post('/v1/quotes', body)).body;
    expect(data).toMatchObject({
      fee_breakdown: { customerFee: 5_000 },
      stamp_duty: duty,
      total_debit: amount + 5_000 + duty,
    });
    const key = { 'Idempotency-Key': 'once' };
    const paid = await charging.post('/v1/transfers/bank', { ...body, reference: 'one' }, key);
    expect(paid.status).toBe(202);
    expect(paid.body.data).toMatchObject({ amount, fee_breakdown: { customerFee: 5_000 } });
    expect(await charging.balanceKobo(source)).toBe(1_100_000 - data.total_debit);
    // The same request again, by its key and by its reference.
    expect(await charging.post('/v1/transfers/bank', { ...body, reference: 'one' }, key)).toMatchObject({
      body: paid.body,
    });
    await charging.post('/v1/transfers/bank', { ...body, reference: 'one' });
    const list = (await charging.get(`/v1/transactions?wallet_id=${source}&type=fee_deduction`)).body.data;
    expect(list.map((one: Json) => [one.amount, one.status, one.reference])).toEqual(
      duty > 0 ? [[duty, 'completed', `duty_${String(paid.body.data.id)}`]] : [],
    );
  },
);

test('in live a partner that is not active learns that its payment would be refused', async () => {
  const live = await api.partner({ environment: 'live' });
  const [source, dest] = [await live.wallet({ fundKobo: 1_000 }), await live.wallet()];
  const body = { source_wallet: source, dest_wallet: dest, amount: 100 };
  const answer = await live.post('/v1/quotes', body);
  expect(answer.body.data.refusal.error).toBe('PARTNER_NOT_ACTIVE');
  expect((await live.post('/v1/transfers/p2p', { ...body, reference: 'one' })).body.error).toBe(
    'PARTNER_NOT_ACTIVE',
  );
});

describe('a request that is wrong is refused as its payment is', () => {
  let wallet: string;
  let other: string;
  beforeAll(async () => {
    [wallet, other] = [await partner.wallet({ fundKobo: 1_000 }), await partner.wallet()];
  });
  const p2p = (more: object) => ({
    source_wallet: wallet,
    dest_wallet: other,
    amount: 100,
    ...more,
  });
  const bank = (more: object) => ({
    source_wallet: wallet,
    dest_account: ACCOUNT,
    amount: 100,
    ...more,
  });
  test.each<[string, () => object, string]>([
    ['no amount', () => p2p({ amount: undefined }), 'VALIDATION_ERROR'],
    ['no destination', () => p2p({ dest_wallet: undefined }), 'VALIDATION_ERROR'],
    ['two destinations', () => p2p({ dest_account: ACCOUNT }), 'VALIDATION_ERROR'],
    ['an amount of 0', () => p2p({ amount: 0 }), 'AMOUNT_TOO_LOW'],
    ['an amount whose fee is beyond integers', () => bank({ amount: 2 ** 53 - 1 }), 'VALIDATION_ERROR'],
    ['one wallet for both', () => p2p({ dest_wallet: wallet }), 'SAME_WALLET_TRANSFER'],
    ['no such source', () => p2p({ source_wallet: ABSENT }), 'WALLET_NOT_FOUND'],
    ['no such destination', () => p2p({ dest_wallet: ABSENT }), 'WALLET_NOT_FOUND'],
    ['no such bank', () => bank({ dest_account: { ...ACCOUNT, bank_code: '99999' } }), 'INVALID_BANK_CODE'],
  ])('%s', async (_what, body, code) => {
    expect((await quoted(body())).body.error).toBe(code);
  });

  test('one answer names everything that is wrong', async () => {
    const { body } = await quoted({ source_wallet: 'x', amount: 'many' });
    expect(body.detail.fields.map(({ field }: Json) => field)).toEqual([
      'source_wallet',
      'dest_wallet',
      'amount',
    ]);
  });
});

type Limits = { tier: LimitTier; usedKobo: number } | null;

/** More than one transfer to a bank may have. */
const ABOVE_NIP_KOBO = 2_500_000_001;

/** What a quote and its payment have in common. */
const told = ({ status, body }: { status: number; body: Json }) =>
  status >= 400 ? { error: body.error, detail: body.detail } : { fees: body.data.fee_breakdown };

test('a payment does what its quote has said', async () => {
  const [source, dest] = [await partner.wallet({ fundKobo: 1 }), await partner.wallet()];
  const set = (id: string, status: WalletStatus, balance: number, limits: Limits) =>
    world.sql(
      unchecked(`UPDATE ${SANDBOX_CELL}.accounts SET status = '${status}', balance_kobo = ${String(balance)},
              limit_tier = ${limits ? `'${limits.tier}'` : 'NULL'}, day_debit_kobo = ${String(limits?.usedKobo ?? 0)},
              counted_from = now()
        WHERE id = '${id}'`),
    );
  const limits = fc.option(
    fc.record({
      tier: fc.constantFrom<LimitTier>('unverified', 'tier_1', 'tier_2', 'business'),
      usedKobo: fc.constantFrom(0, 4_985_000, 19_985_000),
    }),
    { freq: 2 },
  );
  const status = fc.oneof(
    { weight: 4, arbitrary: fc.constant<WalletStatus>('active') },
    fc.constantFrom<WalletStatus>('pending', 'frozen', 'closed'),
  );
  const kobo = fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 3_900_000, max: 4_100_000 }));
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      status,
      status,
      kobo,
      fc.constantFrom(0, 2 ** 53 - 1 - 5_000_000, 2 ** 53 - 1),
      fc.oneof({ weight: 9, arbitrary: kobo }, fc.constantFrom(0, ABOVE_NIP_KOBO)),
      fc.boolean(),
      limits,
      limits,
      async (ofSource, ofDest, balance, room, amount, toBank, sourceLimits, destLimits) => {
        await set(source, ofSource, balance, sourceLimits);
        await set(dest, ofDest, room, destLimits);
        const to = toBank ? { dest_account: { ...ACCOUNT, account_name: 'ADA OBI' } } : { dest_wallet: dest };
        const body = { source_wallet: source, ...to, amount, reference: randomUUID() };

        const asked = await quoted(body);
        const paid = await partner.post(`/v1/transfers/${toBank ? 'bank' : 'p2p'}`, body);

        const { refusal = null } = asked.status === 200 ? asked.body.data : {};
        const promised = refusal ? { error: refusal.error, detail: refusal.detail } : told(asked);
        expect(promised).toEqual(told(paid));
        if (paid.status < 400) {
          const after = await partner.balanceKobo(source);
          expect(balance - after).toBe(asked.body.data.total_debit);
        }
        seen.add(refusal?.detail?.limit ?? refusal?.error ?? (paid.status < 400 ? 'paid' : 'wrong'));
      },
    ),
    { numRuns: 250, seed: 7 },
  );
  expect([...seen].sort()).toEqual([
    'INSUFFICIENT_FUNDS',
    'LIMIT_EXCEEDED',
    'WALLET_CLOSED',
    'WALLET_FROZEN',
    'WALLET_NOT_ACTIVE',
    'daily_debit',
    'largest_balance',
    'nip_transfer',
    'paid',
    'single_credit',
    'single_debit',
    'wrong',
  ]);
});
