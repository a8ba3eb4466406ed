/** Claiming deliveries and recording attempts, as the dispatcher does, by Postgres' clock alone. */
import {
  claimDue,
  findTarget,
  nextDueMs,
  parkDeliveries,
  recordAttempts,
  type AttemptResult,
  type DueDelivery,
} from '../../../src/db/events/deliveries';
import { listEndpoints } from '../../../src/db/events/endpoints';
import { redeliver } from '../../../src/db/events/event-list';
import type { MovedMoney } from '../../../src/domain/events';
import type { Posted } from '../../../src/domain/ledger';
import { completedAtOnce, transactionCompleted, writeMoneyMoved } from '../../../src/wire/webhooks';
import { newId } from '../../../src/db/pg/ids';
import type { SealedCell } from '../../../src/db/pg/postgres';
import { openTestCell, type TestCell } from '../../support/cell';
import { openCountedCell } from '../../support/counted';
import { completed, happen, openEndpoint } from '../../support/endpoints';
import { p2p } from '../../support/movements';
import { valueAs, valueOf } from '../../support/outcomes';
import { until } from '../../support/until';
import { SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
let partnerId: string;
let endpointId: string;
const MINUTE_MS = 60_000;
const TRIAL_EVERY_MS = 6_000;
const DISABLE = { now: false, afterMs: 5 * 24 * 60 * MINUTE_MS };

beforeAll(async () => {
  cell = await openTestCell();
});
beforeEach(async () => {
  partnerId = newId();
  endpointId = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
});
afterAll(() => cell.close());

const claim = (limit = 100, forMs = MINUTE_MS, at: SealedCell = cell.cell) =>
  claimDue(at, endpointId, { limit, forMs });
const endpoint = async () => (await listEndpoints(cell.cell, partnerId))[0]!;
const row = async (eventId: string) =>
  (await cell.sql(`SELECT * FROM ${SANDBOX_CELL}.deliveries WHERE event_id = $1`, [eventId]))[0]!;

describe('claiming what is due', () => {
  test('two claimers at once never get the same delivery, and together get all', async () => {
    await happen(cell.cell, partnerId, 100);
    const other: SealedCell = { ...cell.cell, pool: cell.openPool() };
    const claimed: DueDelivery[] = [];

    for (let got = 1; got > 0;) {
      const both = await cell.slowly('UPDATE', 'deliveries', () =>
        Promise.all([claim(30, MINUTE_MS), claim(30, MINUTE_MS, other)]),
      );
      got = both.flat().length;
      claimed.push(...both.flat());
    }

    expect(claimed).toHaveLength(100);
    expect(new Set(claimed.map(({ eventId }) => eventId)).size).toBe(100);
  });

  test('gives the payload of a transfer from its row, the same at every attempt', async () => {
    const ada = await cell.wallet({ partnerId, fundKobo: 10_000 });
    const bola = await cell.wallet({ partnerId });
    await claim();
    const announce = ({ transaction }: Posted) => [completedAtOnce(transaction)];
    const item = { ...p2p({ partnerId, from: ada, to: bola, amountKobo: 1_000 }), announce };
    const { transaction } = valueAs(await cell.openWriter().post(item), 'posted');
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.transactions SET description = '', updated_at = now() WHERE id = $1`,
      [transaction.id],
    );

    const [first, ...others] = await claim(100, 0);
    // The end of a claim is kept to the millisecond.
    const again = await until('the end of the claim', async () => (await claim())[0] ?? null);

    expect(others).toEqual([]);
    const payload = writeMoneyMoved(first!.payload as MovedMoney);
    expect(payload).toBe(transactionCompleted(transaction).data);
    expect(writeMoneyMoved(again.payload as MovedMoney)).toBe(payload);
  });

  test('gives the oldest first, at most the limit', async () => {
    await happen(cell.cell, partnerId, 5);
    const all = await cell.sql(
      `SELECT event_id FROM ${SANDBOX_CELL}.deliveries WHERE endpoint_id = $1 ORDER BY event_id`,
      [endpointId],
    );

    const claims = [await claim(2), await claim(2), await claim(2), await claim(2)];

    expect(claims.map((some) => some.length)).toEqual([2, 2, 1, 0]);
    expect(claims.flat().map(({ eventId }) => eventId)).toEqual(all.map((one) => one['event_id']));
  });

  test('nobody else can claim a claimed delivery until the claim expires; then it is due again, unchanged', async () => {
    await happen(cell.cell, partnerId, 1, () => completed('p2p_transfer', '{"id":"x" ,"n":1}'));
    const other: SealedCell = { ...cell.cell, pool: cell.openPool() };
    const [first] = await claim();
    expect(await claim()).toEqual([]);
    expect(await claim(100, MINUTE_MS, other)).toEqual([]);
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.deliveries SET claimed_until = now() + interval '50 ms' WHERE endpoint_id = $1`,
      [endpointId],
    );

    const again = await until('the claim to expire', async () => (await claim(100, MINUTE_MS, other))[0]);

    expect(again).toEqual(first);
    expect(again).toMatchObject({
      attempts: 0,
      payload: '{"id":"x" ,"n":1}',
      eventName: 'transaction.completed',
    });
  });

  test('the published id is the same on every attempt and different for every endpoint and event', async () => {
    const other = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    await happen(cell.cell, partnerId, 2);

    const [one, two] = await claim();
    const [third] = await claimDue(cell.cell, other, { limit: 1, forMs: MINUTE_MS });

    expect(one!.webhookId).toMatch(/^wh_[0-9a-f]{32}$/);
    expect(third!.eventId).toBe(one!.eventId);
    expect(new Set([one, two, third].map((delivery) => delivery!.webhookId)).size).toBe(3);
  });

  test('a delivery without a due time is not claimed, and can be claimed once it is due again', async () => {
    await happen(cell.cell, partnerId, 3);
    expect(await claim(2)).toHaveLength(2);
    await parkDeliveries(cell.cell, endpointId);
    expect(await claim()).toEqual([]);
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.deliveries SET next_attempt_at = now() - interval '1 second' WHERE endpoint_id = $1`,
      [endpointId],
    );
    expect(await claim()).toHaveLength(3);
  });

  test('a claim writes no index entry', async () => {
    const { test: fresh, pool, counted, close } = await openCountedCell();
    const waiting = await openEndpoint(fresh.cell, partnerId, ['transaction.completed']);
    try {
      await happen(fresh.cell, partnerId, 30);

      expect(await claimDue({ ...fresh.cell, pool }, waiting, { limit: 30, forMs: MINUTE_MS })).toHaveLength(
        30,
      );

      const updates = await counted(
        `SELECT n_tup_upd::int AS "all", n_tup_hot_upd::int AS hot FROM pg_stat_user_tables
          WHERE schemaname = '${SANDBOX_CELL}' AND relname = 'deliveries'`,
      );
      expect(updates).toEqual([{ all: 30, hot: 30 }]);
    } finally {
      await close();
    }
  });
});

describe('recording attempts', () => {
  const failure = (eventId: string, attempts = 0, retryAfterMs: number | null = 0): AttemptResult => ({
    eventId,
    attempts,
    delivered: false,
    status: 500,
    error: 'status 500',
    durationMs: 5,
    retryAfterMs,
  });
  const success = (eventId: string, attempts = 0): AttemptResult => ({
    eventId,
    attempts,
    delivered: true,
    status: 200,
    error: null,
    durationMs: 5,
    retryAfterMs: null,
  });
  const record = (results: AttemptResult[], disable = DISABLE) =>
    recordAttempts(cell.cell, endpointId, results, disable, TRIAL_EVERY_MS);
  const claimed = async (): Promise<string> => (await claim(1))[0]!.eventId;
  beforeEach(() => happen(cell.cell, partnerId, 3));

  test('failure_count counts the failures in a row, and a success sets it to 0', async () => {
    const [first, second] = [await claimed(), await claimed()];
    const counts: number[] = [];
    const failures = [failure(first), failure(first, 1), failure(first, 2)];
    for (const result of [...failures, success(first, 3), failure(second)]) {
      await record([result]);
      counts.push((await endpoint()).failureCount);
    }
    expect(counts).toEqual([1, 2, 3, 0, 1]);
  });

  test('each failure of a batch is counted, and one success sets the count to 0', async () => {
    const [one, two, three] = [await claimed(), await claimed(), await claimed()];
    await record([failure(one), failure(two)]);
    expect((await endpoint()).failureCount).toBe(2);
    await record([failure(one, 1), success(two, 1), failure(three)]);
    expect((await endpoint()).failureCount).toBe(0);
  });

  test('a failure makes the delivery due again after its wait, with one attempt more', async () => {
    const eventId = await claimed();

    await record([failure(eventId, 0, 5 * MINUTE_MS)]);

    const [{ wait_ms: waitMs }] = (await cell.sql(
      `SELECT extract(epoch FROM next_attempt_at - now())::float8 * 1000 AS wait_ms
         FROM ${SANDBOX_CELL}.deliveries WHERE event_id = $1`,
      [eventId],
    )) as [{ wait_ms: number }];
    expect(waitMs).toBeGreaterThan(4 * MINUTE_MS);
    expect(waitMs).toBeLessThanOrEqual(5 * MINUTE_MS);
    expect(await row(eventId)).toMatchObject({
      attempts: 1,
      last_status: 500,
      last_error: 'status 500',
      delivered_at: null,
    });
  });

  test('the last failure leaves the delivery without a due time', async () => {
    const eventId = await claimed();
    await record([failure(eventId, 0, null)]);
    expect(await row(eventId)).toMatchObject({ attempts: 1, next_attempt_at: null, delivered_at: null });
  });

  test('a success ends the delivery and is the last success of the endpoint', async () => {
    const eventId = await claimed();
    await record([success(eventId)]);
    expect(await row(eventId)).toMatchObject({
      attempts: 1,
      next_attempt_at: null,
      delivered_at: expect.any(Date),
      last_status: 200,
    });
    expect((await endpoint()).lastSuccessAt).toEqual(expect.any(Date));
  });

  test('410 disables the endpoint at once', async () => {
    const eventId = await claimed();
    await record([{ ...failure(eventId, 0, null), status: 410 }], { ...DISABLE, now: true });
    expect((await endpoint()).isActive).toBe(false);
    expect(await findTarget(cell.cell, endpointId)).toBeNull();
  });

  test.each([
    ['4 days 23 hours', true],
    ['5 days 1 minute', false],
  ])('after %s of nothing but failures it is active: %s', async (age, isActive) => {
    const eventId = await claimed();
    await record([failure(eventId)]);
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.webhook_endpoints SET failing_since = failing_since - $2::interval WHERE id = $1`,
      [endpointId, age],
    );

    await record([failure(eventId, 1)]);

    expect((await endpoint()).isActive).toBe(isActive);
  });

  test('a success after five days of failures keeps it active and starts the count anew', async () => {
    const [eventId, later] = [await claimed(), await claimed()];
    await record([failure(eventId)]);
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.webhook_endpoints SET failing_since = now() - interval '6 days' WHERE id = $1`,
      [endpointId],
    );

    await record([success(eventId, 1)]);
    await record([failure(later)]);

    expect(await endpoint()).toMatchObject({ isActive: true, failureCount: 1 });
  });

  test('a late success does not activate a disabled endpoint', async () => {
    const eventId = await claimed();
    await record([failure(eventId)], { ...DISABLE, now: true });
    await record([success(eventId, 1)]);
    expect((await endpoint()).isActive).toBe(false);
  });

  describe('written again after a lost answer', () => {
    test('a failure counts once, and keeps its place in the schedule', async () => {
      const eventId = await claimed();
      await record([failure(eventId, 0, 5 * MINUTE_MS)]);
      const first = await row(eventId);
      await record([failure(eventId, 0, 5 * MINUTE_MS)]);
      expect(await row(eventId)).toEqual(first);
      expect((await endpoint()).failureCount).toBe(1);
    });

    test('a success counts once', async () => {
      const eventId = await claimed();
      await record([success(eventId)]);
      const first = await row(eventId);
      await record([success(eventId)]);
      expect(await row(eventId)).toEqual(first);
    });
  });

  describe('of a worker that was stopped for a while, after another one has made the next attempt', () => {
    test('a failure does not send again what was delivered', async () => {
      const eventId = await claimed();
      await record([success(eventId)]);
      const delivered = await row(eventId);
      await record([failure(eventId)]);
      expect(await row(eventId)).toEqual(delivered);
      expect((await endpoint()).failureCount).toBe(0);
    });

    test('a failure changes nothing, and a success ends the delivery', async () => {
      const eventId = await claimed();
      await record([failure(eventId, 0, 5 * MINUTE_MS)]);
      await record([failure(eventId, 0, null)]);
      expect(await row(eventId)).toMatchObject({ attempts: 1, next_attempt_at: expect.any(Date) });
      await record([success(eventId)]);
      expect(await row(eventId)).toMatchObject({ delivered_at: expect.any(Date), next_attempt_at: null });
    });
  });

  describe('of a delivery that was delivered, and is sent again', () => {
    const sentAgain = async (): Promise<string> => {
      const eventId = await claimed();
      await record([success(eventId)]);
      valueOf(await redeliver(cell.cell, partnerId, eventId, endpointId));
      return eventId;
    };

    test('a success ends it', async () => {
      const eventId = await sentAgain();
      await record([success(eventId)]);
      expect(await row(eventId)).toMatchObject({ attempts: 1, next_attempt_at: null });
    });

    test('a failure makes it due again, and counts', async () => {
      const eventId = await sentAgain();
      await record([failure(eventId, 0, 5 * MINUTE_MS)]);
      expect(await row(eventId)).toMatchObject({ attempts: 1, next_attempt_at: expect.any(Date) });
      expect((await endpoint()).failureCount).toBe(1);
    });
  });
});

describe('the time until the next delivery', () => {
  test('is null when nothing waits', async () => {
    expect(await nextDueMs(cell.cell, endpointId)).toBeNull();
  });

  test('is 0 when something is due', async () => {
    await happen(cell.cell, partnerId);
    expect(await nextDueMs(cell.cell, endpointId)).toBe(0);
  });

  test('is the time until the earliest delivery', async () => {
    await happen(cell.cell, partnerId, 2);
    await claim(1, 10 * MINUTE_MS);
    await claim(1, 60 * MINUTE_MS);
    const waitMs = await nextDueMs(cell.cell, endpointId);
    expect(waitMs).toBeGreaterThan(8 * MINUTE_MS);
    expect(waitMs).toBeLessThanOrEqual(10 * MINUTE_MS);
  });

  test('is the time until a retry that comes before the end of a claim', async () => {
    await happen(cell.cell, partnerId, 2);
    const [first] = await claim(1, 60 * MINUTE_MS);
    await claim(1, 60 * MINUTE_MS);
    const failed = {
      eventId: first!.eventId,
      attempts: 0,
      delivered: false,
      status: 500,
      error: null,
      durationMs: 5,
    };
    await recordAttempts(
      cell.cell,
      endpointId,
      [{ ...failed, retryAfterMs: 10 * MINUTE_MS }],
      DISABLE,
      TRIAL_EVERY_MS,
    );
    const waitMs = await nextDueMs(cell.cell, endpointId);
    expect(waitMs).toBeGreaterThan(8 * MINUTE_MS);
    expect(waitMs).toBeLessThanOrEqual(10 * MINUTE_MS);
  });

  test.each([
    ['before', '1 second'],
    ['after', '-1 second'],
  ])('is 0 when something is due that was due %s what is claimed', async (_, earlier) => {
    await happen(cell.cell, partnerId, 2);
    const [held] = await claim(1);
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.deliveries SET next_attempt_at = now() - interval '1 minute'
              - CASE WHEN event_id = $2 THEN interval '0' ELSE $3::interval END WHERE endpoint_id = $1`,
      [endpointId, held!.eventId, earlier],
    );
    expect(await nextDueMs(cell.cell, endpointId)).toBe(0);
  });

  test('is null when all that was claimed is delivered', async () => {
    await happen(cell.cell, partnerId, 1);
    const [one] = await claim();
    const delivered = {
      eventId: one!.eventId,
      attempts: 0,
      delivered: true,
      status: 200,
      error: null,
      durationMs: 5,
      retryAfterMs: null,
    };
    await recordAttempts(cell.cell, endpointId, [delivered], DISABLE, TRIAL_EVERY_MS);
    expect(await nextDueMs(cell.cell, endpointId)).toBeNull();
    expect(await row(one!.eventId)).toMatchObject({ claimed_until: null });
  });
});
