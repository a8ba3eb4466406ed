/** Holds: an amount that is set aside, then captured by a payment, released, or over in time (D203, D204). */
import type pg from 'pg';
import { endHold } from '../../src/db/payments/holds';
import { openPool } from '../../src/db/pg/postgres';
import { SANDBOX_CELL } from '../setup/cells';
import { insist } from '../support/until';
import { auditCell } from '../support/audit';
import type { Answer, Json } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
const ABSENT = '01980000-0000-7000-8000-00000000dead';
const ACCOUNT = { bank_code: '058', account_number: '0123456789', account_name: 'ADEYEMI NGOZI' };

let [payer, shop] = ['', ''];
beforeEach(async () => {
  payer = await partner.wallet({ fundKobo: 100_000 });
  shop = await partner.wallet();
});
let pool: pg.Pool;
beforeAll(() => {
  pool = openPool(world.databaseUrl, 2, 1_000, () => undefined);
});
afterAll(async () => {
  await pool.end();
  expect(await auditCell(world.databaseUrl, SANDBOX_CELL)).toEqual([]);
});

let count = 0;
const fresh = (): string => `hold-${(count += 1)}`;
const place = (more: object = {}, headers = {}): Promise<Answer> =>
  partner.post('/v1/holds', { wallet_id: payer, amount: 40_000, reference: fresh(), ...more }, headers);
const placed = async (more: object = {}): Promise<string> => (await place(more)).body.data.id;
const capture = (id: string, more: object = {}, headers = {}): Promise<Answer> =>
  partner.post(`/v1/holds/${id}/capture`, { amount: 40_000, dest_wallet: shop, ...more }, headers);
const release = (id: string): Promise<Answer> => partner.post(`/v1/holds/${id}/release`, undefined);
const hold = async (id: string): Promise<Json> => (await partner.get(`/v1/holds/${id}`)).body.data;
const balances = async (walletId = payer): Promise<[number, number]> => {
  const { body } = await partner.get(`/v1/wallets/${walletId}`);
  return [body.data.balance_kobo, body.data.available_kobo];
};
/** Lets the time of a hold be over, without anybody having ended it. */
const outlive = (id: string) =>
  world.sql(`UPDATE ${SANDBOX_CELL}.holds SET expires_at = now() WHERE id = $1`, [id]);
const expire = (id: string) =>
  endHold({ pool, schema: SANDBOX_CELL }, { partnerId: partner.id, holdId: id, trigger: 'expire' });
/** More than any of the payments below costs. */
const FEES = 500;
const heldRows = () =>
  world.sql(
    `SELECT held_kobo::int, (SELECT count(*)::int FROM ${SANDBOX_CELL}.holds WHERE wallet_id = a.id AND status = 'open') AS open
       FROM ${SANDBOX_CELL}.accounts a WHERE id = $1`,
    [payer],
  );
const codeOf = ({ status, body }: Answer): unknown => (status === 200 ? 200 : body.error);

test('a hold leaves the balance and takes from what is available', async () => {
  const answer = await place({ expires_in_seconds: 60 });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      data: {
        status: 'open',
        wallet_id: payer,
        amount: 40_000,
        currency: 'NGN',
        transaction_id: null,
        captured_amount: null,
        ended_at: null,
      },
    },
  });
  const { created_at, expires_at, id } = answer.body.data;
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(60_000);
  expect(await hold(id)).toEqual(answer.body.data);
  expect(await balances()).toEqual([100_000, 60_000]);
  const { body } = await partner.get('/v1/wallets?include=balance');
  expect(body.data.find((wallet: Json) => wallet.id === payer)).toMatchObject({
    balance_kobo: 100_000,
    available_kobo: 60_000,
  });
});

test.each<[string, object, string]>([
  ['an amount of nothing', { amount: 0 }, 'AMOUNT_TOO_LOW'],
  ['more than there is', { amount: 100_001 }, 'INSUFFICIENT_FUNDS'],
  ['an absent wallet', { wallet_id: ABSENT }, 'WALLET_NOT_FOUND'],
  ['no time', { expires_in_seconds: 0 }, 'VALIDATION_ERROR'],
  ['a second more than a week', { expires_in_seconds: 604_801 }, 'VALIDATION_ERROR'],
  ['no reference', { reference: '' }, 'VALIDATION_ERROR'],
])('no hold for %s', async (_name, more, code) => {
  expect(codeOf(await place(more))).toBe(code);
  expect(await balances()).toEqual([100_000, 100_000]);
});

test.each<[string, object]>([
  ['all that there is', { amount: 100_000 }],
  ['a week', { expires_in_seconds: 604_800 }],
])('a hold of %s', async (_name, more) => {
  expect((await place(more)).status).toBe(200);
});

test('what one hold has set aside is not there for another', async () => {
  await placed({ amount: 60_000 });
  const answer = await place({ amount: 40_001 });
  expect(answer.body).toMatchObject({
    error: 'INSUFFICIENT_FUNDS',
    detail: { available_kobo: 40_000, required_kobo: 40_001 },
  });
});

const PAYMENTS: Record<string, (amount: number) => Promise<Answer>> = {
  'a transfer between wallets': (amount) =>
    partner.post('/v1/transfers/p2p', {
      source_wallet: payer,
      dest_wallet: shop,
      amount,
      reference: fresh(),
    }),
  'a transfer to a bank': (amount) =>
    partner.post('/v1/transfers/bank', {
      source_wallet: payer,
      dest_account: ACCOUNT,
      amount: amount - 5_000,
      reference: fresh(),
    }),
  'a split': async (amount) => {
    const other = await partner.wallet();
    const splits = [
      { wallet_id: shop, amount: amount - 1 },
      { wallet_id: other, amount: 1 },
    ];
    return partner.post('/v1/payments/split', { source_wallet: payer, reference: fresh(), splits });
  },
  'a QR payment': async (amount) => {
    const reference = fresh();
    await partner.post('/v1/payments/qr/create', { wallet_id: shop, amount, reference });
    return partner.post('/v1/payments/qr/pay', { qr_reference: reference, source_wallet: payer });
  },
};

test.each(Object.keys(PAYMENTS))('%s does not spend what is held', async (name) => {
  await placed({ amount: 40_000 });
  const answer = await PAYMENTS[name]?.(60_001);
  expect(answer?.body).toMatchObject({ error: 'INSUFFICIENT_FUNDS', detail: { available_kobo: 60_000 } });
  expect(await balances()).toEqual([100_000, 60_000]);
});

test('a quote counts what is held', async () => {
  await placed({ amount: 40_000 });
  const body = { source_wallet: payer, dest_wallet: shop, amount: 60_000 };
  const answer = await partner.post('/v1/quotes', body);
  expect(answer.body.data.refusal).toMatchObject({
    error: 'INSUFFICIENT_FUNDS',
    detail: { available_kobo: 60_000, required_kobo: 60_300 },
  });
});

describe('capturing', () => {
  test('pays the wallet with the fee, under the reference of the hold, and frees the rest', async () => {
    const reference = fresh();
    const id = await placed({ reference });
    const answer = await capture(id, { amount: 30_000, description: 'room 12', metadata: { nights: 2 } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          type: 'p2p_transfer',
          status: 'completed',
          reference,
          amount: 30_000,
          source_wallet: payer,
          dest_wallet: shop,
          description: 'room 12',
          metadata: { nights: 2 },
        },
      },
    });
    expect(await balances()).toEqual([69_850, 69_850]);
    expect(await balances(shop)).toEqual([30_000, 30_000]);
    expect(await hold(id)).toMatchObject({
      status: 'captured',
      captured_amount: 30_000,
      transaction_id: answer.body.data.id,
      ended_at: expect.any(String),
    });
  });

  test('sends to a bank, and its failure gives the money back while the hold stays captured', async () => {
    const id = await placed();
    const answer = await capture(id, { dest_wallet: undefined, dest_account: ACCOUNT });
    expect(answer.body.data).toMatchObject({ type: 'bank_transfer', status: 'processing', amount: 40_000 });
    expect(await balances()).toEqual([55_000, 55_000]);
    expect(await hold(id)).toMatchObject({ status: 'captured' });
    const [intention] = await world.sql(
      `SELECT workflow_type FROM ${SANDBOX_CELL}.workflow_intentions WHERE resource_id = $1`,
      [answer.body.data.id],
    );
    expect(intention).toEqual({ workflow_type: 'bankTransfer' });
  });

  test('may spend what nobody holds for the fee, and not what another hold has set aside', async () => {
    const id = await placed({ amount: 60_000 });
    const other = await placed({ amount: 40_000 });
    const answer = await capture(id, { amount: 60_000 });
    expect(answer.body).toMatchObject({
      error: 'INSUFFICIENT_FUNDS',
      detail: { available_kobo: 60_000, required_kobo: 60_300 },
    });
    expect(await hold(id)).toMatchObject({ status: 'open' });
    await release(other);
    expect((await capture(id, { amount: 60_000 })).status).toBe(200);
  });

  test.each<[string, object, string]>([
    ['more than is held', { amount: 40_001 }, 'VALIDATION_ERROR'],
    ['nothing', { amount: 0 }, 'AMOUNT_TOO_LOW'],
    ['to an absent wallet', { dest_wallet: ABSENT }, 'WALLET_NOT_FOUND'],
    ['to two destinations', { dest_account: ACCOUNT }, 'VALIDATION_ERROR'],
    ['to none', { dest_wallet: undefined }, 'VALIDATION_ERROR'],
    [
      'to an unknown bank',
      { dest_wallet: undefined, dest_account: { ...ACCOUNT, bank_code: '999' } },
      'INVALID_BANK_CODE',
    ],
  ])('is refused %s, and the hold stays open', async (_name, more, code) => {
    const id = await placed();
    expect(codeOf(await capture(id, more))).toBe(code);
    expect(await hold(id)).toMatchObject({ status: 'open' });
    expect(await balances()).toEqual([100_000, 60_000]);
  });

  test('is refused to its own wallet', async () => {
    expect(codeOf(await capture(await placed(), { dest_wallet: payer }))).toBe('SAME_WALLET_TRANSFER');
  });

  test('is refused from a frozen wallet, whose hold can still be released', async () => {
    const id = await placed();
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.accounts SET status = 'frozen', frozen_by = 'partner' WHERE id = $1`,
      [payer],
    );
    expect(codeOf(await capture(id))).toBe('WALLET_FROZEN');
    expect(codeOf(await place({ amount: 1 }))).toBe('WALLET_FROZEN');
    expect((await release(id)).status).toBe(200);
    expect(await balances()).toEqual([100_000, 100_000]);
  });

  test('the same again answers the original; another one is told which payment has captured it', async () => {
    const id = await placed();
    const first = await capture(id);
    expect((await capture(id)).body.data.id).toBe(first.body.data.id);
    expect((await capture(id, { amount: 39_999 })).body).toMatchObject({
      error: 'HOLD_NOT_OPEN',
      detail: { status: 'captured', transaction_id: first.body.data.id },
    });
    expect(await balances()).toEqual([59_800, 59_800]);
  });

  test('with a key the first answer is repeated byte for byte', async () => {
    const id = await placed();
    const headers = { 'Idempotency-Key': fresh() };
    const [first, second] = [await capture(id, {}, headers), await capture(id, {}, headers)];
    expect(second.text).toBe(first.text);
    expect(codeOf(await capture(id, { amount: 1 }, headers))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('of two hundred different captures at once exactly one wins', async () => {
    const id = await placed();
    // A busy API may answer 503 to some of so many; its message says that the same request is safe to repeat.
    const answered = (amount: number) =>
      insist(`a capture of ${String(amount)}`, () => capture(id, { amount }));
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => answered(40_000 - n)));
    const codes = answers.map(codeOf);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 'HOLD_NOT_OPEN')).toHaveLength(199);
    const [won] = answers.filter(({ status }) => status === 200);
    expect(await hold(id)).toMatchObject({ transaction_id: won?.body.data.id });
    expect((await balances(shop))[0]).toBe(won?.body.data.amount);
  });
});

describe('the end of a hold', () => {
  test('a release frees the amount, and a second one answers the same', async () => {
    const id = await placed();
    const released = await release(id);
    expect(released.body.data).toMatchObject({ status: 'released', ended_at: expect.any(String) });
    expect((await release(id)).body.data).toEqual(released.body.data);
    expect(await balances()).toEqual([100_000, 100_000]);
    expect((await capture(id)).body).toMatchObject({
      error: 'HOLD_NOT_OPEN',
      detail: { status: 'released', transaction_id: null },
    });
  });

  test('a captured hold is not released', async () => {
    const id = await placed();
    await capture(id);
    expect(codeOf(await release(id))).toBe('HOLD_NOT_OPEN');
    expect(await balances()).toEqual([59_800, 59_800]);
  });

  test('a hold whose time is over is neither captured nor released, also before its workflow has ended it', async () => {
    const id = await placed();
    await outlive(id);
    expect((await capture(id)).body).toMatchObject({ error: 'HOLD_NOT_OPEN', detail: { status: 'expired' } });
    expect((await release(id)).body).toMatchObject({ error: 'HOLD_NOT_OPEN', detail: { status: 'expired' } });
    expect(await hold(id)).toMatchObject({ status: 'expired' });
    expect(await balances()).toEqual([100_000, 100_000]);
  });

  test('a reader is told that a hold has expired only after a capture that began before', async () => {
    const id = await placed();
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT FROM ${SANDBOX_CELL}.accounts WHERE id = $1 FOR NO KEY UPDATE`, [payer]);
      const captured = capture(id, { amount: 30_000 });
      await insist('the capture waits', async () => ({
        status: (await world.sql(`SELECT FROM pg_locks WHERE NOT granted`)).length > 0 ? 200 : 503,
      }));
      await outlive(id);
      const read = hold(id);
      await client.query('COMMIT');
      expect([codeOf(await captured), (await read).status]).toEqual(['HOLD_NOT_OPEN', 'expired']);
    } finally {
      client.release(true);
    }
  });

  test('an expiry does nothing while there is time, and nothing after a capture', async () => {
    const id = await placed();
    expect(await expire(id)).toMatchObject({ status: 'open' });
    await capture(id);
    await world.sql(`UPDATE ${SANDBOX_CELL}.accounts SET updated_at = now() WHERE id = $1`, [payer]);
    expect(await expire(id)).toMatchObject({ status: 'captured' });
    expect(await balances()).toEqual([59_800, 59_800]);
  });

  test('an expiry twice frees the amount once', async () => {
    const [id, other] = [await placed(), await placed({ amount: 1_000 })];
    await outlive(id);
    expect(await Promise.all([expire(id), expire(id)])).toMatchObject([
      { status: 'expired' },
      { status: 'expired' },
    ]);
    expect(await balances()).toEqual([100_000, 99_000]);
    expect(await hold(other)).toMatchObject({ status: 'open' });
  });

  describe('whose time is over frees its amount, also while no worker runs', () => {
    test.each(Object.keys(PAYMENTS))('for %s', async (name) => {
      const [over, open] = [await placed({ amount: 40_000 }), await placed({ amount: 20_000 })];
      await outlive(over);
      const answer = await PAYMENTS[name]?.(80_000 - FEES);
      expect([200, 202]).toContain(answer?.status);
      expect(await hold(over)).toMatchObject({ status: 'expired' });
      expect(await hold(open)).toMatchObject({ status: 'open' });
      expect(await heldRows()).toEqual([{ held_kobo: 20_000, open: 1 }]);
    });

    test.each(Object.keys(PAYMENTS))('and no kobo of an open one, for %s', async (name) => {
      await outlive(await placed({ amount: 40_000 }));
      await placed({ amount: 20_000 });
      const answer = await PAYMENTS[name]?.(80_001);
      expect(answer?.body).toMatchObject({ error: 'INSUFFICIENT_FUNDS', detail: { available_kobo: 80_000 } });
    });

    test('for the capture of another hold', async () => {
      const [id, over] = [await placed({ amount: 60_000 }), await placed({ amount: 40_000 })];
      await outlive(over);
      expect(codeOf(await capture(id, { amount: 60_000 }))).toBe(200);
      expect(await balances()).toEqual([39_700, 39_700]);
    });

    test('for another hold', async () => {
      await outlive(await placed({ amount: 100_000 }));
      expect(codeOf(await place({ amount: 100_001 }))).toBe('INSUFFICIENT_FUNDS');
      expect(codeOf(await place({ amount: 100_000 }))).toBe(200);
      expect(await balances()).toEqual([100_000, 0]);
    });

    test('for one of two payments at once', async () => {
      await outlive(await placed({ amount: 100_000 }));
      const pay = () => PAYMENTS['a transfer between wallets']!(60_000);
      const codes = (await Promise.all([pay(), pay()])).map(codeOf);
      expect(codes.sort()).toEqual([200, 'INSUFFICIENT_FUNDS']);
    });

    test('as the wallet, the lists and a quote say before anybody has ended it', async () => {
      const id = await placed({ amount: 40_000 });
      await outlive(id);
      expect(await balances()).toEqual([100_000, 100_000]);
      const { body: list } = await partner.get('/v1/wallets?include=balance');
      expect(list.data.find((wallet: Json) => wallet.id === payer)).toMatchObject({
        available_kobo: 100_000,
      });
      const { body: quote } = await partner.post('/v1/quotes', {
        source_wallet: payer,
        dest_wallet: shop,
        amount: 90_000,
      });
      expect(quote.data.refusal).toBeNull();
      const told = await hold(id);
      expect(told).toMatchObject({ status: 'expired', ended_at: told.expires_at });
      const holdsWith = async (status: string): Promise<Json[]> =>
        (await partner.get(`/v1/holds?wallet_id=${payer}&status=${status}`)).body.data;
      expect(await holdsWith('expired')).toEqual([told]);
      expect(await holdsWith('open')).toEqual([]);
      // Its row is open until its money is needed or its workflow comes, and then says the same.
      expect(await heldRows()).toMatchObject([{ held_kobo: 40_000, open: 1 }]);
      expect(await expire(id)).toMatchObject({ status: 'expired' });
      expect(await hold(id)).toEqual(told);
    });
  });

  test('a wallet with an open hold is not closed', async () => {
    await placed();
    const answer = await partner.post(`/v1/wallets/${payer}/close`, { reason: 'over' });
    expect(answer.body.error).toBe('WALLET_NOT_EMPTY');
  });
});

describe('references', () => {
  test('the same hold again is the original, another one is refused', async () => {
    const reference = fresh();
    const first = await place({ reference });
    expect((await place({ reference })).body.data).toEqual(first.body.data);
    expect(codeOf(await place({ reference, amount: 1 }))).toBe('DUPLICATE_REFERENCE');
    expect(await balances()).toEqual([100_000, 60_000]);
  });

  test('the reference of a hold is not free for a payment, before the capture and after it', async () => {
    const reference = fresh();
    const id = await placed({ reference });
    const pay = () =>
      partner.post('/v1/transfers/p2p', {
        source_wallet: payer,
        dest_wallet: shop,
        amount: 40_000,
        reference,
      });
    expect((await pay()).body).toMatchObject({ error: 'DUPLICATE_REFERENCE' });
    const { body } = await capture(id);
    expect((await pay()).body).toMatchObject({
      error: 'DUPLICATE_REFERENCE',
      detail: { transaction_id: body.data.id },
    });
  });
});

test('the list has the holds of a wallet, by status, newest first', async () => {
  const [one, two] = [await placed({ amount: 1_000 }), await placed({ amount: 2_000 })];
  await release(one);
  const idsOf = async (query: string): Promise<string[]> =>
    (await partner.get(`/v1/holds?${query}`)).body.data.map(({ id }: Json) => id);
  expect(await idsOf(`wallet_id=${payer}`)).toEqual([two, one]);
  expect(await idsOf(`wallet_id=${payer}&status=open`)).toEqual([two]);
  expect(await idsOf(`wallet_id=${shop}`)).toEqual([]);
  expect(await idsOf('limit=1')).toEqual([two]);
});
