/** Faults that a request of the sandbox asks for: what is done, and what its caller hears (D207). */
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { send, type Json } from '../support/send';
import { until } from '../support/until';

const { api } = apiForFile();
let partner: TestPartner;
let wallet: string;
let dest: string;
beforeAll(async () => {
  partner = await api.partner();
  [wallet, dest] = await Promise.all([partner.wallet({ fundKobo: 1_000_000 }), partner.wallet()]);
});

let count = 0;
const p2p = () => ({
  source_wallet: wallet,
  dest_wallet: dest,
  amount: 100,
  reference: `fault-${(count += 1)}`,
});
const pay = (body: object, headers: Record<string, string>) =>
  partner.post('/v1/transfers/p2p', body, headers);
const paid = async (reference: string): Promise<number> =>
  (await partner.get(`/v1/transactions?reference=${reference}`)).body.data.length;

test.each([
  ['before_503', 503, 'SERVICE_UNAVAILABLE', 0],
  ['rate_limited', 429, 'RATE_LIMIT_EXCEEDED', 0],
  ['after_503', 503, 'SERVICE_UNAVAILABLE', 1],
])('%s is answered %d %s, and pays %d times', async (fault, status, error, times) => {
  const body = p2p();
  const answer = await pay(body, { 'X-Sandbox-Fault': fault });
  expect(answer).toMatchObject({ status, body: { error } });
  expect(answer.headers.get('Retry-After')).toBe('1');
  expect(await paid(body.reference)).toBe(times);
});

test('lost_answer pays, and closes the connection without an answer', async () => {
  const body = p2p();
  await expect(pay(body, { 'X-Sandbox-Fault': 'lost_answer' })).rejects.toThrow();
  expect(await paid(body.reference)).toBe(1);
});

test('slow waits so long before it pays', async () => {
  const body = p2p();
  const since = performance.now();
  expect((await pay(body, { 'X-Sandbox-Fault': 'slow:300' })).status).toBe(200);
  expect(performance.now() - since).toBeGreaterThanOrEqual(295);
});

test.each<[string, status: string | null, about: string]>([
  ['after_503', '503', 'the payment'],
  ['lost_answer', null, 'the payment'],
  ['slow:10', '200', 'the payment'],
  ['before_503', '503', 'nothing'],
])('%s is named in the log of requests, and in the timeline of the payment', async (fault, status, about) => {
  const startedAt = Date.now();
  const body = p2p();
  await pay(body, { 'X-Sandbox-Fault': fault }).catch(() => undefined);
  const asked = async () =>
    ((await partner.get('/v1/requests?operation=p2pTransfer')).body.data as Json[]).find(
      (one) => one.fault === fault,
    );
  const logged = await until('the request in the log', async () => {
    const one = await asked();
    return one && Date.parse(one.at) >= startedAt && one;
  });
  expect(logged).toMatchObject({ fault, status: status === null ? null : Number(status) });
  const [transaction] = (await partner.get(`/v1/transactions?reference=${body.reference}`)).body.data;
  expect(logged.resource_id).toBe(about === 'nothing' ? null : transaction.id);
  if (about === 'nothing') return;
  const timeline = (await partner.get(`/v1/transactions/${transaction.id}/timeline`)).body.data as Json[];
  expect(timeline.find(({ kind }) => kind === 'request')).toMatchObject({
    request_id: logged.request_id,
    status,
    error: `fault: ${fault}`,
  });
});

test('the answer to a repeat arrives, also with the same fault', async () => {
  const body = p2p();
  const headers = { 'X-Sandbox-Fault': 'after_503', 'Idempotency-Key': 'after' };
  expect([(await pay(body, headers)).status, (await pay(body, headers)).status]).toEqual([503, 200]);
});

test('a request that says that it is a repeat meets no fault', async () => {
  const headers = { 'X-Sandbox-Fault': 'before_503', 'X-Retry-Count': '1' };
  expect((await pay(p2p(), headers)).status).toBe(200);
});

test.each(['slow:30001', 'slow:', 'else', ''])(
  'the fault %s, which there is not, is refused',
  async (fault) => {
    const body = p2p();
    const answer = await pay(body, { 'X-Sandbox-Fault': fault });
    expect([answer.status, answer.body.detail.fields[0].field]).toEqual([422, 'X-Sandbox-Fault']);
    expect(await paid(body.reference)).toBe(0);
  },
);

test('live knows none', async () => {
  const live = await api.partner({ environment: 'live', status: 'active' });
  expect((await live.get('/v1/wallets', { 'X-Sandbox-Fault': 'before_503' })).status).toBe(200);
  const answer = await live.put(`/v1/sandbox/webhooks/${wallet}/fault`, { mode: 'drop' });
  expect(answer).toMatchObject({ status: 403, body: { error: 'SANDBOX_ONLY' } });
});

test('the metrics do not count them, because they would wake the operators', async () => {
  const metrics = async () => (await send(`http://127.0.0.1:${api.operatorPort}/metrics`, 'GET')).text;
  await pay(p2p(), { 'X-Sandbox-Fault': 'before_503' });
  expect((await pay(p2p(), {})).status).toBe(200);
  const text = await until('a payment that is counted', async () => {
    const now = await metrics();
    return now.includes('operation="p2pTransfer",environment="sandbox",status="200"') && now;
  });
  expect(text).not.toContain('operation="p2pTransfer",environment="sandbox",status="503"');
});
