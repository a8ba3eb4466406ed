/** Bulk transfers as they are accepted, looked up and ordered about; no workflow runs here (D202). */
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

const nextReference = (): string => `bulk-${String(reference++)}`;
const line = (more: object = {}): Json => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 100,
  reference: nextReference(),
  ...more,
});
const toBank = (more: object = {}): Json => ({
  ...line(),
  dest_wallet: undefined,
  dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI', ...more },
});
const create = (transfers: unknown, more: object = {}, headers = {}): Promise<Answer> =>
  partner.post('/v1/transfers/bulk', { reference: nextReference(), transfers, ...more }, headers);
const order = (id: string, name: string): Promise<Answer> => partner.post(`/v1/transfers/bulk/${id}/${name}`);
const bulks = async (): Promise<number> =>
  (await world.sql(`SELECT count(*)::int AS n FROM ${SANDBOX_CELL}.bulk_transfers`))[0]!['n'];

/** Makes room: nothing runs here, so what is accepted stays open. */
const endAll = () =>
  world.sql(`UPDATE ${SANDBOX_CELL}.bulk_transfers SET status = 'completed', ended_at = now()`);
beforeEach(endAll);

test('is accepted with all its lines, and nothing has moved', async () => {
  const before = await partner.balanceKobo(source);
  const { status, body } = await create([line(), toBank()], { reference: 'november' });
  expect(status).toBe(202);
  expect(body.data).toMatchObject({
    reference: 'november',
    status: 'running',
    amount: 200,
    lines: { total: 2, accepted: 0, refused: 0 },
    ended_at: null,
  });
  const lines = await partner.get(`/v1/transfers/bulk/${body.data.id}/lines`);
  expect(lines.body.data.map((one: Json) => [one.place, one.status, one.transaction_id])).toEqual([
    [0, 'waiting', null],
    [1, 'waiting', null],
  ]);
  expect(await partner.balanceKobo(source)).toBe(before);
});

describe('one wrong line refuses the whole, and the answer names it', () => {
  const OTHER = '01980000-0000-7000-8000-00000000dead';
  test.each<[string, () => Json, string, string]>([
    ['no destination', () => line({ dest_wallet: undefined }), 'dest_wallet', 'is required where'],
    ['two destinations', () => ({ ...toBank(), dest_wallet: dest }), 'dest_account', 'must be absent'],
    ['the source as destination', () => line({ dest_wallet: source }), 'dest_wallet', 'must be another'],
    ['no amount', () => line({ amount: undefined }), 'amount', 'is required'],
    ['an amount of nothing', () => line({ amount: 0 }), 'amount', 'must be at least 1'],
    ['an amount that is not whole', () => line({ amount: 1.5 }), 'amount', 'must be an integer'],
    ['no reference', () => line({ reference: undefined }), 'reference', 'is required'],
    [
      'a wallet that nobody has',
      () => line({ source_wallet: OTHER }),
      'source_wallet',
      'The wallet does not',
    ],
    ['a payee that nobody has', () => line({ dest_wallet: OTHER }), 'dest_wallet', 'The wallet does not'],
    ['no such bank', () => toBank({ bank_code: '000' }), 'dest_account.bank_code', 'No bank has'],
    [
      'half an account number',
      () => toBank({ account_number: '01234' }),
      'dest_account.account_number',
      'must be 10',
    ],
  ])('%s', async (_, wrong, field, message) => {
    const before = await bulks();
    const { status, body } = await create([line(), wrong()]);
    expect([status, body.error]).toEqual([422, 'VALIDATION_ERROR']);
    expect(body.detail.fields).toEqual([
      { field: `transfers[1].${field}`, message: expect.stringContaining(message) },
    ]);
    expect(await bulks()).toBe(before);
  });

  test('another partner’s wallet is one that does not exist', async () => {
    const foreign = await (await api.partner()).wallet();
    const { body } = await create([line({ dest_wallet: foreign })]);
    expect(body.detail.fields[0].message).toBe('The wallet does not exist');
  });

  test('a reference that two lines have, or a line and the whole', async () => {
    const same = line();
    const { body } = await create(
      [same, line(), { ...line(), reference: same.reference }, line({ reference: 'whole' })],
      {
        reference: 'whole',
      },
    );
    expect(body.detail.fields).toEqual([
      { field: 'transfers[2].reference', message: 'is the reference of transfers[0] too' },
      { field: 'transfers[3].reference', message: 'is the reference of the whole bulk transfer too' },
    ]);
  });

  test('of many wrong lines the first hundred problems are named', async () => {
    const { body } = await create(Array.from({ length: 150 }, () => line({ amount: 0 })));
    expect(body.detail.fields).toHaveLength(100);
    expect(body.detail.fields[99].field).toBe('transfers[99].amount');
  });
});

test.each([
  ['no lines', [], 'must have at least one line'],
  ['lines that are no list', {}, 'must be an array'],
])('%s', async (_, transfers, message) => {
  const { status, body } = await create(transfers);
  expect(status).toBe(422);
  expect(body.detail.fields).toEqual([{ field: 'transfers', message }]);
});

test('ten thousand lines are accepted, and one more is refused', async () => {
  const many = Array.from({ length: 10_001 }, () => line({ description: 'Salary of November' }));
  expect((await create(many.slice(1))).body.data.lines.total).toBe(10_000);
  const { body } = await create(many);
  expect(body.detail.fields).toEqual([{ field: 'transfers', message: 'must have at most 10000 lines' }]);
});

test('a body beyond eight megabytes is refused', async () => {
  const metadata = { text: 'x'.repeat(16_000) };
  const { status, body } = await create(Array.from({ length: 530 }, () => line({ metadata })));
  expect([status, body.message]).toEqual([413, 'The body is larger than 8388608 bytes']);
});

test('the same key gives the same answer, and with other lines it is refused', async () => {
  const headers = { 'idempotency-key': 'bulk-key' };
  const transfers = [line()];
  const first = await create(transfers, { reference: 'keyed' }, headers);
  const again = await create(transfers, { reference: 'keyed' }, headers);
  expect([again.status, again.text]).toEqual([202, first.text]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const other = await create([line()], { reference: 'keyed' }, headers);
  expect(other.body.error).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('the same reference gives the same bulk transfer, and with other lines it is refused', async () => {
  const transfers = [line()];
  const first = await create(transfers, { reference: 'named' });
  const again = await create(transfers, { reference: 'named' });
  expect([again.status, again.body.data]).toEqual([202, first.body.data]);
  const other = await create([line()], { reference: 'named' });
  expect(other.body.error).toBe('DUPLICATE_REFERENCE');
});

test('the eleventh that is unfinished is refused, and there is room when one has ended', async () => {
  const [first] = await Promise.all(Array.from({ length: 10 }, () => create([line()])));
  const refused = await create([line()]);
  expect([refused.status, refused.body.error, refused.body.detail]).toEqual([
    422,
    'LIMIT_EXCEEDED',
    { limit: 'open_bulk_transfers', allowed: 10 },
  ]);
  await world.sql(
    `UPDATE ${SANDBOX_CELL}.bulk_transfers SET status = 'completed', ended_at = now() WHERE id = $1`,
    [first!.body.data.id],
  );
  expect((await create([line()])).status).toBe(202);
});

describe('orders', () => {
  test.each<[string[], number, string]>([
    [['pause'], 200, 'paused'],
    [['pause', 'pause'], 200, 'paused'],
    [['pause', 'resume'], 200, 'running'],
    [['resume'], 200, 'running'],
    [['cancel'], 200, 'cancelled'],
    [['pause', 'cancel'], 200, 'cancelled'],
    [['cancel', 'cancel'], 200, 'cancelled'],
    [['cancel', 'pause'], 422, 'INVALID_BULK_STATE'],
    [['cancel', 'resume'], 422, 'INVALID_BULK_STATE'],
  ])('%j', async (orders, status, said) => {
    const { id } = (await create([line()])).body.data;
    let last: Answer | undefined;
    for (const name of orders) last = await order(id, name);
    expect([last!.status, last!.body.data?.status ?? last!.body.error]).toEqual([status, said]);
  });

  test.each(['pause', 'cancel'])('%s of one that has ended', async (name) => {
    const { id } = (await create([line()])).body.data;
    await endAll();
    expect((await order(id, name)).body).toMatchObject({
      error: 'INVALID_BULK_STATE',
      message: 'The bulk transfer is completed',
    });
  });

  test.each(['resume', 'cancel'])('%s has the workflow started once more', async (name) => {
    const { id } = (await create([line()])).body.data;
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.workflow_intentions SET started_at = now(), attempts = 3 WHERE resource_id = $1`,
      [id],
    );
    await order(id, 'pause');
    await order(id, name);
    const intended = await world.sql(
      `SELECT workflow_id, started_at, attempts FROM ${SANDBOX_CELL}.workflow_intentions WHERE resource_id = $1`,
      [id],
    );
    expect(intended).toMatchObject([{ workflow_id: `bulk/${id}`, started_at: null }]);
  });
});

test('lists the newest first, and the lines of each in their order, by pages', async () => {
  const own = await api.partner();
  const [from, to] = [await own.wallet(), await own.wallet()];
  const lines = (name: string) =>
    Array.from({ length: 3 }, (_, n) => ({
      source_wallet: from,
      dest_wallet: to,
      amount: 5,
      reference: `${name}-${String(n)}`,
    }));
  for (const name of ['one', 'two', 'three']) {
    await own.post('/v1/transfers/bulk', { reference: name, transfers: lines(name) });
  }
  const first = await own.get('/v1/transfers/bulk?limit=2');
  expect(first.body.data.map((bulk: Json) => bulk.reference)).toEqual(['three', 'two']);
  const rest = await own.get(`/v1/transfers/bulk?limit=2&cursor=${first.body.meta.next_cursor}`);
  expect(rest.body.data.map((bulk: Json) => bulk.reference)).toEqual(['one']);
  const path = `/v1/transfers/bulk/${rest.body.data[0].id}/lines`;
  const page = await own.get(`${path}?limit=2`);
  expect(page.body.data.map((one: Json) => one.reference)).toEqual(['one-0', 'one-1']);
  const last = await own.get(`${path}?limit=2&cursor=${page.body.meta.next_cursor}`);
  expect(last.body.data.map((one: Json) => one.reference)).toEqual(['one-2']);
  expect((await own.get(`${path}?status=refused`)).body.data).toEqual([]);

  await own.post(`/v1/transfers/bulk/${rest.body.data[0].id}/pause`, undefined);
  const namesOf = async (status: string) =>
    (await own.get(`/v1/transfers/bulk?status=${status}`)).body.data.map((bulk: Json) => bulk.reference);
  expect([await namesOf('running'), await namesOf('paused')]).toEqual([['three', 'two'], ['one']]);
  expect((await own.get('/v1/transfers/bulk?status=lunch')).body.error).toBe('VALIDATION_ERROR');
});
