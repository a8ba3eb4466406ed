/** Scheduled transfers on the whole platform: each due time once, whatever stops or dies meanwhile (D205). */
import { ScheduleNotFoundError } from '@temporalio/client';
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
/** Every day at the time that is six hours away in Lagos, so that the last two were 18 and 42 hours ago. */
const DAILY = { every: 'day', at: new Date(Date.now() + 7 * 3_600_000).toISOString().slice(11, 16) };

let platform: Platform;
let url: string;
let worker: Child;
let receiver: Receiver;
let partner: Calls;
let [source, dest] = ['', ''];

beforeAll(async () => {
  platform = await openPlatform({ settings: FREQUENT_SCHEDULES });
  [url, worker, receiver] = await Promise.all([
    platform.startApi(),
    platform.startChild('worker'),
    openReceiver(),
  ]);
  partner = await platform.partner(url);
  const wallets = await Promise.all([partner.wallet(1_000_000), partner.wallet()]);
  [source, dest] = wallets.map(({ id }) => id) as [string, string];
  const events = ['paid', 'skipped', 'failed', 'ended'].map((end) => `scheduled_transfer.${end}`);
  await partner.post('/v1/webhooks', { url: receiver.url, events });
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await receiver.close();
  await platform.close();
});

let count = 0;
async function schedule(times: object, more: object = {}): Promise<Json> {
  const reference = `plan-${(count += 1)}`;
  const asked = {
    source_wallet: source,
    dest_wallet: dest,
    amount: AMOUNT_KOBO,
    reference,
    ...times,
    ...more,
  };
  const { status, body } = await partner.post('/v1/transfers/scheduled', asked);
  expect(status).toBe(201);
  return body.data;
}
const inSeconds = (seconds: number) => ({ due_at: new Date(Date.now() + seconds * 1_000).toISOString() });
const read = async (id: string): Promise<Json> =>
  (await partner.get(`/v1/transfers/scheduled/${id}`)).body.data;
const runs = async (id: string): Promise<Json[]> =>
  (await partner.get(`/v1/transfers/scheduled/${id}/runs`)).body.data;
const ended = (id: string): Promise<Json> =>
  until(
    'the end of the scheduled transfer',
    async () => {
      const found = await read(id);
      return found.ended_at !== null && found;
    },
    60_000,
  );
const balanceOf = async (wallet: string): Promise<number> =>
  (await partner.get(`/v1/wallets/${wallet}/balance`)).body.data.balance_kobo;
const handleOf = (id: string) => platform.operator.schedule.getHandle(`scheduled-transfer/${id}`);
const hasSchedule = (id: string): Promise<boolean> =>
  handleOf(id)
    .describe()
    .then(() => true)
    .catch((error: unknown) => {
      if (error instanceof ScheduleNotFoundError) return false;
      throw error;
    });
const told = (id: string): string[] => receiver.about(id).map(({ body }) => body.event);
/** As if the platform had been away for this time: a due time that has passed meanwhile. */
const wasDueBefore = (id: string, hours: number) =>
  platform.sql(
    `UPDATE ${SANDBOX_CELL}.scheduled_transfers SET next_due_at = now() - $2 * interval '1 hour', look_at = now()
      WHERE id = $1`,
    [id, hours],
  );

test('workers that die around the due time pay each once, and tell it', async () => {
  const [before, had] = [await balanceOf(dest), await balanceOf(source)];
  const plans = await Promise.all(Array.from({ length: 30 }, (_, n) => schedule(inSeconds(4 + (n % 3)))));
  await until('the first payment', async () => (await balanceOf(dest)) > before);
  await worker.kill();
  worker = await platform.startChild('worker');
  for (const { id, reference } of plans) {
    expect(await ended(id)).toMatchObject({ status: 'completed', runs: { paid: 1, skipped: 0, failed: 0 } });
    expect(await runs(id)).toMatchObject([{ number: 1, reference: `${reference}-1`, status: 'paid' }]);
  }
  expect(await balanceOf(dest)).toBe(before + 30 * AMOUNT_KOBO);
  expect(await balanceOf(source)).toBe(had - 30 * (AMOUNT_KOBO + FEE_KOBO));
  for (const { id } of plans.slice(0, 3)) {
    await until('the Schedule to go', async () => !(await hasSchedule(id)));
    await until('the events', () => told(id).length === 2);
    expect(told(id).sort()).toEqual(['scheduled_transfer.ended', 'scheduled_transfer.paid']);
  }
});

test('a worker that was suspended pays in the order of the due times, whichever workflow wakes first', async () => {
  const poor = (await partner.wallet()).id;
  const salary = await schedule(inSeconds(15), { dest_wallet: poor, amount: 100_000 });
  const rents = await Promise.all(
    Array.from({ length: 15 }, (_, n) =>
      schedule(inSeconds(15.1 + n / 10), { source_wallet: poor, amount: 5_000 }),
    ),
  );
  await until('the Schedules', async () => {
    const there = await Promise.all([salary, ...rents].map(({ id }) => hasSchedule(id)));
    return there.every(Boolean);
  });
  process.kill(worker.pid, 'SIGSTOP');
  await until('the due times', () => Date.now() > Date.parse(rents.at(-1)!.next_due_at) + 2_000);
  process.kill(worker.pid, 'SIGCONT');
  for (const { id } of [salary, ...rents]) {
    expect(await ended(id)).toMatchObject({ runs: { paid: 1, skipped: 0, failed: 0 } });
  }
});

test('a Schedule that Temporal has lost is made again, and what was missed is made up for within a day', async () => {
  const { id, next_due_at: next } = await schedule({ rule: DAILY });
  await until('the Schedule', () => hasSchedule(id));
  expect((await handleOf(id).describe()).info.nextActionTimes[0]!.toISOString()).toBe(next);
  await handleOf(id).delete();
  await wasDueBefore(id, 49);
  await until('the due times of three days', async () => (await read(id)).runs.skipped === 2);
  const { runs: results, next_due_at: later } = await until('the last of them', async () => {
    const found = await read(id);
    return found.runs.paid === 1 && found;
  });
  expect(results).toEqual({ paid: 1, skipped: 2, failed: 0 });
  expect(later).toBe(next);
  expect((await runs(id)).map((run) => [run.number, run.status, run.reason])).toEqual([
    [3, 'paid', null],
    [2, 'skipped', 'TOO_LATE'],
    [1, 'skipped', 'TOO_LATE'],
  ]);
  expect(await hasSchedule(id)).toBe(true);
});

test('missing money is waited for, and a cancellation ends the wait', async () => {
  const poor = (await partner.wallet()).id;
  const from = { source_wallet: poor, on_insufficient_funds: 'retry' };
  const [paid, cancelled] = await Promise.all([schedule(inSeconds(1), from), schedule(inSeconds(1), from)]);
  for (const { id } of [paid, cancelled]) {
    await until('a run that waits', async () => (await runs(id))[0]?.status === 'waiting');
  }
  expect((await partner.post(`/v1/transfers/scheduled/${cancelled.id}/cancel`, undefined)).status).toBe(200);
  expect(await ended(cancelled.id)).toMatchObject({ status: 'cancelled', runs: { skipped: 1 } });
  expect(await runs(cancelled.id)).toMatchObject([{ reason: 'CANCELLED' }]);
  await partner.post(`/v1/sandbox/wallets/${poor}/fund`, { amount_kobo: 10_000 });
  await platform.sql(`UPDATE ${SANDBOX_CELL}.scheduled_transfers SET look_at = now() WHERE id = $1`, [
    paid.id,
  ]);
  expect(await ended(paid.id)).toMatchObject({ status: 'completed', runs: { paid: 1 } });
  expect(await balanceOf(poor)).toBe(10_000 - AMOUNT_KOBO - FEE_KOBO);
});

test('a sandbox reset deletes it, with its Schedule', async () => {
  const other = await platform.partner(url);
  const [from, to] = await Promise.all([other.wallet(1_000_000), other.wallet()]);
  const asked = { source_wallet: from.id, dest_wallet: to.id, amount: 1, reference: 'plan', rule: DAILY };
  const { id } = (await other.post('/v1/transfers/scheduled', asked)).body.data;
  await until('the Schedule', () => hasSchedule(id));
  expect((await other.post('/v1/sandbox/reset', undefined)).status).toBe(200);
  expect((await other.get(`/v1/transfers/scheduled/${id}`)).status).toBe(404);
  expect(await hasSchedule(id)).toBe(false);
});
