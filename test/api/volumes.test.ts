/** Volumes by hour and by day (D200). */
import type { Answer, Json } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile, partnerForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let ada: string;
let bola: string;

beforeAll(async () => {
  [ada, bola] = [await partner.wallet(), await partner.wallet()];
  await made(partner, [
    ['2026-01-10T08:59:59.999Z', 'p2p_transfer', 'completed', 100, 5],
    ['2026-01-10T09:00:00.000Z', 'p2p_transfer', 'completed', 1_000, 5],
    ['2026-01-10T09:20:00.000Z', 'p2p_transfer', 'failed', 7, 1],
    ['2026-01-10T09:30:00.000Z', 'bank_transfer', 'completed', 20_000, 25],
    ['2026-01-10T09:40:00.000Z', 'bank_transfer', 'reversed', 30_000, 25],
    ['2026-01-10T09:50:00.000Z', 'bank_transfer', 'processing', 40_000, 25],
    ['2026-01-10T09:55:00.000Z', 'ussd_payment', 'expired', 50_000, 0],
    // Midnight in Lagos is 23:00 in UTC.
    ['2026-01-10T22:59:59.999Z', 'p2p_transfer', 'completed', 2, 0],
    ['2026-01-10T23:00:00.000Z', 'p2p_transfer', 'completed', 3, 0],
    ['2026-01-10T09:10:00.000Z', 'late_payout', 'completed', 9, 0],
  ]);
});

type Made = [at: string, type: string, status: string, amountKobo: number, feeKobo: number];

const made = (by: TestPartner, rows: Made[]) =>
  world.sql(
    `INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
       dest_wallet, dest_account, account_name_sealed, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo,
       created_at, updated_at, completed_at)
     SELECT uuidv7(), $1, 'n', type, status, amount, $2, $3, '{}', 'nobody', fee, 0, 0, amount, at, at,
            CASE WHEN status = 'completed' THEN at END
       FROM json_to_recordset($4) AS given (at timestamptz, type text, status text, amount bigint, fee bigint)`,
    [
      by.id,
      ada,
      bola,
      JSON.stringify(rows.map(([at, type, status, amount, fee]) => ({ at, type, status, amount, fee }))),
    ],
  );

const volumes = (query: string, by = partner): Promise<Answer> => by.get(`/v1/volumes?${query}`);
const rowsOf = ({ body }: Answer): unknown[] =>
  body.data.map((one: Json) => [one.at, one.type, one.count, one.failed, one.amount_kobo, one.fee_kobo]);

test('by the hour, each type has its number, its failures, and amount and fee of what is completed', async () => {
  const answer = await volumes('from=2026-01-10T08:00:00Z&to=2026-01-10T10:00:00Z');
  expect(answer.status).toBe(200);
  expect(rowsOf(answer)).toEqual([
    ['2026-01-10T08:00:00.000Z', 'p2p_transfer', 1, 0, 100, 5],
    ['2026-01-10T09:00:00.000Z', 'bank_transfer', 3, 1, 20_000, 25],
    ['2026-01-10T09:00:00.000Z', 'p2p_transfer', 2, 1, 1_000, 5],
    ['2026-01-10T09:00:00.000Z', 'ussd_payment', 1, 1, 0, 0],
  ]);
});

test('a day begins at midnight in Lagos', async () => {
  const answer = await volumes('from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z&bucket=day');
  expect(rowsOf(answer)).toEqual([
    ['2026-01-09T23:00:00.000Z', 'bank_transfer', 3, 1, 20_000, 25],
    ['2026-01-09T23:00:00.000Z', 'p2p_transfer', 4, 1, 1_102, 10],
    ['2026-01-09T23:00:00.000Z', 'ussd_payment', 1, 1, 0, 0],
    ['2026-01-10T23:00:00.000Z', 'p2p_transfer', 1, 0, 3, 0],
  ]);
});

test('from is the first moment, and to the first one after the last', async () => {
  const answer = await volumes('from=2026-01-10T09:00:00Z&to=2026-01-10T09:20:00Z');
  expect(rowsOf(answer)).toEqual([['2026-01-10T09:00:00.000Z', 'p2p_transfer', 1, 0, 1_000, 5]]);
});

test('without a period it is the last day', async () => {
  const other = await api.partner();
  const [from, to] = [await other.wallet({ fundKobo: 10_000 }), await other.wallet()];
  const body = { source_wallet: from, dest_wallet: to, amount: 500, reference: 'now' };
  expect((await other.post('/v1/transfers/p2p', body)).status).toBe(200);
  const { data } = (await volumes('', other)).body;
  // The two may be of different hours.
  const found = data.map((one: Json) => [one.type, one.count, one.amount_kobo, one.fee_kobo]);
  expect(found.sort()).toEqual([
    ['p2p_transfer', 1, 500, 2],
    ['wallet_funding', 1, 10_000, 0],
  ]);
});

test.each([
  ['from=2026-01-01T00:00:00Z&to=2026-01-09T00:00:00.001Z', 'from', 'must leave at most 8 days'],
  ['bucket=day&from=2026-01-01T00:00:00Z&to=2026-04-04T00:00:00.001Z', 'from', 'must leave at most 93 days'],
  ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'to', 'must be later than from'],
  ['bucket=week', 'bucket', 'must be of: hour, day'],
  [
    'from=today',
    'from',
    'must be a date, such as 2026-11-01, or a date and time with its zone, such as 2026-11-01T09:30:00+01:00',
  ],
])('%s: 422', async (query, field, message) => {
  const { status, body } = await volumes(query);
  expect([status, body.detail.fields]).toEqual([422, [{ field, message }]]);
});

test('the longest periods are answered', async () => {
  for (const query of [
    'from=2026-01-01T00:00:00Z&to=2026-01-09T00:00:00Z',
    'bucket=day&from=2026-01-01T00:00:00Z&to=2026-04-04T00:00:00Z',
  ])
    expect((await volumes(query)).status).toBe(200);
});

test('more than 50,000 transactions are too many, and 50,000 are not', async () => {
  const busy = await api.partner();
  const fill = (count: number) =>
    world.sql(
      `INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
         dest_wallet, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at,
         completed_at)
       SELECT uuidv7(), $1, 'n', 'p2p_transfer', 'completed', 1, $2, $3, 0, 0, 0, 1, at, at, at
         FROM generate_series(1, $4::int), LATERAL (SELECT now() - interval '1 hour' AS at) AS given`,
      [busy.id, ada, bola, count],
    );
  await fill(50_000);
  expect((await volumes('', busy)).body.data).toMatchObject([{ count: 50_000 }]);
  await fill(1);
  const { status, body } = await volumes('', busy);
  expect([status, body.detail.fields]).toEqual([
    422,
    [{ field: 'from', message: 'must leave at most 50,000 transactions' }],
  ]);
});

test('another partner sees nothing of them', async () => {
  const other = await api.partner();
  expect((await volumes('from=2026-01-10T08:00:00Z&to=2026-01-10T10:00:00Z', other)).body.data).toEqual([]);
});
