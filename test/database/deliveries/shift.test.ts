/**
 * The dispatcher's one activity, in Temporal's own activity environment, against real rows and a real receiver.
 */
import { activityContext } from '../../support/activities';
import { sampleTransfer } from '../../support/samples';
import { transactionCompleted } from '../../../src/wire/webhooks';
import { createActivities, type Activities } from '../../../src/activities';
import type { Delivered } from '../../../src/activities/webhooks';
import { claimDue, deliveriesWaiting, insertTestDelivery } from '../../../src/db/events/deliveries';
import { takeSleepers } from '../../../src/db/events/dispatchers';
import { readConfig } from '../../../src/runtime/config';
import { addToStorage } from '../../../src/db/partners/storage';
import { BYTES_PER_TRY } from '../../../src/domain/storage';
import { insertPartner } from '../../../src/db/partners/credentials';
import { insertEndpoint, replaceSecret } from '../../../src/db/events/endpoints';
import { forgetRetiredSecrets } from '../../../src/db/upkeep/retention';
import { newId } from '../../../src/db/pg/ids';
import { openEnvironments, type Environment } from '../../../src/runtime/environment';
import { createWebhookSender, type WebhookSender } from '../../../src/providers/webhooks/sender';
import { testLogger } from '../../support/log';
import { endpointSecretPlace } from '../../../src/secrets/sealing';
import { newWebhookSecret } from '../../../src/wire/webhook-signature';
import type { WebhookDispatcherInput } from '../../../src/contract/messages';
import { openTestCell, type TestCell } from '../../support/cell';
import { andNothingElse, happen } from '../../support/endpoints';
import { valueOf } from '../../support/outcomes';
import { openPostgresProxy, type Proxy } from '../../support/proxy';
import { openReceiver, verified, type Delivery, type Receiver } from '../../support/receiver';
import { TEST_SETTINGS } from '../../support/settings';
import { until } from '../../support/until';
import { LIVE_CELL, SANDBOX_CELL, TEST_CELLS } from '../../setup/cells';

const partnerId = newId();
const secret = newWebhookSecret();
const ANSWERS: Record<string, number> = {
  '/gone': 410,
  '/broken': 503,
  '/crowd/broken': 503,
  '/note-lost': 500,
};
let cell: TestCell;
let environments: Environment[];
let sender: WebhookSender;
let receiver: Receiver;
/** The network between the worker and Postgres. */
let network: Proxy;
/** Tells the worker to end. */
let end: AbortController;
/** Begins a shift, which stays when nothing is due any more. */
let begin: (endpointId: string, attempt?: number) => Begun;

interface Begun {
  answer: Promise<Delivered>;
  heartbeats: () => number;
  leave: () => void;
}

beforeAll(async () => {
  cell = await openTestCell();
  receiver = await openReceiver((delivery) => {
    if (delivery.path === '/cut-off') network.setMood('refuse');
    if (delivery.path === '/note-lost') network.setMood('loseAnswers');
    return delivery.path === '/silent' ? 'silence' : (ANSWERS[delivery.path] ?? 200);
  });
  const { url, proxy } = await openPostgresProxy(cell.url, () => 0);
  network = proxy;
  const config = readConfig({
    DATABASE_URL: url,
    ...TEST_SETTINGS,
    CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
  });
  const logger = testLogger(config);
  environments = Object.values(openEnvironments(config, logger, 'worker'));
  sender = createWebhookSender({ rules: { allowPrivate: true, httpsOnly: false }, timeoutMs: 5_000 });
  await insertPartner(
    cell.owner,
    { id: partnerId, businessName: 'Acme', email: '', status: 'registered' },
    { sandbox: SANDBOX_CELL, live: LIVE_CELL },
  );
  begin = (endpointId, attempt = 1) => {
    const ended = new AbortController();
    end = ended;
    const activities: Activities = createActivities({
      environment: environments[0]!,
      config: { ...config, PUBLIC_URL: '' },
      sender,
      logger,
      ending: ended.signal,
    });
    const environment = activityContext({ attempt });
    let heartbeats = 0;
    environment.on('heartbeat', () => heartbeats++);
    const answer = environment.run<[WebhookDispatcherInput], Delivered, Activities['deliverDue']>(
      activities.deliverDue,
      { partnerId, endpointId },
    );
    return { answer, heartbeats: () => heartbeats, leave: () => ended.abort() };
  };
});
afterAll(async () => {
  await sender.close();
  await Promise.all(environments.map((environment) => environment.close()));
  await receiver.close();
  network.close();
  await cell.close();
});

const dueAt = async (endpointId: string): Promise<number> => {
  const [row] = await cell.sql(
    `SELECT count(*)::int AS due FROM ${SANDBOX_CELL}.deliveries
      WHERE endpoint_id = $1 AND next_attempt_at <= now()`,
    [endpointId],
  );
  return row!['due'];
};

/** A shift that does not stay once nothing is due any more. */
async function deliverDue(
  endpointId: string,
  attempt?: number,
): Promise<{ answer: Delivered; heartbeats: number }> {
  const { answer, heartbeats, leave } = begin(endpointId, attempt);
  let isOver = false;
  void until('the end of what is due', async () => isOver || (await dueAt(endpointId)) === 0).then(
    leave,
    () => undefined,
  );
  return { answer: await answer.finally(() => (isOver = true)), heartbeats: heartbeats() };
}

/** An endpoint of the receiver, with its secret sealed as the API seals it. */
async function openSealedEndpoint(path: string): Promise<string> {
  const id = newId();
  const secretSealed = environments[0]!.sealing.seal(secret, endpointSecretPlace(partnerId, id));
  const url = new URL(path, receiver.url).href;
  valueOf(
    await insertEndpoint(
      cell.cell,
      { id, partnerId, url, events: ['transaction.completed'], secretSealed },
      99,
      andNothingElse,
    ),
  );
  return id;
}

const hasAnswered = (endpointId: string) =>
  cell.sql(`UPDATE ${SANDBOX_CELL}.webhook_endpoints SET last_success_at = now() WHERE id = $1`, [
    endpointId,
  ]);

test('everything due is sent in one shift with a heartbeat for each delivery, and then nothing waits', async () => {
  const endpointId = await openSealedEndpoint('/all?token=hidden');
  await happen(cell.cell, partnerId, 120, () => transactionCompleted(sampleTransfer()));

  const { answer, heartbeats } = await deliverDue(endpointId);

  const received = receiver.deliveries.filter(({ path }) => path.startsWith('/all'));
  const url = new URL('/all', receiver.url).href;
  expect(answer).toEqual({ nextDueMs: null, url, waiting: '0', lastError: null });
  expect(heartbeats).toBeGreaterThanOrEqual(120);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(120);
  for (const delivery of received.slice(0, 5)) {
    expect(verified(delivery, secret)).toMatchObject({ webhook_id: delivery.headers['webhook-id'] });
  }
  await cell.sql(`UPDATE ${SANDBOX_CELL}.webhook_endpoints SET deleted_at = now() WHERE id = $1`, [
    endpointId,
  ]);
});

test('what fails waits for its next attempt, and the shift says how much waits and why', async () => {
  const endpointId = await openSealedEndpoint('/broken');
  await hasAnswered(endpointId);
  await happen(cell.cell, partnerId, 3);
  const { answer } = await deliverDue(endpointId);
  const url = new URL('/broken', receiver.url).href;
  expect(answer).toEqual({ nextDueMs: expect.any(Number), url, waiting: '3', lastError: 'HTTP 503' });

  const row = `endpoint_id = '${endpointId}' AND event_id =
    (SELECT min(event_id::text)::uuid FROM ${SANDBOX_CELL}.deliveries WHERE endpoint_id = '${endpointId}')`;
  await cell.sql(`UPDATE ${SANDBOX_CELL}.deliveries SET next_attempt_at = NULL WHERE ${row}`);
  expect(await deliveriesWaiting(cell.cell, endpointId, 1)).toEqual({ waiting: 2, lastError: 'HTTP 503' });
});

describe('a shift with nothing due any more', () => {
  const at = async (endpointId: string) => {
    const [row] = await cell.sql(
      `SELECT asleep, called_at FROM ${SANDBOX_CELL}.webhook_endpoints WHERE id = $1`,
      [endpointId],
    );
    return row;
  };
  const received = (path: string) => receiver.deliveries.filter((one) => one.path === path).length;

  test('stays, and sends what becomes due without being woken, until nothing comes for five seconds', async () => {
    const endpointId = await openSealedEndpoint('/stays');
    await hasAnswered(endpointId);
    await takeSleepers(cell.cell, [endpointId]);
    const { answer, heartbeats } = begin(endpointId);
    for (const count of [1, 2, 3]) {
      await happen(cell.cell, partnerId, 1, () => transactionCompleted(sampleTransfer()));
      await until('the delivery', () => received('/stays') === count);
      // Nobody calls it: it is awake, and was heard.
      expect(await takeSleepers(cell.cell, [endpointId])).toEqual([]);
    }
    const since = performance.now();
    expect(await answer).toMatchObject({ nextDueMs: null, waiting: '0' });
    expect(performance.now() - since).toBeGreaterThan(4_000);
    expect(heartbeats()).toBeGreaterThan(5);
    expect(await at(endpointId)).toEqual({ asleep: true, called_at: null });
  });

  test('leaves at once when its worker ends, marked as asleep, so that the next commit wakes another one', async () => {
    const endpointId = await openSealedEndpoint('/stays-no-longer');
    await hasAnswered(endpointId);
    await takeSleepers(cell.cell, [endpointId]);
    const { answer } = begin(endpointId);
    await until('the dispatcher at work', async () => (await at(endpointId))?.['called_at'] === null);
    const since = performance.now();
    end.abort();
    expect(await answer).toMatchObject({ nextDueMs: null });
    expect(performance.now() - since).toBeLessThan(2_000);
    expect(await takeSleepers(cell.cell, [endpointId])).toEqual([{ endpointId, partnerId }]);
  });

  test('an endpoint that has never answered does not stay', async () => {
    const endpointId = await openSealedEndpoint('/never-answered');
    const since = performance.now();
    expect(await begin(endpointId).answer).toMatchObject({ nextDueMs: null });
    expect(performance.now() - since).toBeLessThan(2_000);
  });
});

test('a worker that ends makes no further attempt, and what it has claimed is due for another one at once', async () => {
  const endpointId = await openSealedEndpoint('/silent');
  await hasAnswered(endpointId);
  await happen(cell.cell, partnerId, 30);
  const { answer } = begin(endpointId);
  const sent = () => receiver.deliveries.filter(({ path }) => path === '/silent').length;
  await until('the attempts under way', () => sent() === 10);
  end.abort();
  expect(await answer).toMatchObject({ nextDueMs: 0, waiting: '30' });
  expect(sent()).toBe(10);
  expect(await claimDue(cell.cell, endpointId, { limit: 50, forMs: 1 })).toHaveLength(20);
});

test('410 ends the shift: what is left is kept, and nothing is due', async () => {
  const endpointId = await openSealedEndpoint('/gone');
  await hasAnswered(endpointId);
  await happen(cell.cell, partnerId, 60);

  const { answer } = await deliverDue(endpointId);

  const tried = receiver.deliveries.filter(({ path }) => path === '/gone').length;
  expect(tried).toBe(50);
  expect(answer).toEqual({ nextDueMs: null, url: null, waiting: '0', lastError: null });
  const [kept] = await cell.sql(
    `SELECT count(*)::int AS number, count(next_attempt_at)::int AS due FROM ${SANDBOX_CELL}.deliveries
      WHERE endpoint_id = $1 AND delivered_at IS NULL`,
    [endpointId],
  );
  expect(kept).toEqual({ number: 60, due: 0 });
});

test('an attempt is noted as soon as Postgres answers again, and the delivery is not sent a second time', async () => {
  const endpointId = await openSealedEndpoint('/cut-off');
  await hasAnswered(endpointId);
  await happen(cell.cell, partnerId, 3);

  const shift = deliverDue(endpointId);
  await until(
    'the deliveries',
    () => receiver.deliveries.filter(({ path }) => path === '/cut-off').length === 3,
  );
  expect(await noted(endpointId)).toBe(0);
  network.setMood('pass');
  await shift;

  expect(await noted(endpointId)).toBe(3);
  expect(receiver.deliveries.filter(({ path }) => path === '/cut-off')).toHaveLength(3);
});

test('a note whose answer was lost counts one attempt, although it is written again', async () => {
  const endpointId = await openSealedEndpoint('/note-lost');
  await hasAnswered(endpointId);
  await happen(cell.cell, partnerId, 1);
  const counted = async () => {
    const [row] = await cell.sql(
      `SELECT attempts, failure_count FROM ${SANDBOX_CELL}.deliveries d
         JOIN ${SANDBOX_CELL}.webhook_endpoints e ON e.id = d.endpoint_id WHERE e.id = $1`,
      [endpointId],
    );
    return row;
  };

  const shift = deliverDue(endpointId);
  await until('the first note', async () => (await counted())?.['attempts'] === 1);
  network.setMood('pass');
  await shift;

  expect(await counted()).toEqual({ attempts: 1, failure_count: 1 });
  expect(receiver.deliveries.filter(({ path }) => path === '/note-lost')).toHaveLength(1);
});

test('a try of the dispatcher sends at once what the try before it has claimed and not noted', async () => {
  const endpointId = await openSealedEndpoint('/claimed');
  await hasAnswered(endpointId);
  await happen(cell.cell, partnerId, 2);
  await claimDue(cell.cell, endpointId, { limit: 2, forMs: 130_000 });

  expect((await deliverDue(endpointId)).answer.nextDueMs).toBeGreaterThan(0);
  expect(await noted(endpointId)).toBe(0);
  expect((await deliverDue(endpointId, 2)).answer.nextDueMs).toBeNull();

  expect(await noted(endpointId)).toBe(2);
});

/** How many deliveries of an endpoint are noted as delivered. */
async function noted(endpointId: string): Promise<number> {
  const [row] = await cell.sql(
    `SELECT count(delivered_at)::int AS noted FROM ${SANDBOX_CELL}.deliveries WHERE endpoint_id = $1`,
    [endpointId],
  );
  return row!['noted'];
}

describe('one host with many endpoints (D236)', () => {
  const posts = () => receiver.deliveries.filter(({ path }) => path.startsWith('/crowd')).length;
  const free = (seconds: number) =>
    cell.sql(
      `UPDATE sandbox_directory.webhook_hosts SET busy_until = now() + $1 * interval '1 second' WHERE host = '127.0.0.1'`,
      [seconds],
    );
  afterEach(() => free(0));

  test('gets no more posts than its pace, whoever has registered them, and what waits is not tried', async () => {
    const endpointIds = [];
    for (let n = 0; n < 10; n++) {
      const id = await openSealedEndpoint(`/crowd/${String(n)}`);
      await hasAnswered(id);
      endpointIds.push(id);
    }
    await happen(cell.cell, partnerId, 60, () => transactionCompleted(sampleTransfer()));
    await free(0);
    const startedAt = performance.now();
    const shifts = await Promise.all(endpointIds.map((id) => begin(id).answer));
    const seconds = (performance.now() - startedAt) / 1_000;
    // 150 at once and 50 a second, of 600 that are due.
    expect(posts()).toBeLessThanOrEqual(150 + 50 * Math.ceil(seconds));
    const paced = shifts.filter(({ nextDueMs }) => nextDueMs !== null && nextDueMs > 0);
    expect(paced.length).toBeGreaterThan(0);
    const [row] = await cell.sql(
      `SELECT count(*)::int AS waiting, max(attempts) AS attempts, count(claimed_until)::int AS claimed
         FROM ${SANDBOX_CELL}.deliveries WHERE endpoint_id = ANY($1) AND delivered_at IS NULL`,
      [endpointIds],
    );
    expect(row).toMatchObject({ attempts: 0, claimed: 0 });
    expect(row!['waiting']).toBeGreaterThan(0);
  });

  test('a test event waits as well, and goes when there is room again', async () => {
    const endpointId = await openSealedEndpoint('/crowd/test');
    await hasAnswered(endpointId);
    const before = posts();
    const event = { name: 'webhook.test', data: '{}', requestId: undefined };
    await insertTestDelivery(cell.cell, partnerId, endpointId, event);
    await free(3_600);
    expect((await deliverDue(endpointId)).answer).toMatchObject({ waiting: '1' });
    expect(posts()).toBe(before);
    await free(0);
    expect((await deliverDue(endpointId)).answer).toMatchObject({ waiting: '0', nextDueMs: null });
    expect(posts()).toBe(before + 1);
  });

  test('a failed attempt counts towards the storage of the sandbox', async () => {
    const stored = async (): Promise<number> =>
      (await addToStorage(cell.cell, new Map([[partnerId, { erasableBytes: 0, keptBytes: 0 }]]))).get(
        partnerId,
      )!.erasableBytes;
    const endpointId = await openSealedEndpoint('/crowd/broken');
    await hasAnswered(endpointId);
    await happen(cell.cell, partnerId, 3, () => transactionCompleted(sampleTransfer()));
    const before = await stored();
    await deliverDue(endpointId);
    expect((await stored()) - before).toBe(3 * BYTES_PER_TRY);
  });
});

describe('an endpoint that never answers 2xx (D176)', () => {
  const sent = () => receiver.deliveries.filter(({ path }) => path === '/victim').length;
  let endpointId: string;
  beforeAll(async () => {
    ANSWERS['/victim'] = 404;
    endpointId = await openSealedEndpoint('/victim');
    await happen(cell.cell, partnerId, 60);
  });

  test('gets one of sixty deliveries, and nothing for six seconds, however often its dispatcher is woken', async () => {
    const { answer } = await deliverDue(endpointId);
    expect(sent()).toBe(1);
    expect(answer.waiting).toBe('60');
    expect(answer.nextDueMs).toBeGreaterThan(5_000);
    expect(answer.nextDueMs).toBeLessThanOrEqual(6_000);
    for (let wakes = 0; wakes < 5; wakes += 1) await deliverDue(endpointId);
    expect(sent()).toBe(1);
  });

  test('gets one more each time the six seconds are over', async () => {
    for (const expected of [2, 3]) {
      await trialIsOver();
      await deliverDue(endpointId);
      expect(sent()).toBe(expected);
    }
  });

  test('gets everything that is due after its first 2xx, and is not slowed again when it fails', async () => {
    ANSWERS['/victim'] = 200;
    await trialIsOver();
    await deliverDue(endpointId);
    // Three have failed and wait for their next attempt.
    expect(sent()).toBe(3 + 57);
    ANSWERS['/victim'] = 404;
    await happen(cell.cell, partnerId, 20);
    await deliverDue(endpointId);
    expect(sent()).toBe(3 + 57 + 20);
  });

  const trialIsOver = () =>
    cell.sql(
      `UPDATE ${SANDBOX_CELL}.webhook_endpoints SET trial_after = trial_after - interval '7 seconds' WHERE id = $1`,
      [endpointId],
    );
});

test('a secret of an endpoint that leaked signs nothing any more, and one that retires signs until its time', async () => {
  const endpointId = await openSealedEndpoint('/all');
  const { sealing } = environments[0]!;
  const rotate = async (keepMs: number): Promise<string> => {
    const next = newWebhookSecret();
    const secretSealed = sealing.seal(next, endpointSecretPlace(partnerId, endpointId));
    valueOf(
      await replaceSecret(
        cell.cell,
        partnerId,
        endpointId,
        {
          retiringId: newId(),
          secretSealed,
          keepMs,
          max: 4,
        },
        andNothingElse,
      ),
    );
    return next;
  };
  const fitting = async (secrets: readonly string[]): Promise<boolean[]> => {
    await happen(cell.cell, partnerId, 1, () => transactionCompleted(sampleTransfer()));
    const before = receiver.deliveries.length;
    await deliverDue(endpointId);
    const delivery = receiver.deliveries.at(-1)!;
    expect(receiver.deliveries.length).toBe(before + 1);
    return secrets.map((one) => isVerified(delivery, one));
  };

  const second = await rotate(60_000);
  expect(await fitting([secret, second])).toEqual([true, true]);
  const third = await rotate(60_000);
  expect(await fitting([secret, second, third])).toEqual([true, true, true]);
  const fourth = await rotate(0);
  expect(await fitting([secret, second, third, fourth])).toEqual([false, false, false, true]);

  await forgetRetiredSecrets(cell.cell, 0, 10);
  expect(await cell.sql(`SELECT FROM ${SANDBOX_CELL}.retiring_webhook_secrets`)).toEqual([]);
});

function isVerified(delivery: Delivery, by: string): boolean {
  try {
    verified(delivery, by);
    return true;
  } catch {
    return false;
  }
}
