/**
 * Webhooks while workers are replaced: whoever takes a dispatcher over has little to replay, and every healthy endpoint is
 * served again within seconds. The sweep does not help, because it does not run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Calls } from '../support/calls';
import type { Child } from '../support/children';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver, type Receiver } from '../support/receiver';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const ENDPOINTS = 6;
/** How often something happens of which every endpoint is told. */
const EVERY_MS = 150;
/** What a healthy endpoint waits at most, whatever becomes of the workers. */
const SERVED_WITHIN_MS = 5_000;
/** The silence of five seconds, and what a task waits for a worker that is gone. */
const TAKEN_OVER_WITHIN_MS = 12_000;
/** Beyond it a run does not go on. One round writes a few events more. */
const HISTORY_BOUND = 200;
const HISTORY_MAX = HISTORY_BOUND + 50;

let platform: Platform;
let partner: Calls;
let walletId: string;
let receivers: Receiver[];
let silent: Receiver;
let endpointIds: string[];
let workers: Child[];

beforeAll(async () => {
  platform = await openPlatform({ settings: { SWEEP_EVERY_MS: '600000', RECONCILE_EVERY_MS: '600000' } });
  const [url, ...started] = await Promise.all([
    platform.startApi(),
    platform.startChild('worker'),
    platform.startChild('worker'),
  ]);
  workers = started;
  partner = await platform.partner(url);
  walletId = (await partner.wallet()).id;
  receivers = await Promise.all(Array.from({ length: ENDPOINTS }, () => openReceiver()));
  // It has answered once, and then hangs: it keeps a worker that ends, and nobody else.
  silent = await openReceiver((_delivery, before) => (before === 0 ? 200 : 'silence'));
  const ids: string[] = [];
  for (const receiver of [...receivers, silent]) {
    const asked = { url: receiver.url, events: ['transaction.completed'] };
    ids.push((await partner.post('/v1/webhooks', asked)).body.data.id as string);
  }
  endpointIds = ids.slice(0, ENDPOINTS);
  await happen();
  await until('a delivery to each', () => [...receivers, silent].every((one) => one.deliveries.length === 1));
});
afterAll(async () => {
  await platform.close();
  await Promise.all([...receivers, silent].map((receiver) => receiver.close()));
});

/** When each event was committed, by its transaction. */
const happenedAt = new Map<string, number>();

async function happen(): Promise<void> {
  const { body } = await partner.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 5 });
  happenedAt.set(body.transaction_id, Date.now());
}

/** Makes events until the work is done. */
async function happeningWhile(work: () => Promise<void>): Promise<void> {
  const at = { isOver: false };
  const doing = work().finally(() => (at.isOver = true));
  while (!at.isOver) {
    await happen();
    await sleep(EVERY_MS);
  }
  await doing;
}

/** For each healthy endpoint, how long it waited for the event that it waited for the longest. */
async function longestWaits(): Promise<number[]> {
  await until('the last deliveries', () =>
    receivers.every(({ deliveries }) => deliveries.length >= happenedAt.size),
  );
  return receivers.map(({ deliveries }) => {
    const firstAt = new Map<string, number>();
    for (const { body, cameAt } of deliveries) {
      if (!firstAt.has(body.data.id)) firstAt.set(body.data.id, cameAt);
    }
    return Math.max(...[...happenedAt].map(([id, at]) => (firstAt.get(id) ?? Infinity) - at));
  });
}

const historiesOf = async (): Promise<{ events: number; signals: number }[]> =>
  Promise.all(
    endpointIds.map(async (id) => {
      const { events = [] } = await platform.operator.workflow.getHandle(`webhook/${id}`).fetchHistory();
      const signals = (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes);
      return { events: events?.length ?? 0, signals: signals.length };
    }),
  );

test('a dispatcher that stays is told nothing of an event, and writes little history', async () => {
  const before = await historiesOf();
  await happeningWhile(() => sleep(12_000));
  const after = await historiesOf();
  for (const [at, { events, signals }] of after.entries()) {
    expect(signals - (before[at]?.signals ?? 0)).toBeLessThanOrEqual(1);
    expect(events - (before[at]?.events ?? 0)).toBeLessThan(20);
  }
});

test('every healthy endpoint is served within seconds while each worker is replaced, and each ends by itself', async () => {
  const ends: string[] = [];
  await happeningWhile(async () => {
    for (let restart = 0; restart < 2; restart++) {
      for (const [at, worker] of workers.entries()) {
        worker.signal('SIGTERM');
        ends.push(await worker.ended);
        workers[at] = await platform.startChild('worker');
        await sleep(3_000);
      }
    }
  });
  expect(ends).toEqual(Array(4).fill('code 0'));
  expect(Math.max(...(await longestWaits()))).toBeLessThan(SERVED_WITHIN_MS);
});

test('what a worker had in hand that was killed goes to another one after some seconds of silence', async () => {
  happenedAt.clear();
  for (const { deliveries } of receivers) (deliveries as unknown[]).length = 0;
  await happeningWhile(async () => {
    await workers[0]!.kill();
    await sleep(12_000);
  });
  expect(Math.max(...(await longestWaits()))).toBeLessThan(TAKEN_OVER_WITHIN_MS);
});

test('an endpoint whose caller died between the mark and the call is woken by a later commit', async () => {
  const receiver = await openReceiver();
  const asked = { url: receiver.url, events: ['transaction.completed'] };
  const { id } = (await partner.post('/v1/webhooks', asked)).body.data;
  await platform.sql(
    `UPDATE ${SANDBOX_CELL}.webhook_endpoints SET asleep = false, called_at = now(), unheard_since = now() WHERE id = $1`,
    [id],
  );
  const since = performance.now();
  await happeningWhile(async () => {
    await until('the delivery', () => receiver.deliveries.length > 0);
  });
  // Nobody may call it again at once, because the call may be under way.
  expect(performance.now() - since).toBeGreaterThan(1_900);
  await receiver.close();
});

test('a dispatcher goes on as a new run before its history is long', async () => {
  const handle = platform.operator.workflow.getHandle(`webhook/${endpointIds[0]}`);
  const { runId } = await handle.describe();
  await until('a new run', async () => {
    const at = await handle.describe();
    // Each is a task as well, so it writes a few events.
    if (at.runId === runId && at.historyLength <= HISTORY_BOUND) await handle.signal('wake');
    return at.runId !== runId;
  });
  const { events } = await platform.operator.workflow
    .getHandle(`webhook/${endpointIds[0]}`, runId)
    .fetchHistory();
  expect(events?.length).toBeLessThan(HISTORY_MAX);
  expect(events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
});
