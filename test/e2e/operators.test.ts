/** Operators end bank transfers by hand on the running platform, and processes end in an orderly way. */
import type { Calls, Json } from '../support/calls';
import { saying, withFake } from '../support/fakes';
import { approvedBy, type TestOperator } from '../support/operators';
import { openPlatform, type Platform } from '../support/platform';
import { send } from '../support/send';
import { until } from '../support/until';
import type { Environment } from '../../src/runtime/environment';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';
import { REHEARSAL } from '../support/settings';

const FUNDED_KOBO = 1_000_000;
const DEBIT_KOBO = 10_000 + 5_000;

/** The payment company has every order and does not know what became of it: the case for which people are there. */
const doesNotKnow = (environment: Environment): Environment =>
  withFake(environment, ({ name, payouts }) => ({
    name,
    payouts: { ...payouts, query: () => Promise.resolve(saying('unknown')) },
  }));

let url: string;
let platform: Platform;
let partner: Calls;
let operator: TestOperator;
let walletId: string;

beforeAll(async () => {
  platform = await openPlatform({ settings: REHEARSAL });
  [url] = await Promise.all([platform.startApi(doesNotKnow), platform.startWorker(doesNotKnow)]);
  partner = await platform.partner(url);
  operator = await platform.openOperator();
  walletId = (await partner.wallet(FUNDED_KOBO)).id;
});
afterAll(() => platform.close());

const held = async (): Promise<string> =>
  (await partner.bankTransfer(walletId, {}, { 'X-Sandbox-Hold': 'true' })).reply.body.data.id;
const resolve = (id: string, to: string, more: object = {}) =>
  operator.post(`/ops/sandbox/partners/${partner.partnerId}/bank-transfers/${id}/resolve`, {
    to,
    note: 'Confirmed by telephone',
    evidence_ref: 'CASE-17',
    ...more,
  });
/** Every payload of a history, as it can be read in the Temporal UI. */
function textsIn(value: unknown): string[] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const events = (id: string): Promise<Json[]> =>
  platform.sql(`SELECT kind FROM ${SANDBOX_CELL}.events WHERE resource_id = $1`, [id]);

test('a paused transfer is completed with evidence, and the evidence stays in the trail only', async () => {
  const before = await partner.balanceKobo(walletId);
  const id = await held();
  const answer = await resolve(id, 'completed');
  expect(answer).toMatchObject({ status: 200, body: { data: { id, status: 'completed' } } });
  expect(await partner.balanceKobo(walletId)).toBe(before - DEBIT_KOBO);
  expect(await events(id)).toEqual([{ kind: 'transaction.completed' }]);

  const trail = await platform.sql(
    'SELECT phase, detail FROM platform.audit WHERE request_id = $1 ORDER BY sequence',
    [answer.headers.get('x-request-id')],
  );
  expect(trail.map(({ phase }) => phase)).toEqual(['asked', 'done']);
  expect(JSON.parse(trail[0]!['detail'])).toMatchObject({
    note: 'Confirmed by telephone',
    evidenceRef: 'CASE-17',
  });
  expect(JSON.parse(trail[1]!['detail'])).toEqual({ status: 200, providerSays: 'unknown' });
  const history = await platform.operator.workflow.getHandle(`bank-transfer/${id}`).fetchHistory();
  const texts = textsIn(history);
  expect(texts).toEqual(expect.arrayContaining([expect.stringContaining('completed')]));
  expect(texts.filter((text) => /CASE-17|telephone/.test(text))).toEqual([]);

  expect(await resolve(id, 'failed')).toMatchObject({
    status: 422,
    body: { error: 'TRANSACTION_NOT_PROCESSING' },
  });
  expect(await resolve(id, 'completed')).toMatchObject({ status: 200 });
});

test('a paused transfer is failed with the reason for the partner, and the money comes back in full', async () => {
  const before = await partner.balanceKobo(walletId);
  const id = await held();
  const answer = await resolve(id, 'failed', { failure_reason: 'Beneficiary account is dormant' });
  expect(answer.body.data).toMatchObject({
    status: 'failed',
    failed_reason: 'Beneficiary account is dormant',
  });
  expect(await partner.balanceKobo(walletId)).toBe(before);
  expect(await events(id)).toEqual([{ kind: 'transaction.failed' }]);
});

test('one operator alone does not fail a live transfer; a second one does, once, and the debit comes back', async () => {
  const { partnerId } = partner;
  const live = await platform.inLive(partner, url);
  await platform.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [partnerId]);
  const [bola, chidi] = [await platform.openOperator(), await platform.openOperator()];
  const path = `/ops/live/partners/${partnerId}`;
  // The partner may have been remembered as registered.
  const { id: source } = await until('a live wallet', async () => {
    const { status, body } = await live.post('/v1/wallets', { user_ref: 'ada' });
    return status === 202 && body.data;
  });
  await until('its account', async () => {
    const { data } = (await live.get(`/v1/wallets/${source}`)).body;
    return data.wallet.status === 'active';
  });
  // Nobody pays in live before a check of the owner (D123).
  await live.post('/v1/kyc/bvn', { user_ref: 'ada', bvn: '22222222222' });
  await until('the verification', async () => {
    const { data } = (await live.get('/v1/kyc/ada/status')).body;
    return data.verifications[0].status === 'verified';
  });
  const credit = { wallet_id: source, direction: 'credit', amount_kobo: FUNDED_KOBO, reason: 'Float' };
  await approvedBy(await operator.post(`${path}/adjustments`, credit), bola, chidi);
  const { reply } = await live.bankTransfer(source);
  const { id } = reply.body.data;
  expect(await live.balanceKobo(source)).toBe(FUNDED_KOBO - DEBIT_KOBO);

  const evidence = { to: 'failed', note: 'Confirmed by telephone', evidence_ref: 'CASE-18' };
  const proposed = await operator.post(`${path}/bank-transfers/${id}/resolve`, evidence);
  expect(await approvedBy(proposed, operator)).toMatchObject({ status: 403 });
  expect(await live.balanceKobo(source)).toBe(FUNDED_KOBO - DEBIT_KOBO);
  const approvals = await Promise.all([approvedBy(proposed, bola), approvedBy(proposed, bola)]);
  expect(approvals.map(({ status }) => status)).toEqual([200, 200]);
  expect(await live.balanceKobo(source)).toBe(FUNDED_KOBO);
  expect(await platform.sql(`SELECT status FROM ${LIVE_CELL}.transactions WHERE id = $1`, [id])).toEqual([
    { status: 'failed' },
  ]);
});

test('two operators who disagree at the same moment: one decides, the other gets that decision', async () => {
  const id = await held();
  const answers = await Promise.all([resolve(id, 'completed'), resolve(id, 'failed')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await events(id)).toHaveLength(1);
});

test('a process that is told to end is first not ready, serves during the notice, and then ends', async () => {
  const api = await platform.startChild('api', { DRAIN_NOTICE_MS: '3000' });
  const ask = (port: number, path: string) => send(`http://127.0.0.1:${port}${path}`, 'GET');
  expect(await ask(api.operatorPort, '/ready')).toMatchObject({ status: 200 });
  api.signal('SIGTERM');
  await until('a 503 of /ready', async () => (await ask(api.operatorPort, '/ready')).status === 503);
  const served = await ask(api.port, '/health');
  expect(served).toMatchObject({ status: 200 });
  // The caller does not use this connection again, so none in use is reset when the port is closed.
  expect(served.headers.get('connection')).toBe('close');
  expect(await ask(api.operatorPort, '/live')).toMatchObject({ status: 200 });
  expect(await api.ended).toBe('code 0');
});

test('a worker also has the probes, and counts the attempts of deliveries', async () => {
  const worker = await platform.startChild('worker');
  const ask = (path: string) => send(`http://127.0.0.1:${worker.operatorPort}${path}`, 'GET');
  expect(await ask('/live')).toMatchObject({ status: 200 });
  expect(await ask('/ready')).toMatchObject({ status: 200, body: { status: 'ready' } });
  expect((await ask('/metrics')).text).toContain('# TYPE webhook_attempts_total counter');
  expect(await ask('/ops/partners')).toMatchObject({ status: 404 });
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe('code 0');
});
