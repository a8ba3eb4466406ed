/** Split payments: all legs or none (interface: Payments; D19, D77-D80, D160). */
import { SANDBOX_CELL } from '../setup/cells';
import type { Answer } from '../support/api';
import { eventsAbout } from '../support/told';
import { apiForFile, partnerForFile } from '../support/scene';

const SPLIT = '/v1/payments/split';
const ABSENT = '018f0000-0000-7000-8000-00000000dead';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let source: string;
let wallets: string[];
beforeAll(async () => {
  source = await partner.wallet({ fundKobo: 100_000_000 });
  wallets = await Promise.all(Array.from({ length: 4 }, () => partner.wallet()));
});

let count = 0;
const fresh = (): string => `split-${(count += 1)}`;
const shares = (...amounts: unknown[]) =>
  amounts.map((amount, place) => ({ wallet_id: wallets[place % wallets.length], amount }));
const send = (splits: unknown, more: object = {}, headers = {}): Promise<Answer> =>
  partner.post(SPLIT, { source_wallet: source, reference: fresh(), splits, ...more }, headers);
const balances = () => Promise.all([source, ...wallets].map((wallet) => partner.balanceKobo(wallet)));

describe('a split that happens', () => {
  test('is one completed transaction for each leg, in the order of the request', async () => {
    const before = await balances();
    const reference = fresh();
    const splits = [
      { wallet_id: wallets[0], amount: 600, percentage: 60 },
      { wallet_id: wallets[1], amount: 400, percentage: 40 },
    ];
    const { status, body } = await send(splits, { reference, description: 'Order', metadata: { order: 7 } });
    expect(status).toBe(200);
    expect(body.data).toHaveLength(2);
    for (const [index, leg] of body.data.entries()) {
      expect(leg).toMatchObject({
        type: 'split_payment',
        status: 'completed',
        reference,
        amount: splits[index]!.amount,
        source_wallet: source,
        dest_wallet: splits[index]!.wallet_id,
        split_config: { splits },
        description: 'Order',
        metadata: { order: 7, split_index: index },
        fee_breakdown: { customerFee: 0, netAmount: splits[index]!.amount },
      });
    }
    const after = await balances();
    expect(after.map((kobo, place) => kobo - before[place]!)).toEqual([-1_000, 600, 400, 0, 0]);
  });

  test('in guide form each leg shows the balances right after it', async () => {
    const [kobo] = await balances();
    const { body } = await send(shares(100, 200, 300), {}, { 'X-Response-Form': 'guide' });
    const legs = body.data as { source_wallet: { balance_after_kobo: number }; amount_kobo: number }[];
    expect(legs.map((leg) => leg.amount_kobo)).toEqual([100, 200, 300]);
    expect(legs.map((leg) => kobo! - leg.source_wallet.balance_after_kobo)).toEqual([100, 300, 600]);
  });

  test('two legs to one wallet, and 100 legs, are allowed', async () => {
    const before = await balances();
    const { status, body } = await send(Array.from({ length: 100 }, () => shares(7)[0]));
    expect([status, body.data.length]).toEqual([200, 100]);
    const after = await balances();
    expect([after[0]! - before[0]!, after[1]! - before[1]!]).toEqual([-700, 700]);
  });

  test('its reference finds the leg in each wallet’s list, and all in the source’s', async () => {
    const reference = fresh();
    const { body } = await send(shares(10, 20, 30), { reference });
    const listed = async (wallet: string) =>
      (await partner.get(`/v1/wallets/${wallet}/transactions?reference=${reference}`)).body.data;
    expect(await listed(wallets[1]!)).toEqual([body.data[1]]);
    const all = (await listed(source)) as { id: string }[];
    expect(all.map((leg) => leg.id).sort()).toEqual(
      (body.data as { id: string }[]).map((leg) => leg.id).sort(),
    );
  });

  test('a repeat by reference or by key gets the same legs', async () => {
    const reference = fresh();
    const headers = { 'Idempotency-Key': fresh() };
    const first = await send(shares(10, 20), { reference }, headers);
    const byKey = await send(shares(10, 20), { reference }, headers);
    expect(byKey.text).toBe(first.text);
    const byReference = await send(shares(10, 20), { reference });
    expect(byReference.body.data).toEqual(first.body.data);
    expect(byReference.headers.get('idempotent-replayed')).toBe('true');
  });

  test('twenty requests at once with one reference make one split', async () => {
    const before = await balances();
    const reference = fresh();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(shares(10, 20), { reference })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size).toBe(1);
    expect((await balances())[0]! - before[0]!).toBe(-30);
  });
});

describe('one split does not write megabytes', () => {
  const legs = (count: number) => Array.from({ length: count }, (_, place) => shares(7 + place)[0]);
  const note = (bytes: number) => ({ note: 'n'.repeat(bytes - '{"note":""}'.length) });
  const headers = () => ({ 'Idempotency-Key': fresh() });

  test('what a hundred legs share is stored once, and each of them is shown whole', async () => {
    const reference = fresh();
    const key = headers();
    const metadata = note(2_600);
    const first = await send(legs(100), { reference, metadata }, key);
    expect(first.status).toBe(200);
    expect(first.body.data[99]).toMatchObject({ metadata: { ...metadata, split_index: 99 } });
    const [stored] = await world.sql(
      `SELECT (SELECT sum(octet_length(metadata::text) + coalesce(octet_length(split_config::text), 0))::int
                 FROM ${SANDBOX_CELL}.transactions WHERE reference = $1) AS legs,
              (SELECT pg_column_size(k) FROM ${SANDBOX_CELL}.idempotency_keys k WHERE key = $2) AS answer`,
      [reference, key['Idempotency-Key']],
    );
    // The answer has almost a megabyte, and three times as much was written.
    expect(first.text.length).toBeGreaterThan(900_000);
    expect(stored?.['legs']).toBeLessThan(20_000);
    expect(stored?.['answer']).toBeLessThan(300);

    expect((await send(legs(100), { reference, metadata }, key)).text).toBe(first.text);
    expect((await send(legs(100), { reference, metadata })).body.data).toEqual(first.body.data);
    for (const leg of [first.body.data[0], first.body.data[60]]) {
      expect((await partner.get(`/v1/transactions/${leg.id}`)).body.data).toEqual(leg);
    }
    const newest = await partner.get(`/v1/wallets/${source}/transactions?limit=100`);
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    expect([...newest.body.data].sort(byId)).toEqual([...first.body.data].sort(byId));
  });

  test.each([
    [16, 16_384, 200],
    [17, 16_384, 422],
    [100, 2_621, 200],
    [100, 2_622, 422],
  ])('%d legs with %d bytes of metadata: %d', async (count, bytes, status) => {
    const answer = await send(legs(count), { metadata: note(bytes) });
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.body.detail.fields).toMatchObject([{ field: 'metadata' }]);
  });

  test.each([
    [2, 1],
    [10, 1],
    [11, 2],
    [100, 10],
  ])('%d legs take %d places of the rate limit', async (count, places) => {
    const left = (answer: Answer): number => Number(answer.headers.get('X-RateLimit-Remaining'));
    const before = left(await partner.get(`/v1/wallets/${source}`));
    const after = left(await send(legs(count)));
    // A new minute may begin between the two.
    if (after < before) expect(before - after).toBe(places);
  });

  test('a split for which too few places are left is refused, and moves nothing', async () => {
    const narrow = await world.startApi({ RATE_LIMIT_STARTER: '9' });
    const before = await partner.balanceKobo(source);
    const other = await narrow.partner({ id: partner.id });
    const body = { source_wallet: source, reference: fresh(), splits: legs(100) };
    expect(await other.post(SPLIT, body)).toMatchObject({ status: 429 });
    expect(await partner.balanceKobo(source)).toBe(before);
  });
});

describe('a split that is refused moves nothing', () => {
  const refused = async (answer: Promise<Answer>) => {
    const before = await balances();
    const { status, body } = await answer;
    expect(await balances()).toEqual(before);
    return [status, body.error?.code ?? body.error];
  };

  test.each([
    ['no splits', undefined, 422, 'VALIDATION_ERROR'],
    ['splits that are no array', {}, 422, 'VALIDATION_ERROR'],
    ['one split', [10], 422, 'VALIDATION_ERROR'],
    ['101 splits', Array<number>(101).fill(1), 422, 'VALIDATION_ERROR'],
    ['an amount of 0', [10, 0], 422, 'AMOUNT_TOO_LOW'],
    ['an amount below 0', [10, -1], 422, 'AMOUNT_TOO_LOW'],
    ['an amount with a fraction', [10, 0.5], 422, 'VALIDATION_ERROR'],
    ['an amount as text', [10, '10'], 422, 'VALIDATION_ERROR'],
    ['a sum beyond integers', [9_007_199_254_740_991, 1], 422, 'VALIDATION_ERROR'],
    ['more than there is', [99_999_999, 99_999_999], 422, 'INSUFFICIENT_FUNDS'],
  ])('%s', async (_what, amounts, status, code) => {
    const splits = Array.isArray(amounts) ? shares(...(amounts as unknown[])) : amounts;
    expect(await refused(send(splits))).toEqual([status, code]);
    expect(await refused(send(splits, {}, { 'X-Response-Form': 'guide' }))).toEqual([status, code]);
  });

  test.each([
    ['an absent destination', () => ABSENT, 404, 'WALLET_NOT_FOUND'],
    ['a malformed destination', () => 'x', 422, 'VALIDATION_ERROR'],
    ['the source as a destination', () => source, 422, 'SAME_WALLET_TRANSFER'],
  ])('%s', async (_what, wallet, status, code) => {
    const splits = [...shares(10), { wallet_id: wallet(), amount: 10 }];
    expect(await refused(send(splits))).toEqual([status, code]);
  });

  test.each([
    ['foreign', 404, 'WALLET_NOT_FOUND'],
    ['closed', 422, 'WALLET_CLOSED'],
  ])('a destination that is %s', async (what, status, code) => {
    const other = await api.partner();
    const wallet = what === 'foreign' ? await other.wallet() : await partner.wallet({ status: 'closed' });
    const splits = [...shares(10), { wallet_id: wallet, amount: 10 }];
    expect(await refused(send(splits))).toEqual([status, code]);
  });

  test.each([
    ['pending', 'WALLET_NOT_ACTIVE'],
    ['frozen', 'WALLET_FROZEN'],
    ['closed', 'WALLET_CLOSED'],
  ] as const)('a source that is %s', async (status, code) => {
    const source_wallet = await partner.wallet({ status });
    expect(await refused(send(shares(10, 10), { source_wallet }))).toEqual([422, code]);
  });

  test.each([
    ['percentages that do not match the amounts', [1, 2], 200],
    ['a percentage below 0', [-1, 50], 422],
    ['a percentage of 0', [0, 50], 422],
    ['a percentage of 101', [101, 1], 422],
    ['percentages of 100.02 together', [50.01, 50.01], 422],
    ['a percentage for one leg only', [100, null], 200],
  ])('percentages must be possible and do not change the amounts: %s', async (_what, [one, two], status) => {
    const splits = [
      { wallet_id: wallets[0], amount: 10, percentage: one },
      { wallet_id: wallets[1], amount: 10, percentage: two },
    ];
    expect((await send(splits)).status).toBe(status);
  });

  test('another split with its reference, its legs in another order, or a transfer', async () => {
    const reference = fresh();
    const { body } = await send(shares(10, 20), { reference });
    const first = body.data[0].id;
    for (const splits of [shares(10, 21), [...shares(10, 20)].reverse()]) {
      const answer = await send(splits, { reference });
      expect([answer.status, answer.body.error, answer.body.detail]).toEqual([
        409,
        'DUPLICATE_REFERENCE',
        { transaction_id: first },
      ]);
    }
    const transfer = { source_wallet: source, dest_wallet: wallets[0], amount: 10, reference };
    expect((await partner.post('/v1/transfers/p2p', transfer)).status).toBe(409);
  });

  test('keeps no transaction and leaves the reference free', async () => {
    const reference = fresh();
    await send([...shares(10), { wallet_id: ABSENT, amount: 10 }], { reference });
    const rows = await world.sql(`SELECT FROM ${SANDBOX_CELL}.transactions WHERE reference = $1`, [
      reference,
    ]);
    expect(rows).toHaveLength(0);
    expect((await send(shares(10, 10), { reference })).status).toBe(200);
  });
});

test('every leg has an event of its own', async () => {
  const { body } = await send(shares(10, 20));
  const legs = body.data as { id: string; amount: number; dest_wallet: string }[];
  const told = await eventsAbout(
    world.sql,
    legs.map(({ id }) => id),
  );
  expect(told.map(({ data }) => data)).toEqual(
    legs.map((leg) =>
      expect.objectContaining({
        id: leg.id,
        type: 'split_payment',
        amount_kobo: leg.amount,
        source_wallet_id: source,
        dest_wallet_id: leg.dest_wallet,
      }),
    ),
  );
});
