/**
 * Deliveries as receivers see them: signed, repeated with the same id and bytes until accepted or given up.
 */
import { auditCell } from '../support/audit';
import type { Calls, Json } from '../support/calls';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver, verified, type Answer, type Receiver } from '../support/receiver';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

let platform: Platform;
let url: string;
const receivers: Receiver[] = [];

beforeAll(async () => {
  platform = await openPlatform({ settings: { WEBHOOK_RETRY_MS: '0,1000,1500' } });
  [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
});

afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await platform.close();
});

async function receive(answer?: Parameters<typeof openReceiver>[0]): Promise<Receiver> {
  const receiver = await openReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

const TRANSACTIONS = ['transaction.completed', 'transaction.failed'];

async function subscribe(
  partner: Calls,
  receiver: Receiver,
  events = TRANSACTIONS,
  url = receiver.url,
): Promise<{ id: string; secret: string }> {
  const { status, body } = await partner.post('/v1/webhooks', { url, events });
  expect(status).toBe(201);
  return body.data;
}

/** A partner of its own for each test, with a wallet. */
async function newcomer(): Promise<{ partner: Calls; walletId: string }> {
  const partner = await platform.partner(url);
  return { partner, walletId: (await partner.wallet()).id };
}

/** Makes an event. @returns the id of its transaction. */
async function happen(partner: Calls, walletId: string): Promise<string> {
  const { body } = await partner.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 5 });
  return body.transaction_id;
}

const endpointOf = async (partner: Calls, id: string): Promise<Json> =>
  (await partner.get('/v1/webhooks')).body.data.find((endpoint: Json) => endpoint.id === id);

describe('a delivery', () => {
  test('is signed: the Standard Webhooks library accepts it, and no other secret or byte', async () => {
    const { partner, walletId } = await newcomer();
    const receiver = await receive();
    const { secret } = await subscribe(partner, receiver);
    const other = await subscribe(partner, await receive());
    const id = await happen(partner, walletId);
    const delivery = await until('the delivery', () => receiver.about(id)[0]);
    expect(verified(delivery, secret)).toMatchObject({
      event: 'transaction.completed',
      data: { id, type: 'wallet_funding', amount_kobo: 5 },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      webhook_id: delivery.headers['webhook-id'],
    });
    expect(delivery.headers['content-type']).toMatch(/^application\/json/);
    expect(() => verified(delivery, other.secret)).toThrow('No matching signature found');
    const altered = { ...delivery, text: delivery.text.replace('"amount_kobo":5', '"amount_kobo":6') };
    expect(() => verified(altered, secret)).toThrow('No matching signature found');
  });

  test('goes to two endpoints of one host separately, each with its own id and secret', async () => {
    const { partner, walletId } = await newcomer();
    const receiver = await receive();
    const secrets = [
      await subscribe(partner, receiver),
      await subscribe(partner, receiver, TRANSACTIONS, `${receiver.url}/again`),
    ];
    const id = await happen(partner, walletId);
    const both = await until('both deliveries', () => {
      const deliveries = receiver.about(id);
      return deliveries.length === 2 && deliveries;
    });
    expect(new Set(both.map(({ body }) => body.webhook_id)).size).toBe(2);
    for (const { secret } of secrets) {
      const mine = both.filter((delivery) => accepts(delivery, secret));
      expect(mine).toHaveLength(1);
    }
  });

  test.each([
    { events: ['transfer.completed'], p2p: 'transfer.completed', funding: undefined },
    {
      events: ['transfer.completed', 'transaction.completed'],
      p2p: 'transaction.completed',
      funding: 'transaction.completed',
    },
    { events: ['transaction.completed'], p2p: 'transaction.completed', funding: 'transaction.completed' },
    { events: ['wallet.activated', 'transfer.failed'], p2p: undefined, funding: undefined },
  ])(
    'to an endpoint of $events names a P2P transfer $p2p, a funding $funding',
    async ({ events, ...named }) => {
      const { partner, walletId } = await newcomer();
      const [receiver, everything] = await Promise.all([receive(), receive()]);
      const asked = await subscribe(partner, receiver, events);
      await subscribe(partner, everything);
      const dest = await partner.wallet();
      const fundingId = await happen(partner, walletId);
      const body = { source_wallet: walletId, dest_wallet: dest.id, amount: 3, reference: 'alias' };
      const p2pId: string = (await partner.post('/v1/transfers/p2p', body)).body.data.id;
      await until('the transfer at the other endpoint', () => everything.about(p2pId)[0]);
      await settled(asked.id);
      const names = (id: string) => receiver.about(id).map((delivery) => delivery.body.event);
      expect(names(fundingId)).toEqual(named.funding === undefined ? [] : [named.funding]);
      expect(names(p2pId)).toEqual(named.p2p === undefined ? [] : [named.p2p]);
    },
  );
});

describe('a receiver that fails', () => {
  test('twice gets the same id and bytes each time, with a new signature, until it accepts them', async () => {
    const { partner, walletId } = await newcomer();
    const counts: number[] = [];
    const receiver = await receive((_delivery, before) => (before < 2 ? 500 : 200));
    const { id: endpointId, secret } = await subscribe(partner, receiver);
    const id = await happen(partner, walletId);
    await until('the recovery', async () => {
      const { failure_count: count, last_success_at: at } = await endpointOf(partner, endpointId);
      if (counts.at(-1) !== count) counts.push(count);
      return at !== null;
    });
    const attempts = receiver.about(id);
    expect(attempts).toHaveLength(3);
    expect(new Set(attempts.map(({ text }) => text)).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-timestamp'])).size).toBeGreaterThan(1);
    for (const attempt of attempts) expect(verified(attempt, secret)).toMatchObject({ data: { id } });
    expect(counts).toEqual([0, 1, 2, 0]);
  });

  test('every time gets no further attempt after the last one of the schedule', async () => {
    const { partner, walletId } = await newcomer();
    const receiver = await receive(() => 503);
    const { id: endpointId } = await subscribe(partner, receiver);
    const id = await happen(partner, walletId);
    await until('the last attempt', async () => {
      const [delivery] = await deliveriesOf(endpointId);
      return delivery?.attempts === 3 && delivery;
    });
    expect(await deliveriesOf(endpointId)).toEqual([
      { attempts: 3, last_status: 503, next_attempt_at: null, delivered_at: null },
    ]);
    expect(receiver.about(id)).toHaveLength(3);
    expect(await endpointOf(partner, endpointId)).toMatchObject({ failure_count: 3, is_active: true });
  });

  test('with 410 is disabled; later events are kept, not sent', async () => {
    const { partner, walletId } = await newcomer();
    const receiver = await receive(() => 410);
    const { id: endpointId } = await subscribe(partner, receiver);
    const first = await happen(partner, walletId);
    await until('the end of the endpoint', async () => !(await endpointOf(partner, endpointId)).is_active);
    const later = await happen(partner, walletId);
    const kept = await until('the kept event', async () => {
      const rows = await deliveriesOf(endpointId);
      return rows.length === 2 && rows.every((row) => row.next_attempt_at === null) && rows;
    });
    expect(kept.map((row) => row.delivered_at)).toEqual([null, null]);
    expect([receiver.about(first).length, receiver.about(later).length]).toEqual([1, 0]);
  });

  test.each<{ what: string; answer: (elsewhere: string) => Answer }>([
    { what: '307', answer: (elsewhere) => ({ status: 307, headers: { location: elsewhere } }) },
    { what: '302', answer: (elsewhere) => ({ status: 302, headers: { location: elsewhere } }) },
  ])('with $what is not followed: the attempt has failed', async ({ answer }) => {
    const { partner, walletId } = await newcomer();
    const elsewhere = await receive();
    const receiver = await receive((_delivery, before) => (before === 0 ? answer(elsewhere.url) : 200));
    const { id: endpointId } = await subscribe(partner, receiver);
    const id = await happen(partner, walletId);
    await settled(endpointId);
    expect(receiver.about(id)).toHaveLength(2);
    expect(elsewhere.deliveries).toEqual([]);
  });

  test('to answer delays no other receiver', async () => {
    const { partner, walletId } = await newcomer();
    const [silent, healthy] = [await receive(() => 'silence'), await receive()];
    const { id: silentId } = await subscribe(partner, silent);
    await subscribe(partner, healthy);
    for (let n = 0; n < 2; n++) {
      const id = await happen(partner, walletId);
      await until('the delivery to the healthy one', () => healthy.about(id)[0]);
    }
    const [oldest] = await deliveriesOf(silentId);
    // Both deliveries arrived before the first attempt at the silent receiver timed out.
    expect(oldest).toMatchObject({ attempts: 0, delivered_at: null });
  });
});

test('a dispatcher that has fallen asleep wakes for the next event', async () => {
  const { partner, walletId } = await newcomer();
  const receiver = await receive();
  const { id: endpointId } = await subscribe(partner, receiver);
  const asleep = () =>
    until('the sleeping dispatcher', async () => {
      const sql = `SELECT asleep FROM ${SANDBOX_CELL}.webhook_endpoints WHERE id = $1`;
      return (await platform.sql(sql, [endpointId]))[0]?.asleep === true;
    });
  for (let n = 0; n < 3; n++) {
    const id = await happen(partner, walletId);
    await until('the delivery', () => receiver.about(id)[0]);
    await asleep();
  }
  const dispatcher = platform.operator.workflow.getHandle(`webhook/${endpointId}`);
  await until('an idle dispatcher', async () => (await dispatcher.query('state')) === 'idle');
});

test('a deleted endpoint gets nothing more', async () => {
  const { partner, walletId } = await newcomer();
  const [receiver, other] = await Promise.all([receive(), receive()]);
  const { id: endpointId } = await subscribe(partner, receiver);
  await subscribe(partner, other);
  expect((await partner.delete(`/v1/webhooks/${endpointId}`)).status).toBe(204);
  const id = await happen(partner, walletId);
  await until('the delivery to the other', () => other.about(id)[0]);
  expect(receiver.deliveries).toEqual([]);
  expect(await deliveriesOf(endpointId)).toEqual([]);
});

test('a test of an endpoint is signed, tried again and counted like every delivery, and goes to it alone', async () => {
  const { partner } = await newcomer();
  const receiver = await receive((_delivery, before) => (before === 0 ? 500 : 200));
  const other = await receive();
  const { id: endpointId, secret } = await subscribe(partner, receiver);
  await subscribe(partner, other);

  const { status, body } = await partner.post(`/v1/webhooks/${endpointId}/test`, undefined);
  expect(status).toBe(202);
  const [first, second] = await until('the second attempt', () => {
    return receiver.deliveries.length === 2 && receiver.deliveries;
  });
  expect(second!.text).toBe(first!.text);
  expect(verified(second!, secret)).toMatchObject({
    event: 'webhook.test',
    data: { endpoint_id: endpointId },
    webhook_id: body.data.webhook_id,
  });
  await until(
    'the success to be counted',
    async () => (await endpointOf(partner, endpointId)).last_success_at,
  );

  await partner.post(`/v1/webhooks/${endpointId}/test`, { event: 'wallet.activated' });
  const sample = await until('the sample', () => receiver.deliveries[2]);
  expect(verified(sample, secret)).toMatchObject({
    event: 'wallet.activated',
    data: { user_ref: 'webhook-test' },
  });
  expect(other.deliveries).toEqual([]);
});

function accepts(...[delivery, secret]: Parameters<typeof verified>): boolean {
  try {
    verified(delivery, secret);
    return true;
  } catch {
    return false;
  }
}

const deliveriesOf = (endpointId: string) =>
  platform.sql(
    `SELECT attempts, last_status, next_attempt_at, delivered_at FROM ${SANDBOX_CELL}.deliveries
      WHERE endpoint_id = $1 ORDER BY event_id`,
    [endpointId],
  );

/** Waits until nothing is due at an endpoint any more. */
const settled = (endpointId: string) =>
  until('the end of all deliveries', async () =>
    (await deliveriesOf(endpointId)).every((row) => row.next_attempt_at === null),
  );
