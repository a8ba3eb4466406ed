/** The list of a partner's wallets, and one transaction by its id (D42, D43, D46, D69, D154, D165). */
import type { Answer, Json } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const UNKNOWN_ID = '01980000-0000-7000-8000-00000000dead';

const { world, api } = apiForFile();

describe('GET /v1/wallets', () => {
  let partner: TestPartner;
  /** Oldest first. */
  const ids: string[] = [];
  const userRefs = Array.from({ length: 23 }, (_, index) => `user/${index} 100%`);

  beforeAll(async () => {
    partner = await api.partner();
    for (const userRef of userRefs) ids.push(await partner.wallet({ userRef }));
    // Wallets of one instant are told apart by their ids.
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.wallets SET created_at = '2026-01-01T00:00:00.123Z' WHERE id = ANY($1)`,
      [ids.slice(0, 9)],
    );
    await (await api.partner()).wallet({ userRef: userRefs[0]! });
  });

  const list = (query = ''): Promise<Answer> => partner.get(`/v1/wallets${query}`);
  const idsOf = ({ body }: Answer): string[] => body.data.map((wallet: Json) => wallet.id);

  test('shows the partner’s own wallets, as they are shown one by one', async () => {
    const { body } = await list('?limit=1');
    const one = await partner.get(`/v1/wallets/${ids.at(-1)!}`);
    expect(body.data).toEqual([one.body.data.wallet]);
  });

  test('gives 20 without a limit, newest first, and a cursor to the rest', async () => {
    const first = await list();
    const rest = await list(`?cursor=${first.body.meta.next_cursor}`);
    expect(first.body.meta).toMatchObject({ has_more: true });
    expect(rest.body.meta).toMatchObject({ has_more: false, next_cursor: null });
    expect([...idsOf(first), ...idsOf(rest)]).toEqual([...ids].reverse());
  });

  test.each([1, 2, 4, 23, 100])('pages of %d cover everything once', async (limit) => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`?limit=${limit}${cursor}`);
      seen.push(...idsOf(page));
      if (page.body.meta.next_cursor === null) break;
      cursor = `&cursor=${page.body.meta.next_cursor}`;
    }
    expect(seen).toEqual([...ids].reverse());
  });

  test.each([
    ['an owner', userRefs[7]!, () => [ids[7]]],
    ['another case', userRefs[7]!.toUpperCase(), () => []],
    ['a pattern', 'user/%', () => []],
    ['a wallet of the platform', '__settlement__', () => []],
    ['nobody', 'nobody', () => []],
  ])('filtered by the user_ref of %s', async (_who, userRef, expected) => {
    const answer = await list(`?user_ref=${encodeURIComponent(userRef)}`);
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toEqual(expected());
    expect(answer.body.meta).toMatchObject({ next_cursor: null, has_more: false });
  });

  test('the settlement wallet is not in it, and can be read by its id', async () => {
    const other = await api.partner();
    const settlement = await other.wallet({ userRef: '__settlement__' });
    const listed = await other.get('/v1/wallets');
    expect(listed.body.data).toEqual([]);
    expect((await other.get(`/v1/wallets/${settlement}`)).status).toBe(200);
  });

  test.each(['limit=0', 'limit=101', 'user_ref=', 'user_ref=a&user_ref=b', 'cursor=', 'cursor=x'])(
    '%s: 422 VALIDATION_ERROR',
    async (query) => {
      expect(await list(`?${query}`)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    },
  );

  test('a cursor belongs to its list and filter: 422 VALIDATION_ERROR elsewhere', async () => {
    const { next_cursor: cursor } = (await list('?limit=1')).body.meta;
    const foreign = await api.partner();
    const live = await api.partner({ id: partner.id, environment: 'live' });
    const elsewhere = [
      await list(`?user_ref=nobody&cursor=${cursor}`),
      await partner.get(`/v1/wallets/${ids[0]!}/transactions?cursor=${cursor}`),
      await foreign.get(`/v1/wallets?cursor=${cursor}`),
      await live.get(`/v1/wallets?cursor=${cursor}`),
    ];
    for (const answer of elsewhere) {
      expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    }
  });

  test('in quickstart form its wallets have the quickstart’s names', async () => {
    const answer = await partner.get('/v1/wallets?limit=1', { 'X-Response-Form': 'quickstart' });
    expect(answer.body.data[0]).toMatchObject({ ID: ids.at(-1), UserRef: userRefs.at(-1) });
  });
});

describe('balances and statuses in the list (D193)', () => {
  let partner: TestPartner;
  /** Oldest first. */
  let rich: string;
  let frozen: string;
  let thawed: string;
  beforeAll(async () => {
    partner = await api.partner();
    rich = await partner.wallet({ fundKobo: 123_456 });
    frozen = await partner.wallet();
    thawed = await partner.wallet();
    for (const id of [frozen, thawed])
      expect((await partner.post(`/v1/wallets/${id}/freeze`, {})).status).toBe(200);
    await world.sql(`UPDATE ${SANDBOX_CELL}.accounts SET frozen_until = now() WHERE id = $1`, [thawed]);
  });
  const idsOf = async (query: string): Promise<string[]> =>
    (await partner.get(`/v1/wallets?${query}`)).body.data.map((wallet: Json) => wallet.id);

  test('include=balance shows what each wallet shows by itself', async () => {
    const { body } = await partner.get('/v1/wallets?include=balance');
    const one = (await partner.get(`/v1/wallets/${rich}`)).body.data;
    expect(body.data[2]).toEqual({
      ...one.wallet,
      balance_kobo: 123_456,
      balance_naira: '1234.56',
      available_kobo: 123_456,
    });
    expect(body.data[1]).toMatchObject({ id: frozen, balance_kobo: 0, balance_naira: '0.00' });
  });

  test('in quickstart form the balance has its published name too', async () => {
    const headers = { 'X-Response-Form': 'quickstart' };
    const { body } = await partner.get('/v1/wallets?include=balance', headers);
    expect(body.data[2]).toMatchObject({ ID: rich, balance_kobo: 123_456 });
  });

  test.each([
    ['status=active', () => [thawed, rich]],
    ['status=frozen', () => [frozen]],
    ['status=closed', () => []],
  ])('%s finds wallets that are so now; a freeze that has ended is none', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected());
  });

  test('a status and an owner are both asked for', async () => {
    const { user_ref: userRef } = (await partner.get(`/v1/wallets/${frozen}`)).body.data.wallet;
    expect(await idsOf(`user_ref=${userRef}&status=frozen`)).toEqual([frozen]);
    expect(await idsOf(`user_ref=${userRef}&status=active`)).toEqual([]);
  });

  test.each(['status=sold', 'status=', 'include=all', 'include=', 'balance=true'])(
    '%s: 422 VALIDATION_ERROR',
    async (query) => {
      expect((await partner.get(`/v1/wallets?${query}`)).body.error).toBe('VALIDATION_ERROR');
    },
  );

  test('a cursor belongs to its status: 422 VALIDATION_ERROR elsewhere', async () => {
    const { next_cursor: cursor } = (await partner.get('/v1/wallets?status=active&limit=1')).body.meta;
    expect(await idsOf(`status=active&cursor=${cursor}`)).toEqual([rich]);
    const elsewhere = await partner.get(`/v1/wallets?cursor=${cursor}`);
    expect(elsewhere).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });

  test('a page with a status walks past a thousand wallets at most, and the next one goes on', async () => {
    const many = await api.partner();
    const oldest = await many.wallet();
    expect((await many.post(`/v1/wallets/${oldest}/freeze`, {})).status).toBe(200);
    await world.sql(
      `WITH made AS (
         INSERT INTO ${SANDBOX_CELL}.accounts (id, partner_id, status)
         SELECT uuidv7(), $1, 'active' FROM generate_series(1, 1500) RETURNING id)
       INSERT INTO ${SANDBOX_CELL}.wallets (id, partner_id, user_ref) SELECT id, $1, 'many-' || id FROM made`,
      [many.id],
    );
    const first = await many.get('/v1/wallets?status=frozen');
    expect(first.body).toMatchObject({ data: [], meta: { has_more: true } });
    const second = await many.get(`/v1/wallets?status=frozen&cursor=${first.body.meta.next_cursor}`);
    expect(second.body).toMatchObject({ data: [{ id: oldest }], meta: { has_more: false } });
  });
});

describe('GET /v1/wallets/{id}/balance (D193)', () => {
  let partner: TestPartner;
  let wallet: string;
  /** The entries, oldest first. */
  let entries: { balance_after: number; created_at: string }[];
  beforeAll(async () => {
    partner = await api.partner();
    wallet = await partner.wallet();
    for (const kobo of [100, 20, 3]) {
      await partner.post(`/v1/sandbox/wallets/${wallet}/fund`, { amount_kobo: kobo });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    entries = (await partner.get(`/v1/wallets/${wallet}/ledger`)).body.data.reverse();
  });
  const at = (time?: string): Promise<Answer> =>
    partner.get(
      `/v1/wallets/${wallet}/balance${time === undefined ? '' : `?at=${encodeURIComponent(time)}`}`,
    );
  const before = (time: string): string => new Date(Date.parse(time) - 1).toISOString();

  test('without a time it is the balance now', async () => {
    expect(await at()).toMatchObject({
      status: 200,
      body: { data: { wallet_id: wallet, balance_kobo: 123 } },
    });
  });

  test('at the time of an entry it is the balance after it, and a millisecond before that of the one before', async () => {
    const found = [];
    for (const { created_at: time } of entries) {
      for (const asked of [before(time), time]) found.push((await at(asked)).body.data);
    }
    expect(found.map((one) => one.balance_kobo)).toEqual([0, 100, 100, 120, 120, 123]);
    expect(found[1]).toEqual({
      wallet_id: wallet,
      at: entries[0]!.created_at,
      balance_kobo: 100,
      balance_naira: '1.00',
    });
  });

  test('the time may have any zone', async () => {
    const lagos = new Date(Date.parse(entries[1]!.created_at) + 3_600_000)
      .toISOString()
      .replace('Z', '+01:00');
    expect((await at(lagos)).body.data).toMatchObject({ at: entries[1]!.created_at, balance_kobo: 120 });
  });

  test.each(['2999-01-01T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', 'now', ''])(
    'at=%s: 422 VALIDATION_ERROR',
    async (time) => {
      expect(await at(time)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    },
  );
});

describe('GET /v1/transactions/{id}', () => {
  let partner: TestPartner;
  let transfer: Json;
  beforeAll(async () => {
    partner = await api.partner();
    const [source, dest] = [await partner.wallet({ fundKobo: 10_000 }), await partner.wallet()];
    const body = { source_wallet: source, dest_wallet: dest, amount: 1_000, reference: 'by id' };
    transfer = (await partner.post('/v1/transfers/p2p', body)).body.data;
  });

  test.each([
    ['its id', (id: string) => id],
    ['its id in upper case', (id: string) => id.toUpperCase()],
    ['a guide’s prefix', (id: string) => `tx_${id}`],
  ])('by %s is the transaction as the list shows it', async (_what, spelt) => {
    const answer = await partner.get(`/v1/transactions/${spelt(transfer.id)}`);
    expect(answer).toMatchObject({ status: 200, body: { data: transfer } });
    expect(answer.body.meta).toEqual({ request_id: answer.headers.get('X-Request-Id') });
  });

  test('in guide form shows kobo and naira, and its wallets by their ids', async () => {
    const answer = await partner.get(`/v1/transactions/${transfer.id}`, { 'X-Response-Form': 'guide' });
    expect(answer.body.data).toMatchObject({
      amount_kobo: 1_000,
      amount_naira: '10.00',
      source_wallet: transfer.source_wallet,
      dest_wallet: transfer.dest_wallet,
      fee_breakdown: { customer_fee_kobo: 5 },
    });
    expect(answer.body.data).not.toHaveProperty('amount');
  });

  test('in quickstart form has an empty failed_reason', async () => {
    const answer = await partner.get(`/v1/transactions/${transfer.id}`, { 'X-Response-Form': 'quickstart' });
    expect(answer.body.data).toMatchObject({ amount: 1_000, failed_reason: '' });
  });

  test.each(['x', UNKNOWN_ID, `wlt_${UNKNOWN_ID}`])('%s: 404 NOT_FOUND', async (id) => {
    const answer = await partner.get(`/v1/transactions/${id}`);
    expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  });

  test('another partner’s, and the same partner’s in live: 404 NOT_FOUND', async () => {
    const others = [await api.partner(), await api.partner({ id: partner.id, environment: 'live' })];
    for (const other of others) {
      expect((await other.get(`/v1/transactions/${transfer.id}`)).status).toBe(404);
    }
  });
});
