/**
 * Bulk transfers on the whole platform (D202): each line is a transfer of its own, once, whatever stops or dies
 * meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { auditCell } from '../support/audit';
import type { Calls, Json } from '../support/calls';
import type { Child } from '../support/children';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver, type Receiver } from '../support/receiver';
import { FREQUENT_SCHEDULES } from '../support/settings';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const AMOUNT_KOBO = 1_000;
const FEE_KOBO = 5;
const BANK_FEE_KOBO = 5_000;

let platform: Platform;
let url: string;
let worker: Child;
let receiver: Receiver;

beforeAll(async () => {
  platform = await openPlatform({ settings: FREQUENT_SCHEDULES });
  [url, worker, receiver] = await Promise.all([
    platform.startApi(),
    platform.startChild('worker'),
    openReceiver(),
  ]);
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await receiver.close();
  await platform.close();
});

interface Scene {
  partner: Calls;
  source: string;
  dest: string;
}

async function scene(fundKobo: number): Promise<Scene> {
  const partner = await platform.partner(url);
  const [source, dest] = await Promise.all([partner.wallet(), partner.wallet()]);
  await partner.post(`/v1/sandbox/wallets/${source.id}/fund`, { amount_kobo: fundKobo });
  return { partner, source: source.id, dest: dest.id };
}

const toWallet = ({ source, dest }: Scene, reference: string, more: object = {}): object => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: AMOUNT_KOBO,
  reference,
  ...more,
});
const numbered = (scene: Scene, count: number): object[] =>
  Array.from({ length: count }, (_, n) => toWallet(scene, `line-${n}`));

async function begin({ partner }: Scene, transfers: object[], reference = 'payroll'): Promise<string> {
  const { status, body } = await partner.post('/v1/transfers/bulk', { reference, transfers });
  expect(status).toBe(202);
  return body.data.id;
}
const read = async ({ partner }: Scene, id: string): Promise<Json> =>
  (await partner.get(`/v1/transfers/bulk/${id}`)).body.data;
const ended = (of: Scene, id: string, withinMs = 60_000): Promise<Json> =>
  until(
    'the end of the bulk transfer',
    async () => {
      const bulk = await read(of, id);
      return bulk.ended_at !== null && bulk;
    },
    withinMs,
  );
const linesOf = async ({ partner }: Scene, id: string, query = ''): Promise<Json[]> =>
  (await partner.get(`/v1/transfers/bulk/${id}/lines?limit=100${query}`)).body.data;
const balanceOf = async ({ partner }: Scene, wallet: string): Promise<number> =>
  (await partner.get(`/v1/wallets/${wallet}/balance`)).body.data.balance_kobo;
const order = async ({ partner }: Scene, id: string, name: string): Promise<Json> =>
  (await partner.post(`/v1/transfers/bulk/${id}/${name}`, undefined)).body;

test('each line has its own result, and one that is refused stops no other', async () => {
  const at = await scene(20_000);
  await at.partner.post('/v1/webhooks', {
    url: receiver.url,
    events: ['bulk_transfer.completed', 'transaction.completed'],
  });
  const before = await at.partner.post('/v1/transfers/p2p', toWallet(at, 'paid-before'));
  await at.partner.post('/v1/transfers/p2p', toWallet(at, 'other-terms', { amount: 7 }));
  const id = await begin(at, [
    toWallet(at, 'first'),
    toWallet(at, 'paid-before'),
    toWallet(at, 'other-terms'),
    toWallet(at, 'too-much', { amount: 50_000 }),
    {
      ...toWallet(at, 'to-bank'),
      dest_wallet: null,
      dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' },
    },
    toWallet(at, 'last'),
  ]);

  expect(await ended(at, id)).toMatchObject({
    status: 'completed',
    lines: { total: 6, accepted: 4, refused: 2 },
  });
  const lines = await linesOf(at, id);
  expect(lines.map((line) => [line.reference, line.status, line.refusal?.error ?? null])).toEqual([
    ['first', 'accepted', null],
    ['paid-before', 'accepted', null],
    ['other-terms', 'refused', 'DUPLICATE_REFERENCE'],
    ['too-much', 'refused', 'INSUFFICIENT_FUNDS'],
    ['to-bank', 'accepted', null],
    ['last', 'accepted', null],
  ]);
  expect(lines[1]!.transaction_id).toBe(before.body.data.id);
  expect(lines[3]!.refusal.detail).toMatchObject({ required_kobo: 50_250 });
  await until('the end of the bank transfer', async () => {
    const [line] = (await linesOf(at, id)).slice(4);
    return line!.transaction_status === 'completed';
  });
  const spent = 4 * AMOUNT_KOBO + 7 + 3 * FEE_KOBO + BANK_FEE_KOBO;
  expect(await balanceOf(at, at.source)).toBe(20_000 - spent);
  const [event] = await until('the event of the end', () => {
    const events = receiver.about(id);
    return events.length > 0 && events;
  });
  expect(event!.body).toMatchObject({
    event: 'bulk_transfer.completed',
    data: { id, status: 'completed', lines: { total: 6, accepted: 4, refused: 2 } },
  });
  await until('the event of a line', () => receiver.about(lines[0]!.transaction_id).length === 1);
});

test('a pause stops what has not begun, and the bulk transfer goes on where it was', async () => {
  const at = await scene(10_000_000);
  const id = await begin(at, numbered(at, 400));
  expect((await order(at, id, 'pause')).data.status).toBe('paused');
  const handle = platform.operator.workflow.getHandle(`bulk/${id}`);
  await until('the end of the run', async () => (await handle.describe()).status.name === 'COMPLETED');
  const paused = await read(at, id);
  expect(paused.lines.accepted).toBeLessThan(400);
  await sleep(500);
  expect(await read(at, id)).toEqual(paused);
  expect((await order(at, id, 'resume')).data.status).toBe('running');
  expect(await ended(at, id)).toMatchObject({ status: 'completed', lines: { accepted: 400, refused: 0 } });
  expect(await balanceOf(at, at.dest)).toBe(400 * AMOUNT_KOBO);
});

test.each(['running', 'paused'])(
  'a %s bulk transfer is cancelled: what has not begun never does',
  async (status) => {
    const at = await scene(10_000_000);
    const id = await begin(at, numbered(at, 400));
    if (status === 'paused') await order(at, id, 'pause');
    expect((await order(at, id, 'cancel')).data.status).toBe('cancelled');
    const { lines } = await ended(at, id);
    expect(lines.accepted).toBeLessThan(400);
    const cancelled = await linesOf(at, id, '&status=cancelled');
    expect(cancelled).toHaveLength(Math.min(100, 400 - lines.accepted));
    expect(cancelled[0]).toMatchObject({ place: lines.accepted, transaction_id: null, refusal: null });
    expect(await balanceOf(at, at.dest)).toBe(lines.accepted * AMOUNT_KOBO);
  },
);

test('a worker that dies three times posts each good line once, and no sum is wrong', async () => {
  const at = await scene(10_000_000);
  const bad = (n: number): boolean => n % 20 === 7;
  const transfers = numbered(at, 1_000).map((line, n) =>
    bad(n) ? { ...line, amount: 1_000_000_000 } : line,
  );
  const id = await begin(at, transfers);
  for (const count of [100, 300, 600]) {
    await until('some results', async () => (await read(at, id)).lines.accepted >= count);
    await worker.kill();
    worker = await platform.startChild('worker');
  }
  expect(await ended(at, id)).toMatchObject({
    status: 'completed',
    lines: { total: 1_000, accepted: 950, refused: 50 },
  });
  expect(await balanceOf(at, at.dest)).toBe(950 * AMOUNT_KOBO);
  expect(await balanceOf(at, at.source)).toBe(10_000_000 - 950 * (AMOUNT_KOBO + FEE_KOBO));
  const [made] = await platform.sql(
    `SELECT count(*)::int AS transactions, count(DISTINCT reference)::int AS names
       FROM ${SANDBOX_CELL}.transactions WHERE source_wallet = $1`,
    [at.source],
  );
  expect(made).toEqual({ transactions: 950, names: 950 });
});

test('a sandbox reset ends it and deletes it', async () => {
  const at = await scene(10_000_000);
  const id = await begin(at, numbered(at, 1_000));
  await until('a result', async () => (await read(at, id)).lines.accepted > 0);
  const reset = await at.partner.post('/v1/sandbox/reset', undefined);
  expect(reset.status).toBe(200);
  expect((await at.partner.get(`/v1/transfers/bulk/${id}`)).status).toBe(404);
  const left = await platform.sql(
    `SELECT count(*)::int AS lines FROM ${SANDBOX_CELL}.bulk_transfer_lines WHERE bulk_id = $1`,
    [id],
  );
  expect(left).toEqual([{ lines: 0 }]);
});
