/** Callbacks of providers (D115, D155, R23): signatures, what is kept, and that none of them moves money. */
import { CALLBACK_SECRETS, callbackBody, sendCallback } from '../support/callbacks';
import { openWorld } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { simulatorSignature } from '../../src/wire/provider-callbacks';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let url: string;
let source: string;
beforeAll(async () => {
  url = `http://127.0.0.1:${api.port}`;
  source = await partner.wallet({ fundKobo: 1_000_000 });
});

let count = 0;
async function transfer(): Promise<string> {
  const answer = await partner.post('/v1/transfers/bank', {
    source_wallet: source,
    dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
    amount: 10_000,
    reference: `called-back-${(count += 1)}`,
  });
  return answer.body.data.id;
}
const kept = (eventId: string, cell = SANDBOX_CELL) =>
  world.sql(`SELECT * FROM ${cell}.provider_callbacks WHERE event_id = $1`, [eventId]);
const ledgerOf = async (id: string) =>
  (
    await world.sql(
      `SELECT t.status, count(e.id)::int AS entries FROM ${SANDBOX_CELL}.transactions t
         LEFT JOIN ${SANDBOX_CELL}.entries e ON e.transaction_id = t.id WHERE t.id = $1 GROUP BY t.id`,
      [id],
    )
  )[0];
const UNTOUCHED = { status: 'processing', entries: 3 };

test('a genuine callback: 200 at once, kept with its bytes, waiting to be told to the workflow', async () => {
  const id = await transfer();
  const body = callbackBody(id);
  const answer = await sendCallback(url, body);
  expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await kept(body.event_id)).toMatchObject([
    {
      provider: 'simulator',
      partner_id: partner.id,
      transaction_id: id,
      provider_reference: `SBX_${id}`,
      outcome: 'success',
      amount_kobo: '10000',
      currency: 'NGN',
      body: JSON.stringify(body),
      told_at: null,
    },
  ]);
  expect(await ledgerOf(id)).toEqual(UNTOUCHED);
});

test('the same event again, and ten at once: 200 each, kept once', async () => {
  const body = callbackBody(await transfer());
  const answers = await Promise.all(Array.from({ length: 10 }, () => sendCallback(url, body)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await kept(body.event_id)).toHaveLength(1);
});

describe('without a right signature: 401 INVALID_TOKEN, and nothing is kept', () => {
  test.each<[string, (text: string) => Parameters<typeof sendCallback>[2]]>([
    ['none', () => ({ headers: { 'X-Simulator-Signature': '' } })],
    ['of another secret', () => ({ secret: 'another secret' })],
    ['without its prefix', () => ({ headers: { 'X-Simulator-Signature': 'ab'.repeat(32) } })],
    ['cut short', () => ({ headers: { 'X-Simulator-Signature': 'sha256=ab' } })],
    ['not of these bytes', () => ({ headers: { 'X-Simulator-Signature': `sha256=${'0'.repeat(64)}` } })],
  ])('%s', async (_what, options) => {
    const body = callbackBody(await transfer());
    const answer = await sendCallback(url, body, options(JSON.stringify(body)));
    expect(answer).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
    expect(await kept(body.event_id)).toEqual([]);
  });

  test('the bytes altered by one', async () => {
    const body = callbackBody(await transfer());
    const text = JSON.stringify(body);
    const signature = simulatorSignature(text, CALLBACK_SECRETS.sandbox);
    const answer = await sendCallback(url, text.replace('10000', '10001'), {
      headers: { 'X-Simulator-Signature': signature },
    });
    expect(answer.status).toBe(401);
    expect(await kept(body.event_id)).toEqual([]);
  });

  test('again and again from one address: 429 with Retry-After, while genuine ones pass', async () => {
    const other = await openWorld();
    const careful = await other.startApi({ RATE_LIMIT_UNAUTHENTICATED: '3' });
    const at = `http://127.0.0.1:${careful.port}`;
    const body = callbackBody('not-one-of-ours');
    const statuses: number[] = [];
    for (let sent = 0; sent < 5; sent++) {
      statuses.push((await sendCallback(at, body, { secret: 'guessed' })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const refused = await sendCallback(at, body, { secret: 'guessed' });
    expect(refused.body).toMatchObject({ error: 'RATE_LIMIT_EXCEEDED' });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await sendCallback(at, body)).status).toBe(200);
    await other.close();
  });
});

test.each(['paystack', 'Simulator', '__proto__', 'constructor', 'a%20b'])(
  'the unknown provider %s: 404 without credentials',
  async (provider) => {
    const answer = await sendCallback(url, {}, { provider });
    expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  },
);

test('another method: 405 with Allow', async () => {
  const answer = await api.call('GET', '/v1/providers/simulator/callback');
  expect(answer.status).toBe(405);
  expect(answer.headers.get('Allow')).toBe('POST, OPTIONS');
});

describe('signed, but without content that can be kept: 422 VALIDATION_ERROR', () => {
  const without = (field: string) => {
    const { [field]: _gone, ...body } = callbackBody('01980000-0000-7000-8000-00000000dead');
    return body as unknown;
  };
  test.each<[string, unknown]>([
    ['not JSON', '{'],
    ['a list', []],
    ['no event_id', without('event_id')],
    ['no transaction_id', without('transaction_id')],
    ['no provider_reference', without('provider_reference')],
    ['no outcome', without('outcome')],
    ['no amount', without('amount_kobo')],
    ['no time', without('occurred_at')],
    ['an amount as text', callbackBody('x', { amount_kobo: '10000' })],
    ['half a kobo', callbackBody('x', { amount_kobo: 0.5 })],
    ['a time that is none', callbackBody('x', { occurred_at: 'yesterday' })],
    ['an event_id of 129 characters', callbackBody('x', { event_id: 'e'.repeat(129) })],
    ['__proto__ as a key', '{"__proto__": {}}'],
  ])('%s', async (_what, body) => {
    expect(await sendCallback(url, body)).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR' },
    });
  });
});

test('a body beyond the limit: 413, whoever signed it', async () => {
  const answer = await sendCallback(url, callbackBody('x', { more: 'x'.repeat(300_000) }));
  expect(answer).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
});

describe('signed, but contradicts our books: 200, kept, no workflow is told, nothing moves', () => {
  test.each<[string, Record<string, unknown>]>([
    ['another amount', { amount_kobo: 10_001 }],
    ['another currency', { currency: 'USD' }],
    ['an outcome that nobody knows', { outcome: 'weird' }],
  ])('%s', async (_what, more) => {
    const id = await transfer();
    const body = callbackBody(id, more);
    expect(await sendCallback(url, body)).toMatchObject({ status: 200 });
    expect(await kept(body.event_id)).toMatchObject([{ transaction_id: id, told_at: expect.any(Date) }]);
    expect(await ledgerOf(id)).toEqual(UNTOUCHED);
  });

  test.each(['01980000-0000-7000-8000-00000000dead', 'not-one-of-ours'])(
    'the unknown transaction %s',
    async (name) => {
      const body = callbackBody(name);
      expect(await sendCallback(url, body)).toMatchObject({ status: 200 });
      const rows = (
        await Promise.all([...api.environments.sandbox.cells.keys()].map((cell) => kept(body.event_id, cell)))
      ).flat();
      expect(rows).toMatchObject([{ partner_id: null, transaction_id: null, told_at: expect.any(Date) }]);
    },
  );
});

describe('the environment is the one whose secret made the signature', () => {
  test('live without providers does not know the simulator: its signature is not good', async () => {
    const answer = await sendCallback(url, callbackBody('x'), { secret: CALLBACK_SECRETS.live });
    expect(answer.status).toBe(401);
  });

  test('rehearsed live: a callback signed with its secret finds the transfers of live and no others', async () => {
    const rehearsal = await world.startApi({ LIVE_PROVIDERS: 'simulator' });
    const at = `http://127.0.0.1:${rehearsal.port}`;
    const trader = await rehearsal.partner({ environment: 'live', status: 'active' });
    const wallet = await trader.wallet({ fundKobo: 100_000 });
    const sent = await trader.post('/v1/transfers/bank', {
      source_wallet: wallet,
      dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
      amount: 10_000,
      reference: 'live-1',
    });
    expect(sent.status).toBe(202);
    const about = callbackBody(sent.body.data.id);
    expect((await sendCallback(at, about, { secret: CALLBACK_SECRETS.live })).status).toBe(200);
    expect(await kept(about.event_id, LIVE_CELL)).toMatchObject([{ transaction_id: sent.body.data.id }]);

    const crossing = callbackBody(await transfer());
    expect((await sendCallback(at, crossing, { secret: CALLBACK_SECRETS.live })).status).toBe(200);
    expect(await kept(crossing.event_id)).toEqual([]);
  });
});
