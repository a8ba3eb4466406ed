/** The list of all transactions of a partner, with its filters and its pages (D42, D43, D195). */
import type { Answer, Json } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
/** By their references, which are in the order in which they were made. */
const ids: Record<string, string> = {};
let ada: string;
let bola: string;
let chidi: string;

beforeAll(async () => {
  ada = await partner.wallet();
  bola = await partner.wallet();
  chidi = await partner.wallet();
  const funded = await partner.post(`/v1/sandbox/wallets/${ada}/fund`, { amount_kobo: 1_000_000 });
  ids['fund'] = funded.body.transaction_id;
  await pay('first', ada, bola);
  await pay('second', ada, chidi);
  const bank = await partner.post('/v1/transfers/bank', {
    source_wallet: ada,
    dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' },
    amount: 1_000,
    reference: 'bank',
  });
  ids['bank'] = bank.body.data.id;
  const splits = [bola, chidi].map((wallet_id) => ({ wallet_id, amount: 100 }));
  const split = await partner.post('/v1/payments/split', { source_wallet: ada, reference: 'split', splits });
  expect(split.status).toBe(200);
  await pay('last', bola, chidi);
});

async function pay(reference: string, source: string, dest: string): Promise<void> {
  const body = { source_wallet: source, dest_wallet: dest, amount: 100, reference };
  ids[reference] = (await partner.post('/v1/transfers/p2p', body)).body.data.id;
}

const list = (query = ''): Promise<Answer> => partner.get(`/v1/transactions${query}`);
const referencesOf = ({ body }: Answer): string[] => body.data.map((one: Json) => one.reference);
/** The references of all rows, by following the cursor. */
async function walk(query: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const page = await list(`?${query}${cursor}`);
    expect(page.status).toBe(200);
    seen.push(...referencesOf(page));
    if (page.body.meta.next_cursor === null) return seen;
    cursor = `&cursor=${page.body.meta.next_cursor}`;
  }
}
const ALL = () => ['last', 'split', 'split', 'bank', 'second', 'first', `fund_${ids['fund']!}`];

test('shows each as it is shown by itself, newest first', async () => {
  const { body } = await list();
  expect(body.data.map((one: Json) => one.reference)).toEqual(ALL());
  expect(body.data[0]).toEqual((await partner.get(`/v1/transactions/${ids['last']!}`)).body.data);
});

test.each([1, 2, 3, 6, 7, 100])('pages of %d cover everything once', async (limit) => {
  expect(await walk(`limit=${limit}`)).toEqual(ALL());
});

test.each<[string, () => string, () => string[]]>([
  ['a type', () => 'type=p2p_transfer', () => ['last', 'second', 'first']],
  ['a type that is not there', () => 'type=qr_payment', () => []],
  ['a status', () => 'status=processing', () => ['bank']],
  ['a type and a status', () => 'type=p2p_transfer&status=processing', () => []],
  ['a wallet on either side', () => `wallet_id=${bola}`, () => ['last', 'split', 'first']],
  ['a wallet by the prefix of the guides', () => `wallet_id=wlt_${bola}`, () => ['last', 'split', 'first']],
  ['a wallet and a type', () => `wallet_id=${bola}&type=split_payment`, () => ['split']],
  ['a reference', () => 'reference=second', () => ['second']],
  ['the reference of a split', () => 'reference=split', () => ['split', 'split']],
  ['the reference of a funding', () => `reference=fund_${ids['fund']!}`, () => [`fund_${ids['fund']!}`]],
  ['a reference and another type', () => 'reference=second&type=bank_transfer', () => []],
  ['a reference and another status', () => 'reference=second&status=failed', () => []],
  ['a reference and a wallet', () => `reference=split&wallet_id=${bola}`, () => ['split']],
  ['a reference that nothing has', () => 'reference=never', () => []],
])('%s finds what has it', async (_what, query, expected) => {
  expect(await walk(query())).toEqual(expected());
  expect(await walk(`limit=1&${query()}`)).toEqual(expected());
});

describe('a period', () => {
  let times: string[];
  beforeAll(async () => {
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.transactions SET created_at = '2026-01-01T10:00:00.000Z'::timestamptz + n * interval '1 ms'
         FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (asked_id, n) WHERE id = asked_id`,
      [[ids['first'], ids['second'], ids['bank']]],
    );
    times = ['first', 'second', 'bank'].map((_one, n) => `2026-01-01T10:00:00.00${n + 1}Z`);
  });
  const OLD = ['bank', 'second', 'first'];

  test.each<[string, () => string, string[]]>([
    ['from the time of one on', () => `from=${times[0]!}&to=2026-01-02T00:00:00Z`, OLD],
    ['from a millisecond later on', () => `from=${times[1]!}&to=2026-01-02T00:00:00Z`, ['bank', 'second']],
    ['until just before the time of one', () => `to=${times[2]!}`, ['second', 'first']],
    ['until before the first', () => `to=${times[0]!}`, []],
    ['with a type', () => `to=${times[2]!}&type=p2p_transfer`, ['second', 'first']],
    ['of a wallet', () => `from=${times[1]!}&to=${times[2]!}&wallet_id=${chidi}`, ['second']],
    ['with a reference in it', () => `from=${times[1]!}&to=${times[2]!}&reference=second`, ['second']],
    ['with a reference before it', () => `from=${times[2]!}&reference=second`, []],
    ['with a reference after it', () => `to=${times[1]!}&reference=second`, []],
    [
      'in any zone',
      () => `from=${encodeURIComponent('2026-01-01T11:00:00.003+01:00')}&to=2026-01-02T00:00:00Z`,
      ['bank'],
    ],
  ])('%s', async (_what, query, expected) => {
    expect(await walk(query())).toEqual(expected);
    expect(await walk(`limit=1&${query()}`)).toEqual(expected);
  });

  test('one that ends as it begins: 422', async () => {
    const { status, body } = await list(`?from=${times[1]!}&to=${times[1]!}`);
    expect([status, body.detail.fields]).toEqual([
      422,
      [{ field: 'to', message: 'must be later than from' }],
    ]);
  });
});

test.each([
  'type=late_payout',
  'type=',
  'status=open',
  'wallet_id=x',
  'from=2026-13-01',
  'to=now',
  'reference=',
  'limit=101',
  'order=oldest',
])('%s: 422 VALIDATION_ERROR', async (query) => {
  expect(await list(`?${query}`)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
});

test('a cursor belongs to its filter: 422 elsewhere', async () => {
  const { next_cursor: cursor } = (await list('?limit=1&type=p2p_transfer')).body.meta;
  expect((await list(`?type=p2p_transfer&cursor=${cursor}`)).status).toBe(200);
  for (const query of ['', `wallet_id=${bola}&`, 'type=p2p_transfer&status=completed&']) {
    expect((await list(`?${query}cursor=${cursor}`)).status).toBe(422);
  }
});

test('another partner, and the same one in live, see none of them', async () => {
  const others = [await api.partner(), await api.partner({ id: partner.id, environment: 'live' })];
  for (const other of others) {
    for (const query of [
      '',
      `?wallet_id=${ada}`,
      `?wallet_id=${ada}&type=p2p_transfer`,
      '?reference=first',
    ]) {
      const { body } = await other.get(`/v1/transactions${query}`);
      expect(body).toMatchObject({ data: [], meta: { has_more: false, next_cursor: null } });
    }
  }
});

test('a page with a filter walks past a thousand transactions at most, and the next one goes on', async () => {
  const many = await api.partner();
  const [from, to] = [await many.wallet({ fundKobo: 1_000 }), await many.wallet()];
  await world.sql(
    `INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
       dest_wallet, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at,
       completed_at)
     SELECT uuidv7(), $1, 'n', 'p2p_transfer', 'completed', 1, $2, $3, 0, 0, 0, 1, now(), now(), now()
       FROM generate_series(1, 1500)`,
    [many.id, from, to],
  );
  for (const wallet of ['', `&wallet_id=${from}`]) {
    const first = await many.get(`/v1/transactions?type=wallet_funding${wallet}`);
    expect(first.body).toMatchObject({ data: [], meta: { has_more: true } });
    const second = await many.get(
      `/v1/transactions?type=wallet_funding${wallet}&cursor=${first.body.meta.next_cursor}`,
    );
    expect(second.body).toMatchObject({ data: [{ amount: 1_000 }], meta: { has_more: false } });
  }
});

test('what is only in our own books is not in it', async () => {
  const other = await api.partner();
  await world.sql(
    `INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, customer_fee_kobo,
       merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
     SELECT uuidv7(), $1, 'late', 'late_payout', 'completed', 1, 0, 0, 0, 1, now(), now(), now()`,
    [other.id],
  );
  expect((await other.get('/v1/transactions')).body.data).toEqual([]);
});
