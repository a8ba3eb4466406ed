/** The log of requests: what was asked for and answered, as partners read it (D209). */
import pino from 'pino';
import { ROUTES } from '../../src/api/routes';
import { insertRequests, listKeyDays } from '../../src/db/partners/requests';
import { newId } from '../../src/db/pg/ids';
import type { Caller } from '../../src/api/authenticate';
import { createRequestLog } from '../../src/api/request-log';
import { NO_BODIES, type NotedRequest } from '../../src/domain/request-log';
import type { Answer, Json } from '../support/api';
import type { TestPartner } from '../support/partners';
import { listen as listenAt, type Listening } from '../support/event-stream';
import { apiForFile, partnerForFile } from '../support/scene';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
const other = partnerForFile(api);

const idOf = ({ headers }: Answer): string => headers.get('X-Request-Id') ?? '';
/** The row of a request, as soon as it is written. */
const logged = (answer: Answer): Promise<Json> =>
  until('the request in the log', async () => {
    const { status, body } = await partner.get(`/v1/requests/${idOf(answer)}`);
    return status === 200 && body.data;
  });
const list = async (query: string): Promise<Json[]> => (await partner.get(`/v1/requests?${query}`)).body.data;

test('a payment, its repeat and its refusal are in the log and in the timeline, and who reads it is not', async () => {
  const [source, dest] = [await partner.wallet({ fundKobo: 100_000 }), await partner.wallet()];
  const asked = { source_wallet: source, dest_wallet: dest, amount: 100, reference: 'logged' };
  const headers = { 'Idempotency-Key': 'logged-1' };
  const paid = await partner.post('/v1/transfers/p2p', asked, headers);
  const again = await partner.post('/v1/transfers/p2p', asked, headers);
  const refused = await partner.post('/v1/transfers/p2p', { ...asked, reference: 'much', amount: 1_000_000 });
  const transactionId = paid.body.data.id;
  const row = await logged(paid);
  expect(row).toEqual({
    request_id: idOf(paid),
    at: expect.any(String),
    method: 'POST',
    operation: 'p2pTransfer',
    status: 200,
    code: null,
    duration_ms: expect.any(Number),
    key_prefix: `${partner.key.slice(0, 12)}...`,
    idempotency_key: 'logged-1',
    replayed: false,
    fault: null,
    resource_id: transactionId,
    request_body: expect.any(String),
    response_body: expect.any(String),
    truncated: false,
  });
  expect(Math.abs(Date.parse(row.at) - Date.now())).toBeLessThan(60_000);
  expect(await logged(again)).toMatchObject({ replayed: true, resource_id: transactionId });
  expect(await logged(refused)).toMatchObject({
    status: 422,
    code: 'INSUFFICIENT_FUNDS',
    resource_id: null,
    replayed: false,
  });
  const about = await list(`resource_id=${transactionId}`);
  expect(about.map(({ request_id }) => request_id)).toEqual([idOf(again), idOf(paid)]);
  const timeline = await partner.get(`/v1/transactions/${transactionId}/timeline`);
  expect(timeline.body.data[0]).toMatchObject({
    kind: 'request',
    what: 'p2pTransfer',
    status: '200',
    request_id: idOf(paid),
  });
  expect(await list('operation=listRequests')).toEqual([]);
});

test('is filtered by status, method, operation and code', async () => {
  const missing = await partner.get(`/v1/wallets/${newId()}`);
  expect(await logged(missing)).toMatchObject({ status: 404, operation: 'getWallet' });
  const unknown = await partner.get('/v1/lunch');
  expect(await logged(unknown)).toMatchObject({
    status: 404,
    operation: 'none',
    key_prefix: expect.any(String),
  });
  for (const query of ['status=4xx', 'status=404', 'code=NOT_FOUND', 'operation=getWallet', 'method=GET']) {
    expect((await list(query)).map(({ request_id }) => request_id)).toContain(idOf(missing));
  }
  for (const query of ['status=5xx', 'status=403', 'code=WALLET_CLOSED', 'operation=lunch', 'method=PUT']) {
    expect(await list(query)).toEqual([]);
  }
  for (const query of [
    'status=6xx',
    'status=lunch',
    'method=LUNCH',
    'code=LUNCH',
    'resource_id=7',
    'lunch=1',
  ]) {
    expect((await partner.get(`/v1/requests?${query}`)).body.error).toBe('VALIDATION_ERROR');
  }
});

test('of another partner there is nothing, and what is no id is not found', async () => {
  const answer = await other.get('/v1/wallets');
  await until('the request of the other', async () => {
    return (await other.get(`/v1/requests/${idOf(answer)}`)).status === 200;
  });
  for (const id of [idOf(answer), 'req_1', newId()]) {
    expect((await partner.get(`/v1/requests/${id}`)).body.error).toBe('NOT_FOUND');
  }
  expect((await list('limit=100')).map(({ request_id }) => request_id)).not.toContain(idOf(answer));
});

describe('the stream', () => {
  const open: Listening[] = [];
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });
  async function listen(query = '', lastEventId?: string): Promise<Listening> {
    const options = { path: '/v1/requests/stream', query, ...(lastEventId !== undefined && { lastEventId }) };
    const stream = await listenAt(api.port, partner.key, options);
    open.push(stream);
    if (stream.status === 200) await until('ready', () => stream.messages[0]);
    return stream;
  }
  const ids = (stream: Listening): string[] => stream.events().map(({ data }) => data.request_id);
  const has = (stream: Listening, answer: Answer): Promise<unknown> =>
    until('the request on the stream', () => ids(stream).includes(idOf(answer)));

  test('shows a request as the list does, to its partner alone, and neither reading the log nor what was before', async () => {
    const before = await partner.get('/v1/wallets?limit=1');
    await logged(before);
    const stream = await listen();
    const others = await other.get('/v1/wallets');
    await partner.get('/v1/requests');
    const missing = await partner.get(`/v1/wallets/${newId()}`);
    await has(stream, missing);
    expect(ids(stream)).toEqual([idOf(missing)]);
    const [listed] = await list(`resource_id=${(await logged(missing)).resource_id}`);
    expect(stream.events()[0]).toMatchObject({ event: 'request', data: listed });
    expect(ids(stream)).not.toContain(idOf(others));
  });

  test.each(['status=4xx', 'status=404', 'method=GET', 'operation=getWallet', 'code=NOT_FOUND'])(
    'shows the requests with %s, and no others',
    async (filter) => {
      const [some, others] = [
        await listen(`?${filter}`),
        await listen('?status=5xx&method=PUT&operation=lunch&code=WALLET_CLOSED'),
      ];
      const made = await partner.post('/v1/wallets', { user_ref: newId() });
      expect(await logged(made)).toMatchObject({ code: null, method: 'POST' });
      await has(some, await partner.get(`/v1/wallets/${newId()}`));
      expect(some.events()).toHaveLength(1);
      expect(others.events()).toEqual([]);
    },
  );

  test('goes on behind the last id of an earlier one', async () => {
    const first = await listen();
    await has(first, await partner.get('/v1/wallets?limit=2'));
    first.close();
    const missed = await partner.get('/v1/wallets?limit=3');
    await has(await listen('', first.lastId()!), missed);
  });

  test.each(['status=6xx', 'since=yesterday', 'limit=2'])('refuses %s', async (query) => {
    expect(await listen(`?${query}`)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });
});

const KEY_ID = newId();
const row = (): NotedRequest => ({
  id: newId(),
  partnerId: partner.id,
  method: 'GET',
  operation: 'lunch',
  status: 200,
  code: null,
  durationMs: 1,
  keyPrefix: null,
  idempotencyKey: null,
  replayed: false,
  fault: null,
  resourceId: null,
  ignoredFields: [],
  keyId: KEY_ID,
  ...NO_BODIES,
});
const count = async (): Promise<number> =>
  (await world.sql(`SELECT count(*)::int AS n FROM ${SANDBOX_CELL}.requests WHERE operation = 'lunch'`))[0]![
    'n'
  ];

test('what Postgres does not take waits, the oldest go beyond ten thousand, and the rest is written once', async () => {
  const { cell } = await api.environments.sandbox.partner(partner.id);
  let dropped = 0;
  const log = createRequestLog(pino({ level: 'silent' }), (n) => (dropped += n));
  await world.sql(`ALTER TABLE ${SANDBOX_CELL}.requests RENAME TO away`);
  const rows = Array.from({ length: 10_050 }, row);
  for (const one of rows) log.note(cell, one);
  await new Promise((resolve) => setTimeout(resolve, 600));
  await world.sql(`ALTER TABLE ${SANDBOX_CELL}.away RENAME TO requests`);
  await log.close();
  expect(dropped).toBe(50);
  expect(await count()).toBe(10_000);
  await insertRequests(cell, rows.slice(-100), true);
  expect(await count()).toBe(10_000);
  const days = await listKeyDays(cell, [KEY_ID]);
  expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(10_000);
});

test('bodies of the sandbox are kept up to five megabytes an hour and partner, and not while many requests wait', async () => {
  const { cell } = await api.environments.sandbox.partner(partner.id);
  const log = createRequestLog(pino({ level: 'silent' }), () => undefined);
  const caller = (of: TestPartner) =>
    ({ cell, partner: { id: of.id }, environment: api.environments.sandbox }) as Caller;
  const route = ROUTES.find(({ operation }) => operation === 'p2pTransfer')!;
  const keeps = (of: TestPartner): boolean =>
    log.bodiesOf(caller(of), { route, asked: { reference: 'x'.repeat(4_000) }, answered: null }, 200)
      .requestBody !== null;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  const kept = Array.from({ length: 1_300 }, () => keeps(partner)).filter(Boolean);
  expect(kept).toHaveLength(1_246);
  clock.mockRestore();
  expect(keeps(other)).toBe(true);
  for (let count = 0; count < 2_000; count++) log.note(cell, row());
  expect(keeps(other)).toBe(false);
  await log.close();
  expect(keeps(other)).toBe(true);
});
