/**
 * The X-Request-Id of an answer finds everything about it: its line in the log, its workflow, the attempts to tell the
 * partner of it (docs/how-to/follow-a-request.md), and its trace (docs/how-to/trace-a-request.md).
 */
import type { Calls, Json } from '../support/calls';
import { openCollector, type CollectedSpan, type Collector } from '../support/collector';
import { logLines } from '../support/log';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver, type Receiver } from '../support/receiver';
import { until } from '../support/until';

let platform: Platform;
let partner: Calls;
let receiver: Receiver;
let collector: Collector;
let walletId: string;

beforeAll(async () => {
  collector = await openCollector();
  const settings = { LOG_LEVEL: 'info', SANDBOX_KYC_MS: '0,0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  platform = await openPlatform({ settings });
  const [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
  partner = await platform.partner(url);
  receiver = await openReceiver();
  const events = ['transaction.completed', 'transaction.failed', 'wallet.activated', 'kyc.verified'];
  await partner.post('/v1/webhooks', { url: receiver.url, events });
  walletId = (await partner.wallet(1_000_000)).id;
});

afterAll(async () => {
  await receiver.close();
  await platform.close();
  await collector.close();
});

const requestIdOf = ({ headers }: { headers: Headers }): string => headers.get('X-Request-Id') ?? '';

const attemptOf = (requestId: string): Promise<Json> =>
  until('the attempt of a webhook', () =>
    logLines().find((line) => line.msg === 'The worker attempted a webhook' && line.requestId === requestId),
  );

const workflowOf = (requestId: string): Promise<string> =>
  until('the workflow of a request', async () => {
    const query = `RequestId = '${requestId}'`;
    for await (const { workflowId } of platform.operator.workflow.list({ query })) return workflowId;
    return undefined;
  });

test('a movement that is done at once: its line and the attempts of its webhook', async () => {
  const answer = await partner.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 5 });
  const attempt = await attemptOf(requestIdOf(answer));
  expect(attempt).toMatchObject({
    partnerId: partner.partnerId,
    environment: 'sandbox',
    event: 'transaction.completed',
    attempt: 1,
    answer: 200,
    durationMs: expect.any(Number),
  });
  const delivery = receiver.about(answer.body.transaction_id)[0];
  expect(delivery?.headers['webhook-id']).toBe(attempt.webhookId);
  expect(logLines()).toContainEqual(
    expect.objectContaining({ msg: 'The API answered a request', requestId: requestIdOf(answer) }),
  );
});

test('what a workflow finishes: the workflow, and the webhook of its end', async () => {
  const { reference, reply } = await partner.bankTransfer(walletId);
  const requestId = requestIdOf(reply);
  expect(reply.body.meta.request_id).toBe(requestId);
  const { id } = await partner.ended(walletId, reference);
  expect(await workflowOf(requestId)).toBe(`bank-transfer/${id}`);
  expect(await attemptOf(requestId)).toMatchObject({ event: 'transaction.completed' });
});

test('one trace from a bank transfer over the ledger, the workflow and its activities to the receiver', async () => {
  const { reference, reply } = await partner.bankTransfer(walletId);
  const requestId = requestIdOf(reply);
  const { id } = await partner.ended(walletId, reference);
  await attemptOf(requestId);
  const named = (name: string): CollectedSpan | undefined =>
    collector.of(requestId).find((span) => span.name === name);
  const delivery = await until('the span of the delivery', () => named('deliver transaction.completed'));
  const request = await until('the span of the request', () => named('bankTransfer'));
  const step = await until('the span of the first activity', () => named('submitTransfer'));
  const start = await until('the span of the start', () => named('start bankTransfer'));
  expect(request).toMatchObject({
    service: 'api',
    kind: 2,
    parentSpanId: undefined,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 202,
      partner_id: partner.partnerId,
      environment: 'sandbox',
      replayed: false,
    },
  });
  const workflow = { workflow: 'bankTransfer', workflow_id: `bank-transfer/${id}` };
  expect(named('ledger')).toMatchObject({
    service: 'api',
    attributes: { movement: 'open', outcome: 'posted' },
  });
  expect(start).toMatchObject({ service: 'api', attributes: workflow });
  expect(step).toMatchObject({ service: 'worker', kind: 1, attributes: { ...workflow, attempt: 1 } });
  expect(delivery).toMatchObject({
    service: 'worker',
    kind: 3,
    attributes: { 'http.response.status_code': 200, attempt: 1 },
  });
  const spans = collector.of(requestId);
  expect(spans.filter((span) => span.parentSpanId !== request.spanId).map(({ name }) => name)).toEqual([
    'bankTransfer',
  ]);
  expect(new Set(spans.map((span) => span.spanId)).size).toBe(spans.length);
  expect(spans.filter((span) => span.hasFailed)).toEqual([]);
});

test('no span has a name, an account number, an amount, a reference, an address or a key', async () => {
  const { reference, reply } = await partner.bankTransfer(walletId);
  const requestId = requestIdOf(reply);
  await until('the span of the delivery', () =>
    collector.of(requestId).find(({ name }) => name.startsWith('deliver ')),
  );
  const keys = collector.posts.flatMap(({ text }) =>
    [...text.matchAll(/"key":"([^"]+)"/g)].map(([, key]) => key),
  );
  expect([...new Set(keys)].sort()).toEqual(ATTRIBUTES);
  const sent = collector.posts.map(({ text }) => text).join('');
  for (const secret of [reference, partner.key, receiver.url]) expect(sent).not.toContain(secret);
});

/** Every attribute there is. A new one must be an id, a name of ours, a state or a count. */
const ATTRIBUTES = [
  'attempt',
  'endpoint_id',
  'environment',
  'http.request.method',
  'http.response.status_code',
  'movement',
  'outcome',
  'partner_id',
  'replayed',
  'service.name',
  'service.namespace',
  'service.version',
  'webhook_id',
  'workflow',
  'workflow_id',
];

test('a wallet: its provisioning, and the webhook of its account number', async () => {
  const answer = await partner.post('/v1/wallets', { user_ref: 'followed' });
  const requestId = requestIdOf(answer);
  expect(await workflowOf(requestId)).toBe(`wallet/${answer.body.data.id}`);
  expect(await attemptOf(requestId)).toMatchObject({ event: 'wallet.activated' });
});

test('a verification: its workflow, and the webhook of its result', async () => {
  const answer = await partner.post('/v1/kyc/bvn', { user_ref: 'ada', bvn: '22212345678' });
  const requestId = requestIdOf(answer);
  expect(await workflowOf(requestId)).toBe(`kyc/${answer.body.data.verification_id}`);
  expect(await attemptOf(requestId)).toMatchObject({ event: 'kyc.verified' });
});

test('a payment by USSD: its workflow, and the webhook of its payment', async () => {
  const merchant = await partner.wallet();
  const answer = await partner.post('/v1/payments/ussd/initiate', {
    payer_wallet_id: walletId,
    merchant_wallet_id: merchant.id,
    amount_kobo: 5_000,
    reference: 'followed by ussd',
  });
  const requestId = requestIdOf(answer);
  const sessionId: string = answer.body.session_id;
  expect(await workflowOf(requestId)).toMatch(/^ussd\//);
  await partner.post('/v1/sandbox/ussd/simulate', { session_id: sessionId, action: 'confirm' });
  expect(await attemptOf(requestId)).toMatchObject({ event: 'transaction.completed' });
});

test('a webhook that was sent on demand', async () => {
  const [endpoint] = (await partner.get('/v1/webhooks')).body.data;
  const answer = await partner.post(`/v1/webhooks/${endpoint.id}/test`, { event: 'kyc.verified' });
  expect(await attemptOf(requestIdOf(answer))).toMatchObject({ endpointId: endpoint.id });
});

test('what no partner has asked for names no request', async () => {
  const query = `TemporalScheduledById IS NOT NULL AND RequestId IS NOT NULL`;
  expect((await platform.operator.workflow.count(query)).count).toBe(0);
});
