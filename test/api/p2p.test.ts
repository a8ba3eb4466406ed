/**
 * Wallet to wallet transfers that happen (interface: POST /v1/transfers/p2p, rules 1-5; D3, D7, D9, D18, D29, D50,
 * D52, D134).
 */
import fees from '../vectors/p2p-fees.json';
import { apiForFile, partnerForFile } from '../support/scene';
import { eventsAbout } from '../support/told';

const { world, api } = apiForFile();
const partner = partnerForFile(api);

let count = 0;
const reference = (): string => `p2p-${(count += 1)}`;
const send = (body: unknown, headers: Record<string, string> = {}) =>
  partner.post('/v1/transfers/p2p', body, headers);
const two = async (fundKobo: number): Promise<[source: string, dest: string]> => [
  await partner.wallet({ fundKobo }),
  await partner.wallet(),
];

describe('a successful transfer', () => {
  test('is answered in reference form with the transaction as published', async () => {
    const [source, dest] = await two(100_000);
    const answer = await send({
      source_wallet: source,
      dest_wallet: dest,
      amount: 40_000,
      reference: 'the published one',
      description: 'Rent\nfor May',
      metadata: { order: 7 },
    });
    expect(answer.status).toBe(200);
    const { id, created_at: createdAt } = answer.body.data;
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        partner_id: partner.id,
        reference: 'the published one',
        type: 'p2p_transfer',
        status: 'completed',
        amount: 40_000,
        currency: 'NGN',
        source_wallet: source,
        dest_wallet: dest,
        source_account: null,
        dest_account: null,
        split_config: null,
        fee_breakdown: {
          customerFee: 200,
          merchantFee: 0,
          platformFee: 200,
          mfbCost: 0,
          netAmount: 40_000,
        },
        mfb_reference: null,
        psp_reference: null,
        psp_meta: null,
        idempotency_key: null,
        description: 'Rent\nfor May',
        metadata: { order: 7 },
        failed_reason: null,
        completed_at: createdAt,
        created_at: createdAt,
        updated_at: createdAt,
      },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(await partner.balanceKobo(source)).toBe(59_800);
    expect(await partner.balanceKobo(dest)).toBe(40_000);

    const list = await partner.get(`/v1/wallets/${dest}/transactions`);
    expect(list.body.data).toEqual([answer.body.data]);
    expect(list.body.data[0].id).toBe(id);
  });

  test('is answered in guide form with kobo, naira and the balances after it', async () => {
    const [source, dest] = await two(100_000);
    const key = 'guide transfer';
    const answer = await send(
      { source_wallet_id: source, dest_wallet_id: dest, amount_kobo: 40_000, reference: 'the guided one' },
      { 'Idempotency-Key': key },
    );
    expect(answer.status).toBe(200);
    const { created_at: createdAt } = answer.body.data;
    expect(answer.body).toEqual({
      data: {
        id: expect.any(String),
        partner_id: partner.id,
        reference: 'the guided one',
        type: 'p2p_transfer',
        status: 'completed',
        amount_kobo: 40_000,
        amount_naira: '400.00',
        currency: 'NGN',
        source_wallet: { id: source, balance_after_kobo: 59_800, balance_after_naira: '598.00' },
        dest_wallet: { id: dest, balance_after_kobo: 40_000, balance_after_naira: '400.00' },
        source_account: null,
        dest_account: null,
        split_config: null,
        fee_breakdown: {
          customer_fee_kobo: 200,
          customer_fee_naira: '2.00',
          merchant_fee_kobo: 0,
          platform_fee_kobo: 200,
          mfb_cost_kobo: 0,
          net_amount_kobo: 40_000,
        },
        mfb_reference: null,
        psp_reference: null,
        psp_meta: null,
        idempotency_key: key,
        description: '',
        metadata: {},
        failed_reason: null,
        completed_at: createdAt,
        created_at: createdAt,
        updated_at: createdAt,
      },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });

  test('leaves one event and one debit with the fee inside it', async () => {
    const [source, dest] = await two(1_000);
    const { body } = await send({
      source_wallet: source,
      dest_wallet: dest,
      amount: 200,
      reference: reference(),
    });
    expect(await eventsAbout(world.sql, [body.data.id])).toEqual([
      {
        kind: 'transaction.completed',
        partnerId: partner.id,
        data: {
          id: body.data.id,
          type: 'p2p_transfer',
          status: 'completed',
          reference: body.data.reference,
          amount_kobo: 200,
          source_wallet_id: source,
          dest_wallet_id: dest,
          created_at: body.data.created_at,
        },
      },
    ]);
    const ledgers = await Promise.all([source, dest].map((id) => partner.get(`/v1/wallets/${id}/ledger`)));
    const mine = ledgers.map((ledger) =>
      ledger.body.data
        .filter((entry: { transaction_id: string }) => entry.transaction_id === body.data.id)
        .map(({ direction, amount }: { direction: string; amount: number }) => [direction, amount]),
    );
    expect(mine).toEqual([[['debit', 201]], [['credit', 200]]]);
  });
});

describe('the fee is 0.5 percent, rounded down, at most 20,000 kobo, on top of the amount', () => {
  test.each(fees.map(({ amountKobo, customerFeeKobo }) => [amountKobo, customerFeeKobo]))(
    'amount %d: fee %d, and a balance of exactly both is enough',
    async (amountKobo, feeKobo) => {
      const [source, dest] = await two(amountKobo + feeKobo);
      const { status, body } = await send({
        source_wallet: source,
        dest_wallet: dest,
        amount: amountKobo,
        reference: reference(),
      });
      expect(status).toBe(200);
      expect(body.data.fee_breakdown).toMatchObject({ customerFee: feeKobo, netAmount: amountKobo });
      expect(await partner.balanceKobo(source)).toBe(0);
      expect(await partner.balanceKobo(dest)).toBe(amountKobo);
    },
  );

  test('exactly, up to the largest amounts', async () => {
    const largest = Number.MAX_SAFE_INTEGER - 20_000;
    const [source, dest] = await two(Number.MAX_SAFE_INTEGER);
    const body = { source_wallet: source, dest_wallet: dest, amount: largest, reference: reference() };
    expect((await send(body)).status).toBe(200);
    expect(await partner.balanceKobo(source)).toBe(0);
    expect(await partner.balanceKobo(dest)).toBe(largest);
  });
});

describe('accepts', () => {
  test.each([
    ['100.0', 100],
    ['1e2', 100],
    ['1.0E+2', 100],
    ['1000e-1', 100],
  ])('the amount %s, which is the integer %d', async (text, amountKobo) => {
    const [source, dest] = await two(1_000);
    const body = JSON.stringify({ source_wallet: source, dest_wallet: dest, reference: reference() });
    const { status, body: answer } = await send(`${body.slice(0, -1)},"amount":${text}}`);
    expect(status).toBe(200);
    expect(answer.data.amount).toBe(amountKobo);
  });

  test.each(['pending', 'frozen'] as const)('a destination that is %s', async (status) => {
    const source = await partner.wallet({ fundKobo: 1_000 });
    const dest = await partner.wallet({ status });
    const body = { source_wallet: source, dest_wallet: dest, amount: 100, reference: reference() };
    expect((await send(body)).status).toBe(200);
    expect(await partner.balanceKobo(dest)).toBe(100);
  });

  test('ids in capitals or with the prefix of a guide, and answers with plain ones', async () => {
    const [source, dest] = await two(1_000);
    const { status, body } = await send({
      source_wallet: source.toUpperCase(),
      dest_wallet: `wlt_${dest}`,
      amount: 100,
      reference: reference(),
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ source_wallet: source, dest_wallet: dest });
  });

  test.each<[what: string, more: Record<string, unknown>, kept: Record<string, unknown>]>([
    ['no description', {}, { description: '', metadata: {} }],
    ['null for what is optional', { description: null, metadata: null }, { description: '', metadata: {} }],
    ['an empty description', { description: '' }, { description: '' }],
    ['a description of 500 characters', { description: '🦁'.repeat(500) }, { description: '🦁'.repeat(500) }],
    ['a reference of 128 characters', { reference: 'r'.repeat(128) }, { reference: 'r'.repeat(128) }],
    ['a reference of any letters', { reference: 'Ìwé 100%/#7' }, { reference: 'Ìwé 100%/#7' }],
    ['unknown fields', { status: 'failed', fee: 0, type: 'reversal' }, { type: 'p2p_transfer' }],
  ])('%s', async (_what, more, kept) => {
    const [source, dest] = await two(1_000);
    const body = { source_wallet: source, dest_wallet: dest, amount: 100, reference: reference(), ...more };
    const answer = await send(body);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject(kept);
  });
});

test('a hundred transfers in both directions at once lose no kobo', async () => {
  const wallets = await Promise.all([1, 2, 3].map(() => partner.wallet({ fundKobo: 100_000 })));
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      const [source, dest] = [wallets[index % 3], wallets[(index + 1 + (index % 2)) % 3]];
      return send({ source_wallet: source, dest_wallet: dest, amount: 199, reference: reference() });
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const balances = await Promise.all(wallets.map((id) => partner.balanceKobo(id)));
  expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(300_000);
});
