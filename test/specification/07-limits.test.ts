/**
 * The published interface (interface: Limits): every row of its table, just below, at and just past each limit.
 */
import { randomUUID } from 'node:crypto';
import { approvedBy } from '../support/operators';
import { openPhone } from '../support/phone';
import { until } from '../support/until';
import { type Answer, type Client, type Json, type Service } from './client';
import { openOwnService } from './own-service';
import { OPERATIONS, withId } from './operations';

const IDEMPOTENCY_WINDOW_MS = 5_000;
const PER_MINUTE = 300;

let service: Service;
/** A partner of a tier that this file does not exhaust. */
let partner: Client;
let source: string;
let dest: string;
beforeAll(async () => {
  service = await openOwnService({
    // Empty variables count as not set, so the published limits and times apply. Only the window of keys is
    // shortened.
    RATE_LIMIT_STARTER: '',
    SANDBOX_TRANSFER_MS: '',
    IDEMPOTENCY_WINDOW_MS: String(IDEMPOTENCY_WINDOW_MS),
  });
  partner = await service.partner();
  await setTier(partner, 'scale');
  [source, dest] = await Promise.all([partner.wallet(10_000_000_000), partner.wallet()]);
});
afterAll(() => service.close());

async function setTier(client: Client, tier: string): Promise<void> {
  const [operator, other] = [await service.platform.openOperator(), await service.platform.openOperator()];
  const path = `/ops/partners/${client.partnerId}/tier`;
  const answer = await operator.post(path, { tier, reason: 'Agreed by contract' });
  if (answer.status === 202) await approvedBy(answer, other);
  const limit = { starter: 300, growth: 1_200, scale: 6_000 }[tier];
  await until(`the limit of tier ${tier}`, async () => limitOf(await client.get('/v1/webhooks')) === limit);
}
const limitOf = ({ headers }: Answer): number => Number(headers.get('X-RateLimit-Limit'));
const resetOf = ({ headers }: Answer): number => Number(headers.get('X-RateLimit-Reset'));

const newReference = (): string => `order-${randomUUID()}`;
const codeOf = ({ body }: Answer): string => body.error?.code ?? body.error;

/** Every operation that moves money, called with the given amount. */
const PAYMENTS: [operation: string, ask: (amount: number) => Promise<Answer>][] = [
  ['P2P transfer, reference form', (amount) => p2p({ amount })],
  ['P2P transfer, guide form', (amount) => p2p({ amount }, 'guide')],
  ['bank transfer, reference form', (amount) => bankTransfer({ amount })],
  ['bank transfer, guide form', (amount) => bankTransfer({ amount }, 'guide')],
  ['QR create', (amount) => createQr({ amount })],
  ['USSD initiate, reference form', (amount) => initiate({ amount })],
  [
    'USSD initiate, guide form',
    (amount) =>
      partner.post('/v1/payments/ussd/initiate', {
        payer_wallet_id: source,
        merchant_wallet_id: dest,
        amount_kobo: amount,
        merchant_name: 'Ada Stores',
        reference: newReference(),
      }),
  ],
  ['split payment, every leg', (amount) => split([amount, amount])],
  ['split payment, one leg', (amount) => split([5, amount])],
  ['sandbox fund', (amount) => partner.post(`/sandbox/wallets/${dest}/fund`, { amount_kobo: amount })],
];

function p2p(more: Json, form: 'reference' | 'guide' = 'reference'): Promise<Answer> {
  const { from = source, amount = 5, reference = newReference() } = more;
  const guide = { source_wallet_id: from, dest_wallet_id: dest, amount_kobo: amount, reference };
  const body = { source_wallet: from, dest_wallet: dest, amount, reference };
  return partner.post('/v1/transfers/p2p', form === 'guide' ? guide : body);
}

function bankTransfer(more: Json, form: 'reference' | 'guide' = 'reference'): Promise<Answer> {
  const { amount = 5 } = more;
  const reference = newReference();
  const dest_account = { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' };
  const guide = { source_wallet_id: source, dest_account, amount_kobo: amount, reference };
  const body = { source_wallet: source, dest_account, amount, reference };
  return partner.post('/v1/transfers/bank', form === 'guide' ? guide : body);
}

const createQr = (more: Json): Promise<Answer> =>
  partner.post('/v1/payments/qr/create', { wallet_id: dest, amount: 5, reference: newReference(), ...more });
const initiate = (more: Json): Promise<Answer> =>
  partner.post('/v1/payments/ussd/initiate', {
    wallet_id: source,
    merchant_wallet_id: dest,
    amount: 5,
    reference: newReference(),
    phone: '+2348012345678',
    ...more,
  });
const split = (amounts: number[]): Promise<Answer> =>
  partner.post('/v1/payments/split', {
    source_wallet: source,
    reference: newReference(),
    splits: amounts.map((amount) => ({ wallet_id: dest, amount })),
  });
const sessionOf = async (sessionId: string): Promise<Json> =>
  (await partner.get(`/v1/payments/ussd/${sessionId}`)).body.data;

const accepted = (answer: Answer): void => {
  expect([200, 201, 202]).toContain(answer.status);
};
const refused = (answer: Answer, names: string): void => {
  expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  expect(answer.body.message).toContain(names);
};

describe('rate limit: 300 requests per minute on the `starter` tier', () => {
  /**
   * Uses up the requests of a whole minute within one minute.
   * @returns the partner, and the answers.
   */
  async function exhausted(environment: string): Promise<{ client: Client; answers: Answer[] }> {
    for (;;) {
      const sandbox = await service.partner();
      const client = environment === 'live' ? await service.inLive(sandbox) : sandbox;
      const answers: Answer[] = [];
      while (answers.length < PER_MINUTE) {
        answers.push(...(await Promise.all(Array.from({ length: 50 }, () => client.get('/v1/webhooks')))));
      }
      const [first, last] = [answers[0]!, answers.at(-1)!];
      // The minute must not have ended, and must not be about to end.
      if (resetOf(first) >= resetOf(last) && resetOf(last) > 10) return { client, answers };
    }
  }

  test.each(['sandbox', 'live'])(
    'in %s 300 pass and the 301st is 429, on all operations, with `Retry-After`',
    async (environment) => {
      const { client, answers } = await exhausted(environment);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const remaining = answers.map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')));
      expect(remaining.sort((one, other) => one - other)).toEqual(Array.from({ length: 300 }, (_, n) => n));
      expect(new Set(answers.map(limitOf))).toEqual(new Set([300]));

      const over = await Promise.all(
        OPERATIONS.map(([method, path]) =>
          client.ask(method, withId(path), method === 'POST' ? '{' : undefined),
        ),
      );
      for (const answer of over) {
        expect([answer.status, codeOf(answer)]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
        const retryAfter = answer.headers.get('Retry-After');
        expect(retryAfter).toMatch(/^\d+$/);
        expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
        expect(Number(retryAfter)).toBeLessThanOrEqual(60);
        expect(answer.headers.get('X-RateLimit-Remaining')).toBe('0');
      }

      // Another partner, health, and the other environment of the same partner are not limited.
      expect((await (await service.partner()).get('/v1/webhooks')).status).toBe(200);
      expect((await client.get('/health')).status).toBe(200);
      if (environment === 'sandbox') {
        expect((await (await service.inLive(client)).get('/v1/webhooks')).status).toBe(200);
      }
    },
  );

  test.each([
    ['starter', 300],
    ['growth', 1_200],
    ['scale', 6_000],
  ])('tier `%s` has %d', async (tier, limit) => {
    const client = await service.partner();
    await setTier(client, tier);
    expect(limitOf(await client.get('/v1/webhooks'))).toBe(limit);
  });

  test('a caller without a credential: 60 a minute are answered 401, then 429 with `Retry-After`', async () => {
    const nobody = service.as(null);
    const answers: Answer[] = [];
    // More than twice as many as allowed, because a new minute may begin meanwhile.
    for (let n = 0; n < 121; n += 1) answers.push(await nobody.get('/v1/webhooks'));
    expect(answers.slice(0, 60).map(({ status }) => status)).toEqual(Array(60).fill(401));
    const over = answers.find(({ status }) => status !== 401);
    expect(over).toMatchObject({ status: 429, body: { error: 'RATE_LIMIT_EXCEEDED' } });
    expect(over?.headers.get('Retry-After')).toMatch(/^[1-9]\d?$/);
    expect((await partner.get('/v1/webhooks')).status).toBe(200);
  });
});

describe('page size: default 20, minimum 1, maximum 100', () => {
  let walletId: string;
  beforeAll(async () => {
    walletId = await partner.wallet();
    const fund = () => partner.post(`/sandbox/wallets/${walletId}/fund`, { amount_kobo: 5 });
    await Promise.all(Array.from({ length: 101 }, fund));
    const create = () => partner.post('/v1/wallets', { user_ref: newReference() });
    await Promise.all(Array.from({ length: 21 }, create));
  });

  describe.each(['/v1/wallets/{id}/transactions', '/v1/wallets/{id}/ledger', '/v1/wallets'])('%s', (list) => {
    const get = (query: string) => partner.get(list.replace('{id}', walletId) + query);

    test('without a limit: 20', async () => {
      expect((await get('')).body.data).toHaveLength(20);
    });
    test.each([1, 2, 20])('limit=%d', async (limit) => {
      expect((await get(`?limit=${String(limit)}`)).body.data).toHaveLength(limit);
    });
    test('limit=100: at most 100', async () => {
      const { status, body } = await get('?limit=100');
      expect(status).toBe(200);
      if (list !== '/v1/wallets') expect(body.data).toHaveLength(100);
    });
    test.each(['0', '101', '-1', '1.5', 'all', ''])('limit=%s: 422 VALIDATION_ERROR', async (limit) => {
      refused(await get(`?limit=${limit}`), 'limit');
    });
  });
});

describe('minimum amount: 1 kobo, all transfers and payments', () => {
  test.each(PAYMENTS)('%s', async (_operation, ask) => {
    accepted(await ask(1));
    for (const amount of [0, -1]) expect(codeOf(await ask(amount))).toBe('AMOUNT_TOO_LOW');
    expect(codeOf(await ask(0.5))).toBe('VALIDATION_ERROR');
  });
});

describe('currency: NGN only, wallets', () => {
  const create = (currency: unknown) => partner.post('/v1/wallets', { user_ref: newReference(), currency });

  test.each([undefined, null, 'NGN'])('%p is accepted', async (currency) => {
    expect((await create(currency)).body.data.currency).toBe('NGN');
  });
  test.each(['USD', 'ngn', 'NG', '', 566])('%p is refused', async (currency) => {
    refused(await create(currency), 'currency');
  });
});

describe('P2P fee: 0.5 percent of the amount, capped at 20000 kobo, on top of the amount', () => {
  test.each([
    [1, 0],
    [199, 0],
    [200, 1],
    [399, 1],
    [400, 2],
    [100_000, 500],
    [3_999_799, 19_998],
    [3_999_800, 19_999],
    [3_999_999, 19_999],
    [4_000_000, 20_000],
    [4_000_001, 20_000],
    [5_000_000, 20_000],
    [1_000_000_000, 20_000],
  ])('of %d kobo: %d', async (amount, fee) => {
    for (const form of ['reference', 'guide'] as const) {
      const [from, to] = [await partner.balanceKobo(source), await partner.balanceKobo(dest)];
      const { data } = (await p2p({ amount }, form)).body;
      const fees = data.fee_breakdown;
      expect(form === 'guide' ? fees.customer_fee_kobo : fees.customerFee).toBe(fee);
      expect(form === 'guide' ? fees.net_amount_kobo : fees.netAmount).toBe(amount);
      expect(await partner.balanceKobo(source)).toBe(from - amount - fee);
      expect(await partner.balanceKobo(dest)).toBe(to + amount);
    }
  });
});

describe('bank transfer fee: flat 5000 kobo', () => {
  test.each([1, 5_000, 500_000, 5_000_001, 1_000_000_000])('of %d kobo', async (amount) => {
    for (const form of ['reference', 'guide'] as const) {
      const before = await partner.balanceKobo(source);
      const { data } = (await bankTransfer({ amount }, form)).body;
      const fees = data.fee_breakdown;
      expect(form === 'guide' ? fees.customer_fee_kobo : fees.customerFee).toBe(5_000);
      expect(await partner.balanceKobo(source)).toBe(before - amount - 5_000);
    }
  });
});

test('idempotency window: within it a key gets the first answer, after it a new one', async () => {
  const walletId = await partner.wallet();
  const key = { 'Idempotency-Key': randomUUID() };
  const fund = () => partner.post(`/sandbox/wallets/${walletId}/fund`, { amount_kobo: 5 }, key);
  const firstAt = Date.now();
  const first = await fund();
  const anew = await until('the end of the window', async () => {
    const answer = await fund();
    const replayed = answer.headers.get('Idempotent-Replayed') === 'true';
    if (replayed) expect(answer.text).toBe(first.text);
    return !replayed && answer;
  });
  expect(Date.now() - firstAt).toBeGreaterThanOrEqual(IDEMPOTENCY_WINDOW_MS);
  expect(anew.body.transaction_id).not.toBe(first.body.transaction_id);
  expect(await partner.balanceKobo(walletId)).toBe(10);
});

describe('QR request lifetime: default 300 seconds (`expires_in_seconds`)', () => {
  test.each([
    [undefined, 300],
    [null, 300],
    [1, 1],
    [300, 300],
    [86_400, 86_400],
  ])('%p: %d seconds', async (asked, seconds) => {
    const before = Date.now();
    const { data } = (await createQr({ expires_in_seconds: asked })).body;
    const expiresAt = Date.parse(data.expires_at);
    expect(expiresAt).toBeGreaterThanOrEqual(before + seconds * 1_000);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + seconds * 1_000);
  });
  test.each([0, -1, 86_401, 1.5, '300'])('%p is refused', async (asked) => {
    refused(await createQr({ expires_in_seconds: asked }), 'expires_in_seconds');
  });
});

test.each([{}, { expires_in_seconds: 600 }])('USSD session lifetime: 3 minutes, fixed: %j', async (more) => {
  const { session_id: sessionId, expires_at: expiresAt } = (await initiate(more)).body.data;
  const session = await sessionOf(sessionId);
  expect(session.expires_at).toBe(expiresAt);
  expect(Date.parse(expiresAt) - Date.parse(session.created_at)).toBe(180_000);
});

describe('USSD PIN: 4 digits, at most 3 attempts', () => {
  const setPin = (pin: unknown) => partner.ask('PUT', `/v1/wallets/${source}/pin`, { pin });

  test.each(['123', '12345', '12a4', '', 1234])('%p is no PIN', async (pin) => {
    refused(await setPin(pin), 'pin');
  });

  test.each([0, 1, 2])('%d wrong and then the right one: completed', async (wrong) => {
    expect((await setPin('4826')).status).toBe(200);
    const { session_id: sessionId, dial_code: code } = (await initiate({})).body.data;
    const phone = openPhone(service.url, code);
    await phone.dial();
    expect(await phone.type('1')).toMatch(/^CON /);
    for (let n = 1; n <= wrong; n += 1) {
      expect(await phone.type('1111')).toMatch(/^CON /);
      expect(await sessionOf(sessionId)).toMatchObject({
        status: 'pin_entry',
        pin_attempts_remaining: 3 - n,
      });
    }
    await phone.type('4826');
    await until('the payment', async () => (await sessionOf(sessionId)).status === 'completed');
  });

  test('3 wrong: failed, and the right one is too late', async () => {
    expect((await setPin('4826')).status).toBe(200);
    const { session_id: sessionId, dial_code: code } = (await initiate({})).body.data;
    const phone = openPhone(service.url, code);
    await phone.dial();
    await phone.type('1');
    await phone.type('1111');
    await phone.type('1111');
    expect(await phone.type('1111')).toMatch(/^END /);
    await until('the failure', async () => (await sessionOf(sessionId)).status === 'failed');
    expect(await phone.type('4826')).toMatch(/^END /);
    expect(await sessionOf(sessionId)).toMatchObject({ status: 'failed', pin_attempts_remaining: 0 });
  });
});

describe('BVN and NIN: exactly 11 digits, KYC and directors', () => {
  const USES: [use: string, submit: (number: string) => Promise<Answer>][] = [
    ['POST /v1/kyc/bvn', (bvn) => partner.post('/v1/kyc/bvn', { user_ref: newReference(), bvn })],
    ['POST /v1/kyc/nin', (nin) => partner.post('/v1/kyc/nin', { user_ref: newReference(), nin })],
    ['`bvn` of a director', (bvn) => submitDirectors([{ full_name: 'Ada Obi', role: 'CEO', bvn }])],
    ['`nin` of a director', (nin) => submitDirectors([{ full_name: 'Ada Obi', role: 'CEO', nin }])],
  ];
  test.each(USES)('%s', async (_use, submit) => {
    accepted(await submit('2'.repeat(11)));
    for (const number of ['2'.repeat(10), '2'.repeat(12), `${'2'.repeat(10)}x`]) {
      refused(await submit(number), '11 digits');
    }
  });
});

const submitDirectors = (directors: unknown): Promise<Answer> =>
  partner.post('/v1/partner/compliance/directors', { directors });

describe('split entries: at least 2', () => {
  test.each([0, 1, 101])('%d: 422 VALIDATION_ERROR', async (entries) => {
    refused(await split(Array(entries).fill(1)), 'splits');
  });
  test.each([2, 3, 100])('%d are paid', async (entries) => {
    const answer = await split(Array(entries).fill(1));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toHaveLength(entries);
  });
});

test('webhook events per endpoint: at least 1', async () => {
  const register = (events: string[]) =>
    partner.post('/v1/webhooks', { url: 'https://shop.example/hook', events });
  refused(await register([]), 'events');
  expect((await register(['kyc.failed'])).status).toBe(201);
});

test('directors: at least 1', async () => {
  refused(await submitDirectors([]), 'directors');
  accepted(await submitDirectors([{ full_name: 'Ada Obi', role: 'CEO' }]));
});

test('use case description: at least 20 characters', async () => {
  const submit = (length: number) =>
    partner.post('/v1/partner/compliance/use-case', { description: 'x'.repeat(length) });
  refused(await submit(19), 'description');
  accepted(await submit(20));
});

describe('CAC number: RC, BN or IT followed by 5 to 8 digits', () => {
  const submit = (cac_number: string) =>
    partner.post('/v1/partner/compliance/business', { cac_number, business_type: 'llc' });

  test.each(['RC', 'BN', 'IT'])('%s', async (prefix) => {
    for (const digits of [5, 6, 7, 8]) accepted(await submit(prefix + '1'.repeat(digits)));
    for (const digits of [4, 9]) refused(await submit(prefix + '1'.repeat(digits)), 'cac_number');
  });
  test.each(['12345', 'XX12345', 'rc12345', 'RC-12345', 'RC1234A'])('%s is refused', async (number) => {
    refused(await submit(number), 'cac_number');
  });
});

test('bank transfer timing: sandbox 1 to 2 seconds', async () => {
  const tookMs: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { id } = (await bankTransfer({})).body.data;
    const ended = await partner.ended(id);
    expect(ended.status).toBe('completed');
    tookMs.push(Date.parse(ended.completed_at) - Date.parse(ended.created_at));
  }
  expect(Math.min(...tookMs)).toBeGreaterThanOrEqual(1_000);
  // Only the quickest is checked, because a busy machine delays the others.
  expect(Math.min(...tookMs)).toBeLessThanOrEqual(2_000);
});
