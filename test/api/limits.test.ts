/** The regulator's limits over HTTP: off in the sandbox until a partner wants them, on in live (D123). */
import { randomUUID } from 'node:crypto';
import { LIMIT_NAMES, LIMIT_TIERS, type LimitName } from '../../src/domain/limits';
import type { Answer } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile, partnerForFile } from '../support/scene';
import { REHEARSAL } from '../support/settings';
import { LIVE_CELL } from '../setup/cells';
import { unchecked } from '../support/past-checks';

const { world, api } = apiForFile(REHEARSAL);
const partner = partnerForFile(api);

const MIDNIGHT_IN_LAGOS = /T23:00:00\.000Z$/;

/** A wallet whose user_ref begins with a reserved name. */
const walletIn = (beginning: string, by: TestPartner = partner) =>
  by.wallet({ userRef: `${beginning}-${randomUUID()}` });
const fund = (wallet: string, amount: number): Promise<Answer> =>
  partner.post(`/v1/sandbox/wallets/${wallet}/fund`, { amount_kobo: amount });
const payment = (source: string, dest: string, amount: number) => ({
  source_wallet: source,
  dest_wallet: dest,
  amount,
  reference: randomUUID(),
});
const pay = (source: string, dest: string, amount: number, form = 'reference', by: TestPartner = partner) =>
  by.post('/v1/transfers/p2p', payment(source, dest, amount), { 'X-Response-Form': form });
const transferOut = (source: string, amount: number) =>
  partner.post('/v1/transfers/bank', {
    source_wallet: source,
    dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' },
    amount,
    reference: randomUUID(),
  });
/** Money for payments, in pieces that the tier takes. */
async function fundWith(wallet: string, pieces: number, amount: number): Promise<void> {
  for (let piece = 0; piece < pieces; piece++) expect((await fund(wallet, amount)).status).toBe(200);
}

const switchTo = (enforced: boolean) => partner.put('/v1/sandbox/limits', { enforced });
let shop: string;
beforeAll(async () => {
  shop = await walletIn('limits_business');
});

test('until the partner wants them, every payment goes through', async () => {
  expect((await partner.get('/v1/sandbox/limits')).body.enforced).toBe(false);
  const wallet = await walletIn('user');
  expect((await fund(wallet, 10_000_000_000)).status).toBe(200);
  expect((await pay(wallet, shop, 5_000_000_000)).status).toBe(200);
});

test('the table has every tier with every limit, and how to try it', async () => {
  const { body } = await partner.get('/sandbox/limits');
  expect(body.tiers.map((one: { tier: string; user_ref: string }) => [one.tier, one.user_ref])).toEqual([
    ['unverified', null],
    ['tier_1', 'limits_tier_1'],
    ['tier_2', 'limits_tier_2'],
    ['business', 'limits_business'],
  ]);
  const [, tier1] = body.tiers;
  expect(tier1.limits.map(({ limit, allowed_kobo: kobo }: Record<string, unknown>) => [limit, kobo])).toEqual(
    LIMIT_NAMES.map((limit) => [limit, LIMIT_TIERS.tier_1.allowedKobo[limit]]),
  );
});

test.each([[{}], [{ enforced: 'yes' }], [{ enforced: null }]])('%j is not a switch', async (body) => {
  expect((await partner.put('/v1/sandbox/limits', body)).body.error).toBe('VALIDATION_ERROR');
});

describe('once they are on', () => {
  beforeAll(async () => {
    expect(await switchTo(true)).toMatchObject({ status: 200, body: { enforced: true } });
  });
  afterAll(() => switchTo(false));

  /** What each limit needs before the payment that passes it by one kobo, and the payment. */
  const TRIES: [LimitName, tier: string, used: number, allowed: number, () => Promise<Answer>][] = [
    ['single_debit', 'unverified', 0, 0, async () => pay(await walletIn('user'), shop, 1)],
    [
      'single_debit',
      'tier_1',
      0,
      5_000_000,
      async () => pay(await walletIn('limits_tier_1'), shop, 5_000_001),
    ],
    [
      'daily_debit',
      'tier_2',
      20_000_000,
      20_000_000,
      async () => {
        const wallet = await walletIn('limits_tier_2');
        await fundWith(wallet, 3, 10_000_000);
        for (const _ of [1, 2]) expect((await pay(wallet, shop, 10_000_000)).status).toBe(200);
        return pay(wallet, shop, 1);
      },
    ],
    ['single_credit', 'tier_1', 0, 5_000_000, async () => fund(await walletIn('limits_tier_1'), 5_000_001)],
    [
      'largest_balance',
      'tier_1',
      30_000_000,
      30_000_000,
      async () => {
        const wallet = await walletIn('limits_tier_1');
        await fundWith(wallet, 6, 5_000_000);
        return fund(wallet, 1);
      },
    ],
    [
      'nip_transfer',
      'business',
      0,
      25_000_000_000,
      async () => {
        await fundWith(shop, 1, 30_000_000_000);
        return transferOut(shop, 25_000_000_001);
      },
    ],
  ];
  test.each(TRIES)('%s of %s', async (limit, _tier, used, allowed, attempt) => {
    expect(await attempt()).toMatchObject({
      status: 422,
      body: {
        error: 'LIMIT_EXCEEDED',
        detail: {
          limit,
          used_kobo: used,
          allowed_kobo: allowed,
          resets_at: limit === 'daily_debit' ? expect.stringMatching(MIDNIGHT_IN_LAGOS) : null,
        },
      },
    });
  });

  test.each(['reference', 'guide', 'quickstart'])(
    'the %s form tells the limit in its envelope',
    async (form) => {
      const { status, body } = await pay(await walletIn('limits_tier_1'), shop, 5_000_001, form);
      const detail = { limit: 'single_debit', used_kobo: 0, allowed_kobo: 5_000_000, resets_at: null };
      expect(status).toBe(422);
      expect(JSON.stringify(body)).toContain(JSON.stringify(detail));
    },
  );

  test('a hold moves nothing, so it meets no limit, and its capture does', async () => {
    const wallet = await walletIn('limits_tier_1');
    await fundWith(wallet, 2, 5_000_000);
    const hold = await partner.post('/v1/holds', {
      wallet_id: wallet,
      amount: 5_000_001,
      reference: randomUUID(),
    });
    expect(hold.status).toBe(200);
    const capture = (amount: number) =>
      partner.post(`/v1/holds/${hold.body.data.id}/capture`, { dest_wallet: shop, amount });
    expect((await capture(5_000_001)).body.detail.limit).toBe('single_debit');
    expect((await capture(4_900_000)).status).toBe(200);
    expect((await pay(wallet, shop, 100_001)).body.detail).toMatchObject({
      limit: 'daily_debit',
      used_kobo: 4_900_000,
    });
  });

  test('a split and a QR payment count into the same day', async () => {
    const [wallet, other] = [await walletIn('limits_tier_1'), await walletIn('limits_business')];
    await fundWith(wallet, 2, 5_000_000);
    const shares = [shop, other].map((id) => ({ wallet_id: id, amount: 2_000_000 }));
    const split = { source_wallet: wallet, amount: 4_000_000, splits: shares, reference: randomUUID() };
    expect((await partner.post('/v1/payments/split', split)).status).toBe(200);
    const reference = randomUUID();
    await partner.post('/v1/payments/qr/create', { wallet_id: shop, amount: 1_000_001, reference });
    const paid = await partner.post('/v1/payments/qr/pay', {
      qr_reference: reference,
      source_wallet: wallet,
    });
    expect(paid.body.detail).toMatchObject({ limit: 'daily_debit', used_kobo: 4_000_000 });
  });
});

test('switched off again, nothing is refused and the day is forgotten', async () => {
  await switchTo(true);
  const wallet = await walletIn('limits_tier_1');
  await fundWith(wallet, 3, 5_000_000);
  expect((await pay(wallet, shop, 5_000_000)).status).toBe(200);
  await switchTo(false);
  expect((await pay(wallet, shop, 6_000_000)).status).toBe(200);
  await switchTo(true);
  expect((await pay(wallet, shop, 3_000_000)).status).toBe(200);
  await switchTo(false);
});

test('in live they are on without a switch, no user_ref is reserved, and a person may pay after a check alone', async () => {
  const live = await api.partner({ environment: 'live', status: 'active' });
  const opened = await live.post('/v1/wallets', { user_ref: 'limits_tier_2' });
  const source = opened.body.data.id as string;
  await world.sql(
    unchecked(
      `UPDATE ${LIVE_CELL}.accounts SET status = 'active', balance_kobo = 1000 WHERE id = '${source}'`,
    ),
  );
  const dest = await live.wallet();
  expect((await pay(source, dest, 1, 'reference', live)).body).toMatchObject({
    error: 'LIMIT_EXCEEDED',
    detail: { limit: 'single_debit', used_kobo: 0, allowed_kobo: 0, resets_at: null },
  });
  expect((await live.put('/v1/sandbox/limits', { enforced: false })).body.error).toBe('SANDBOX_ONLY');
});
