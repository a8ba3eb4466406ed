/**
 * Completing and failing a bank transfer by hand while Temporal is away (interface: Sandbox-only operations; D96,
 * D126, D132, D146).
 */
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expectOutage } from '../support/outage';
import { apiForFile, partnerForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let source: string;
beforeAll(async () => {
  source = await partner.wallet({ fundKobo: 1_000_000 });
});

let count = 0;
async function heldTransfer(): Promise<string> {
  const body = {
    source_wallet: source,
    dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
    amount: 10_000,
    reference: `held-${(count += 1)}`,
  };
  const answer = await partner.post('/v1/transfers/bank', body, { 'X-Sandbox-Hold': 'true' });
  expect(answer.status).toBe(202);
  return answer.body.data.id;
}
const statusOf = async (id: string) =>
  (await world.sql(`SELECT status FROM ${SANDBOX_CELL}.transactions WHERE id = $1`, [id]))[0]?.['status'];

const OPERATIONS = ['complete', 'fail'];
const PATHS = ['/sandbox', '/v1/sandbox'].flatMap((prefix) =>
  OPERATIONS.map((operation) => `${prefix}/bank-transfer/${operation}`),
);

test.each(PATHS)(
  'POST %s: 503 with Retry-After within six seconds, and the transfer goes on',
  async (path) => {
    const id = await heldTransfer();
    const askedAt = Date.now();
    const answer = await partner.post(path, { transaction_id: id, reason: 'asked by hand' });
    expect(Date.now() - askedAt).toBeLessThan(6_000);
    expectOutage(answer);
    expect(await statusOf(id)).toBe('processing');
  },
);

describe.each(OPERATIONS)('POST /v1/sandbox/bank-transfer/%s', (operation) => {
  const end = (body: unknown) => partner.post(`/v1/sandbox/bank-transfer/${operation}`, body);

  test('an absent or foreign transaction: 404 NOT_FOUND', async () => {
    const stranger = await api.partner();
    const [from, to] = [await stranger.wallet({ fundKobo: 1_000 }), await stranger.wallet()];
    const foreign = await stranger.post('/v1/transfers/p2p', {
      source_wallet: from,
      dest_wallet: to,
      amount: 100,
      reference: `foreign-${operation}`,
    });
    for (const id of ['01980000-0000-7000-8000-00000000dead', foreign.body.data.id, source]) {
      expect(await end({ transaction_id: id })).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    }
  });

  test('what is not a bank transfer: 422 TRANSACTION_NOT_PROCESSING', async () => {
    const [funding] = (await partner.get(`/v1/wallets/${source}/transactions?limit=100`)).body.data.slice(-1);
    expect(funding.type).toBe('wallet_funding');
    for (const id of [funding.id, `tx_${funding.id}`]) {
      expect(await end({ transaction_id: id })).toMatchObject({
        status: 422,
        body: { error: 'TRANSACTION_NOT_PROCESSING' },
      });
    }
  });

  test.each([
    ['no transaction_id', {}],
    ['a null one', { transaction_id: null }],
    ['a malformed one', { transaction_id: 'tx_1' }],
    ['a number', { transaction_id: 1 }],
    ['a reason of 501 characters', { transaction_id: source, reason: 'x'.repeat(501) }],
    ['a reason that is a number', { transaction_id: source, reason: 1 }],
  ])('%s: 422 VALIDATION_ERROR', async (_what, body) => {
    expect(await end(body)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });
});

describe('a transfer that ended already needs no Temporal', () => {
  test.each([
    ['completed', 'complete', 200],
    ['completed', 'fail', 422],
    ['failed', 'fail', 200],
    ['failed', 'complete', 422],
  ])('%s, and asked to %s: %d', async (status, operation, expected) => {
    const id = await heldTransfer();
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.transactions
          SET status = $2::text, completed_at = CASE WHEN $2 = 'completed' THEN now() END WHERE id = $1`,
      [id, status],
    );
    const answer = await partner.post(`/sandbox/bank-transfer/${operation}`, { transaction_id: id });
    expect(answer.status).toBe(expected);
    expect(answer.body).toEqual(
      expected === 200
        ? { transaction_id: id, status, result: expect.any(String) }
        : expect.objectContaining({ error: 'TRANSACTION_NOT_PROCESSING' }),
    );
  });
});

describe('a Temporal that resets each call', () => {
  let temporal: Http2Server;
  const sessions = new Set<ServerHttp2Session>();
  beforeAll(async () => {
    temporal = createServer()
      .on('stream', (stream) => stream.on('error', () => undefined).close(2))
      .on('session', (session) => sessions.add(session));
    await new Promise<void>((resolve) => temporal.listen(0, '127.0.0.1', resolve));
  });
  // A client keeps its connection for as long as its process lives.
  afterAll(() => {
    temporal.close();
    for (const session of sessions) session.destroy();
  });

  test.each(OPERATIONS)('%s: 503 with Retry-After, and the transfer goes on', async (operation) => {
    const { port } = temporal.address() as AddressInfo;
    const other = await world.startApi({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
    const id = await heldTransfer();
    const answer = await other.call('POST', `/v1/sandbox/bank-transfer/${operation}`, {
      key: partner.key,
      body: { transaction_id: id, reason: 'asked by hand' },
    });
    expectOutage(answer);
    expect(await statusOf(id)).toBe('processing');
  });
});
