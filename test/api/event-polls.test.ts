/** Polls of events: oldest first, as soon as there is one, each once, and none left out (D212). */
import pg from 'pg';
import { newId } from '../../src/db/pg/ids';
import { firstIdOf } from '../../src/domain/time-ordered-ids';
import type { Json } from '../support/api';
import { listen } from '../support/event-stream';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();

let partner: TestPartner;
let wallet: string;
beforeEach(async () => {
  partner = await api.partner();
  wallet = await partner.wallet();
});

async function poll(query: string): Promise<{ ids: string[]; next: string; body: Json }> {
  const { status, body } = await partner.get(`/v1/events?${query}`);
  expect(status).toBe(200);
  expect(body.meta.next_cursor).toBeNull();
  const ids = (body.data as Json[]).map(({ data }) => data.id);
  return { ids, next: encodeURIComponent(body.meta.next_after), body };
}
const fund = async (owner = partner, into = wallet): Promise<string> =>
  (await owner.post(`/v1/sandbox/wallets/${into}/fund`, { amount_kobo: 100 })).body.transaction_id;
const begin = async (): Promise<string> => (await poll('after=now')).next;

test('an answer waits for an event of this partner, and the next one goes on behind it', async () => {
  const earlier = await fund();
  const start = await begin();
  const beganAt = performance.now();
  const waiting = poll(`after=${start}&wait=20`);
  const other = await api.partner();
  await fund(other, await other.wallet());
  const made = await fund();
  const first = await waiting;
  expect(first.ids).toEqual([made]);
  expect(first.ids).not.toContain(earlier);
  expect(performance.now() - beganAt).toBeLessThan(10_000);
  const [listed] = (await partner.get('/v1/events?limit=1')).body.data;
  expect(first.body.data).toEqual([listed]);
  expect(listed.webhook_id).toMatch(/^wh_[0-9a-f]{32}$/);
  expect((await poll(`after=${first.next}`)).ids).toEqual([]);
  const later = [await fund(), await fund()];
  expect((await poll(`after=${first.next}&wait=20`)).ids).toEqual(later);
  expect((await poll(`after=${listed.id}`)).ids).toEqual(later);
});

test('the webhook_id is that of the streams', async () => {
  const stream = await listen(api.port, partner.key);
  await until('ready', () => stream.messages[0]);
  await fund();
  const event = await until('the event', () => stream.events()[0]);
  stream.close();
  expect((await poll(`after=${firstIdOf(Date.now() - 60_000)}`)).body.data.at(-1).webhook_id).toBe(
    event.data.webhook_id,
  );
});

test('pages come oldest first, say whether there are more, and give each event once', async () => {
  const start = await begin();
  const made: string[] = [];
  for (let count = 0; count < 5; count++) made.push(await fund());
  const seen: string[] = [];
  for (let [after, hasMore] = [start, true]; hasMore;) {
    const page = await poll(`after=${after}&limit=2`);
    seen.push(...page.ids);
    [after, hasMore] = [page.next, page.body.meta.has_more];
  }
  expect(seen).toEqual(made);
});

test('an event that is committed late, with a smaller id than one that was given, comes next, once', async () => {
  const start = await begin();
  const late = newId();
  const insert = (id: string): [string, unknown[]] => [
    `INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
     VALUES ($1::uuid, $2, 'kyc.verified', $1::uuid, json_build_object('id', $1::uuid), now())`,
    [id, partner.id],
  ];
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(...insert(late));
    const made = await fund();
    const first = await poll(`after=${start}&wait=20`);
    expect(first.ids).toEqual([made]);
    const waiting = poll(`after=${first.next}&wait=20`);
    await client.query('COMMIT');
    const second = await waiting;
    expect(second.ids).toEqual([late]);
    const third = await fund();
    expect((await poll(`after=${second.next}&wait=20`)).ids).toEqual([third]);
  } finally {
    await client.end();
  }
});

test('an answer is empty when its time is over, and when its key is revoked', async () => {
  const start = await begin();
  const beganAt = performance.now();
  expect((await poll(`after=${start}&wait=1`)).ids).toEqual([]);
  expect(performance.now() - beganAt).toBeGreaterThan(900);
  const waiting = poll(`after=${start}&wait=20`);
  await world.sql('UPDATE platform.api_keys SET revoked_at = now() WHERE id = $1', [partner.keyId]);
  expect((await waiting).ids).toEqual([]);
  expect(performance.now() - beganAt).toBeLessThan(8_000);
});

test('five wait at once, and the place of a caller that goes away is free again', async () => {
  const start = await begin();
  const gone = new AbortController();
  const calls = Array.from({ length: 6 }, () =>
    fetch(`http://127.0.0.1:${String(api.port)}/v1/events?after=${start}&wait=20`, {
      headers: { Authorization: `Bearer ${partner.key}` },
      signal: gone.signal,
    }),
  );
  const refused = await Promise.race(calls);
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({
    status: 422,
    body: { error: 'LIMIT_EXCEEDED' },
  });
  gone.abort();
  await Promise.allSettled(calls);
  const freed = () => partner.get(`/v1/events?after=${start}&wait=1`);
  await until('a place', async () => (await freed()).status === 200);
});

test.each<[string, query: string, field: string]>([
  ['a place that is none', 'after=lunch', 'after'],
  ['an id that says no time', 'after=c1bd0bd4-6a8b-4f0a-9ef4-1bfb8dba3f77', 'after'],
  ['a time to come', `after=${new Date(Date.now() + 60_000).toISOString()}`, 'after'],
  ['an id of a time to come', `after=${firstIdOf(Date.now() + 3_600_000)}`, 'after'],
  ['a wait without a place', 'wait=1', 'wait'],
  ['a wait of 21 seconds', 'after=now&wait=21', 'wait'],
  ['a wait that is no number', 'after=now&wait=lunch', 'wait'],
  ['a place with a filter', 'after=now&event=kyc.verified', 'event'],
  ['a place with undelivered', 'after=now&undelivered=true', 'undelivered'],
])('422 VALIDATION_ERROR for %s', async (_what, query, field) => {
  const { status, body } = await partner.get(`/v1/events?${query}`);
  expect({ status, error: body.error }).toEqual({ status: 422, error: 'VALIDATION_ERROR' });
  expect(JSON.stringify(body)).toContain(`"${field}"`);
});

test('the place of another partner is refused', async () => {
  const start = await begin();
  const other = await api.partner();
  expect((await other.get(`/v1/events?after=${start}`)).body.error).toBe('VALIDATION_ERROR');
});
