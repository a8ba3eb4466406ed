/**
 * Funding a sandbox wallet (interface: Sandbox-only operations; D92-D94, D131-D133, D135, D148, D153, D159, D167).
 */
import type { Answer } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { eventsAbout } from '../support/told';

const { world, api } = apiForFile();
const partner = partnerForFile(api);

const PREFIXES = ['/sandbox', '/v1/sandbox'];
const fund = (walletId: string, body: unknown, key?: string, prefix = '/sandbox'): Promise<Answer> =>
  partner.post(
    `${prefix}/wallets/${walletId}/fund`,
    body,
    key === undefined ? {} : { 'Idempotency-Key': key },
  );

describe('credits the wallet', () => {
  test.each(PREFIXES)('POST %s/wallets/{wallet_id}/fund answers a flat object', async (prefix) => {
    const walletId = await partner.wallet({ fundKobo: 50 });
    const { status, body } = await fund(walletId, { amount_kobo: 12_345, note: 'salary' }, undefined, prefix);
    expect(status).toBe(200);
    expect(body).toEqual({
      wallet_id: walletId,
      transaction_id: expect.any(String),
      amount_kobo: 12_345,
      balance_kobo: 12_395,
      balance_naira: '123.95',
      status: 'completed',
      result: 'wallet funded',
      note: 'salary',
    });
  });

  test('as a transaction whose reference is made from its id, with its event', async () => {
    const walletId = await partner.wallet();
    const { body } = await fund(walletId, { amount_kobo: 1 });
    expect(body.note).toBeNull();
    const list = await partner.get(`/v1/wallets/${walletId}/transactions`);
    expect(list.body.data).toMatchObject([
      {
        id: body.transaction_id,
        type: 'wallet_funding',
        status: 'completed',
        reference: `fund_${body.transaction_id}`,
        amount: 1,
        source_wallet: null,
        dest_wallet: walletId,
        fee_breakdown: { customerFee: 0, merchantFee: 0, platformFee: 0, mfbCost: 0, netAmount: 1 },
      },
    ]);
    expect(await eventsAbout(world.sql, [body.transaction_id])).toEqual([
      {
        kind: 'transaction.completed',
        partnerId: partner.id,
        data: {
          id: body.transaction_id,
          type: 'wallet_funding',
          status: 'completed',
          reference: `fund_${body.transaction_id}`,
          amount_kobo: 1,
          source_wallet_id: null,
          dest_wallet_id: walletId,
          created_at: list.body.data[0].created_at,
        },
      },
    ]);
  });

  test.each(['pending', 'active', 'frozen'] as const)('of a wallet that is %s', async (status) => {
    const walletId = await partner.wallet({ status });
    expect(await fund(walletId, { amount_kobo: 100 })).toMatchObject({
      status: 200,
      body: { balance_kobo: 100 },
    });
  });

  test.each([
    ['a number written with a point', '{"amount_kobo":100.0}'],
    ['a number written with an exponent', '{"amount_kobo":1e2}'],
    ['a null note', '{"amount_kobo":100,"note":null}'],
    ['a note of 500 characters on two lines', { amount_kobo: 100, note: `${'x'.repeat(499)}\n` }],
    ['an unknown field', { amount_kobo: 100, wallet_id: 'another' }],
  ])('given %s', async (_what, body) => {
    expect(await fund(await partner.wallet(), body)).toMatchObject({
      status: 200,
      body: { amount_kobo: 100, balance_kobo: 100 },
    });
  });

  test('up to the largest integer; one kobo more is 422 LIMIT_EXCEEDED', async () => {
    const walletId = await partner.wallet({ fundKobo: 1 });
    const refused = await fund(walletId, { amount_kobo: Number.MAX_SAFE_INTEGER });
    expect(refused).toMatchObject({ status: 422, body: { error: 'LIMIT_EXCEEDED' } });
    const { body } = await fund(walletId, { amount_kobo: Number.MAX_SAFE_INTEGER - 1 });
    expect(body).toMatchObject({ balance_kobo: 9_007_199_254_740_991, balance_naira: '90071992547409.91' });
  });
});

describe('refuses', () => {
  test.each([
    ['an amount of 0', { amount_kobo: 0 }, 'AMOUNT_TOO_LOW', null],
    ['a negative amount', { amount_kobo: -1 }, 'AMOUNT_TOO_LOW', null],
    ['no amount', {}, 'VALIDATION_ERROR', 'amount_kobo'],
    ['a null amount', { amount_kobo: null }, 'VALIDATION_ERROR', 'amount_kobo'],
    ['an amount that is text', { amount_kobo: '100' }, 'VALIDATION_ERROR', 'amount_kobo'],
    ['half a kobo', { amount_kobo: 0.5 }, 'VALIDATION_ERROR', 'amount_kobo'],
    [
      'an amount beyond the largest integer',
      '{"amount_kobo":9007199254740992}',
      'VALIDATION_ERROR',
      'amount_kobo',
    ],
    ['an endless amount', '{"amount_kobo":1e999}', 'VALIDATION_ERROR', 'amount_kobo'],
    ['the key of the reference form', { amount: 100 }, 'VALIDATION_ERROR', 'amount_kobo'],
    ['a note of 501 characters', { amount_kobo: 1, note: 'x'.repeat(501) }, 'VALIDATION_ERROR', 'note'],
    ['a note with a NUL', { amount_kobo: 1, note: '\u0000' }, 'VALIDATION_ERROR', 'note'],
    ['a note that is a number', { amount_kobo: 1, note: 5 }, 'VALIDATION_ERROR', 'note'],
  ])('%s: 422 in reference form', async (_what, body, code, field) => {
    const walletId = await partner.wallet();
    const answer = await fund(walletId, body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      error: code,
      message: expect.any(String),
      ...(field !== null && { detail: { fields: [{ field, message: expect.any(String) }] } }),
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    expect(await partner.balanceKobo(walletId)).toBe(0);
  });

  test('a wallet that is malformed, absent or foreign: 404 NOT_FOUND', async () => {
    const foreign = await (await api.partner()).wallet();
    for (const walletId of ['x', '01980000-0000-7000-8000-00000000dead', foreign]) {
      expect(await fund(walletId, { amount_kobo: 100 })).toMatchObject({
        status: 404,
        body: { error: 'NOT_FOUND' },
      });
    }
    expect(await partner.balanceKobo(foreign)).toBe(0);
  });

  test('a closed wallet: 422 WALLET_CLOSED, before its balance is looked at', async () => {
    const walletId = await partner.wallet({ fundKobo: Number.MAX_SAFE_INTEGER, status: 'closed' });
    expect(await fund(walletId, { amount_kobo: 100 })).toMatchObject({
      status: 422,
      body: { error: 'WALLET_CLOSED' },
    });
  });
});

describe('with an Idempotency-Key', () => {
  test('credits once, and both prefixes are one operation', async () => {
    const walletId = await partner.wallet();
    const first = await fund(walletId, { amount_kobo: 700 }, 'fund once', PREFIXES[0]);
    const again = await fund(walletId, { amount_kobo: 700 }, 'fund once', PREFIXES[1]);
    expect(again).toMatchObject({ status: 200, text: first.text });
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await partner.balanceKobo(walletId)).toBe(700);
  });

  test('a key used for another wallet or amount: 422 IDEMPOTENCY_KEY_REUSED', async () => {
    const [walletId, other] = [await partner.wallet(), await partner.wallet()];
    await fund(walletId, { amount_kobo: 700 }, 'fund this one');
    for (const answer of [
      await fund(other, { amount_kobo: 700 }, 'fund this one'),
      await fund(walletId, { amount_kobo: 701 }, 'fund this one'),
    ]) {
      expect(answer).toMatchObject({ status: 422, body: { error: 'IDEMPOTENCY_KEY_REUSED' } });
    }
    expect(await partner.balanceKobo(other)).toBe(0);
    expect(await partner.balanceKobo(walletId)).toBe(700);
  });

  test('without a key every request credits again', async () => {
    const walletId = await partner.wallet();
    await Promise.all(Array.from({ length: 10 }, () => fund(walletId, { amount_kobo: 10 })));
    expect(await partner.balanceKobo(walletId)).toBe(100);
  });
});
