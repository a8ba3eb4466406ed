/**
 * A wallet's transactions and ledger entries: order, pages, filter (interface: Wallets, Conventions; D42, D43,
 * D46, D51, D147, D154, D161).
 */
import type { Answer, Json } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';

const { api } = apiForFile();
const partner = partnerForFile(api);
let busy: string;
let other: string;
/** References of the transfers of `busy`, oldest first. */
const references = Array.from({ length: 24 }, (_, index) => `order/${index} 100%`);

beforeAll(async () => {
  busy = await partner.wallet({ fundKobo: 1_000_000 });
  other = await partner.wallet({ fundKobo: 1_000_000 });
  for (const [index, reference] of references.entries()) {
    // Every third one comes in, the others go out.
    const [source, dest] = index % 3 === 0 ? [other, busy] : [busy, other];
    const body = { source_wallet: source, dest_wallet: dest, amount: 1_000 + index, reference };
    expect((await partner.post('/v1/transfers/p2p', body)).status).toBe(200);
  }
});

const list = (walletId: string, kind: string, query = ''): Promise<Answer> =>
  partner.get(`/v1/wallets/${walletId}/${kind}${query}`);

/** All pages of a list, by following its cursor. */
async function walk(kind: string, limit: number, filter = ''): Promise<{ rows: Json[]; sizes: number[] }> {
  const rows = [];
  const sizes = [];
  for (let cursor = ''; ;) {
    const { status, body } = await list(busy, kind, `?limit=${limit}${filter}${cursor}`);
    expect(status).toBe(200);
    rows.push(...body.data);
    sizes.push(body.data.length);
    expect(body.meta.has_more).toBe(body.meta.next_cursor !== null);
    if (body.meta.next_cursor === null) return { rows, sizes };
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
}

describe.each([
  ['transactions', 25],
  ['ledger', 25],
])('GET /v1/wallets/{id}/%s', (kind, total) => {
  test('gives 20 without a limit, and a cursor to the rest', async () => {
    const first = await list(busy, kind);
    expect(first.status).toBe(200);
    expect(first.body.data).toHaveLength(20);
    expect(first.body.meta).toEqual({
      request_id: first.headers.get('X-Request-Id'),
      next_cursor: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      has_more: true,
    });
    const rest = await list(busy, kind, `?cursor=${first.body.meta.next_cursor}`);
    expect(rest.body.data).toHaveLength(total - 20);
    expect(rest.body.meta).toMatchObject({ next_cursor: null, has_more: false });
  });

  test.each([
    [1, Array.from({ length: 25 }, () => 1)],
    [7, [7, 7, 7, 4]],
    [25, [25]],
    [100, [25]],
  ])('pages of %d cover everything once, newest first', async (limit, expected) => {
    const { rows, sizes } = await walk(kind, limit);
    expect(sizes).toEqual(expected);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(total);
    const times = rows.map((row) => Date.parse(row.created_at));
    expect(times).toEqual([...times].sort((one, next) => next - one));
  });

  test.each(['0', '101', '-1', '1.5', 'abc', '', '%20', '1e1', '0x5', '20&limit=20'])(
    'limit=%s: 422 VALIDATION_ERROR',
    async (limit) => {
      const answer = await list(busy, kind, `?limit=${limit}`);
      expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    },
  );

  test('a cursor of another list, an altered one and an empty one: 422 VALIDATION_ERROR', async () => {
    const cursorOf = async (path: string): Promise<string> =>
      (await partner.get(`${path}limit=1`)).body.meta.next_cursor;
    const own = await cursorOf(`/v1/wallets/${busy}/${kind}?`);
    const elsewhere = kind === 'ledger' ? 'transactions' : 'ledger';
    const refused = [
      await cursorOf(`/v1/wallets/${other}/${kind}?`),
      await cursorOf(`/v1/wallets/${busy}/${elsewhere}?`),
      `${own}&cursor=${own}`,
      own.slice(0, -4),
      `x${own}`,
      Buffer.from('{}').toString('base64url'),
      '',
      '%00',
    ];
    for (const cursor of refused) {
      const answer = await list(busy, kind, `?cursor=${cursor}`);
      expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    }
    expect((await list(busy, kind, `?cursor=${own}`)).status).toBe(200);
  });

  test('a wallet without money movements has an empty list', async () => {
    const { status, body } = await list(await partner.wallet(), kind);
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [], meta: { next_cursor: null, has_more: false } });
  });

  test('malformed, absent and foreign wallets: 404 NOT_FOUND', async () => {
    const foreign = await (await api.partner()).wallet();
    for (const id of ['x', '01980000-0000-7000-8000-00000000dead', foreign]) {
      expect(await list(id, kind)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    }
  });
});

describe('the transactions', () => {
  test('are those where the wallet is source or destination, with ids for wallets', async () => {
    const { rows } = await walk('transactions', 100);
    const funding = rows.at(-1);
    expect(rows.slice(0, -1).map((row) => row.reference)).toEqual([...references].reverse());
    expect(rows[0]).toMatchObject({ source_wallet: busy, dest_wallet: other, amount: 1_023 });
    expect(rows.at(-2)).toMatchObject({ source_wallet: other, dest_wallet: busy, amount: 1_000 });
    expect(funding).toMatchObject({
      type: 'wallet_funding',
      reference: `fund_${funding.id}`,
      source_wallet: null,
      dest_wallet: busy,
    });
  });

  test('in guide form keep plain ids for wallets', async () => {
    const { body } = await partner.get(`/v1/wallets/${busy}/transactions?limit=1`, {
      'X-Response-Form': 'guide',
    });
    expect(body.data[0]).toMatchObject({ amount_kobo: 1_023, amount_naira: '10.23', source_wallet: busy });
  });

  describe('filtered by reference', () => {
    const filtered = (reference: string, query = ''): Promise<Answer> =>
      list(busy, 'transactions', `?reference=${encodeURIComponent(reference)}${query}`);

    test('are exactly those with that reference', async () => {
      for (const reference of [references[0]!, references[23]!]) {
        const { body } = await filtered(reference);
        expect(body.data.map((row: { reference: string }) => row.reference)).toEqual([reference]);
        expect(body.meta).toMatchObject({ next_cursor: null, has_more: false });
      }
    });

    test.each(['%', 'order/%', 'order/_ 100%', 'ORDER/1 100%', 'order/1 100', 'never used', "' OR 1=1--"])(
      'find nothing for %j, because it is not a pattern',
      async (reference) => {
        const { status, body } = await filtered(reference);
        expect(status).toBe(200);
        expect(body.data).toEqual([]);
      },
    );

    test('find a funding by its own name', async () => {
      const { rows } = await walk('transactions', 100);
      const { body } = await filtered(rows.at(-1).reference);
      expect(body.data.map((row: { id: string }) => row.id)).toEqual([rows.at(-1).id]);
    });

    test('do not show what another wallet of the partner did', async () => {
      const [third, fourth] = [await partner.wallet({ fundKobo: 100 }), await partner.wallet()];
      const body = { source_wallet: third, dest_wallet: fourth, amount: 100, reference: 'not of busy' };
      await partner.post('/v1/transfers/p2p', body);
      expect((await filtered('not of busy')).body.data).toEqual([]);
      expect((await list(third, 'transactions', '?reference=not%20of%20busy')).body.data).toHaveLength(1);
    });

    test.each([
      ['an empty reference', ''],
      ['129 characters', 'x'.repeat(129)],
      ['a control character', 'a\nb'],
    ])('%s: 422 VALIDATION_ERROR', async (_what, reference) => {
      expect(await filtered(reference)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    });

    test('given twice: 422 VALIDATION_ERROR', async () => {
      expect((await filtered('a', '&reference=b')).status).toBe(422);
    });

    test('have cursors of their own', async () => {
      const { next_cursor: cursor } = (await list(busy, 'transactions', '?limit=1')).body.meta;
      expect((await filtered(references[0]!, `&cursor=${cursor}`)).status).toBe(422);
    });
  });
});

describe('the ledger entries', () => {
  test('show direction, amount with its fee, and the balance after', async () => {
    const { body } = await list(busy, 'ledger', '?limit=1');
    const [transaction] = (await list(busy, 'transactions', '?limit=1')).body.data;
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      wallet_id: busy,
      transaction_id: transaction.id,
      direction: 'debit',
      amount: 1_023 + 5,
      currency: 'NGN',
      balance_after: await partner.balanceKobo(busy),
      sequence: 25,
      status: 'posted',
      description: '',
      metadata: {},
      created_at: transaction.created_at,
    });
  });

  test('are numbered without gaps and chain from balance to balance', async () => {
    const rows = (await walk('ledger', 10)).rows.reverse();
    expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1));
    let balance = 0;
    for (const { direction, amount, balance_after: after } of rows) {
      expect(amount).toBeGreaterThan(0);
      balance += Number(direction === 'credit' ? amount : -amount);
      expect(after).toBe(balance);
    }
    expect(balance).toBe(await partner.balanceKobo(busy));
  });
});
