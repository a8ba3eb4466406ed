/** Freezing, unfreezing and closing wallets (D26, D28, D29, D137, D164; R33). */
import { randomUUID } from 'node:crypto';
import type { WalletMove } from '../../src/db/wallets/wallet-life';
import { moveWallet } from '../../src/operations/wallets/wallet-life';
import type { Answer, Json } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const UNKNOWN_ID = '01980000-0000-7000-8000-00000000dead';
const OPERATOR = randomUUID();
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

const { world, api } = apiForFile();
const partner = partnerForFile(api);

type Trigger = 'freeze' | 'unfreeze' | 'close';
const TRIGGERS: Trigger[] = ['freeze', 'unfreeze', 'close'];
const move = (walletId: string, trigger: Trigger, body?: unknown): Promise<Answer> =>
  partner.post(`/v1/wallets/${walletId}/${trigger}`, body);
const walletOf = async (walletId: string): Promise<Json> =>
  (await partner.get(`/v1/wallets/${walletId}`)).body.data.wallet;
const actionsOf = (walletId: string): Promise<Json[]> =>
  world.sql(
    `SELECT action, actor, operator_id, reason, authority, request_id FROM ${SANDBOX_CELL}.wallet_actions
      WHERE wallet_id = $1 ORDER BY created_at, id`,
    [walletId],
  );

async function byOperator(walletId: string, trigger: Trigger, more: Partial<WalletMove> = {}) {
  const environment = api.environments.sandbox;
  const tenant = { ...(await environment.partner(partner.id)), environment };
  return moveWallet(tenant, {
    walletId,
    trigger,
    actor: { kind: 'operator', operatorId: OPERATOR },
    requestId: 'req_test',
    reason: 'court order',
    authority: 'Federal High Court',
    frozenUntil: null,
    overOrder: 'free',
    ...more,
  });
}
const refusal = (code: string) => ({ status: 422, body: { error: code } });

describe('a move that the state allows', () => {
  test.each<[from: 'pending' | 'active' | 'frozen', Trigger, to: string, account: string]>([
    ['active', 'freeze', 'frozen', 'suspended'],
    ['frozen', 'unfreeze', 'active', 'active'],
    ['pending', 'close', 'closed', 'closed'],
    ['active', 'close', 'closed', 'closed'],
    ['frozen', 'close', 'closed', 'closed'],
  ])('%s, %s: %s, its bank account %s', async (from, trigger, to, account) => {
    const walletId = await partner.wallet({ status: from });
    const before = await walletOf(walletId);
    const answer = await move(walletId, trigger);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: { ...before, status: to, account_status: account, updated_at: expect.any(String) },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    expect(Date.parse(answer.body.data.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await walletOf(walletId)).toEqual(answer.body.data);
    expect(await actionsOf(walletId)).toEqual([
      {
        action: trigger,
        actor: 'partner',
        operator_id: null,
        reason: null,
        authority: null,
        request_id: answer.headers.get('X-Request-Id'),
      },
    ]);
  });
});

describe('a move that the state does not allow: 422 INVALID_WALLET_STATE', () => {
  test.each<['pending' | 'active' | 'frozen' | 'closed', Trigger]>([
    ['pending', 'freeze'],
    ['pending', 'unfreeze'],
    ['active', 'unfreeze'],
    ['frozen', 'freeze'],
    ['closed', 'freeze'],
    ['closed', 'unfreeze'],
    ['closed', 'close'],
  ])('%s, %s', async (status, trigger) => {
    const walletId = await partner.wallet({ status });
    const before = await walletOf(walletId);
    expect(await move(walletId, trigger)).toMatchObject(refusal('INVALID_WALLET_STATE'));
    expect(await walletOf(walletId)).toEqual(before);
    expect(await actionsOf(walletId)).toEqual([]);
  });

  test.each(TRIGGERS)('%s of the settlement wallet, which can be read', async (trigger) => {
    const owner = await api.partner();
    const settlement = await owner.wallet({ userRef: '__settlement__' });
    const answer = await owner.post(`/v1/wallets/${settlement}/${trigger}`);
    expect(answer).toMatchObject(refusal('INVALID_WALLET_STATE'));
    expect((await owner.get(`/v1/wallets/${settlement}`)).body.data.wallet.status).toBe('active');
  });

  test.each(TRIGGERS)('of twenty %s at once one is 200', async (trigger) => {
    const walletId = await partner.wallet({ status: trigger === 'unfreeze' ? 'frozen' : 'active' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => move(walletId, trigger)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'INVALID_WALLET_STATE')).toHaveLength(19);
    expect(await actionsOf(walletId)).toHaveLength(1);
  });
});

describe('the reason and the end that a move may carry', () => {
  test.each<[string, unknown]>([
    ['no body', undefined],
    ['an empty object', {}],
    ['nulls', { reason: null, expires_at: null }],
    ['a reason and an end', { reason: 'lost phone\nand card', expires_at: TOMORROW }],
    ['an end with an offset', { expires_at: TOMORROW.replace('Z', '+01:00') }],
    ['unknown fields', { status: 'closed', frozen_by: 'operator' }],
  ])('%s is accepted', async (_what, body) => {
    const walletId = await partner.wallet();
    expect(await move(walletId, 'freeze', body)).toMatchObject({
      status: 200,
      body: { data: { status: 'frozen' } },
    });
  });

  test.each<[string, unknown]>([
    ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }],
    ['an end without an offset', { expires_at: '2999-01-01T00:00:00' }],
    ['a date', { expires_at: '2999-01-01' }],
    ['a number', { expires_at: 32_503_680_000_000 }],
    ['a day that does not exist', { expires_at: '2999-02-30T00:00:00Z' }],
    ['a long reason', { reason: 'x'.repeat(501) }],
    ['a reason with a control character', { reason: 'a\u0000b' }],
    ['a reason that is no text', { reason: 1 }],
    ['a list', []],
    ['no JSON', '{'],
  ])('%s: 422 VALIDATION_ERROR, and the wallet is as it was', async (_what, body) => {
    const walletId = await partner.wallet();
    expect(await move(walletId, 'freeze', body)).toMatchObject(refusal('VALIDATION_ERROR'));
    expect(await walletOf(walletId)).toMatchObject({ status: 'active' });
  });

  test('the reason is kept for audits and shown nowhere', async () => {
    const walletId = await partner.wallet();
    const reason = 'suspected fraud 4711';
    const answers = [
      await move(walletId, 'freeze', { reason }),
      await move(walletId, 'unfreeze', { reason }),
      await move(walletId, 'close', { reason }),
      await partner.get(`/v1/wallets/${walletId}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { text } of answers) expect(text).not.toContain('4711');
    expect(await actionsOf(walletId)).toMatchObject(TRIGGERS.map((action) => ({ action, reason })));
  });
});

describe('a frozen wallet', () => {
  test('takes money and sends none; unfrozen it sends again', async () => {
    const [walletId, other] = [await partner.wallet({ fundKobo: 10_000 }), await partner.wallet()];
    const send = () =>
      partner.post('/v1/transfers/p2p', {
        source_wallet: walletId,
        dest_wallet: other,
        amount: 100,
        reference: randomUUID(),
      });
    await move(walletId, 'freeze');
    expect(await send()).toMatchObject(refusal('WALLET_FROZEN'));
    const funded = await partner.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 1 });
    expect(funded.status).toBe(200);
    await move(walletId, 'unfreeze');
    expect((await send()).status).toBe(200);
  });

  test('is active again by itself once the end of the freeze has passed', async () => {
    const [walletId, other] = [await partner.wallet({ fundKobo: 10_000 }), await partner.wallet()];
    const frozen = await move(walletId, 'freeze', { expires_at: new Date(Date.now() + 700).toISOString() });
    expect(frozen.body.data.status).toBe('frozen');
    const wallet = await until('the end of the freeze', async () => {
      const now = await walletOf(walletId);
      return now.status === 'active' && now;
    });
    expect(wallet).toMatchObject({ account_status: 'active' });
    expect((await partner.get('/v1/wallets')).body.data.find(({ id }: Json) => id === walletId)).toEqual(
      wallet,
    );
    const body = { source_wallet: walletId, dest_wallet: other, amount: 1, reference: randomUUID() };
    expect((await partner.post('/v1/transfers/p2p', body)).status).toBe(200);
    expect(await move(walletId, 'unfreeze')).toMatchObject(refusal('INVALID_WALLET_STATE'));
    expect((await move(walletId, 'freeze')).status).toBe(200);
  });
});

describe('closing', () => {
  const notEmpty = (balanceKobo: number, openTransactions: number) => ({
    status: 422,
    body: {
      error: 'WALLET_NOT_EMPTY',
      detail: { balance_kobo: balanceKobo, open_transactions: openTransactions },
    },
  });

  test('with a balance: 422 WALLET_NOT_EMPTY, with the balance', async () => {
    const walletId = await partner.wallet({ fundKobo: 1 });
    expect(await move(walletId, 'close')).toMatchObject(notEmpty(1, 0));
    expect(await walletOf(walletId)).toMatchObject({ status: 'active' });
  });

  test('with a transfer under way that has taken all: 422 WALLET_NOT_EMPTY', async () => {
    const walletId = await partner.wallet({ fundKobo: 15_000 });
    const body = {
      source_wallet: walletId,
      dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' },
      amount: 10_000,
      reference: randomUUID(),
    };
    expect((await partner.post('/v1/transfers/bank', body)).status).toBe(202);
    expect(await move(walletId, 'close')).toMatchObject(notEmpty(0, 1));
    await move(walletId, 'freeze');
    expect(await move(walletId, 'close')).toMatchObject(notEmpty(0, 1));
  });

  test('in guide form the detail stands in the envelope of the guide', async () => {
    const walletId = await partner.wallet({ fundKobo: 1 });
    const answer = await partner.post(`/v1/wallets/${walletId}/close`, undefined, {
      'X-Response-Form': 'guide',
    });
    expect(answer.body.error).toMatchObject({
      code: 'WALLET_NOT_EMPTY',
      detail: { balance_kobo: 1, open_transactions: 0 },
    });
  });

  test('is final: no money comes in, and the user_ref stays taken', async () => {
    const walletId = await partner.wallet();
    const { user_ref: userRef } = await walletOf(walletId);
    await move(walletId, 'close');
    const funded = await partner.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 1 });
    expect(funded).toMatchObject(refusal('WALLET_CLOSED'));
    expect(await partner.post('/v1/wallets', { user_ref: userRef })).toMatchObject({
      status: 409,
      body: { error: 'WALLET_ALREADY_EXISTS' },
    });
  });

  test('at the same time as a funding never closes a wallet with money in it', async () => {
    for (let round = 0; round < 10; round++) {
      const walletId = await partner.wallet();
      const [closed, funded] = await Promise.all([
        move(walletId, 'close'),
        partner.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 1 }),
      ]);
      expect([closed.status, funded.status].sort()).toEqual([200, 422]);
      expect(await partner.balanceKobo(walletId)).toBe(funded.status === 200 ? 1 : 0);
    }
  });
});

describe('an operator', () => {
  test('freezes with a reason and an authority; the partner can neither lift the freeze nor close the wallet', async () => {
    const walletId = await partner.wallet();
    expect(await byOperator(walletId, 'freeze')).toMatchObject({ value: { status: 'frozen' } });
    for (const trigger of TRIGGERS) {
      expect(await move(walletId, trigger)).toMatchObject(refusal('INVALID_WALLET_STATE'));
    }
    expect(await actionsOf(walletId)).toEqual([
      {
        action: 'freeze',
        actor: 'operator',
        operator_id: OPERATOR,
        reason: 'court order',
        authority: 'Federal High Court',
        request_id: 'req_test',
      },
    ]);
    expect(await byOperator(walletId, 'unfreeze')).toMatchObject({ value: { status: 'active' } });
    expect((await move(walletId, 'freeze')).status).toBe(200);
  });

  test('takes over a partner’s freeze', async () => {
    const walletId = await partner.wallet();
    await move(walletId, 'freeze');
    expect(await byOperator(walletId, 'freeze')).toMatchObject({ value: { status: 'frozen' } });
    expect(await move(walletId, 'unfreeze')).toMatchObject(refusal('INVALID_WALLET_STATE'));
  });

  test('can give the freeze an end, after which the partner can freeze and unfreeze again', async () => {
    const walletId = await partner.wallet();
    await byOperator(walletId, 'freeze');
    await byOperator(walletId, 'freeze', { frozenUntil: new Date(Date.now() + 500) });
    await until('the end of the freeze', async () => (await walletOf(walletId)).status === 'active');
    expect((await move(walletId, 'freeze')).status).toBe(200);
    expect((await move(walletId, 'unfreeze')).status).toBe(200);
  });

  test('lifts a partner’s freeze', async () => {
    const walletId = await partner.wallet({ status: 'frozen' });
    expect(await byOperator(walletId, 'unfreeze')).toMatchObject({ value: { status: 'active' } });
  });
});

test.each(TRIGGERS)('%s of a malformed, absent or foreign wallet: 404 NOT_FOUND', async (trigger) => {
  const foreign = await (await api.partner()).wallet();
  const live = await (await api.partner({ id: partner.id, environment: 'live' })).wallet();
  for (const id of ['x', UNKNOWN_ID, foreign, live]) {
    expect(await move(id, trigger)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  }
});

test('the record of moves is never changed, not even by the owner of the table', async () => {
  const walletId = await partner.wallet();
  await move(walletId, 'freeze');
  for (const statement of [
    `UPDATE ${SANDBOX_CELL}.wallet_actions SET reason = 'x'`,
    `DELETE FROM ${SANDBOX_CELL}.wallet_actions`,
  ]) {
    await expect(world.sql(statement)).rejects.toMatchObject({ code: '23001' });
    const { pool } = api.environments.sandbox;
    await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  }
});
