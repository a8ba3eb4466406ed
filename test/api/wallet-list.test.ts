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
