/**
 * Testing a webhook endpoint (D143): one delivery to this endpoint alone, sent like the delivery of every event.
 */
import type { Answer, Json } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { EVENT_KINDS } from '../../src/domain/events';
import { SANDBOX_CELL } from '../setup/cells';

const UNKNOWN_ID = '01980000-0000-7000-8000-00000000dead';

const { world, api } = apiForFile();
let partner: TestPartner;
// A partner has at most twenty endpoints.
beforeEach(async () => {
  partner = await api.partner();
});

let made = 0;
async function register(by = partner): Promise<string> {
  const body = { url: `https://example.com/hook/${String(++made)}`, events: ['wallet.activated'] };
  return (await by.post('/v1/webhooks', body)).body.data.id;
}
const ask = (id: string, body?: unknown, by = partner): Promise<Answer> =>
  by.post(`/v1/webhooks/${id}/test`, body);

/** The deliveries that wait to be sent to an endpoint. */
const waiting = (endpointId: string): Promise<Json[]> =>
  world.sql(
    `SELECT d.event_name, e.kind, e.data, e.partner_id, d.next_attempt_at <= now() AS due
       FROM ${SANDBOX_CELL}.deliveries d JOIN ${SANDBOX_CELL}.events e ON e.id = d.event_id
      WHERE d.endpoint_id = $1 ORDER BY e.id`,
    [endpointId],
  );

test.each([
  ['without a body', undefined],
  ['with an empty object', {}],
  ['with a null for its event', { event: null }],
  ['by its name', { event: 'webhook.test' }],
])('%s the event is webhook.test, due at once, for this endpoint alone', async (_how, body) => {
  const [endpoint, neighbour] = [await register(), await register()];
  const answer = await ask(endpoint, body);
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({
    data: { webhook_id: expect.stringMatching(/^wh_[0-9a-f]{32}$/) },
    meta: { request_id: answer.headers.get('X-Request-Id') },
  });
  const [delivery, ...more] = await waiting(endpoint);
  expect(more).toEqual([]);
  expect(delivery).toMatchObject({ event_name: 'webhook.test', partner_id: partner.id, due: true });
  expect(JSON.parse(delivery.data)).toMatchObject({ endpoint_id: endpoint });
  expect(await waiting(neighbour)).toEqual([]);
});

test.each([...EVENT_KINDS, 'transfer.completed', 'transfer.failed'])(
  'a sample of %s goes out under that name, subscribed to or not',
  async (event) => {
    const endpoint = await register();
    expect((await ask(endpoint, { event })).status).toBe(202);
    expect(await waiting(endpoint)).toMatchObject([{ event_name: event, kind: event }]);
  },
);

test('each test is a delivery of its own', async () => {
  const endpoint = await register();
  const answers = await Promise.all([ask(endpoint), ask(endpoint)]);
  expect(new Set(answers.map(({ body }) => body.data.webhook_id)).size).toBe(2);
  expect(await waiting(endpoint)).toHaveLength(2);
});

test.each<[string, unknown]>([
  ['another name', { event: 'wallet.closed' }],
  ['an empty name', { event: '' }],
  ['a number', { event: 1 }],
  ['a list', []],
  ['no JSON', '{'],
])('%s: 422 VALIDATION_ERROR, and nothing waits', async (_what, body) => {
  const endpoint = await register();
  expect(await ask(endpoint, body)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  expect(await waiting(endpoint)).toEqual([]);
});

test('malformed, absent, deleted and foreign endpoints: 404 NOT_FOUND', async () => {
  const deleted = await register();
  await partner.delete(`/v1/webhooks/${deleted}`);
  const foreign = await register(await api.partner());
  for (const id of ['x', UNKNOWN_ID, deleted, foreign]) {
    expect(await ask(id)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  }
});

test('a disabled endpoint: 422 VALIDATION_ERROR, because nothing would be sent', async () => {
  const endpoint = await register();
  await world.sql(`UPDATE ${SANDBOX_CELL}.webhook_endpoints SET is_active = false WHERE id = $1`, [endpoint]);
  expect(await ask(endpoint)).toMatchObject({
    status: 422,
    body: { error: 'VALIDATION_ERROR', message: 'The endpoint is disabled' },
  });
});
