/** The stream of events: what comes, to whom, how it goes on and ends, and that nothing is left out (D102, D201). */
import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { newId } from '../../src/db/pg/ids';
import { firstIdOf, madeAtMs } from '../../src/domain/time-ordered-ids';
import { contract } from '../support/contract';
import { listen as listenAt, type Listening } from '../support/event-stream';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { requestText } from '../support/sockets';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();

let partner: TestPartner;
let wallet: string;
beforeEach(async () => {
  partner = await api.partner();
  wallet = await partner.wallet();
});

const open: Listening[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function listen(options?: Parameters<typeof listenAt>[2], key = partner.key): Promise<Listening> {
  const stream = await listenAt(api.port, key, options);
  open.push(stream);
  if (stream.status === 200) await until('ready', () => stream.messages[0]);
  return stream;
}

const fund = async (owner = partner, into = wallet): Promise<string> =>
  (await owner.post(`/v1/sandbox/wallets/${into}/fund`, { amount_kobo: 100 })).body.transaction_id;
const resources = (stream: Listening): string[] => stream.events().map(({ data }) => data.data.id);
const has = (stream: Listening, resource: string) =>
  until(`the event of ${resource}`, () => resources(stream).includes(resource));
const bye = (stream: Listening, withinMs?: number) =>
  until('bye', () => stream.isOver() && stream.messages.find(({ event }) => event === 'bye')?.data, withinMs);

describe('a stream', () => {
  test('begins with its place, and sends each event with the body of a delivery', async () => {
    const earlier = await fund();
    const stream = await listen();
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(stream.messages[0]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'ready',
      data: { environment: 'sandbox', streams: 1 },
    });
    const transaction = await fund();
    await has(stream, transaction);
    const [event] = stream.events();
    contract().checkDelivery(event!.text);
    const [listed] = (await partner.get('/v1/events?limit=1')).body.data;
    expect(event).toMatchObject({
      id: listed.id,
      event: 'transaction.completed',
      data: { event: 'transaction.completed', data: listed.data, timestamp: listed.created_at },
    });
    expect(resources(stream)).not.toContain(earlier);
  });

  test('tells a partner its own events only, of its own environment', async () => {
    const other = await api.partner();
    const live = await api.partner({ id: partner.id, environment: 'live', status: 'active' });
    const [stream, inLive] = [await listen(), await listen({}, live.key)];
    await fund(other, await other.wallet());
    await has(stream, await fund());
    expect(stream.events()).toHaveLength(1);
    expect(inLive.messages.map(({ event }) => event)).toEqual(['ready']);
  });

  test('tells the kinds that were asked for', async () => {
    const [some, others] = [
      await listen({ query: '?events=kyc.verified,wallet.activated' }),
      await listen({ query: '?events=kyc.verified,transaction.completed' }),
    ];
    await has(others, await fund());
    expect(some.events()).toEqual([]);
  });

  test('goes on behind the last id of an earlier one, with the same webhook_id for what comes again', async () => {
    const first = await listen();
    const before = await fund();
    await has(first, before);
    first.close();
    const missed = [await fund(), await fund()];
    const second = await listen({ lastEventId: first.lastId()! });
    for (const one of missed) await has(second, one);
    await has(second, await fund());
    const repeat = second.events().find(({ data }) => data.data.id === before)!;
    expect(repeat.text).toBe(first.events()[0]!.text);
    expect(new Set(resources(second)).size).toBe(second.events().length);
  });

  test('goes on from the place of a stream on which nothing came', async () => {
    const quiet = await listen();
    quiet.close();
    const missed = await fund();
    await has(await listen({ lastEventId: quiet.lastId()! }), missed);
  });

  test('begins with what was committed since a time', async () => {
    const earlier = await fund();
    const { id } = (await partner.get('/v1/events?limit=1')).body.data[0];
    const justAfter = new Date(madeAtMs(id)! + 1).toISOString();
    await new Promise((resolve) => setTimeout(resolve, 2));
    const later = await fund();
    const stream = await listen({ query: `?since=${justAfter}` });
    await has(stream, later);
    expect(resources(stream)).not.toContain(earlier);
  });

  test('sends all of a long past, in order, and then the present', async () => {
    await world.sql(
      `INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
       SELECT (lpad(to_hex(($2::bigint + n)), 12, '0') || '70008000' || lpad(n::text, 12, '0'))::uuid, $1,
              'kyc.verified', gen_random_uuid(), json_build_object('id', n), now()
         FROM generate_series(1, 1700) AS n`,
      [partner.id, Date.now() - 3_600_000],
    );
    const stream = await listen({
      query: `?events=kyc.verified,transaction.completed&since=${new Date(Date.now() - 3_700_000).toISOString()}`,
    });
    await has(stream, await fund());
    const numbers = stream.events().map(({ data }) => data.data.id);
    expect(numbers.slice(0, 1_700)).toEqual(Array.from({ length: 1_700 }, (_, place) => place + 1));
    expect(numbers).toHaveLength(1_701);
  });

  test('says that older events are not kept', async () => {
    const lastEventId = firstIdOf(Date.now() - 91 * 86_400_000);
    const stream = await listen({ lastEventId });
    await until('gap', () => stream.messages.find(({ event }) => event === 'gap'));
    expect(stream.messages[1]).toMatchObject({ event: 'gap', data: { kept_since: expect.any(String) } });
  });
});

describe('422 VALIDATION_ERROR for', () => {
  test.each<[string, Parameters<typeof listenAt>[2], field: string]>([
    ['an unknown kind', { query: '?events=kyc.verified,lunch' }, 'events'],
    ['an alias of a kind', { query: '?events=transfer.completed' }, 'events'],
    ['no kind', { query: '?events=' }, 'events'],
    ['a since that is nothing', { query: '?since=yesterday' }, 'since'],
    [
      'a time of the day before yesterday',
      { query: `?since=${new Date(Date.now() - 86_500_000).toISOString()}` },
      'since',
    ],
    ['a time to come', { query: `?since=${new Date(Date.now() + 60_000).toISOString()}` }, 'since'],
    ['an id that says no time', { query: '?since=c1bd0bd4-6a8b-4f0a-9ef4-1bfb8dba3f77' }, 'since'],
    ['an id of a time to come', { lastEventId: firstIdOf(Date.now() + 3_600_000) }, 'Last-Event-ID'],
    ['a Last-Event-ID that is a time', { lastEventId: new Date().toISOString() }, 'Last-Event-ID'],
    ['another parameter', { query: '?limit=2' }, 'limit'],
  ])('%s', async (_what, options, field) => {
    const refused = await listen(options);
    expect(refused).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(JSON.stringify(refused.body)).toContain(`"${field}"`);
  });
});

describe('an end', () => {
  test('a sixth stream of a partner is refused, and has its place when another one ends', async () => {
    for (let streams = 1; streams <= 5; streams++) {
      expect((await listen()).messages[0]!.data.streams).toBe(streams);
    }
    expect(await listen()).toMatchObject({ status: 422, body: { error: 'LIMIT_EXCEEDED' } });
    const other = await api.partner();
    expect((await listen({}, other.key)).status).toBe(200);
    open[0]!.close();
    await until('the place', async () => (await listen()).status === 200);
  });

  test('a revoked key hears nothing more within five seconds', async () => {
    const stream = await listen();
    await world.sql('UPDATE platform.api_keys SET revoked_at = now() WHERE id = $1', [partner.keyId]);
    const revokedAt = performance.now();
    expect(await bye(stream)).toEqual({ reason: 'credential' });
    expect(performance.now() - revokedAt).toBeLessThan(5_500);
  });

  test('a reader that stops is let go, others are served, and it can go on', async () => {
    const socket = connect(api.port, '127.0.0.1', () =>
      socket
        .pause()
        .write(requestText('GET', '/v1/events/stream', [['Authorization', `Bearer ${partner.key}`]])),
    );
    socket.on('error', () => undefined);
    try {
      const other = await until('two streams', async () => {
        const stream = await listen();
        if (stream.messages[0]!.data.streams === 2) return stream;
        stream.close();
        return null;
      });
      const place = other.lastId()!;
      // Together far more than the system keeps in its own buffers for a connection.
      for (let written = 0; written < 60; written++) {
        await world.sql(
          `INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
           SELECT $2::uuid, $1, 'kyc.verified', $2::uuid, json_build_object('text', repeat('x', 400000)), now()`,
          [partner.id, newId()],
        );
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await until('the end of the slow one', async () => {
        const stream = await listen();
        const { streams } = stream.messages[0]!.data;
        stream.close();
        return streams === 2;
      });
      await until('all events', () => other.events().length === 60);
      const again = await listen({ lastEventId: place, query: '?events=kyc.verified' });
      await until('all events again', () => again.events().length === 60);
    } finally {
      socket.destroy();
    }
  });
});

test('Postgres is asked for events while there is a stream, and not without', async () => {
  const { pool } = api.environments.sandbox.cells.get(SANDBOX_CELL)!;
  const asked = jest.spyOn(pool, 'query');
  const looks = (): number =>
    asked.mock.calls.filter(([text]) => JSON.stringify(text).includes('partner_id = ANY')).length;
  try {
    const streams = [await listen(), await listen()];
    await until('ten looks', () => looks() > 10);
    for (const stream of streams) stream.close();
    await until('no stream', async () => {
      const before = looks();
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      return looks() === before;
    });
  } finally {
    asked.mockRestore();
  }
});

/** Writes events in transactions that end in another order than their ids were made. */
const WRITER = `
  const { Pool } = require('pg');
  const { uuidv7 } = require('uuidv7');
  const [url, schema, partnerId] = process.argv.slice(1);
  const pool = new Pool({ connectionString: url, max: 12 });
  const write = async (n) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const ids = Array.from({ length: 5 }, uuidv7);
      await client.query(
        'INSERT INTO ' + schema + '.events (id, partner_id, kind, resource_id, data, created_at) ' +
          "SELECT id, $1, 'kyc.verified', id, json_build_object('id', id), now() FROM unnest($2::uuid[]) AS id",
        [partnerId, ids]);
      // Most are short; one is as long as a write may be.
      await new Promise((done) => setTimeout(done, n === 20 ? 9000 : Math.random() * 2000));
      await client.query('COMMIT');
      return ids;
    } finally {
      client.release();
    }
  };
  Promise.all(Array.from({ length: 100 }, (_, n) => write(n)))
    .then(async (ids) => { await pool.end(); process.stdout.write(JSON.stringify(ids.flat())); });
`;

async function writeElsewhere(): Promise<string[]> {
  const args = ['-e', WRITER, world.databaseUrl, SANDBOX_CELL, partner.id];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as string[];
}

test('a thousand events that two processes commit out of order are all seen, on one stream and over many', async () => {
  const query = '?events=kyc.verified';
  const whole = await listen({ query });
  const seen = new Set<string>();
  const writing = { isOver: false };
  let stream = await listen({ query });
  const broken = (async () => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 700));
      stream.events().forEach(({ data }) => seen.add(data.data.id));
      if (writing.isOver && seen.size >= 1_000) return;
      stream.close();
      stream = await listen({ query, lastEventId: stream.lastId()! });
    }
  })();
  const written = (await Promise.all([writeElsewhere(), writeElsewhere()])).flat();
  writing.isOver = true;
  expect(new Set(written).size).toBe(1_000);
  await until('all of them', () => whole.events().length >= 1_000);
  expect(new Set(resources(whole))).toEqual(new Set(written));
  // Nothing comes twice on one stream.
  expect(whole.events()).toHaveLength(1_000);
  const order = whole.events().map(({ id }) => id);
  expect(order).not.toEqual([...order].sort());
  await broken;
  expect(seen).toEqual(new Set(written));
});
