/**
 * Answers that begin before their content is known, while Postgres goes away: a poll ends without events and goes on where it
 * was, a stream says goodbye, and a statement is cut off so that nobody takes it for a whole one. An outage is no error.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Socket } from 'node:net';
import { startChild, type Child } from '../support/children';
import type { Json } from '../support/send';
import { openPostgresProxy, type Proxy } from '../support/proxy';
import { apiForFile } from '../support/scene';
import type { TestPartner } from '../support/partners';
import { TEST_SETTINGS } from '../support/settings';
import { until } from '../support/until';
import { SANDBOX_CELL, TEST_CELLS } from '../setup/cells';

const { world, api } = apiForFile();
/** So many that no buffer between the process and its caller takes all of them. */
const ENTRIES = 60_000;
/** By then a poll has looked once and waits, which nothing outside of the process shows. */
const BEGUN_MS = 1_500;

let network: Proxy;
let child: Child;
let partner: TestPartner;
let busy: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  const { url, proxy } = await openPostgresProxy(world.databaseUrl);
  network = proxy;
  child = await startChild('api', {
    ...TEST_SETTINGS,
    DATABASE_URL: url,
    DATABASE_CONNECT_MS: '1000',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
    LOG_LEVEL: 'warn',
  });
  partner = await api.partner();
  busy = await partner.wallet();
  await world.sql(
    `WITH made AS (
       INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
         customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, dest_wallet, created_at, updated_at,
         completed_at)
       SELECT uuidv7(), $1, 'n' || n, 'wallet_funding', 'completed', 100, NULL, 0, 0, 0, 100, $2, t, t, t
         FROM generate_series(1, ${String(ENTRIES)}) AS n, LATERAL (SELECT now() - interval '1 hour' AS t)
       RETURNING id, created_at),
     told AS (
       INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, created_at)
       SELECT uuidv7(interval '-1 hour'), $1, 'transaction.completed', id, created_at FROM made),
     numbered AS (SELECT made.*, row_number() OVER (ORDER BY id) AS n FROM made),
entered AS (
     INSERT INTO ${SANDBOX_CELL}.entries
       (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo, created_at)
     SELECT id, 'accept', account, uuidv7(), amount, sequence, 100 * sequence, created_at
       FROM numbered, LATERAL (VALUES ($2::uuid, 100, n), (uuidv7(), -100, NULL)) AS v(account, amount, sequence))
    UPDATE ${SANDBOX_CELL}.accounts SET sequence = ${String(ENTRIES)}, balance_kobo = ${String(100 * ENTRIES)} WHERE id = $2`,
    [partner.id, busy],
  );
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  network.setMood('pass');
  await until('Postgres', async () => (await get('/v1/wallets')).status === 200);
});
afterAll(async () => {
  const errors = child
    .said()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
  expect(errors).toEqual([]);
  await child.kill();
  network.close();
});

async function get(path: string): Promise<{ status: number; body: Json }> {
  const response = await fetch(`http://127.0.0.1:${String(child.port)}${path}`, {
    headers: { Authorization: `Bearer ${partner.key}` },
  });
  return { status: response.status, body: await response.json() };
}

function leave(): void {
  network.setMood('refuse');
  network.reset();
}

interface Reading {
  text(): string;
  /** Goes on reading after Postgres has gone. @returns how the connection ended. */
  goOn(): Promise<'end' | 'reset'>;
}

/** Asks, and stops reading when the first bytes have come. */
function askAndStop(path: string, version: string): Promise<Reading> {
  return new Promise((resolve) => {
    const socket = connect(child.port, '127.0.0.1');
    sockets.push(socket);
    let text = '';
    let how: 'end' | 'reset' = 'end';
    socket.on('error', () => (how = 'reset'));
    const closed = new Promise<'end' | 'reset'>((over) => socket.once('close', () => over(how)));
    socket.once('data', () => {
      socket.pause();
      resolve({
        text: () => text,
        goOn() {
          socket.resume();
          return closed;
        },
      });
    });
    socket.on('data', (bytes) => (text += bytes.toString('latin1')));
    const head = [`GET ${path} HTTP/${version}`, 'Host: api', `Authorization: Bearer ${partner.key}`];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
  });
}

test('a poll that waits ends without events, and the next one goes on where it was', async () => {
  const begun = (await get('/v1/events?after=now')).body.meta.next_after as string;
  const after = encodeURIComponent(begun);
  const waiting = get(`/v1/events?after=${after}&wait=4`);
  await sleep(BEGUN_MS);
  leave();
  const { status, body } = await waiting;
  expect([status, body.data, body.meta]).toEqual([
    200,
    [],
    expect.objectContaining({ next_after: begun, has_more: false }),
  ]);
  network.setMood('pass');
  const made = (await partner.post(`/v1/sandbox/wallets/${busy}/fund`, { amount_kobo: 100 })).body
    .transaction_id as string;
  const found = await until('the event', async () => {
    const next = await get(`/v1/events?after=${encodeURIComponent(body.meta.next_after as string)}`);
    return next.status === 200 && next.body.data.length > 0 && next.body.data;
  });
  expect(found.map(({ data }: Json) => data.id)).toEqual([made]);
});

test('a stream that is still in the past says goodbye', async () => {
  const since = encodeURIComponent(new Date(Date.now() - 2 * 3_600_000).toISOString());
  const stream = await askAndStop(`/v1/events/stream?since=${since}`, '1.1');
  leave();
  // Its last chunk says that this answer is whole.
  expect(await Promise.race([stream.goOn(), said(stream, '\r\n0\r\n\r\n')])).toBe('said');
  expect(stream.text()).toContain('event: bye\ndata: {"reason":"unavailable"}');
  expect(stream.text().split('event: transaction.completed').length - 1).toBeLessThan(ENTRIES);
});

const said = async (stream: Reading, end: string): Promise<'said'> => {
  await until('its end', () => stream.text().endsWith(end));
  return 'said';
};

test.each([
  { format: 'json', version: '1.1', how: 'end', last: /\r\n0\r\n\r\n$/ },
  { format: 'csv', version: '1.1', how: 'end', last: /\r\n0\r\n\r\n$/ },
  // Without chunks only a reset says that something is missing.
  { format: 'json', version: '1.0', how: 'reset', last: null },
  { format: 'csv', version: '1.0', how: 'reset', last: null },
])('a statement as $format over HTTP/$version is cut off', async ({ format, version, how, last }) => {
  const path = `/v1/wallets/${busy}/statement?from=2026-01-01T00:00:00Z&format=${format}`;
  const statement = await askAndStop(path, version);
  leave();
  expect(await statement.goOn()).toBe(how);
  expect(statement.text()).toContain(' 200 OK');
  if (last) expect(statement.text()).not.toMatch(last);
});
