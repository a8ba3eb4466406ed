/**
 * The published interface (interface: Events), line by line: which events are sent, to whom, in which bytes, and
 * how often.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { Answer as Said, Delivery } from '../support/receiver';
import { until } from '../support/until';
import { UUID, type Client, type Json, type Listener, type Service } from './client';
import { openOwnService } from './own-service';

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const BANK_FEE = 5_000;
/** A transfer to it completes, and its bank returns it afterwards. */
const RETURNING_ACCOUNT = '0123450505';
const EVERYTHING = [
  'transaction.completed',
  'transaction.failed',
  'wallet.activated',
  'kyc.verified',
  'kyc.failed',
  'transaction.reversed',
  'transaction.expired',
];

let service: Service;
let partner: Client;
let hook: Listener;
let source: string;
let dest: string;

/** A receiver that does not simply accept its deliveries. */
interface Trial {
  client: Client;
  listener: Listener;
  /** When each attempt came. */
  at: number[];
}
let trials: Record<'failsOnce' | 'wishes' | 'redirects' | 'gone' | 'silent', Trial>;
let elsewhere: Listener;
/** When the failure of the silent receiver was seen. */
let silence: Promise<number>;
/** The transaction of a session that nobody dials. */
let undialled: Json;

beforeAll(async () => {
  service = await openOwnService({
    // An empty variable counts as not set, so the published schedule applies.
    WEBHOOK_RETRY_MS: '',
    SANDBOX_KYC_MS: '50,100',
    USSD_SESSION_MS: '8000',
  });
  partner = await service.partner();
  hook = await partner.listen(EVERYTHING);
  [source, dest] = await Promise.all([partner.wallet(50_000_000), partner.wallet()]);
  undialled = await ussdSession();
  // These trials take long, so they begin now.
  elsewhere = await (await service.partner()).listen();
  trials = {
    failsOnce: await trial((_delivery, before) => (before === 0 ? 500 : 200)),
    wishes: await trial((_delivery, before) =>
      before === 0 ? { status: 503, headers: { 'Retry-After': '7' } } : 200,
    ),
    redirects: await trial(() => ({ status: 302, headers: { Location: elsewhere.url } })),
    gone: await trial(() => 410),
    silent: await trial(() => 'silence'),
  };
  silence = until('the failure of the silent receiver', async () => {
    return (await endpointOf(trials.silent)).failure_count > 0 && Date.now();
  });
});
afterAll(() => service.close());

async function trial(say: (delivery: Delivery, before: number) => Said): Promise<Trial> {
  const client = await service.partner();
  const at: number[] = [];
  const listener = await client.listen(['transaction.completed'], (delivery, before) => {
    at.push(Date.now());
    return say(delivery, before);
  });
  await fund(await client.wallet(), client);
  return { client, listener, at };
}

const newReference = (): string => `order-${randomUUID()}`;
const endpointOf = async ({ client }: Trial): Promise<Json> =>
  (await client.get('/v1/webhooks')).body.data[0];

const fund = async (walletId: string, by = partner): Promise<string> =>
  (await by.post(`/sandbox/wallets/${walletId}/fund`, { amount_kobo: 5 })).body.transaction_id;

async function p2p(reference = newReference()): Promise<Json> {
  const body = { source_wallet: source, dest_wallet: dest, amount: 1_000, reference };
  return (await partner.post('/v1/transfers/p2p', body)).body.data;
}

async function bankTransfer(accountNumber = '0123456789', headers = {}): Promise<Json> {
  const body = {
    source_wallet: source,
    dest_account: { bank_code: '058', account_number: accountNumber, account_name: 'ADA OBI' },
    amount: 10_000,
    reference: newReference(),
  };
  return (await partner.post('/v1/transfers/bank', body, headers)).body.data;
}

async function qrPayment(): Promise<Json> {
  const asked = { wallet_id: dest, amount: 300, reference: newReference() };
  const { reference } = (await partner.post('/v1/payments/qr/create', asked)).body.data;
  const paid = await partner.post('/v1/payments/qr/pay', { qr_reference: reference, source_wallet: source });
  return paid.body.data;
}

async function split(): Promise<Json> {
  const splits = [1, 2].map((amount) => ({ wallet_id: dest, amount }));
  const body = { source_wallet: source, reference: newReference(), splits };
  return (await partner.post('/v1/payments/split', body)).body.data;
}

async function ussdSession(payer = source): Promise<Json> {
  const body = {
    wallet_id: payer,
    merchant_wallet_id: dest,
    amount: 700,
    reference: newReference(),
    phone: '+2348012345678',
  };
  const { session_id: sessionId } = (await partner.post('/v1/payments/ussd/initiate', body)).body.data;
  return (await partner.get(`/v1/payments/ussd/${sessionId}`)).body.data;
}
const simulate = (session: Json, action: string) =>
  partner.post('/v1/sandbox/ussd/simulate', { session_id: session.session_id, action });

/** The one event about a resource, after a check of its envelope and its signature. */
const heard = async (kind: string, data: Json, at = hook): Promise<Json> => (await at.heard(kind, data)).data;

describe('event kinds', () => {
  test('`transaction.completed`: P2P, immediately', async () => {
    const { id, status } = await p2p();
    expect(status).toBe('completed');
    await heard('transaction.completed', { id });
  });

  test('`transaction.completed`: bank transfer, on provider success', async () => {
    const { id, status } = await bankTransfer();
    expect(status).toBe('processing');
    await heard('transaction.completed', { id });
    expect((await partner.transaction(id)).status).toBe('completed');
  });

  test('`transaction.completed`: USSD payment, on completion', async () => {
    const session = await ussdSession();
    await simulate(session, 'confirm');
    await heard('transaction.completed', { id: session.transaction_id });
  });

  test('`transaction.failed`: a bank transfer fails', async () => {
    const { id } = await bankTransfer('0123450000');
    await heard('transaction.failed', { id });
  });

  test.each<[what: string, fail: () => Promise<Json>]>([
    [
      'is cancelled',
      async () => {
        const session = await ussdSession();
        await simulate(session, 'cancel');
        return session;
      },
    ],
    [
      'fails',
      async () => {
        const session = await ussdSession(await partner.wallet());
        await simulate(session, 'confirm');
        return session;
      },
    ],
  ])('`transaction.failed`: a USSD session %s', async (_what, fail) => {
    const session = await fail();
    await heard('transaction.failed', { id: session.transaction_id });
  });

  test.each([
    ['complete', 'transaction.completed'],
    ['fail', 'transaction.failed'],
  ])('the sandbox %s operation fires `%s`', async (operation, kind) => {
    const { id } = await bankTransfer('0123456789', { 'X-Sandbox-Hold': 'true' });
    await partner.post(`/v1/sandbox/bank-transfer/${operation}`, { transaction_id: id });
    await heard(kind, { id });
  });

  test('`wallet.activated`: a pending wallet becomes active', async () => {
    const { id } = (await partner.post('/v1/wallets', { user_ref: `user-${randomUUID()}` })).body.data;
    await heard('wallet.activated', { id });
  });

  test('`kyc.verified` and `kyc.failed`: a verification succeeds, a verification fails', async () => {
    for (const [bvn, kind] of [
      ['22222222222', 'kyc.verified'],
      ['00000000000', 'kyc.failed'],
    ] as const) {
      const { body } = await partner.post('/v1/kyc/bvn', { user_ref: `user-${randomUUID()}`, bvn });
      await heard(kind, { verification_id: body.data.verification_id });
    }
  });
});

describe('each registered endpoint whose `events` list includes the kind', () => {
  /** The kinds that each subscription gets for a P2P transfer, a bank transfer, a failed one, and a funding. */
  test.each<[events: string[], heardAs: (string | null)[]]>([
    [
      ['transaction.completed'],
      ['transaction.completed', 'transaction.completed', null, 'transaction.completed'],
    ],
    [['transaction.failed'], [null, null, 'transaction.failed', null]],
    [['transfer.completed'], ['transfer.completed', 'transfer.completed', null, null]],
    [['transfer.failed'], [null, null, 'transfer.failed', null]],
    [
      ['transfer.completed', 'transaction.completed'],
      ['transaction.completed', 'transaction.completed', null, 'transaction.completed'],
    ],
    [
      ['transfer.completed', 'transaction.failed'],
      ['transfer.completed', 'transfer.completed', 'transaction.failed', null],
    ],
    [
      ['wallet.activated', 'kyc.failed'],
      [null, null, null, null],
    ],
  ])('%j', async (events, heardAs) => {
    const listener = await partner.listen(events);
    const transactions = [await p2p(), await bankTransfer(), await bankTransfer('0123450000')];
    const ids: string[] = [...transactions.map(({ id }) => id), await fund(source)];
    for (const id of ids) await until(`the end of ${id}`, () => aboutAt(hook, id)[0]);
    await flushed(listener);
    expect(ids.map((id) => aboutAt(listener, id).map(({ body }) => body.event))).toEqual(
      heardAs.map((name) => (name === null ? [] : [name])),
    );
    await partner.delete(`/v1/webhooks/${listener.endpointId}`);
  });

  test('not to another partner', async () => {
    const other = await service.partner();
    const stranger = await other.listen();
    const { id } = await p2p();
    await heard('transaction.completed', { id });
    await flushed(stranger, other);
    expect(aboutAt(stranger, id)).toEqual([]);
  });
});

const aboutAt = ({ deliveries }: Listener, id: string): Delivery[] =>
  deliveries.filter(({ body }) => body.data.id === id);

/** Waits for a test delivery; everything that was due at the endpoint before it has been sent then. */
async function flushed({ endpointId, heard: hears }: Listener, by = partner): Promise<void> {
  await by.post(`/v1/webhooks/${endpointId}/test`, {});
  await hears('webhook.test', {});
}

describe('delivery envelope', () => {
  test('`event`, `data`, `timestamp`, `webhook_id`, and nothing else', async () => {
    const { id } = await p2p();
    const envelope = await hook.heard('transaction.completed', { id });
    expect(envelope).toEqual({
      event: 'transaction.completed',
      data: expect.any(Object),
      timestamp: TIMESTAMP,
      webhook_id: expect.stringMatching(/^wh_/),
    });
  });

  test('sent as a POST of JSON, the body as bytes of the envelope', async () => {
    const { id } = await p2p();
    const delivery = await until('the delivery', () => aboutAt(hook, id)[0]);
    expect(delivery.headers['content-type']).toMatch(/^application\/json\b/);
    expect(JSON.parse(delivery.text)).toEqual(delivery.body);
  });

  test('`webhook_id` is unique: another one for every event and endpoint', async () => {
    const other = await partner.listen(['transaction.completed']);
    const ids = [(await p2p()).id, (await p2p()).id];
    const webhookIds: string[] = [];
    for (const at of [hook, other]) {
      for (const id of ids) webhookIds.push((await at.heard('transaction.completed', { id })).webhook_id);
    }
    expect(new Set(webhookIds).size).toBe(4);
    await partner.delete(`/v1/webhooks/${other.endpointId}`);
  });
});

describe('payloads of `data`', () => {
  test('transaction.completed, p2p_transfer', async () => {
    const { id, reference, created_at } = await p2p();
    expect(await heard('transaction.completed', { id })).toEqual({
      id,
      type: 'p2p_transfer',
      status: 'completed',
      reference,
      amount_kobo: 1_000,
      source_wallet_id: source,
      dest_wallet_id: dest,
      created_at,
    });
  });

  test('transaction.completed, ussd_payment', async () => {
    const session = await ussdSession();
    await simulate(session, 'confirm');
    const id = session.transaction_id;
    expect(await heard('transaction.completed', { id })).toEqual({
      id,
      type: 'ussd_payment',
      status: 'completed',
      reference: session.reference,
      amount_kobo: 700,
      session_id: session.session_id,
      completed_at: (await partner.transaction(id)).completed_at,
    });
  });

  test('transaction.completed, bank_transfer', async () => {
    const { id, reference } = await bankTransfer();
    const data = await heard('transaction.completed', { id });
    const { psp_reference, completed_at } = await partner.transaction(id);
    expect(psp_reference).toMatch(/^SBX_/);
    expect(data).toEqual({
      id,
      type: 'bank_transfer',
      status: 'completed',
      reference,
      amount_kobo: 10_000,
      psp_reference,
      completed_at,
      name_matches: false,
    });
  });

  test('transaction.failed, bank_transfer: with the `reversal` object, and `reversal_status` beside it', async () => {
    const { id, reference } = await bankTransfer('0123450000');
    const data = await heard('transaction.failed', { id });
    expect(data).toEqual({
      id,
      type: 'bank_transfer',
      status: 'failed',
      reference,
      amount_kobo: 10_000,
      failure_reason: (await partner.transaction(id)).failed_reason,
      reversal: { reversed: true, reversal_tx_id: UUID, amount_kobo: 10_000 + BANK_FEE },
      reversal_status: 'completed',
      name_matches: false,
    });
    expect(await partner.transaction(data.reversal.reversal_tx_id)).toMatchObject({
      type: 'reversal',
      amount: 10_000 + BANK_FEE,
      dest_wallet: source,
    });
  });

  test('transaction.failed, ussd_payment', async () => {
    const session = await ussdSession();
    await simulate(session, 'cancel');
    const id = session.transaction_id;
    expect(await heard('transaction.failed', { id })).toEqual({
      id,
      type: 'ussd_payment',
      status: 'failed',
      reference: session.reference,
      amount_kobo: 700,
      session_id: session.session_id,
      failure_reason: expect.stringMatching(/./),
      reversal: { reversed: false, reversal_tx_id: null, amount_kobo: 0 },
    });
  });

  test.each<[type: string, move: () => Promise<Json>, from: () => string | null]>([
    ['qr_payment', qrPayment, () => source],
    ['split_payment', async () => (await split())[0], () => source],
    ['wallet_funding', async () => partner.transaction(await fund(dest)), () => null],
  ])('transaction.completed, %s: as p2p_transfer', async (type, move, from) => {
    const { id, reference, amount, created_at } = await move();
    expect(await heard('transaction.completed', { id })).toEqual({
      id,
      type,
      status: 'completed',
      reference,
      amount_kobo: amount,
      source_wallet_id: from(),
      dest_wallet_id: dest,
      created_at,
    });
  });

  test('split_payment: one event for every leg', async () => {
    const legs = await split();
    expect(legs).toHaveLength(2);
    for (const { id, amount } of legs) await heard('transaction.completed', { id, amount_kobo: amount });
  });

  test('wallet.activated', async () => {
    const { id, user_ref, created_at } = (
      await partner.post('/v1/wallets', { user_ref: `user-${randomUUID()}` })
    ).body.data;
    const data = await heard('wallet.activated', { id });
    const { wallet } = (await partner.get(`/v1/wallets/${id}`)).body.data;
    expect(data).toEqual({
      id,
      user_ref,
      status: 'active',
      account_number: wallet.account_number,
      account_name: wallet.account_name,
      bank_code: wallet.bank_code,
      bank_name: wallet.bank_name,
      account_status: 'active',
      created_at,
      activated_at: TIMESTAMP,
    });
    expect(data.account_number).toMatch(/^\d{10}$/);
  });

  test.each([
    ['kyc.verified', '22222222222', { status: 'verified', verified_at: TIMESTAMP }],
    ['kyc.failed', '00000000000', { status: 'failed', failure_reason: 'BVN_NOT_FOUND' }],
  ])('%s, of an end user', async (kind, bvn, more) => {
    const userRef = `user-${randomUUID()}`;
    const { body } = await partner.post('/v1/kyc/bvn', { user_ref: userRef, bvn });
    const { verification_id } = body.data;
    expect(await heard(kind, { verification_id })).toEqual({
      verification_id,
      user_ref: userRef,
      type: 'bvn',
      subject: 'end_user',
      ...more,
    });
  });

  test('kyc.verified and kyc.failed, of a director', async () => {
    const directors = ['22222222222', '00000000000'].map((bvn) => ({
      full_name: 'Ada Obi',
      role: 'CEO',
      bvn,
    }));
    await partner.post('/v1/partner/compliance/directors', { directors });
    const director = {
      verification_id: UUID,
      user_ref: null,
      director_id: UUID,
      type: 'bvn',
      subject: 'director',
    };
    expect(await heard('kyc.verified', { subject: 'director' })).toEqual({
      ...director,
      status: 'verified',
      verified_at: TIMESTAMP,
    });
    expect(await heard('kyc.failed', { subject: 'director' })).toEqual({
      ...director,
      status: 'failed',
      failure_reason: 'BVN_NOT_FOUND',
    });
  });

  test('a completed bank transfer that comes back: `transaction.reversed`, or `transaction.failed` to an endpoint without it', async () => {
    const other = await partner.listen(['transaction.failed']);
    const { id, reference } = await bankTransfer(RETURNING_ACCOUNT);
    await heard('transaction.completed', { id });
    const data = await heard('transaction.reversed', { id });
    expect(data).toEqual({
      id,
      type: 'bank_transfer',
      status: 'reversed',
      reference,
      amount_kobo: 10_000,
      failure_reason: expect.stringMatching(/./),
      reversal: { reversed: true, reversal_tx_id: UUID, amount_kobo: 10_000 + BANK_FEE },
      reversal_status: 'completed',
    });
    expect(await heard('transaction.failed', { id }, other)).toEqual(data);
    await flushed(hook);
    const names = aboutAt(hook, id).map(({ body }) => body.event);
    expect(names.sort()).toEqual(['transaction.completed', 'transaction.reversed']);
    await partner.delete(`/v1/webhooks/${other.endpointId}`);
  });

  test('a USSD session that expires: `transaction.expired`, to endpoints that subscribed to it', async () => {
    const { transaction_id: id, session_id, reference, expires_at } = undialled;
    expect(await heard('transaction.expired', { id })).toEqual({
      id,
      type: 'ussd_payment',
      status: 'expired',
      reference,
      amount_kobo: 700,
      session_id,
      expires_at,
    });
    expect(aboutAt(hook, id)).toHaveLength(1);
  });
});

describe('rules', () => {
  test('1. the webhook is the authoritative signal: it comes even if the answer is lost', async () => {
    const reference = newReference();
    const body = JSON.stringify({ source_wallet: source, dest_wallet: dest, amount: 5, reference });
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    // The test never reads the answer.
    socket.pause();
    socket.write(
      [
        'POST /v1/transfers/p2p HTTP/1.1',
        `Host: ${hostname}`,
        `Authorization: Bearer ${partner.key}`,
        'Content-Type: application/json',
        `Content-Length: ${String(body.length)}`,
        '',
        body,
      ].join('\r\n'),
    );
    expect(await heard('transaction.completed', { reference })).toMatchObject({ status: 'completed' });
    socket.destroy();
  });

  test('2. a receiver locates its order by `reference`: it is the partner’s, in every payload of a transaction', () => {
    const told = hook.deliveries.filter(({ body }) => body.event.startsWith('transaction.'));
    const own = told.filter(({ body }) => body.data.type !== 'wallet_funding');
    expect(own.length).toBeGreaterThan(10);
    for (const { body } of own) expect(body.data.reference).toMatch(/^order-/);
  });

  test('3. retries exist: a failed delivery comes again after 5 seconds, the same id and bytes', async () => {
    const { listener, at } = trials.failsOnce;
    await until('the second attempt', () => at.length === 2);
    // The published 5 seconds, minus at most ten per cent.
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(4_500);
    const [first, second] = listener.deliveries;
    expect(second!.text).toBe(first!.text);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp']);
    await until(
      'the success on the record',
      async () => (await endpointOf(trials.failsOnce)).last_success_at,
    );
    expect(await endpointOf(trials.failsOnce)).toMatchObject({ failure_count: 0, is_active: true });
  });

  test('3. `Retry-After` of the receiver is honoured', async () => {
    const { at } = trials.wishes;
    await until('the second attempt', () => at.length === 2);
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(7_000);
  });

  test('3. a redirect is a failure, and is not followed', async () => {
    await until('the failure', async () => (await endpointOf(trials.redirects)).failure_count > 0);
    expect(await endpointOf(trials.redirects)).toMatchObject({ is_active: true, last_success_at: null });
    expect(elsewhere.deliveries).toEqual([]);
  });

  test('3. a receiver that does not answer has failed after 10 seconds', async () => {
    // The upper bound is higher, because the test looks at the endpoint only now and then.
    expect((await silence) - trials.silent.at[0]!).toBeLessThan(12_000);
    expect(await endpointOf(trials.silent)).toMatchObject({ is_active: true, last_success_at: null });
  });

  test('3. a receiver that answers 410 gets nothing more', async () => {
    const { client, listener } = trials.gone;
    await until('the end of the endpoint', async () => !(await endpointOf(trials.gone)).is_active);
    const other = await client.listen(['transaction.completed']);
    const id = await fund(await client.wallet(), client);
    await other.heard('transaction.completed', { id });
    expect(listener.deliveries).toHaveLength(1);
  });

  test('5. the provider callback is not for partners: 404 for an unknown provider, 401 without its signature', async () => {
    const nobody = service.as(null);
    expect(await nobody.post('/v1/providers/nobody/callback', {})).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND' },
    });
    for (const caller of [nobody, partner]) {
      expect(await caller.post('/v1/providers/simulator/callback', {})).toMatchObject({
        status: 401,
        body: { error: 'INVALID_TOKEN' },
      });
    }
  });
});

describe('4. signature: Standard Webhooks', () => {
  /** Makes the signature as the documentation says, without any library. */
  const signatureOf = (secret: string, id: string, timestamp: string, text: string): string => {
    const key = Buffer.from(secret.replace('sk_wh_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`;
  };

  test('the published example', () => {
    const body =
      '{"event":"transaction.completed","data":{"id":"7b0e2c7a-6f0e-4b2e-9b6d-0d1c2f3a4b5c"},' +
      '"timestamp":"2026-11-21T00:00:00.000Z","webhook_id":"wh_01"}';
    expect(signatureOf('sk_wh_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'wh_01', '1795219200', body)).toBe(
      'v1,sJeW6rwMnAQ/HYT0NuEbzvuiNhh7Po63ErRic4sA8AE=',
    );
  });

  test('`webhook-id` is `webhook_id`, `webhook-timestamp` the unix time, `webhook-signature` fits this secret only', async () => {
    const other = await partner.listen(['transaction.completed']);
    const { id } = await p2p();
    for (const { secret, deliveries } of [hook, other]) {
      const delivery = await until('the delivery', () => deliveries.find(({ body }) => body.data.id === id));
      const { 'webhook-id': webhookId, 'webhook-timestamp': timestamp } = delivery.headers as Record<
        string,
        string
      >;
      expect(webhookId).toBe(delivery.body.webhook_id);
      expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(300);
      const signature = signatureOf(secret, webhookId!, timestamp!, delivery.text);
      expect(delivery.headers['webhook-signature']).toBe(signature);
      const altered = delivery.text.replace('1000', '1001');
      expect(altered).not.toBe(delivery.text);
      expect(signatureOf(secret, webhookId!, timestamp!, altered)).not.toBe(signature);
    }
    expect(other.secret).not.toBe(hook.secret);
    await partner.delete(`/v1/webhooks/${other.endpointId}`);
  });
});
