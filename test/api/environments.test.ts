/**
 * Sandbox and live are kept apart; what a key may do depends on its environment (interface: Authentication, rule
 * 2; D95, D103-D105, D136, R22).
 */
import { newId } from '../../src/db/pg/ids';
import type { Provider, Providers } from '../../src/providers/port';
import type { TestApi } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { LIVE_CELL } from '../setup/cells';
import { REHEARSAL } from '../support/settings';

const { world, api } = apiForFile();

const UNKNOWN_ID = '01980000-0000-7000-8000-00000000dead';
const bankTransfer = (walletId: string) => ({
  source_wallet: walletId,
  dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada' },
  amount: 100,
  reference: 'crossing-bank',
});
const p2p = (source: string, dest: string) => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 100,
  reference: 'crossing-p2p',
});

describe('a live key on a sandbox operation: 403 SANDBOX_ONLY', () => {
  let live: TestPartner;
  beforeAll(async () => {
    live = await api.partner({ environment: 'live', status: 'active' });
  });

  const operations = [`/wallets/${UNKNOWN_ID}/fund`, '/bank-transfer/complete', '/bank-transfer/fail'];
  test.each(['/sandbox', '/v1/sandbox'].flatMap((prefix) => operations.map((path) => prefix + path)))(
    'POST %s, before the body is looked at',
    async (path) => {
      for (const body of ['{', { amount_kobo: 100, transaction_id: UNKNOWN_ID }]) {
        const answer = await live.post(path, body);
        expect(answer).toMatchObject({ status: 403, body: { error: 'SANDBOX_ONLY' } });
      }
    },
  );
});

describe('a live key of a partner that is not active', () => {
  const CREATING = ['/v1/wallets', '/v1/transfers/p2p', '/v1/transfers/bank'];

  describe.each(['registered', 'pending_review', 'suspended'] as const)('(%s)', (status) => {
    let live: TestPartner;
    let walletId: string;
    beforeAll(async () => {
      live = await api.partner({ environment: 'live', status });
      walletId = await live.wallet();
    });

    test.each(CREATING)('may not POST %s: 403 PARTNER_NOT_ACTIVE, whatever the body', async (path) => {
      for (const body of ['{', { user_ref: 'ada', ...bankTransfer(walletId) }]) {
        expect(await live.post(path, body)).toMatchObject({
          status: 403,
          body: { error: 'PARTNER_NOT_ACTIVE' },
        });
      }
    });

    test.each(['', '/transactions', '/ledger'])('may read a wallet%s', async (part) => {
      expect((await live.get(`/v1/wallets/${walletId}${part}`)).status).toBe(200);
    });

    test(`${status === 'suspended' ? 'may not' : 'may'} register and delete webhooks`, async () => {
      const endpoint = { url: 'https://example.com/hook', events: ['transaction.completed'] };
      const created = await live.post('/v1/webhooks', endpoint);
      const deleted = await live.delete(`/v1/webhooks/${created.body.data?.id ?? UNKNOWN_ID}`);
      expect([created.status, deleted.status]).toEqual(status === 'suspended' ? [403, 403] : [201, 204]);
    });

    test('may do everything in the sandbox', async () => {
      const sandbox = await api.partner({ id: live.id });
      expect((await sandbox.post('/v1/wallets', { user_ref: 'ada' })).status).toBe(202);
    });
  });
});

describe('live without providers', () => {
  let live: TestPartner;
  let funded: string;
  beforeAll(async () => {
    live = await api.partner({ environment: 'live', status: 'active' });
    funded = await live.wallet({ fundKobo: 100_000 });
  });

  test.each([
    ['POST', '/v1/wallets', () => ({ user_ref: 'nobody-issues-accounts' })],
    ['POST', '/v1/transfers/bank', () => bankTransfer(funded)],
    ['GET', '/v1/banks/resolve?bank_code=058&account_number=0123456789', () => undefined],
  ])('%s %s: 503 with Retry-After, and nothing is written', async (method, path, body) => {
    const count = async () =>
      (
        await world.sql(`SELECT (SELECT count(*) FROM ${LIVE_CELL}.wallets) AS wallets,
          (SELECT count(*) FROM ${LIVE_CELL}.transactions) AS transactions,
          (SELECT count(*) FROM ${LIVE_CELL}.workflow_intentions) AS intentions`)
      )[0];
    const before = await count();
    const answer = await api.call(method, path, {
      key: live.key,
      headers: { 'Idempotency-Key': 'k1' },
      ...(method === 'POST' && { body: body() }),
    });
    expect(answer).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(await count()).toEqual(before);
    expect(await live.balanceKobo(funded)).toBe(100_000);
  });

  test('moves money between wallets, because that needs no provider', async () => {
    const other = await live.wallet();
    const { status, body } = await live.post('/v1/transfers/p2p', p2p(funded, other));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'completed', amount: 100 });
    expect(await live.balanceKobo(other)).toBe(100);
  });

  test('lists banks without the sandbox bank', async () => {
    const codes = (await live.get('/v1/banks')).body.data.map((bank: { code: string }) => bank.code);
    expect(codes).toContain('058');
    expect(codes).not.toContain('50999');
  });
});

describe('live with the simulator behind it', () => {
  test('creates wallets for an active partner', async () => {
    const rehearsal = await world.startApi(REHEARSAL);
    const live = await rehearsal.partner({ environment: 'live', status: 'active' });
    expect(await live.post('/v1/wallets', { user_ref: 'ada' })).toMatchObject({
      status: 202,
      body: { data: { status: 'pending', account_status: 'provisioning' } },
    });
  });
});

describe('live where one company is missing', () => {
  const needs = {
    accounts: ['POST', '/v1/wallets', () => ({ user_ref: newId() })],
    payouts: [
      'POST',
      '/v1/transfers/bank',
      (walletId: string) => ({ ...bankTransfer(walletId), reference: newId() }),
    ],
    names: ['GET', '/v1/banks/resolve?bank_code=058&account_number=0123456789', () => undefined],
    identity: ['POST', '/v1/kyc/bvn', () => ({ user_ref: newId(), bvn: '22222222222' })],
  } as const;
  type Need = keyof typeof needs;
  const NEEDS = Object.keys(needs) as Need[];

  let rehearsal: TestApi;
  let live: TestPartner;
  let whole: Providers;
  let funded: string;
  beforeAll(async () => {
    rehearsal = await world.startApi(REHEARSAL);
    whole = rehearsal.environments.live.providers;
    live = await rehearsal.partner({ environment: 'live', status: 'active' });
    funded = await live.wallet({ fundKobo: 100_000 });
  });
  afterEach(() => {
    rehearsal.environments.live.providers = whole;
  });

  const ask = (need: Need) => {
    const [method, path, body] = needs[need];
    return rehearsal.call(method, path, { key: live.key, ...(method === 'POST' && { body: body(funded) }) });
  };

  test.each(NEEDS)('without %s: 503 for the operations that need it, and for no others', async (missing) => {
    rehearsal.environments.live.providers = { ...whole, [missing]: [] };
    for (const need of NEEDS) {
      const { status } = await ask(need);
      expect([need, status]).toEqual([need, need === missing ? 503 : need === 'names' ? 200 : 202]);
    }
  });

  test.each<[string, Required<Provider>['names']['enquire'], number]>([
    ['says that there is no such account', () => Promise.resolve('not_found'), 422],
    ['does not know', () => Promise.resolve('unknown'), 503],
    ['does not answer', () => Promise.reject(new Error('timeout')), 503],
  ])('when the bank %s, resolving an account has the right status', async (_what, enquire, status) => {
    rehearsal.environments.live.providers = {
      ...whole,
      names: [{ name: 'a bank', can: { failsForGood: true, asksFirst: false }, names: { enquire } }],
    };
    expect((await ask('names')).status).toBe(status);
  });
});

describe('the data of one partner in the two environments', () => {
  let sandbox: TestPartner;
  let live: TestPartner;
  let wallets: Record<'sandbox' | 'live', [string, string]>;
  beforeAll(async () => {
    sandbox = await api.partner({ status: 'active' });
    live = await api.partner({ id: sandbox.id, environment: 'live' });
    const two = async (partner: TestPartner): Promise<[string, string]> => [
      await partner.wallet({ fundKobo: 10_000 }),
      await partner.wallet(),
    ];
    wallets = { sandbox: await two(sandbox), live: await two(live) };
  });

  const CROSSINGS = ['sandbox', 'live'] as const;
  const callerOf = (environment: 'sandbox' | 'live') => (environment === 'sandbox' ? live : sandbox);

  test.each(CROSSINGS)('a %s wallet is 404 for a key of the other environment', async (environment) => {
    const [walletId] = wallets[environment];
    for (const part of ['', '/transactions', '/ledger']) {
      expect(await callerOf(environment).get(`/v1/wallets/${walletId}${part}`)).toMatchObject({
        status: 404,
        body: { error: 'NOT_FOUND' },
      });
    }
  });

  test.each(CROSSINGS)('%s wallets move no money for a key of the other environment', async (environment) => {
    const answer = await callerOf(environment).post('/v1/transfers/p2p', p2p(...wallets[environment]));
    expect(answer).toMatchObject({ status: 404, body: { error: 'WALLET_NOT_FOUND' } });
  });

  test('the same user_ref, reference and key are used independently', async () => {
    const keyed = { 'Idempotency-Key': 'the same in both' };
    const moved = [
      await sandbox.post('/v1/transfers/p2p', p2p(...wallets.sandbox), keyed),
      await live.post('/v1/transfers/p2p', p2p(...wallets.live), keyed),
    ];
    expect(moved.map(({ status }) => status)).toEqual([200, 200]);
    expect(moved[0]!.body.data.id).not.toBe(moved[1]!.body.data.id);
    expect(moved[1]!.headers.get('Idempotent-Replayed')).toBeNull();

    const references = await Promise.all(
      [sandbox, live].map((partner) => partner.wallet({ userRef: 'the same person' })),
    );
    expect(new Set(references).size).toBe(2);
  });
});
