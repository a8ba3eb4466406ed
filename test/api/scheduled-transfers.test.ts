/** Scheduled transfers as they are accepted, looked up and cancelled; no workflow runs here (D205). */
import type { Answer, Json } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);

let source: string;
let dest: string;
let reference = 0;
beforeAll(async () => {
  source = await partner.wallet({ fundKobo: 1_000_000 });
  dest = await partner.wallet();
});

const LATER = '2030-01-31T09:00:00+01:00';
const MONTHLY = { every: 'month', at: '09:00', day_of_month: 31 };
const once = (more: object = {}): Json => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 100,
  reference: `plan-${String(reference++)}`,
  due_at: LATER,
  ...more,
});
const byRule = (rule: object, more: object = {}): Json => once({ due_at: undefined, rule, ...more });
const BANK = { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' };
const create = (body: Json, headers = {}): Promise<Answer> =>
  partner.post('/v1/transfers/scheduled', body, headers);
const cancel = (id: string): Promise<Answer> => partner.post(`/v1/transfers/scheduled/${id}/cancel`);

test('is accepted with its first due time, and nothing has moved or is set aside', async () => {
  const before = await partner.get(`/v1/wallets/${source}`);
  const asked = byRule(
    { ...MONTHLY, starts_on: '2028-02-01', count: 12 },
    { dest_wallet: undefined, dest_account: BANK, on_insufficient_funds: 'retry' },
  );
  const { status, body } = await create(asked);
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    status: 'active',
    dest_wallet: null,
    dest_account: { bank_code: '058', account_number: '0123456789' },
    due_at: null,
    rule: { ...MONTHLY, weekday: null, starts_on: '2028-02-01', ends_on: null, count: 12 },
    on_insufficient_funds: 'retry',
    next_due_at: '2028-02-29T08:00:00.000Z',
    runs: { paid: 0, skipped: 0, failed: 0 },
    ended_at: null,
  });
  const { data } = (await partner.get(`/v1/wallets/${source}`)).body;
  expect(data).toEqual(before.body.data);
  const shown = await partner.get(`/v1/transfers/scheduled/${body.data.id}`);
  expect(shown.body.data).toEqual(body.data);
  expect((await partner.get(`/v1/transfers/scheduled/${body.data.id}/runs`)).body.data).toEqual([]);
});

test('a key with the same request gives the first answer, and with another time it is refused', async () => {
  const key = { 'idempotency-key': 'plan-by-key' };
  const asked = once();
  const first = await create(asked, key);
  expect(first.status).toBe(201);

  const repeated = await create(asked, key);
  const moved = await create({ ...asked, due_at: '2030-01-31T09:00:01+01:00' }, key);

  expect([repeated.status, repeated.body.data]).toEqual([201, first.body.data]);
  expect([moved.status, moved.body.error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
});

test.each<[string, () => Json, string, string]>([
  ['no time', () => once({ due_at: undefined }), 'due_at', 'or rule is required'],
  ['both times', () => once({ rule: MONTHLY }), 'due_at', 'not both'],
  [
    'a time that has passed',
    () => once({ due_at: '2026-01-01T00:00:00Z' }),
    'due_at',
    'must be in the future',
  ],
  ['a time without a zone', () => once({ due_at: '2030-01-31T09:00:00' }), 'due_at', 'with its zone'],
  ['a time that is too far', () => once({ due_at: '2060-01-31T09:00:00Z' }), 'due_at', 'within the next ten'],
  ['no day of the month', () => byRule({ every: 'month', at: '09:00' }), 'rule.day_of_month', 'is required'],
  ['a day 32', () => byRule({ ...MONTHLY, day_of_month: 32 }), 'rule.day_of_month', 'from 1 to 31'],
  [
    'a weekday of a month',
    () => byRule({ ...MONTHLY, weekday: 'monday' }),
    'rule.weekday',
    'absent otherwise',
  ],
  [
    'no such weekday',
    () => byRule({ every: 'week', at: '09:00', weekday: 'payday' }),
    'rule.weekday',
    'must be of',
  ],
  ['no such time', () => byRule({ every: 'day', at: '24:00' }), 'rule.at', 'must be a time'],
  ['no such date', () => byRule({ ...MONTHLY, ends_on: '2027-02-30' }), 'rule.ends_on', 'must be a date'],
  ['an end before', () => byRule({ ...MONTHLY, ends_on: '2026-01-01' }), 'rule', 'is never due'],
  ['no due times', () => byRule({ ...MONTHLY, count: 0 }), 'rule.count', 'from 1 to 10000'],
  ['no destination', () => once({ dest_wallet: undefined }), 'dest_wallet', 'is required where'],
  ['a long reference', () => once({ reference: 'x'.repeat(121) }), 'reference', 'at most 120'],
  ['no such policy', () => once({ on_insufficient_funds: 'wait' }), 'on_insufficient_funds', 'must be of'],
])('refuses %s', async (_what, body, field, message) => {
  const answer = await create(body());
  expect([answer.status, answer.body.error]).toEqual([422, 'VALIDATION_ERROR']);
  expect(answer.body.detail.fields[0].field).toBe(field);
  expect(answer.body.detail.fields[0].message).toContain(message);
});

const OTHER = '01980000-0000-7000-8000-00000000dead';
test.each<[string, () => Json]>([
  ['AMOUNT_TOO_LOW', () => once({ amount: 0 })],
  ['SAME_WALLET_TRANSFER', () => once({ dest_wallet: source })],
  ['WALLET_NOT_FOUND', () => once({ source_wallet: OTHER })],
  ['WALLET_NOT_FOUND', () => once({ dest_wallet: OTHER })],
  ['INVALID_BANK_CODE', () => once({ dest_wallet: undefined, dest_account: { ...BANK, bank_code: '000' } })],
])('refuses with %s', async (code, body) => {
  expect((await create(body())).body.error).toBe(code);
});

test('the same again answers the original, by reference and by key; another one is refused', async () => {
  const asked = once();
  const first = await create(asked, { 'Idempotency-Key': 'plan' });
  expect((await create(asked)).body.data).toEqual(first.body.data);
  expect((await create(asked, { 'Idempotency-Key': 'plan' })).text).toBe(first.text);
  expect((await create({ ...asked, amount: 101 })).body.error).toBe('DUPLICATE_REFERENCE');
  expect((await create({ ...asked, on_insufficient_funds: 'retry' })).body.error).toBe('DUPLICATE_REFERENCE');
});

test('is cancelled once and for good, and tells it', async () => {
  const { id } = (await create(once())).body.data;
  const cancelled = await cancel(id);
  expect(cancelled.body.data).toMatchObject({ status: 'cancelled', next_due_at: null });
  expect(cancelled.body.data.ended_at).not.toBeNull();
  expect((await cancel(id)).body.data).toEqual(cancelled.body.data);
  const events = (await partner.get(`/v1/events?resource_id=${id}`)).body.data;
  expect(events.map((event: Json) => event.event)).toEqual(['scheduled_transfer.ended']);
});

test('one that has ended is not cancelled', async () => {
  const { id } = (await create(once())).body.data;
  await world.sql(
    `UPDATE ${SANDBOX_CELL}.scheduled_transfers SET status = 'completed', asked = NULL, look_at = NULL,
       next_due_at = NULL, ended_at = now() WHERE id = $1`,
    [id],
  );
  expect((await cancel(id)).body).toMatchObject({ error: 'INVALID_SCHEDULE_STATE' });
});

test('is listed newest first, by its status', async () => {
  const { id } = (await create(once())).body.data;
  const [first] = (await partner.get('/v1/transfers/scheduled?status=active&limit=1')).body.data;
  expect(first.id).toBe(id);
  const { data } = (await partner.get('/v1/transfers/scheduled?status=cancelled')).body;
  expect(data.length).toBeGreaterThan(0);
  expect(new Set(data.map((one: Json) => one.status))).toEqual(new Set(['cancelled']));
  expect((await partner.get('/v1/transfers/scheduled?status=lunch')).body.error).toBe('VALIDATION_ERROR');
});

describe('the reference of its first transfer', () => {
  const taken = async (name: string): Promise<string> => {
    const paid = await partner.post('/v1/transfers/p2p', {
      source_wallet: source,
      dest_wallet: dest,
      amount: 1,
      reference: name,
    });
    return paid.body.data.id;
  };

  test.each<[string, (more: object) => Json]>([
    ['once', once],
    ['by a rule', (more) => byRule(MONTHLY, more)],
  ])('is taken: a transfer %s is refused when it is made, with what has taken it', async (how, asked) => {
    const transactionId = await taken(`rent ${how}-1`);
    const answer = await create(asked({ reference: `rent ${how}` }));
    expect(answer).toMatchObject({
      status: 409,
      body: {
        error: 'DUPLICATE_REFERENCE',
        message: expect.stringContaining(`rent ${how}-1`),
        detail: { transaction_id: transactionId },
      },
    });
    // Nothing was kept: with another reference the same request is taken.
    expect((await create(asked({ reference: `rent of ${how}` }))).status).toBe(201);
  });

  test('a later one may be taken, and a repeat finds what was made', async () => {
    await taken('fees-2');
    const asked = byRule(MONTHLY, { reference: 'fees' });
    const first = await create(asked);
    expect(first.status).toBe(201);
    await taken('fees-1');
    expect((await create(asked)).body.data.id).toBe(first.body.data.id);
  });
});
