/** The statement of a wallet: its period, its balances and its formats, and how it is sent (D196). */
import { dayAfter, dayOf } from '../../src/domain/days';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Json } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let ada: string;
let bola: string;
let entries: Json[];

beforeAll(async () => {
  ada = await partner.wallet();
  bola = await partner.wallet();
  await partner.post(`/v1/sandbox/wallets/${ada}/fund`, { amount_kobo: 100_000 });
  for (const [reference, description] of [
    ['order "1", paid', 'lunch, dinner'],
    ['=1+1', '@SUM(A1)'],
    ['third', 'two\nlines'],
  ]) {
    await pause(5);
    const body = { source_wallet: ada, dest_wallet: bola, amount: 1_000, reference, description };
    expect((await partner.post('/v1/transfers/p2p', body)).status).toBe(200);
  }
  entries = (await partner.get(`/v1/wallets/${ada}/ledger`)).body.data.reverse();
  // All of them are in the past by now.
  await pause(2);
});

const statement = (query = '', wallet = ada): Promise<Answer> =>
  partner.get(`/v1/wallets/${wallet}/statement${query}`);

test('shows the entries in their order, between the balances before and after them', async () => {
  const { body, headers } = await statement();
  expect(body.data).toMatchObject({
    wallet_id: ada,
    currency: 'NGN',
    opening_balance: 0,
    closing_balance: entries.at(-1).balance_after,
    entry_count: 4,
    total_credit: 100_000,
    total_debit: 100_000 - entries.at(-1).balance_after,
  });
  const expected = entries.map(({ metadata: _metadata, wallet_id: _walletId, ...entry }: Json) => entry);
  expect(
    body.data.entries.map(
      ({ type: _type, reference: _reference, fee: _fee, counterparty: _counterparty, ...rest }: Json) => rest,
    ),
  ).toEqual(expected);
  expect(body.data.entries.map(({ type }: Json) => type)).toEqual([
    'wallet_funding',
    'p2p_transfer',
    'p2p_transfer',
    'p2p_transfer',
  ]);
  expect(body.data.entries[1].reference).toBe('order "1", paid');
  expect(body.meta).toEqual({ request_id: headers.get('X-Request-Id') });
});

test.each<[string, from: number, to: number, expected: number[]]>([
  ['begins with an entry of its first moment', 1, 4, [1, 2, 3]],
  ['ends before an entry of its last moment', 0, 2, [0, 1]],
  ['has one entry', 2, 3, [2]],
])('a period %s', async (_what, from, to, expected) => {
  const time = (place: number): string =>
    place < entries.length ? entries[place].created_at : new Date().toISOString();
  const { body } = await statement(`?from=${time(from)}&to=${time(to)}`);
  expect(body.data.entries.map(({ id }: Json) => id)).toEqual(expected.map((place) => entries[place].id));
  expect(body.data).toMatchObject({
    from: time(from),
    opening_balance: from === 0 ? 0 : entries[from - 1].balance_after,
    closing_balance: entries[expected.at(-1)!].balance_after,
    entry_count: expected.length,
  });
});

test('statements of neighbouring periods fit together', async () => {
  const cut = entries[2].created_at;
  const [before, after] = [await statement(`?to=${cut}`), await statement(`?from=${cut}`)];
  expect(before.body.data.closing_balance).toBe(after.body.data.opening_balance);
  expect([...before.body.data.entries, ...after.body.data.entries].map(({ id }: Json) => id)).toEqual(
    entries.map(({ id }) => id),
  );
});

test.each<[string, () => Promise<Answer>, balance: () => number]>([
  ['of a wallet without entries', async () => statement('', await partner.wallet()), () => 0],
  ['that ends before the wallet was made', () => statement('?to=2026-01-01T00:00:00Z'), () => 0],
  [
    'in which nothing happened',
    () => statement(`?from=${new Date().toISOString()}`),
    () => entries[3].balance_after,
  ],
])('a statement %s has no entries', async (_what, ask, balance) => {
  const { status, body } = await ask();
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    opening_balance: balance(),
    closing_balance: balance(),
    entry_count: 0,
    entries: [],
    total_credit: 0,
    total_debit: 0,
  });
});

describe('by days of Lagos', () => {
  const today = (): string => dayOf(new Date());

  test('the last day is included', async () => {
    const { body } = await statement('?from=2026-01-05&to=2026-01-05');
    expect(body.data).toMatchObject({ from: '2026-01-04T23:00:00.000Z', to: '2026-01-05T23:00:00.000Z' });
  });

  test('a day and a moment go together', async () => {
    const { body } = await statement('?from=2026-01-05T12:00:00Z&to=2026-01-06');
    expect(body.data).toMatchObject({ from: '2026-01-05T12:00:00.000Z', to: '2026-01-06T23:00:00.000Z' });
  });

  test.each(['json', 'csv', 'pdf'])('today ends now (%s)', async (format) => {
    expect((await statement(`?from=2026-01-01&to=${today()}&format=${format}`)).status).toBe(200);
  });

  test('from the first day until today has every entry', async () => {
    const { body } = await statement(`?from=2026-01-01&to=${today()}`);
    expect(body.data.entries.map(({ id }: Json) => id)).toEqual(entries.map(({ id }) => id));
    expect(body.data.closing_balance).toBe(entries[3].balance_after);
  });

  test('tomorrow is in the future', async () => {
    const { status, body } = await statement(`?to=${dayAfter(today())}`);
    expect([status, body.message]).toEqual([422, 'to: must not be in the future']);
  });

  test('transactions are listed by days too', async () => {
    const { body } = await partner.get(`/v1/transactions?wallet_id=${ada}&from=2026-01-01&to=${today()}`);
    expect(body.data).toHaveLength(entries.length);
    const before = await partner.get(`/v1/transactions?wallet_id=${ada}&from=2026-01-01&to=2026-01-01`);
    expect(before.body.data).toEqual([]);
  });
});

test('as CSV it has a line for each entry and each balance, and runs in no spreadsheet', async () => {
  const { headers, text } = await statement('?format=csv');
  expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('Content-Disposition')).toBe(`attachment; filename="statement-${ada}.csv"`);
  const row = (place: number, ...rest: string[]) =>
    [entries[place].sequence, entries[place].created_at, entries[place].transaction_id, ...rest].join(',');
  const naira = (place: number): string => (entries[place].balance_after / 100).toFixed(2);
  const lines = text.split('\r\n');
  expect(lines[0]).toBe(
    'sequence,created_at,transaction_id,type,reference,description,debit_naira,credit_naira,balance_naira,' +
      'counterparty_name,counterparty_bank,counterparty_account',
  );
  expect(lines[1]).toMatch(/^,[^,]+Z,,opening_balance,,,,,0\.00,,,$/);
  const beforeFee = (place: number): string => ((Number(entries[place].balance_after) + 5) / 100).toFixed(2);
  const account = (await partner.get(`/v1/wallets/${bola}`)).body.data.wallet;
  const who = [account.account_name, account.bank_name, `******${account.account_number.slice(-4)}`];
  const pair = (place: number, reference: string, description: string): string[] => [
    row(place, 'p2p_transfer', reference, description, '10.00', '', beforeFee(place), ...who),
    row(place, 'fee', reference, 'Fee and VAT', '0.05', '', naira(place), '', '', ''),
  ];
  expect(lines.slice(3, -2)).toEqual([
    ...pair(1, '"order ""1"", paid"', '"lunch, dinner"'),
    ...pair(2, "'=1+1", "'@SUM(A1)"),
    ...pair(3, 'third', '"two\nlines"'),
  ]);
  expect(lines[2]).toContain(',wallet_funding,');
  expect(lines[2]!.endsWith(',,1000.00,1000.00,,,')).toBe(true);
  expect(lines.at(-2)).toMatch(new RegExp(`^,[^,]+Z,,closing_balance,,,,,${naira(3)},,,$`));
  expect(lines.at(-1)).toBe('');
});

test('as CSV it says that it is in UTF-8, and no text of it begins as a formula in whichever program', async () => {
  const [from, to] = [await partner.wallet({ fundKobo: 1_000_000 }), await partner.wallet()];
  for (const [reference, description] of [
    ['＝1+1', ' =HYPERLINK("x")'],
    ['+234', '\u00a0@SUM(A1)'],
    ['-5', 'rent;=1+1'],
    ['@x', '\t=1'],
    ['－9', 'Ƙasimu 北京'],
  ]) {
    const body = { source_wallet: from, dest_wallet: to, amount: 1_000, reference, description };
    expect((await partner.post('/v1/transfers/p2p', body)).status).toBe(200);
  }
  await pause(2);
  const answer = await fetch(`http://127.0.0.1:${api.port}/v1/wallets/${to}/statement?format=csv`, {
    headers: { Authorization: `Bearer ${partner.key}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const cells = bytes
    .toString('utf8')
    .split('\r\n')
    .slice(2, -2)
    .map((line) =>
      line
        .split(',p2p_transfer,')[1]!
        .replace(/,,10\.00,[\d.]+,[^,]*,Sandbox Microfinance Bank,\*+\d{4}$/, ''),
    );
  expect(cells).toEqual([
    `'＝1+1,"' =HYPERLINK(""x"")"`,
    "'+234,'\u00a0@SUM(A1)",
    "'-5,rent;'=1+1",
    "'@x,'\t'=1",
    "'－9,Ƙasimu 北京",
  ]);
});

test('as PDF it is a document of one page, and ends where a document ends', async () => {
  const { status, headers, text } = await statement('?format=pdf');
  expect(status).toBe(200);
  expect(headers.get('Content-Type')).toBe('application/pdf');
  expect(headers.get('Content-Disposition')).toBe(`attachment; filename="statement-${ada}.pdf"`);
  expect(text.startsWith('%PDF-')).toBe(true);
  expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
  expect(text.match(/\/Type \/Page$/gm)).toHaveLength(1);
});

test.each([
  ['from=2026-01-1', 'from'],
  ['from=2026-02-30', 'from'],
  ['from=01/02/2026', 'from'],
  ['from=2026-01-01T00:00:00', 'from'],
  ['from=2999-01-01', 'from'],
  ['to=2999-01-01', 'to'],
  ['from=2026-01-02&to=2026-01-01', 'to'],
  ['from=2999-01-01T00:00:00Z', 'from'],
  ['to=2999-01-01T00:00:00Z', 'to'],
  ['from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 'to'],
  ['format=xls', 'format'],
  ['format=', 'format'],
])('%s: 422', async (query, field) => {
  const { status, body } = await statement(`?${query}`);
  expect([status, body.detail?.fields.map((one: Json) => one.field)]).toEqual([422, [field]]);
});

test('a wallet of another partner: 404', async () => {
  expect((await (await api.partner()).get(`/v1/wallets/${ada}/statement`)).status).toBe(404);
});

test('HEAD gets the headers alone', async () => {
  const answer = await api.call('HEAD', `/v1/wallets/${ada}/statement`, { key: partner.key });
  expect([answer.status, answer.text]).toEqual([200, '']);
  expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
});

describe('a long one', () => {
  const ENTRIES = 30_000;
  let busy: string;
  beforeAll(async () => {
    busy = await partner.wallet();
    await world.sql(
      `WITH made AS (
         INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
           customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, dest_wallet, created_at, updated_at,
           completed_at)
         SELECT uuidv7(), $1, 'n' || n, 'wallet_funding', 'completed', 100, NULL, 0, 0, 0, 100, $2, t, t, t
           FROM generate_series(1, ${String(ENTRIES)}) AS n, LATERAL (SELECT now() - interval '1 hour' AS t)
         RETURNING id, created_at),
       numbered AS (SELECT made.*, row_number() OVER (ORDER BY id) AS n FROM made),
entered AS (
       INSERT INTO ${SANDBOX_CELL}.entries
         (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo, created_at)
       SELECT id, 'accept', account, uuidv7(), amount, sequence, 100 * sequence, created_at
         FROM numbered, LATERAL (VALUES ($2::uuid, 100, n), (uuidv7(), -100, NULL)) AS v(account, amount, sequence))
      UPDATE ${SANDBOX_CELL}.accounts SET sequence = ${String(ENTRIES)}, balance_kobo = ${String(100 * ENTRIES)} WHERE id = $2`,
      [partner.id, busy],
    );
  });

  test('is whole', async () => {
    const { body } = await statement('?from=2026-01-01T00:00:00Z', busy);
    expect(body.data).toMatchObject({ entry_count: ENTRIES, closing_balance: 100 * ENTRIES });
    const sequences = body.data.entries.map(({ sequence }: Json) => sequence);
    expect(sequences).toEqual(Array.from({ length: ENTRIES }, (_, place) => place + 1));
  });

  test('is too long for a PDF', async () => {
    const { status, body } = await statement('?format=pdf&from=2026-01-01T00:00:00Z', busy);
    expect([status, body.detail.fields]).toEqual([
      422,
      [{ field: 'from', message: 'must leave at most 10,000 entries' }],
    ]);
  });

  test('no more than two are made at once for a partner, and one that nobody reads makes room', async () => {
    const open = async (): Promise<AbortController> => {
      const call = new AbortController();
      const url = `http://127.0.0.1:${api.port}/v1/wallets/${busy}/statement?from=2026-01-01T00:00:00Z`;
      const headers = { Authorization: `Bearer ${partner.key}` };
      expect((await fetch(url, { headers, signal: call.signal })).status).toBe(200);
      return call;
    };
    const unread = [await open(), await open()];
    const third = await statement();
    expect(third).toMatchObject({ status: 429, body: { error: 'RATE_LIMIT_EXCEEDED' } });
    expect(third.headers.get('Retry-After')).toBe('5');
    const other = await api.partner();
    expect((await other.get(`/v1/wallets/${await other.wallet()}/statement`)).status).toBe(200);
    unread[0]!.abort();
    await until('a free turn', async () => (await statement()).status === 200);
    unread[1]!.abort();
  });

  test('one whose entries are gone is cut off', async () => {
    const gone = randomUUID();
    await world.sql(`ALTER TABLE ${SANDBOX_CELL}.entries DISABLE TRIGGER USER`);
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.entries SET account = $2 WHERE account = $1 AND sequence BETWEEN 20000 AND 20010`,
      [busy, gone],
    );
    await until('a free turn', async () => (await statement()).status === 200);
    await expect(statement('?from=2026-01-01T00:00:00Z', busy)).rejects.toThrow();
    // The turn of the one that was cut off is free again.
    for (let again = 0; again < 3; again++) expect((await statement()).status).toBe(200);
  });
});
