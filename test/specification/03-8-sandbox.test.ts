/**
 * The published interface (interface: Sandbox-only operations), with the sandbox's own behaviour, line by line.
 */
import { randomUUID } from 'node:crypto';
import { openPhone, type Phone } from '../support/phone';
import {
  openService,
  type Answer,
  type Client,
  type Headers,
  type Json,
  type Listener,
  type Service,
} from './client';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const BANK_FEE = 5_000;
const HOLD = { 'X-Sandbox-Hold': 'true' };

let service: Service;
let partner: Client;
let hook: Listener;
/** A wallet with money for every case of the file. */
let source: string;
let dest: string;
beforeAll(async () => {
  service = await openService();
  partner = await service.partner();
  hook = await partner.listen(['transaction.completed', 'transaction.failed']);
  [source, dest] = await Promise.all([partner.wallet(10_000_000), partner.wallet()]);
});
afterAll(() => service.close());

const newReference = (): string => `order-${randomUUID()}`;

/** Sends a bank transfer that waits for complete or fail. @returns its id. */
async function bankTransfer(accountNumber = '0123456789', headers: Headers = HOLD): Promise<string> {
  const body = {
    source_wallet: source,
    dest_account: { bank_code: '058', account_number: accountNumber, account_name: 'ADA OBI' },
    amount: 20_000,
    reference: newReference(),
  };
  const answer = await partner.post('/v1/transfers/bank', body, headers);
  expect([answer.status, answer.body.data.status]).toEqual([202, 'processing']);
  return answer.body.data.id;
}

async function p2pTransfer(amount = 5): Promise<Answer> {
  const body = { source_wallet: source, dest_wallet: dest, amount, reference: newReference() };
  return partner.post('/v1/transfers/p2p', body);
}

/** Asks for a USSD payment. @returns the session's id. */
const ussdSession = async (payer?: string): Promise<string> => (await initiate(payer)).session_id;

/** Asks for a USSD payment. @returns the answer's data. */
async function initiate(payer = source, amount = 700): Promise<Json> {
  const body = {
    wallet_id: payer,
    merchant_wallet_id: dest,
    amount,
    reference: newReference(),
    phone: '+2348012345678',
  };
  const answer = await partner.post('/v1/payments/ussd/initiate', body);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

describe.each(['/sandbox', '/v1/sandbox'])('POST %s/wallets/{wallet_id}/fund', (prefix) => {
  const fund = (walletId: string, body: unknown, headers?: Headers) =>
    partner.post(`${prefix}/wallets/${walletId}/fund`, body, headers);

  test('credits the wallet, simulating an inbound bank transfer; the answer is a flat object', async () => {
    const walletId = await partner.wallet(1_000);
    const answer = await fund(walletId, { amount_kobo: 123_456, note: 'Payday' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      wallet_id: walletId,
      transaction_id: expect.stringMatching(UUID),
      amount_kobo: 123_456,
      balance_kobo: 124_456,
      balance_naira: '1244.56',
      status: 'completed',
      result: 'wallet funded',
      note: 'Payday',
    });
    expect(await partner.balanceKobo(walletId)).toBe(124_456);
    const { transaction_id: id } = answer.body;
    expect(await partner.transaction(id)).toMatchObject({
      type: 'wallet_funding',
      status: 'completed',
      amount: 123_456,
      reference: `fund_${id}`,
      source_wallet: null,
      dest_wallet: walletId,
    });
    await hook.heard('transaction.completed', { id, type: 'wallet_funding', dest_wallet_id: walletId });
  });

  test('without a `note`: null; of 1 kobo; under the same key once', async () => {
    const walletId = await partner.wallet();
    const key = { 'Idempotency-Key': `fund-${walletId}` };
    const first = await fund(walletId, { amount_kobo: 1 }, key);
    expect(first).toMatchObject({ status: 200, body: { balance_kobo: 1, note: null } });
    const again = await fund(walletId, { amount_kobo: 1 }, key);
    expect(again.text).toBe(first.text);
    expect(await partner.balanceKobo(walletId)).toBe(1);
  });

  test.each<[line: string, code: string, body: unknown]>([
    ['no `amount_kobo`', 'VALIDATION_ERROR', { note: 'Payday' }],
    ['`amount_kobo` no integer', 'VALIDATION_ERROR', { amount_kobo: 10.5 }],
    ['`amount_kobo` a string', 'VALIDATION_ERROR', { amount_kobo: '10' }],
    ['`amount_kobo` of 0', 'AMOUNT_TOO_LOW', { amount_kobo: 0 }],
    ['`note` no string', 'VALIDATION_ERROR', { amount_kobo: 10, note: 7 }],
    ['`note` of 501 characters', 'VALIDATION_ERROR', { amount_kobo: 10, note: 'x'.repeat(501) }],
  ])('%s: 422 %s', async (_line, code, body) => {
    expect(await fund(dest, body)).toMatchObject({ status: 422, body: { error: code } });
  });

  test('an unknown wallet, another partner’s, and no uuid: 404 NOT_FOUND', async () => {
    const foreign = await (await service.partner()).wallet();
    for (const id of [randomUUID(), foreign, 'first']) {
      expect(await fund(id, { amount_kobo: 5 })).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    }
  });

  test('pending and frozen wallets are credited, a closed one is 422 WALLET_CLOSED', async () => {
    const { id } = (await partner.post('/v1/wallets', { user_ref: `user-${randomUUID()}` })).body.data;
    expect((await fund(id, { amount_kobo: 5 })).status).toBe(200);
    const frozen = await partner.wallet();
    await partner.post(`/v1/wallets/${frozen}/freeze`, {});
    expect((await fund(frozen, { amount_kobo: 5 })).status).toBe(200);
    const closed = await partner.wallet();
    await partner.post(`/v1/wallets/${closed}/close`, {});
    expect(await fund(closed, { amount_kobo: 5 })).toMatchObject({
      status: 422,
      body: { error: 'WALLET_CLOSED' },
    });
  });
});

describe.each(['/sandbox', '/v1/sandbox'])('POST %s/ussd/simulate', (prefix) => {
  const simulate = (body: unknown) => partner.post(`${prefix}/ussd/simulate`, body);

  test('`confirm` completes the session and fires `transaction.completed`', async () => {
    const before = await partner.balanceKobo(dest);
    const sessionId = await ussdSession();
    const answer = await simulate({ session_id: sessionId, action: 'confirm' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      session_id: sessionId,
      action: 'confirm',
      result: expect.any(String),
      transaction_id: expect.stringMatching(UUID),
    });
    expect(await partner.balanceKobo(dest)).toBe(before + 700);
    const id = answer.body.transaction_id;
    await hook.heard('transaction.completed', { id, type: 'ussd_payment', session_id: sessionId });
    const session = await partner.get(`/v1/payments/ussd/${sessionId}`);
    expect(session.body.data).toMatchObject({ status: 'completed', transaction_id: id });
  });

  test.each<[state: string, dial: (phone: Phone) => Promise<unknown>]>([
    ['initiated', () => Promise.resolve()],
    ['menu_main', (phone) => phone.dial()],
  ])('`cancel` in `%s` fails the session and fires `transaction.failed`', async (state, dial) => {
    const before = await partner.balanceKobo(source);
    const { session_id: sessionId, dial_code: code } = await initiate();
    await dial(openPhone(service.url, code));
    const { status } = (await partner.get(`/v1/payments/ussd/${sessionId}`)).body.data;
    expect(status).toBe(state);
    const answer = await simulate({ session_id: sessionId, action: 'cancel' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      session_id: sessionId,
      action: 'cancel',
      result: expect.any(String),
      transaction_id: expect.stringMatching(UUID),
    });
    const id = answer.body.transaction_id;
    await hook.heard('transaction.failed', { id, type: 'ussd_payment', session_id: sessionId });
    expect(await partner.transaction(id)).toMatchObject({ type: 'ussd_payment', status: 'failed' });
    expect(await partner.balanceKobo(source)).toBe(before);
  });

  test.each(['confirm', 'cancel'])(
    '`%s` of a session that has ended: 422 USSD_SESSION_NOT_ACTIVE',
    async (action) => {
      for (const first of ['confirm', 'cancel']) {
        const sessionId = await ussdSession();
        await simulate({ session_id: sessionId, action: first });
        expect(await simulate({ session_id: sessionId, action })).toMatchObject({
          status: 422,
          body: { error: 'USSD_SESSION_NOT_ACTIVE' },
        });
      }
    },
  );

  test('`confirm` without the funds: 422 INSUFFICIENT_FUNDS, the session fails, with an event', async () => {
    const poor = await partner.wallet(699);
    const sessionId = await ussdSession(poor);
    expect(await simulate({ session_id: sessionId, action: 'confirm' })).toMatchObject({
      status: 422,
      body: { error: 'INSUFFICIENT_FUNDS', detail: { available_kobo: 699, required_kobo: 700 } },
    });
    await hook.heard('transaction.failed', { session_id: sessionId });
    expect((await partner.get(`/v1/payments/ussd/${sessionId}`)).body.data.status).toBe('failed');
  });

  test.each<[line: string, status: number, body: (sessionId: string) => Json]>([
    ['no `session_id`', 422, () => ({ action: 'confirm' })],
    ['no `action`', 422, (session_id) => ({ session_id })],
    ['another action', 422, (session_id) => ({ session_id, action: 'dial' })],
    ['an unknown session', 404, () => ({ session_id: `ussd_${'0'.repeat(26)}`, action: 'confirm' })],
  ])('%s: %d', async (_line, status, body) => {
    const answer = await simulate(body(await ussdSession()));
    expect(answer).toMatchObject({
      status,
      body: { error: status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR' },
    });
  });
});

describe.each(['/sandbox', '/v1/sandbox'])('POST %s/bank-transfer/complete and fail', (prefix) => {
  const complete = (body: unknown) => partner.post(`${prefix}/bank-transfer/complete`, body);
  const fail = (body: unknown) => partner.post(`${prefix}/bank-transfer/fail`, body);

  test('complete completes a processing bank transfer and fires `transaction.completed`', async () => {
    const id = await bankTransfer();
    const before = await partner.balanceKobo(source);
    const answer = await complete({ transaction_id: id });
    expect([answer.status, answer.body]).toEqual([
      200,
      { transaction_id: id, status: 'completed', result: expect.any(String) },
    ]);
    expect((await partner.transaction(id)).status).toBe('completed');
    await hook.heard('transaction.completed', { id, type: 'bank_transfer' });
    expect(await partner.balanceKobo(source)).toBe(before);
    const again = await complete({ transaction_id: id });
    expect([again.status, again.text]).toEqual([200, answer.text]);
  });

  test('fail fails the transfer, reverses the source wallet, fires `transaction.failed`', async () => {
    const before = await partner.balanceKobo(source);
    const id = await bankTransfer();
    expect(await partner.balanceKobo(source)).toBe(before - 20_000 - BANK_FEE);
    const answer = await fail({ transaction_id: id, reason: 'Beneficiary account dormant' });
    expect([answer.status, answer.body]).toEqual([
      200,
      { transaction_id: id, status: 'failed', result: expect.any(String) },
    ]);
    expect(await partner.transaction(id)).toMatchObject({
      status: 'failed',
      failed_reason: 'Beneficiary account dormant',
    });
    expect(await partner.balanceKobo(source)).toBe(before);
    const { data } = await hook.heard('transaction.failed', { id, type: 'bank_transfer' });
    expect(data.failure_reason).toBe('Beneficiary account dormant');
    const again = await fail({ transaction_id: id });
    expect([again.status, again.text]).toEqual([200, answer.text]);
    expect(await partner.balanceKobo(source)).toBe(before);
  });

  test('fail without a `reason`: "Simulated failure"', async () => {
    const id = await bankTransfer();
    await fail({ transaction_id: id });
    expect((await partner.transaction(id)).failed_reason).toBe('Simulated failure');
  });

  test('what is not processing: 422 TRANSACTION_NOT_PROCESSING', async () => {
    const [completed, failed] = [await bankTransfer(), await bankTransfer()];
    await complete({ transaction_id: completed });
    await fail({ transaction_id: failed });
    const p2p = (await p2pTransfer()).body.data.id;
    const refused = { status: 422, body: { error: 'TRANSACTION_NOT_PROCESSING' } };
    expect(await complete({ transaction_id: failed })).toMatchObject(refused);
    expect(await fail({ transaction_id: completed })).toMatchObject(refused);
    expect(await complete({ transaction_id: p2p })).toMatchObject(refused);
    expect(await fail({ transaction_id: p2p })).toMatchObject(refused);
  });

  test.each<[line: string, status: number, code: string, body: unknown]>([
    ['no `transaction_id`', 422, 'VALIDATION_ERROR', {}],
    ['`transaction_id` no uuid', 422, 'VALIDATION_ERROR', { transaction_id: 'first' }],
    ['an unknown transaction', 404, 'NOT_FOUND', { transaction_id: randomUUID() }],
  ])('%s: %d %s', async (_line, status, code, body) => {
    expect(await complete(body)).toMatchObject({ status, body: { error: code } });
    expect(await fail(body)).toMatchObject({ status, body: { error: code } });
  });

  test('an id with the prefix `tx_` is the same id', async () => {
    const id = await bankTransfer();
    expect(await complete({ transaction_id: `tx_${id}` })).toMatchObject({
      status: 200,
      body: { transaction_id: id },
    });
  });
});

describe.each(['/sandbox', '/v1/sandbox'])('POST %s/reset', (prefix) => {
  test('permanently deletes every wallet, transaction and KYC record of the partner in sandbox', async () => {
    const client = await service.partner();
    const listener = await client.listen();
    await client.post('/v1/partner/compliance/agreements', { terms: true, aml_policy: true, dpa: true });
    const [one, other] = [await client.wallet(10_000), await client.wallet()];
    const transfer = { source_wallet: one, dest_wallet: other, amount: 100, reference: 'order-1' };
    const { id: transferId } = (await client.post('/v1/transfers/p2p', transfer)).body.data;
    await client.post('/v1/wallets', { user_ref: 'ada' });
    await client.post('/v1/kyc/bvn', { user_ref: 'ada', bvn: '22222222222' });

    const answer = await client.post(`${prefix}/reset`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { result: expect.any(String), reset_at: expect.stringMatching(TIMESTAMP) },
    ]);
    for (const path of [
      `/v1/wallets/${one}`,
      `/v1/wallets/${other}/transactions`,
      `/v1/transactions/${transferId}`,
      '/v1/kyc/ada/status',
    ]) {
      expect(await client.get(path)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    }
    expect((await client.get('/v1/wallets')).body.data).toEqual([]);

    // The key, the endpoint and the compliance record stay; user_ref and reference are free again.
    expect((await client.get('/v1/webhooks')).body.data).toMatchObject([{ id: listener.endpointId }]);
    expect((await client.get('/v1/partner/compliance/status')).body.data.steps.agreements).toBe(true);
    expect((await client.post('/v1/wallets', { user_ref: 'ada' })).status).toBe(202);
    const [from, to] = [await client.wallet(10_000), await client.wallet()];
    const anew = { source_wallet: from, dest_wallet: to, amount: 7, reference: 'order-1' };
    expect((await client.post('/v1/transfers/p2p', anew)).status).toBe(200);
  });

  test('touches no other partner, and nothing in live', async () => {
    const client = await service.partner();
    const live = await service.activeInLive(client);
    const liveWallet = (await live.post('/v1/wallets', { user_ref: 'ada' })).body.data.id;
    expect((await client.post(`${prefix}/reset`)).status).toBe(200);
    expect((await live.get(`/v1/wallets/${liveWallet}`)).status).toBe(200);
    expect((await partner.get(`/v1/wallets/${source}`)).status).toBe(200);
  });
});

describe('sandbox keys only', () => {
  const OPERATIONS: [path: string, body: () => Json][] = [
    ['wallets/{wallet_id}/fund', () => ({ amount_kobo: 5 })],
    ['ussd/simulate', () => ({ session_id: `ussd_${'0'.repeat(26)}`, action: 'confirm' })],
    ['bank-transfer/complete', () => ({ transaction_id: randomUUID() })],
    ['bank-transfer/fail', () => ({ transaction_id: randomUUID() })],
    ['reset', () => undefined],
  ];
  describe.each(['/sandbox', '/v1/sandbox'])('%s', (prefix) => {
    test.each(OPERATIONS)(
      '%s: a live key is 403 SANDBOX_ONLY, no key 401 INVALID_TOKEN',
      async (operation, body) => {
        const path = operation.replace('{wallet_id}', source);
        const live = await service.inLive(partner);
        const forbidden = await live.post(`${prefix}/${path}`, body());
        expect(forbidden).toMatchObject({ status: 403, body: { error: 'SANDBOX_ONLY' } });
        const nobody = await service.as(null).post(`${prefix}/${path}`, body());
        expect(nobody).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
      },
    );
  });

  test('errors are in reference form, unless the header says guide', async () => {
    const path = `/sandbox/wallets/${source}/fund`;
    const reference = await partner.post(path, { amount_kobo: 0 });
    expect(reference.body).toMatchObject({ error: 'AMOUNT_TOO_LOW', message: expect.any(String) });
    const guide = await partner.post(path, { amount_kobo: 0 }, { 'X-Response-Form': 'guide' });
    expect(guide.body.error).toMatchObject({ code: 'AMOUNT_TOO_LOW', http_status: 422 });
  });
});

describe('sandbox behaviour differences', () => {
  // That it takes 1 to 2 seconds is a row of the limits (07-limits).
  test('bank transfers complete automatically', async () => {
    const id = await bankTransfer('0123456789', {});
    expect(await partner.ended(id)).toMatchObject({ status: 'completed' });
    await hook.heard('transaction.completed', { id });
  });

  test('a destination account number ending in `0000` triggers a simulated failure with reversal', async () => {
    const before = await partner.balanceKobo(source);
    const id = await bankTransfer('0123450000', {});
    expect(await partner.ended(id)).toMatchObject({ status: 'failed', failed_reason: expect.any(String) });
    await hook.heard('transaction.failed', { id });
    expect(await partner.balanceKobo(source)).toBe(before);
  });

  test('fees are computed the same way, and transfers produce ledger entries', async () => {
    const { body } = await p2pTransfer(100_000);
    expect(body.data.fee_breakdown.customerFee).toBe(500);
    const entries = (await partner.get(`/v1/wallets/${source}/ledger`)).body.data;
    expect(entries[0]).toMatchObject({ transaction_id: body.data.id, direction: 'debit', amount: 100_500 });
  });

  test('wallets get realistic account numbers: ten digits', async () => {
    const { wallet } = (await partner.get(`/v1/wallets/${source}`)).body.data;
    expect(wallet.account_number).toMatch(/^\d{10}$/);
  });

  test('rate limits equal live', async () => {
    const live = await service.inLive(partner);
    const limits = [await partner.get('/v1/webhooks'), await live.get('/v1/webhooks')].map(({ headers }) =>
      headers.get('X-RateLimit-Limit'),
    );
    expect(limits[0]).toBe(limits[1]);
  });
});
