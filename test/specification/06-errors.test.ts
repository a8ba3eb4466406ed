/**
 * The published interface (interface: Errors), line by line: both envelopes, every code, and which of two errors
 * comes first.
 */
import { randomUUID } from 'node:crypto';
import { SANDBOX_CELL } from '../setup/cells';
import { approvedBy } from '../support/operators';
import { until } from '../support/until';
import { UUID, type Answer, type Client, type Headers, type Json, type Service } from './client';
import { openOwnService } from './own-service';
import { UNKNOWN_ID } from './operations';

const FORMS = ['reference', 'guide'] as const;
type Form = (typeof FORMS)[number];
const inForm = (form: Form): Headers => ({ 'X-Response-Form': form });

let service: Service;
let partner: Client;
/** An active partner in live, where no provider is configured. */
let live: Client;
let source: string;
let dest: string;
let frozen: string;
let closed: string;
/** Its balance is 100 kobo. */
let poor: string;
/** A session that nobody dials, and a QR that nobody pays in time. */
let expiring: { sessionId: string; qrReference: string };

beforeAll(async () => {
  service = await openOwnService({
    // A low limit for the one partner that must exceed it.
    RATE_LIMIT_GROWTH: '20',
    // Long enough that a test finds its new wallet still pending.
    SANDBOX_PROVISIONING_MS: '2500,2500',
    USSD_SESSION_MS: '8000',
  });
  partner = await service.partner();
  const funds = [50_000_000, 0, 1_000_000, 0, 100];
  const wallets = await Promise.all(funds.map((kobo) => partner.wallet(kobo)));
  [source = '', dest = '', frozen = '', closed = '', poor = ''] = wallets;
  await partner.post(`/v1/wallets/${frozen}/freeze`, {});
  await partner.post(`/v1/wallets/${closed}/close`, {});
  expiring = { sessionId: await ussdSession(), qrReference: await qrRequest(1) };
  live = await service.inLive(await service.partner());
  await service.letIntoLive(live);
});
afterAll(() => service.close());

const newReference = (): string => `order-${randomUUID()}`;

const transfer = (more: Json = {}): Json => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 100,
  reference: newReference(),
  ...more,
});
/** The same transfer by the keys of the guide. */
const guideTransfer = (more: Json = {}): Json => {
  const { source_wallet, dest_wallet, amount, ...rest } = transfer(more);
  return { source_wallet_id: source_wallet, dest_wallet_id: dest_wallet, amount_kobo: amount, ...rest };
};
const p2p = (body: Json, headers?: Headers): Promise<Answer> =>
  partner.post('/v1/transfers/p2p', body, headers);

const bankTransfer = (more: Json = {}, headers?: Headers): Promise<Answer> => {
  const { bank_code = '058', account_number = '0123456789', ...rest } = more;
  const body = {
    source_wallet: source,
    dest_account: { bank_code, account_number, account_name: 'ADA OBI' },
    amount: 1_000,
    reference: newReference(),
    ...rest,
  };
  return partner.post('/v1/transfers/bank', body, headers);
};

async function qrRequest(expiresIn = 300): Promise<string> {
  const asked = { wallet_id: dest, amount: 10, reference: newReference(), expires_in_seconds: expiresIn };
  return (await partner.post('/v1/payments/qr/create', asked)).body.data.reference;
}
const payQr = (qrReference: string, from: string, headers?: Headers): Promise<Answer> =>
  partner.post('/v1/payments/qr/pay', { qr_reference: qrReference, source_wallet: from }, headers);

async function ussdSession(): Promise<string> {
  const body = {
    wallet_id: source,
    merchant_wallet_id: dest,
    amount: 700,
    reference: newReference(),
    phone: '+2348012345678',
  };
  return (await partner.post('/v1/payments/ussd/initiate', body)).body.data.session_id;
}
const simulate = (sessionId: string, headers?: Headers): Promise<Answer> =>
  partner.post('/v1/sandbox/ussd/simulate', { session_id: sessionId, action: 'confirm' }, headers);

const codeOf = ({ body }: Answer): string => body.error.code ?? body.error;

/** Checks what both envelopes promise for every refusal. */
function expectRefusal(answer: Answer, form: Form, code: string, status: number): void {
  const meta = { request_id: answer.headers.get('X-Request-Id') };
  const { detail, ...rest } = form === 'guide' ? answer.body.error : answer.body;
  expect({ status: answer.status, ...rest, ...(form === 'guide' && { meta: answer.body.meta }) }).toEqual(
    form === 'guide'
      ? { status, code, message: expect.stringMatching(/./), http_status: status, meta }
      : { status, error: code, message: expect.stringMatching(/./), meta },
  );
  expect(detail === undefined || (typeof detail === 'object' && detail !== null)).toBe(true);
}

describe('envelopes', () => {
  test('reference form: { error: code, message: string }, both required', async () => {
    const answer = await p2p(transfer({ dest_wallet: UNKNOWN_ID }));
    expect(answer.body).toEqual({
      error: 'WALLET_NOT_FOUND',
      message: expect.any(String),
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });

  test('guide form: { error: { code, message, http_status, detail? }, meta: { request_id } }', async () => {
    const answer = await p2p(guideTransfer({ dest_wallet: UNKNOWN_ID }));
    expect(answer.body).toEqual({
      error: { code: 'WALLET_NOT_FOUND', message: expect.any(String), http_status: 404 },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });

  test('`detail` carries context: `available_kobo` and `required_kobo` for INSUFFICIENT_FUNDS', async () => {
    const context = { available_kobo: 100, required_kobo: 201 };
    const asked = { source_wallet: poor, amount: 200 };
    expect((await p2p(transfer(asked))).body.detail).toEqual(context);
    expect((await p2p(guideTransfer(asked))).body.error.detail).toEqual(context);
  });

  test('several codes share a status: three of 422', async () => {
    const answers = [
      await p2p(transfer({ source_wallet: frozen })),
      await p2p(transfer({ source_wallet: closed })),
      await p2p(transfer({ source_wallet: poor, amount: 101 })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(new Set(answers.map(codeOf)).size).toBe(3);
  });

  test.each<[what: string, status: number, ask: (headers?: Headers) => Promise<Answer>]>([
    ['an unknown route', 404, (headers) => partner.get('/v1/nothing', headers)],
    ['a wrong token', 401, (headers) => service.as('nobody').get('/v1/webhooks', headers)],
    [
      'guide keys without a token',
      401,
      (headers) => service.as(null).post('/v1/transfers/p2p', guideTransfer(), headers),
    ],
    ['a wrong method', 405, (headers) => partner.ask('DELETE', '/v1/wallets', undefined, headers)],
  ])('%s, %d: reference form, unless the header says guide', async (_what, status, ask) => {
    const plain = await ask();
    expectRefusal(plain, 'reference', codeOf(plain), status);
    const guide = await ask(inForm('guide'));
    expectRefusal(guide, 'guide', codeOf(plain), status);
  });
});

describe('generic responses', () => {
  const ROWS: [
    status: number,
    code: string,
    condition: string,
    ask: (headers: Headers) => Promise<Answer>,
  ][] = [
    [401, 'INVALID_TOKEN', 'missing token', (headers) => service.as(null).get('/v1/webhooks', headers)],
    [
      401,
      'INVALID_TOKEN',
      'invalid token',
      (headers) => service.as('sk_test_x').get('/v1/webhooks', headers),
    ],
    [
      404,
      'NOT_FOUND',
      'resource does not exist',
      (headers) => partner.get(`/v1/wallets/${UNKNOWN_ID}`, headers),
    ],
    [404, 'NOT_FOUND', 'an id that is none', (headers) => partner.get('/v1/transactions/first', headers)],
    [
      409,
      'WALLET_ALREADY_EXISTS',
      'a wallet already exists for the `user_ref`',
      async (headers) => {
        await partner.post('/v1/wallets', { user_ref: 'ada' });
        return partner.post('/v1/wallets', { user_ref: 'ada' }, headers);
      },
    ],
    [422, 'VALIDATION_ERROR', 'body fails validation', (headers) => partner.post('/v1/wallets', {}, headers)],
    [
      422,
      'VALIDATION_ERROR',
      'a query parameter that the operation does not know',
      (headers) => partner.get('/v1/wallets?colour=green', headers),
    ],
    [
      422,
      'VALIDATION_ERROR',
      'a transaction’s id where a wallet is meant',
      (headers) => p2p(transfer({ source_wallet: `tx_${UNKNOWN_ID}` }), headers),
    ],
    [
      404,
      'NOT_FOUND',
      'a transaction’s id in the path of a wallet',
      (headers) => partner.get(`/v1/wallets/tx_${source}`, headers),
    ],
  ];
  describe.each(FORMS)('%s form', (form) => {
    test.each(ROWS)('%d %s: %s', async (status, code, _condition, ask) => {
      expectRefusal(await ask(inForm(form)), form, code, status);
    });
  });

  test('401: expired token', async () => {
    const email = `owner-${randomUUID()}@acme.example`;
    const nobody = service.as(null);
    const person = { email, password: 'correct horse battery' };
    await nobody.post('/v1/auth/register', { business_name: 'Acme', phone: '+2348012345678', ...person });
    const token: string = (await nobody.post('/v1/auth/login', person)).body.data.access_token;
    const expires_at = new Date(Date.now() + 1_500).toISOString();
    const { key } = (await service.as(token).post('/v1/api-keys', { label: 'Short', expires_at })).body.data;
    const refused = await until('the end of the key', async () => {
      const answer = await service.as(key).get('/v1/webhooks');
      return answer.status !== 200 && answer;
    });
    expectRefusal(refused, 'reference', 'INVALID_TOKEN', 401);
  });

  test('409 names the wallet', async () => {
    const { id } = (await partner.post('/v1/wallets', { user_ref: 'bola' })).body.data;
    const { body } = await partner.post('/v1/wallets', { user_ref: 'bola' });
    expect(body.detail).toEqual({ wallet_id: id });
  });

  test('422: message names the problem, for example a missing `user_ref`', async () => {
    expect((await partner.post('/v1/wallets', {})).body.message).toContain('user_ref');
  });

  test.each(FORMS)('422: `detail.fields` names every problem, in %s form', async (form) => {
    const body = (await p2p({ reference: '', amount: '1' }, inForm(form))).body;
    const { message, detail } = form === 'guide' ? body.error : body;
    const fields: { field: string; message: string }[] = detail.fields;
    expect(fields.map(({ field }) => field)).toEqual(['source_wallet', 'dest_wallet', 'amount', 'reference']);
    expect(message).toBe(`source_wallet: ${fields[0]?.message ?? ''}`);
  });

  test('429 RATE_LIMIT_EXCEEDED, with `Retry-After` and `X-RateLimit-Remaining`', async () => {
    const busy = await service.partner();
    const operator = await service.platform.openOperator();
    const body = { tier: 'growth', reason: 'For this test' };
    const proposed = await operator.post(`/ops/partners/${busy.partnerId}/tier`, body);
    await approvedBy(proposed, await service.platform.openOperator());
    const refused = await until('the limit', async () => {
      const answer = await busy.get('/v1/webhooks');
      return answer.status !== 200 && answer;
    });
    expectRefusal(refused, 'reference', 'RATE_LIMIT_EXCEEDED', 429);
    expect(refused.headers.get('Retry-After')).toMatch(/^[1-9]\d?$/);
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('0');
    expectRefusal(await busy.get('/v1/webhooks', inForm('guide')), 'guide', 'RATE_LIMIT_EXCEEDED', 429);
  });

  test('500 INTERNAL_ERROR: unexpected server error, answered without its cause', async () => {
    // No request of a partner leads to this error, so the test breaks a table of the platform.
    const { sql } = service.platform;
    await sql(`ALTER TABLE ${SANDBOX_CELL}.webhook_endpoints RENAME TO hidden`);
    try {
      for (const form of FORMS) {
        const answer = await partner.get('/v1/webhooks', inForm(form));
        expectRefusal(answer, form, 'INTERNAL_ERROR', 500);
        expect(answer.text).toContain('Unexpected error');
        expect(answer.text).not.toMatch(/hidden|webhook_endpoints|relation/);
      }
    } finally {
      await sql(`ALTER TABLE ${SANDBOX_CELL}.hidden RENAME TO webhook_endpoints`);
    }
  });
});

describe('P2P transfer codes', () => {
  const used = newReference();
  beforeAll(() => p2p(transfer({ reference: used })));

  /** The statuses are those of the guide; the reference lists 422, not 400, as its validation status. */
  const ROWS: [code: string, guide: number, reference: number, cause: string, more: () => Json][] = [
    [
      'INSUFFICIENT_FUNDS',
      422,
      422,
      'source balance below amount',
      () => ({ source_wallet: poor, amount: 101 }),
    ],
    // The balance of 100 kobo would cover 100 kobo, which cost no fee. 200 kobo cost a fee of 1 kobo.
    ['INSUFFICIENT_FUNDS', 422, 422, 'below amount plus fees', () => ({ source_wallet: poor, amount: 200 })],
    ['WALLET_NOT_FOUND', 404, 404, 'an unknown source', () => ({ source_wallet: UNKNOWN_ID })],
    ['WALLET_NOT_FOUND', 404, 404, 'an unknown destination', () => ({ dest_wallet: UNKNOWN_ID })],
    ['WALLET_FROZEN', 422, 422, 'source wallet frozen', () => ({ source_wallet: frozen })],
    ['WALLET_CLOSED', 422, 422, 'source wallet closed', () => ({ source_wallet: closed })],
    ['WALLET_CLOSED', 422, 422, 'destination wallet closed', () => ({ dest_wallet: closed })],
    ['SAME_WALLET_TRANSFER', 400, 422, 'source and destination identical', () => ({ dest_wallet: source })],
    ['AMOUNT_TOO_LOW', 400, 422, 'amount less than 1 kobo: 0', () => ({ amount: 0 })],
    ['AMOUNT_TOO_LOW', 400, 422, 'amount less than 1 kobo: -1', () => ({ amount: -1 })],
    [
      'DUPLICATE_REFERENCE',
      409,
      409,
      'used for a different transfer',
      () => ({ reference: used, amount: 7 }),
    ],
  ];
  test.each(ROWS)(
    '%s: %d in guide form, %d in reference form: %s',
    async (code, guide, reference, _cause, more) => {
      expectRefusal(await p2p(guideTransfer(more())), 'guide', code, guide);
      expectRefusal(await p2p(transfer(more())), 'reference', code, reference);
      // The header decides over the keys.
      expectRefusal(await p2p(transfer(more()), inForm('guide')), 'guide', code, guide);
      expectRefusal(await p2p(guideTransfer(more()), inForm('reference')), 'reference', code, reference);
    },
  );

  test('DUPLICATE_REFERENCE names the transaction; for a QR that is not paid there is none', async () => {
    const { detail } = (await p2p(transfer({ reference: used, amount: 8 }))).body;
    expect(detail).toEqual({ transaction_id: UUID });
    const unpaid = await qrRequest();
    expect((await p2p(transfer({ reference: unpaid }))).body.detail).toEqual({ transaction_id: null });
  });
});

describe('other codes', () => {
  const resolve = (query: string, headers?: Headers) => partner.get(`/v1/banks/resolve?${query}`, headers);
  const ROWS: [
    code: string,
    status: number,
    condition: string,
    ask: (headers: Headers) => Promise<Answer>,
  ][] = [
    [
      'ACCOUNT_RESOLUTION_FAILED',
      422,
      'the account number cannot be resolved',
      (headers) => resolve('bank_code=058&account_number=0123450404', headers),
    ],
    [
      'ACCOUNT_RESOLUTION_FAILED',
      422,
      'with the given bank: one that does not exist',
      (headers) => resolve('bank_code=00000000&account_number=0123456789', headers),
    ],
    [
      'WALLET_NOT_ACTIVE',
      422,
      'a pending source',
      async (headers) => {
        const { id } = (await partner.post('/v1/wallets', { user_ref: newReference() })).body.data;
        return p2p(transfer({ source_wallet: id }), headers);
      },
    ],
    [
      'INVALID_WALLET_STATE',
      422,
      'unfreezing a wallet that is not frozen',
      (headers) => partner.post(`/v1/wallets/${dest}/unfreeze`, {}, headers),
    ],
    [
      'WALLET_NOT_EMPTY',
      422,
      'closing a wallet with a balance',
      (headers) => partner.post(`/v1/wallets/${poor}/close`, {}, headers),
    ],
    [
      'INVALID_BANK_CODE',
      422,
      'an unknown bank',
      (headers) => bankTransfer({ bank_code: '00000000' }, headers),
    ],
    [
      'QR_EXPIRED',
      422,
      'paying too late',
      (headers) =>
        until('the end of the QR', async () => {
          const answer = await payQr(expiring.qrReference, source, headers);
          return answer.status !== 200 && answer;
        }),
    ],
    [
      'QR_ALREADY_PAID',
      422,
      'paying after somebody else',
      async (headers) => {
        const reference = await qrRequest();
        await payQr(reference, source);
        return payQr(reference, poor, headers);
      },
    ],
    ['NOT_FOUND', 404, 'paying an unknown QR', (headers) => payQr(newReference(), source, headers)],
    [
      'USSD_SESSION_EXPIRED',
      422,
      'confirming too late',
      async (headers) => {
        await until('the end of the session', async () => {
          const { body } = await partner.get(`/v1/payments/ussd/${expiring.sessionId}`);
          return body.data.status === 'expired';
        });
        return simulate(expiring.sessionId, headers);
      },
    ],
    [
      'USSD_SESSION_NOT_ACTIVE',
      422,
      'confirming twice',
      async (headers) => {
        const sessionId = await ussdSession();
        await simulate(sessionId);
        return simulate(sessionId, headers);
      },
    ],
    [
      'TRANSACTION_NOT_PROCESSING',
      422,
      'completing a P2P transfer',
      async (headers) => {
        const { id } = (await p2p(transfer())).body.data;
        return partner.post('/v1/sandbox/bank-transfer/complete', { transaction_id: id }, headers);
      },
    ],
    [
      'INVALID_COMPLIANCE_STATE',
      422,
      'approving a record that was not submitted',
      (headers) => partner.post('/v1/sandbox/compliance/review', { decision: 'approve' }, headers),
    ],
    [
      'COMPLIANCE_LOCKED',
      422,
      'a step after the approval',
      (headers) =>
        live.post('/v1/partner/compliance/agreements', { terms: true, aml_policy: true, dpa: true }, headers),
    ],
    ['SANDBOX_ONLY', 403, 'a reset in live', (headers) => live.post('/v1/sandbox/reset', undefined, headers)],
    [
      'PARTNER_NOT_ACTIVE',
      403,
      'a live wallet before the approval',
      async (headers) => (await service.inLive(partner)).post('/v1/wallets', { user_ref: 'ada' }, headers),
    ],
    ['FORBIDDEN', 403, 'listing keys with a key', (headers) => partner.get('/v1/api-keys', headers)],
    [
      'INVALID_CREDENTIALS',
      401,
      'a wrong password',
      (headers) =>
        service
          .as(null)
          .post(
            '/v1/auth/login',
            { email: `${randomUUID()}@acme.example`, password: 'correct horse' },
            headers,
          ),
    ],
    [
      'EMAIL_ALREADY_REGISTERED',
      409,
      'inviting a colleague',
      async (headers) => {
        const person = { email: `${randomUUID()}@acme.example`, password: 'correct horse battery' };
        const company = { business_name: 'Acme', phone: '+2348012345678', ...person };
        await service.as(null).post('/v1/auth/register', company);
        const { body } = await service.as(null).post('/v1/auth/login', person);
        const asked = { email: person.email, role: 'viewer' };
        return service.as(body.data.access_token).post('/v1/invitations', asked, headers);
      },
    ],
    [
      'IDEMPOTENCY_KEY_REUSED',
      422,
      'a key with another body',
      async (headers) => {
        const key = { 'Idempotency-Key': randomUUID() };
        await p2p(transfer(), key);
        return p2p(transfer(), { ...headers, ...key });
      },
    ],
    [
      'LIMIT_EXCEEDED',
      422,
      'a balance beyond the largest integer',
      (headers) =>
        partner.post(`/sandbox/wallets/${source}/fund`, { amount_kobo: 9_007_199_254_740_991 }, headers),
    ],
    [
      'PIN_LOCKED',
      422,
      'a tenth guess of the PIN',
      async (headers) => {
        const { id } = (await partner.post('/v1/wallets', { user_ref: newReference() })).body.data;
        const guess = (more?: Headers) =>
          partner.ask('PUT', `/v1/wallets/${id}/pin`, { pin: '5678', current_pin: '0001' }, more);
        for (let wrong = 0; wrong < 9; wrong += 1) expect(codeOf(await guess())).toBe('VALIDATION_ERROR');
        return guess(headers);
      },
    ],
    [
      'METHOD_NOT_ALLOWED',
      405,
      'a method that the path does not have',
      (headers) => partner.ask('DELETE', '/v1/wallets', undefined, headers),
    ],
    [
      'PAYLOAD_TOO_LARGE',
      413,
      'a body of 262,145 bytes',
      (headers) => partner.post('/v1/wallets', walletOfBytes(262_145), headers),
    ],
    [
      'SERVICE_UNAVAILABLE',
      503,
      'no provider of wallets in live',
      (headers) => live.post('/v1/wallets', { user_ref: 'ada' }, headers),
    ],
  ];
  describe.each(FORMS)('%s form', (form) => {
    test.each(ROWS)('%s (%d): %s', async (code, status, _condition, ask) => {
      const answer = await ask(inForm(form));
      expectRefusal(answer, form, code, status);
      if (status === 503) expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
      if (status === 405) expect(answer.headers.get('Allow')).toContain('POST');
    });
  });

  test('WALLET_NOT_EMPTY says why: `balance_kobo`, `open_transactions`', async () => {
    const { body } = await partner.post(`/v1/wallets/${poor}/close`, {});
    expect(body.detail).toEqual({ balance_kobo: 100, open_transactions: 0 });
  });

  test('a body of 262,144 bytes is read, and unknown fields are ignored', async () => {
    expect((await partner.post('/v1/wallets', walletOfBytes(262_144))).status).toBe(202);
  });

  test.each([
    ['cut short', '{"user_ref":'],
    ['no object', '[]'],
    ['a word', '"ada"'],
    ['no JSON', 'user_ref=ada'],
  ])('a body that is %s: 422 VALIDATION_ERROR', async (_what, body) => {
    expectRefusal(await partner.post('/v1/wallets', body), 'reference', 'VALIDATION_ERROR', 422);
  });
});

/** A request to create a wallet with the given number of bytes. */
function walletOfBytes(bytes: number): string {
  const body = JSON.stringify({ user_ref: `user-${randomUUID()}`, padding: '' });
  return body.replace('""', `"${'x'.repeat(bytes - body.length)}"`);
}

describe('when two errors apply, the first in this order is answered', () => {
  const used = newReference();
  beforeAll(() => p2p(transfer({ reference: used })));

  test.each<[first: string, then: string, ask: () => Promise<Answer>]>([
    ['INVALID_TOKEN', 'VALIDATION_ERROR', () => service.as(null).post('/v1/wallets', '{')],
    ['SANDBOX_ONLY', 'VALIDATION_ERROR', () => live.post('/sandbox/bank-transfer/fail', {})],
    [
      'PARTNER_NOT_ACTIVE',
      'VALIDATION_ERROR',
      async () => (await service.inLive(partner)).post('/v1/wallets', {}),
    ],
    ['VALIDATION_ERROR', 'AMOUNT_TOO_LOW', () => p2p(transfer({ amount: 0, reference: '' }))],
    ['VALIDATION_ERROR', 'INVALID_BANK_CODE', () => bankTransfer({ bank_code: '00000000', reference: '' })],
    ['INVALID_BANK_CODE', 'AMOUNT_TOO_LOW', () => bankTransfer({ bank_code: '00000000', amount: 0 })],
    ['AMOUNT_TOO_LOW', 'SAME_WALLET_TRANSFER', () => p2p(transfer({ amount: 0, dest_wallet: source }))],
    [
      'SAME_WALLET_TRANSFER',
      'DUPLICATE_REFERENCE',
      () => p2p(transfer({ dest_wallet: source, reference: used })),
    ],
    [
      'DUPLICATE_REFERENCE',
      'WALLET_NOT_FOUND',
      () => p2p(transfer({ reference: used, dest_wallet: UNKNOWN_ID })),
    ],
    [
      'WALLET_NOT_FOUND',
      'WALLET_CLOSED',
      () => p2p(transfer({ source_wallet: closed, dest_wallet: UNKNOWN_ID })),
    ],
    [
      'WALLET_NOT_FOUND',
      'WALLET_FROZEN',
      () => p2p(transfer({ source_wallet: frozen, dest_wallet: UNKNOWN_ID })),
    ],
    ['WALLET_FROZEN', 'WALLET_CLOSED', () => p2p(transfer({ source_wallet: frozen, dest_wallet: closed }))],
    [
      'WALLET_FROZEN',
      'INSUFFICIENT_FUNDS',
      () => p2p(transfer({ source_wallet: frozen, amount: 90_000_000 })),
    ],
    [
      'WALLET_CLOSED',
      'INSUFFICIENT_FUNDS',
      () => p2p(transfer({ source_wallet: poor, dest_wallet: closed, amount: 200 })),
    ],
  ])('%s before %s', async (first, _then, ask) => {
    expect(codeOf(await ask())).toBe(first);
  });
});
