/**
 * Paystack's adapter over the fake Paystack, which is a process that speaks HTTP: the contract of the port, and one
 * case for each answer that Paystack may give, those just past the edge included.
 */
import { randomUUID } from 'node:crypto';
import { findBank, SEED_BANKS, type Bank } from '../../../src/domain/banks';
import { payoutReference, type PayoutOrder } from '../../../src/domain/payouts';
import { createPaystack } from '../../../src/providers/paystack/paystack';
import type { Provider } from '../../../src/providers/port';
import type { FakeFault } from '../../standins/paystack/state';
import { openFakePaystack, type FakePaystack } from '../../support/fake-paystack';
import { keepsTheContract } from '../../support/provider-contract';
import { until } from '../../support/until';
import { FROM_BOLA } from '../../support/originator';

const WITHIN_MS = 900;
const FAILING_ACCOUNT = '2000000000';
const UNKNOWN_ACCOUNT = '0123450404';
const NOBODY_LISTENS = 'http://127.0.0.1:9';

type Paystack = Required<Pick<Provider, 'name' | 'can' | 'names' | 'payouts' | 'treasury'>>;

function openAdapter(
  url: string,
  secretKey: string,
  onKeyRefused?: (company: string) => void,
  findInList = (bankCode: string): Promise<Bank | undefined> =>
    Promise.resolve(findBank(SEED_BANKS, bankCode)),
): Paystack {
  return createPaystack({
    url,
    secretKey,
    answersWithinMs: WITHIN_MS,
    asksFirst: false,
    minKobo: 10_000,
    costMaxKobo: 10_000,
    takesDuty: false,
    ...(onKeyRefused && { onKeyRefused }),
    findBank: findInList,
    listBanks: () => Promise.resolve(SEED_BANKS),
  }) as Paystack;
}

function orderTo(accountNumber: string, more: Partial<PayoutOrder> = {}): PayoutOrder {
  return {
    reference: payoutReference(randomUUID(), 1),
    providerRef: null,
    amountKobo: 500_000,
    bankCode: '058',
    accountNumber,
    accountName: 'Ada Obi',
    narration: 'rent',
    ...FROM_BOLA,
    ...more,
  };
}

/** A number that no other case uses, so that no case finds the recipient of another one. */
let accounts = 3_000_000_000;
const freshOrder = (more: Partial<PayoutOrder> = {}): PayoutOrder => orderTo(String(accounts++), more);

let paystack: FakePaystack;
let adapter: Paystack;
beforeAll(async () => {
  paystack = await openFakePaystack();
  await paystack.set({
    endings: { [FAILING_ACCOUNT]: 'failed' },
    unknownAccounts: [UNKNOWN_ACCOUNT],
    pendingMs: 50,
  });
  adapter = openAdapter(paystack.url, paystack.secretKey);
});
afterEach(() => paystack.set({ faults: [], validatingMs: 0, otp: false }));
afterAll(() => paystack.close());

const on = (does: FakeFault) => paystack.fault(does);
/** Every request has the same fault. */
const everywhere = (fault: Omit<FakeFault, 'on'>) => async () => {
  const requests = [
    'GET /bank/resolve',
    'GET /balance',
    'GET /settlement',
    'POST /transferrecipient',
    'POST /transfer',
    'GET /transfer/verify',
    'GET /transaction',
  ];
  await paystack.set({ faults: requests.map((request) => ({ ...fault, on: request })) });
  return () => paystack.set({ faults: [] });
};

describe('Paystack as a company', () => {
  keepsTheContract(['inbound', 'names', 'payouts', 'refunds', 'treasury'], () =>
    Promise.resolve({
      provider: adapter,
      payouts: {
        order: (ends) => Promise.resolve(ends === 'success' ? freshOrder() : orderTo(FAILING_ACCOUNT)),
        paid: paystack.paid,
        async got(reference) {
          const { transfers, recipients } = await paystack.state();
          const transfer = transfers.find((one) => one.reference === reference);
          const recipient = recipients.find(({ code }) => code === transfer?.recipientCode);
          return { accountName: recipient?.name ?? '', narration: transfer?.reason ?? '' };
        },
      },
      treasury: { setBalance: (balanceKobo) => paystack.set({ balanceKobo }) },
      names: {
        known: { bankCode: '058', accountNumber: '0123456789', name: 'HOLDER OF 0123456789' },
        unknown: { bankCode: '058', accountNumber: UNKNOWN_ACCOUNT },
      },
      troubles: {
        'a connection that breaks': everywhere({ does: 'drop before' }),
        'no answer': everywhere({ does: 'hang before' }),
        'an unknown word': everywhere({ does: 'answer', body: { status: 'perhaps', message: 'Hello' } }),
        'a page of HTML': everywhere({ does: 'answer', status: 200, body: '<html>Hello</html>' }),
        'an error of the server': everywhere({ does: 'answer', status: 500, body: { status: false } }),
      },
    }),
  );
});

const refusal = (message: string, code?: string) => ({ status: false, message, ...(code && { code }) });
const BALANCE = 'Your balance is not enough to fulfill this request';
const DUPLICATE = 'Please provide a unique reference. Reference already exists on a transfer';

describe('the answer to an order', () => {
  const rows: [what: string, fault: Omit<FakeFault, 'on'>, answer: object][] = [
    ...['pending', 'otp', 'failed', 'a new word'].map((status): (typeof rows)[number] => [
      `200 with the status "${status}"`,
      { does: 'change', data: { status } },
      { outcome: 'accepted', providerRef: expect.any(String), pollAfterMs: null },
    ]),
    [
      '200 with the status "success", whose end is known at once',
      { does: 'change', data: { status: 'success' } },
      { outcome: 'accepted', pollAfterMs: 0 },
    ],
    [
      '200 about another reference',
      { does: 'change', data: { reference: 'another-reference' } },
      { outcome: 'unknown' },
    ],
    ['200 about another amount', { does: 'change', data: { amount: 500_001 } }, { outcome: 'unknown' }],
    ['200 from the other world', { does: 'change', data: { domain: 'live' } }, { outcome: 'unknown' }],
    ['200 that says no', { does: 'answer', body: refusal('no') }, { outcome: 'unknown' }],
    ['200 without data', { does: 'answer', body: { status: true, message: 'yes' } }, { outcome: 'unknown' }],
    [
      '400 with the code of a duplicate',
      { does: 'answer', status: 400, body: refusal('in other words', 'duplicate_transfer_reference') },
      { outcome: 'exists' },
    ],
    [
      '400 with the words of a duplicate',
      { does: 'answer', status: 400, body: refusal(DUPLICATE) },
      { outcome: 'exists' },
    ],
    [
      '400 about our balance',
      { does: 'answer', status: 400, body: refusal(BALANCE) },
      { outcome: 'refused', cause: 'float' },
    ],
    [
      '400 about our balance in the other spelling',
      { does: 'answer', status: 400, body: refusal(BALANCE.replace('fulfill', 'fulfil')) },
      { outcome: 'refused', cause: 'float' },
    ],
    [
      '400 about our account',
      {
        does: 'answer',
        status: 400,
        body: refusal('You cannot initiate third party payouts as a starter business'),
      },
      { outcome: 'refused', cause: 'access' },
    ],
    [
      '400 with words that begin like a row',
      { does: 'answer', status: 400, body: refusal(`${BALANCE} today`) },
      { outcome: 'unknown' },
    ],
    [
      '400 with another code',
      { does: 'answer', status: 400, body: refusal('no', 'new_code') },
      { outcome: 'unknown' },
    ],
    [
      '500 with the words of a row',
      { does: 'answer', status: 500, body: refusal(BALANCE) },
      { outcome: 'unknown' },
    ],
    ['401', { does: 'answer', status: 401, body: refusal('Invalid key') }, { outcome: 'not_sent' }],
    ['403', { does: 'answer', status: 403, body: '<html>Forbidden</html>' }, { outcome: 'not_sent' }],
    [
      '429 with the end of the window',
      { does: 'answer', status: 429, headers: { 'x-ratelimit-reset': '30' }, body: refusal('slow down') },
      { outcome: 'not_sent', pollAfterMs: 30_000 },
    ],
    ['429 without it', { does: 'answer', status: 429, body: '' }, { outcome: 'not_sent', pollAfterMs: null }],
    [
      '429 with an end that cannot be',
      { does: 'answer', status: 429, headers: { 'x-ratelimit-reset': '99999' }, body: '' },
      { outcome: 'not_sent', pollAfterMs: null },
    ],
    [
      '429 with Retry-After',
      { does: 'answer', status: 429, headers: { 'retry-after': '45' }, body: '' },
      { outcome: 'not_sent', pollAfterMs: 45_000, closedForMs: 45_000 },
    ],
    [
      '429 with both, of which the longer one counts',
      { does: 'answer', status: 429, headers: { 'retry-after': '20', 'x-ratelimit-reset': '30' }, body: '' },
      { outcome: 'not_sent', pollAfterMs: 30_000, closedForMs: 30_000 },
    ],
    [
      '429 with a wait of a day, of which ten minutes are believed',
      { does: 'answer', status: 429, headers: { 'retry-after': '86400' }, body: '' },
      { outcome: 'not_sent', pollAfterMs: 600_000 },
    ],
    [
      '503 with Retry-After',
      { does: 'answer', status: 503, headers: { 'retry-after': '7' }, body: '' },
      { outcome: 'unknown', closedForMs: 7_000 },
    ],
    [
      '500 with Retry-After, which says nothing there',
      { does: 'answer', status: 500, headers: { 'retry-after': '7' }, body: '' },
      { outcome: 'unknown', closedForMs: null },
    ],
    ['404', { does: 'answer', status: 404, body: refusal('no') }, { outcome: 'unknown' }],
    [
      '401 keeps its code',
      { does: 'answer', status: 401, body: refusal('Invalid key', 'invalid_Key') },
      { outcome: 'not_sent', saidCode: 'invalid_Key', reason: 'Paystack does not take the secret key' },
    ],
    [
      '400 with a text where the code should be',
      { does: 'answer', status: 400, body: refusal('no', 'Ada Obi, 0123456789') },
      { outcome: 'unknown', saidCode: 'http_400' },
    ],
    ['302', { does: 'answer', status: 302, headers: { location: '/' }, body: '' }, { outcome: 'unknown' }],
  ];

  test.each(rows)('%s', async (_what, fault, answer) => {
    await on({ ...fault, on: 'POST /transfer' });
    expect(await adapter.payouts.submit(freshOrder())).toMatchObject(answer);
  });

  /** What its pages and integrators write of a destination that Paystack does not pay to, and what a partner reads. */
  const REFUSED: [message: string, code: string | undefined, reason: RegExp][] = [
    ["Sorry, we can't make the transfer to this recipient at the moment", undefined, /makes no transfers/],
    ['Sorry, we can’t make the transfer to this recipient at the moment', undefined, /makes no transfers/],
    ["can't make the transfer to this recipient", undefined, /makes no transfers/],
    ['Account closed', undefined, /is closed/],
    ['Bank code is invalid', undefined, /bank code/],
    ['Bank is invalid', 'invalid_bank_code', /bank code/],
    ['Account number is invalid', 'invalid_params', /account number/],
    ['Account number is required', undefined, /account number/],
    ['Cannot resolve account', undefined, /not found/],
    ['Could not resolve account name. Check parameters or try again.', 'invalid_bank_code', /not found/],
    ['Recipient specified is invalid', 'invalid_transfer_recipient', /account is not valid/],
    ['In other words', 'invalid_transfer_recipient', /account is not valid/],
    ['In other words', 'invalid_account_number', /account number/],
  ];

  test.each(
    REFUSED.flatMap(([message, code, reason]) =>
      ['POST /transfer', 'POST /transferrecipient'].flatMap((request) =>
        [400, 422].map((status) => [request, status, message, code, reason] as const),
      ),
    ),
  )('%s with %i, "%s" (%s): the destination is refused', async (request, status, message, code, reason) => {
    await on({ on: request, does: 'answer', status, body: refusal(message, code), times: 1 });
    expect(await adapter.payouts.submit(freshOrder())).toMatchObject({
      outcome: 'refused',
      cause: 'beneficiary',
      reason: expect.stringMatching(reason),
      saidCode: code ?? `http_${String(status)}`,
    });
    // A refusal holds for one request.
    expect(await adapter.payouts.submit(freshOrder())).toMatchObject({ outcome: 'accepted' });
  });

  test.each([404, 409, 500, 502, 504])('the same words with %i prove nothing', async (status) => {
    await on({ on: 'POST /transfer', does: 'answer', status, body: refusal('Account closed') });
    const answer = await adapter.payouts.submit(freshOrder());
    expect(answer.outcome).toBe('unknown');
    expect(answer).not.toHaveProperty('saysNo');
  });

  test.each<[what: string, fault: Omit<FakeFault, 'on'>, says: boolean]>([
    ['400 in other words', { does: 'answer', status: 400, body: refusal('no', 'new_code') }, true],
    ['422 in other words', { does: 'answer', status: 422, body: refusal('no') }, true],
    ['400 as a page', { does: 'answer', status: 400, body: '<html>Bad request</html>' }, false],
    ['400 that says yes', { does: 'answer', status: 400, body: { status: true, message: 'yes' } }, false],
    ['404', { does: 'answer', status: 404, body: refusal('no') }, false],
    ['500', { does: 'answer', status: 500, body: refusal('no') }, false],
  ])('%s: Paystack itself says no: %s', async (_what, fault, says) => {
    await on({ ...fault, on: 'POST /transfer' });
    const answer = await adapter.payouts.submit(freshOrder());
    expect(answer.outcome).toBe('unknown');
    expect('saysNo' in answer).toBe(says);
  });

  test.each<[what: string, change: Record<string, unknown>, reason: string]>([
    ['another amount', { amount: 500_001 }, 'Paystack answered about another amount'],
    ['another reference', { reference: 'another-reference' }, 'Paystack answered about another transfer'],
    ['the other world', { domain: 'live' }, 'Paystack answered about another transfer'],
  ])('an answer about %s is told apart, to an order and to a question', async (_what, data, reason) => {
    const order = freshOrder();
    const other = { outcome: 'unknown', isAboutAnother: true, reason };
    await on({ on: 'POST /transfer', does: 'change', data, times: 1 });
    expect(await adapter.payouts.submit(order)).toMatchObject(other);
    await on({ on: 'GET /transfer/verify', does: 'change', data });
    expect(await adapter.payouts.query(order)).toMatchObject(other);
  });

  test('a key that is not taken is told, and no other answer is', async () => {
    const refused: string[] = [];
    const told = openAdapter(paystack.url, paystack.secretKey, (company) => refused.push(company));
    for (const status of [403, 429, 500, 400]) {
      await on({ on: 'POST /transfer', does: 'answer', status, body: refusal('no'), times: 1 });
      await told.payouts.submit(freshOrder());
    }
    expect(refused).toEqual([]);
    const other = openAdapter(paystack.url, 'sk_test_other', (company) => refused.push(company));
    expect(await other.payouts.submit(freshOrder())).toMatchObject({
      outcome: 'not_sent',
      saidCode: 'invalid_Key',
    });
    expect(refused).toEqual(['paystack']);
  });

  test('a question keeps the code of every answer', async () => {
    const order = freshOrder();
    await adapter.payouts.submit(order);
    const asked = async (fault: Omit<FakeFault, 'on'>) => {
      await on({ ...fault, on: 'GET /transfer/verify', times: 1 });
      return adapter.payouts.query(order);
    };
    expect(await asked({ does: 'change', data: { status: 'limbo' } })).toMatchObject({
      outcome: 'unknown',
      saidCode: 'limbo',
      reason: 'Paystack told a new kind of status',
    });
    expect(await asked({ does: 'answer', status: 401, body: refusal('no', 'invalid_Key') })).toMatchObject({
      saidCode: 'invalid_Key',
      reason: 'Paystack does not take the secret key',
    });
    expect(await asked({ does: 'answer', status: 429, body: '' })).toMatchObject({
      saidCode: 'http_429',
      reason: 'Paystack gets too many requests',
    });
  });

  test('429 with the end of the window as a date', async () => {
    const inSeconds = Math.ceil(Date.now() / 1_000) + 20;
    const headers = { 'x-ratelimit-reset': String(inSeconds) };
    await on({ on: 'POST /transfer', does: 'answer', status: 429, headers, body: '' });
    const { outcome, pollAfterMs } = await adapter.payouts.submit(freshOrder());
    expect(outcome).toBe('not_sent');
    expect(pollAfterMs).toBeGreaterThan(15_000);
    expect(pollAfterMs).toBeLessThanOrEqual(21_000);
  });

  test('where nobody listens, the order is not sent', async () => {
    const nobody = openAdapter(NOBODY_LISTENS, paystack.secretKey);
    expect(await nobody.payouts.submit(freshOrder())).toMatchObject({ outcome: 'not_sent' });
    expect(await nobody.payouts.query(freshOrder())).toMatchObject({ outcome: 'unknown' });
    expect(await nobody.names.enquire('058', '0123456789')).toBe('unknown');
  });

  test.each(['drop before', 'drop after', 'hang before', 'hang after'] as const)(
    'where the connection ends without an answer (%s), nothing is known, and no error has a number or the key',
    async (does) => {
      await on({ on: 'POST /transfer', does });
      const order = freshOrder();
      const error = await adapter.payouts.submit(order).catch(String);
      expect(error).toMatch(/^Error: Paystack has not answered: [A-Za-z_]+$/);
      expect(await paystack.paid(order.reference)).toBe(0);
      const found = await until('the answer to a question', async () => {
        const answer = await adapter.payouts.query(order);
        return answer.outcome !== 'pending' && answer;
      });
      expect(found.outcome).toBe(does.endsWith('after') ? 'success' : 'not_found');
    },
  );

  test('an order without enough float is refused, and is paid once after a top-up', async () => {
    await paystack.set({ balanceKobo: 500_999 });
    const order = freshOrder();
    expect(await adapter.payouts.submit(order)).toMatchObject({ outcome: 'refused', cause: 'float' });
    await paystack.set({ balanceKobo: 1_000_000_000 });
    expect((await adapter.payouts.submit(order)).outcome).toBe('accepted');
    expect((await adapter.payouts.submit(order)).outcome).toBe('exists');
  });
});

describe('the recipient of an order', () => {
  test.each<[what: string, fault: Omit<FakeFault, 'on'>]>([
    ['another account', { does: 'change', data: { details: { account_number: '1', bank_code: '058' } } }],
    ['no code', { does: 'change', data: { recipient_code: '' } }],
    ['a refusal in other words', { does: 'answer', status: 400, body: refusal('No') }],
    ['no answer', { does: 'hang before' }],
  ])('that is %s: the order is not sent', async (_what, fault) => {
    await on({ ...fault, on: 'POST /transferrecipient' });
    const order = freshOrder();
    expect((await adapter.payouts.submit(order)).outcome).toBe('not_sent');
    const { transfers } = await paystack.state();
    expect(transfers.map(({ reference }) => reference)).not.toContain(order.reference);
  });

  test('that somebody has deleted is made anew, before the account is called refused', async () => {
    const order = freshOrder();
    expect((await adapter.payouts.submit(order)).outcome).toBe('accepted');
    const invalid = refusal('Recipient specified is invalid', 'invalid_transfer_recipient');
    await on({ on: 'POST /transfer', does: 'answer', status: 400, body: invalid, times: 1 });
    const second = orderTo(order.accountNumber);
    expect(await adapter.payouts.submit(second)).toMatchObject({ outcome: 'not_sent', pollAfterMs: 0 });
    expect((await adapter.payouts.submit(second)).outcome).toBe('accepted');
    await on({ on: 'POST /transfer', does: 'answer', status: 400, body: invalid, times: 2 });
    const third = orderTo(order.accountNumber);
    expect((await adapter.payouts.submit(third)).outcome).toBe('not_sent');
    expect(await adapter.payouts.submit(third)).toMatchObject({ outcome: 'refused', cause: 'beneficiary' });
  });

  test('is made once for an account, with the code that Paystack knows its bank by', async () => {
    const order = freshOrder({ bankCode: '000013' });
    await adapter.payouts.submit(order);
    // It is not asked for again.
    await on({ on: 'POST /transferrecipient', does: 'drop before' });
    const second = { ...order, reference: payoutReference(randomUUID(), 1), narration: 'é'.repeat(200) };
    expect((await adapter.payouts.submit(second)).outcome).toBe('accepted');
    const { recipients, transfers } = await paystack.state();
    expect(recipients.filter(({ accountNumber }) => accountNumber === order.accountNumber)).toMatchObject([
      { bankCode: '058', name: 'Ada Obi' },
    ]);
    expect(transfers.at(-1)?.reason).toBe('é'.repeat(100));
  });
});

describe('the answer to a question', () => {
  const details = { account_number: '3999999999', bank_code: '058' };
  const rows: [what: string, fault: Omit<FakeFault, 'on'>, outcome: string][] = [
    ...Object.entries({
      success: 'success',
      pending: 'pending',
      received: 'pending',
      otp: 'pending',
      failed: 'failed',
      abandoned: 'failed',
      blocked: 'failed',
      rejected: 'failed',
      reversed: 'reversed',
      queued: 'unknown',
      constructor: 'unknown',
    }).map(([status, outcome]): (typeof rows)[number] => [
      `the status "${status}"`,
      { does: 'change', data: { status } },
      outcome,
    ]),
    ['another reference', { does: 'change', data: { reference: 'another-reference' } }, 'unknown'],
    ['one kobo more', { does: 'change', data: { amount: 500_001 } }, 'unknown'],
    ['one kobo less', { does: 'change', data: { amount: 499_999 } }, 'unknown'],
    ['the amount as a text', { does: 'change', data: { amount: '500000' } }, 'unknown'],
    ['another currency', { does: 'change', data: { currency: 'USD' } }, 'unknown'],
    ['the other world', { does: 'change', data: { domain: 'live' } }, 'unknown'],
    ['another account', { does: 'change', data: { recipient: { details } } }, 'unknown'],
    ['a recipient that is only a number', { does: 'change', data: { recipient: 28 } }, 'unknown'],
    ['404', { does: 'answer', status: 404, body: refusal('Transfer not found') }, 'not_found'],
    ['404 as a page', { does: 'answer', status: 404, body: '<html>Not found</html>' }, 'unknown'],
    ['400', { does: 'answer', status: 400, body: refusal('Transfer not found') }, 'unknown'],
    ['401', { does: 'answer', status: 401, body: refusal('Invalid key') }, 'unknown'],
    ['429', { does: 'answer', status: 429, body: refusal('slow down') }, 'unknown'],
    ['502', { does: 'answer', status: 502, body: '<html>Bad gateway</html>' }, 'unknown'],
  ];

  let paid: PayoutOrder;
  beforeAll(async () => {
    paid = freshOrder();
    await adapter.payouts.submit(paid);
  });

  test.each(rows)('%s', async (_what, fault, outcome) => {
    await on({ ...fault, on: 'GET /transfer/verify' });
    const answer = await adapter.payouts.query(paid);
    expect(answer.outcome).toBe(outcome);
    expect(answer.reason === null).toBe(['success', 'pending'].includes(outcome));
  });

  test('has the id of the transfer, the session of the rail, and the fee', async () => {
    const answer = await until('the end', async () => {
      const heard = await adapter.payouts.query(paid);
      return heard.outcome === 'success' && heard;
    });
    expect(answer).toMatchObject({
      providerRef: expect.stringMatching(/^TRF_/),
      sessionId: expect.any(String),
      feeKobo: 1_000,
    });
  });

  test('about an order that is still checked is that there is none', async () => {
    await paystack.set({ validatingMs: 60_000 });
    const order = freshOrder();
    expect((await adapter.payouts.submit(order)).outcome).toBe('accepted');
    expect((await adapter.payouts.query(order)).outcome).toBe('not_found');
  });

  test('about an order that waits for a one-time password is that it is pending', async () => {
    await paystack.set({ otp: true });
    const order = freshOrder();
    const authorized = { needsAuthorization: true };
    expect(await adapter.payouts.submit(order)).toMatchObject({ outcome: 'accepted', ...authorized });
    expect(await adapter.payouts.query(order)).toMatchObject({ outcome: 'pending', ...authorized });
    await paystack.set({ otp: false });
    expect(await adapter.payouts.submit(freshOrder())).toMatchObject({ needsAuthorization: false });
  });
});

describe('the answer to a name enquiry', () => {
  const found = { status: true, message: 'Account number resolved' };
  const couldNot = 'Could not resolve account name. Check parameters or try again.';
  test.each<[what: string, fault: Omit<FakeFault, 'on'>, answer: unknown]>([
    [
      'a name',
      {
        does: 'answer',
        body: { ...found, data: { account_number: '0123456789', account_name: ' ADA OBI ' } },
      },
      { found: 'ADA OBI' },
    ],
    [
      'the name of another account',
      { does: 'answer', body: { ...found, data: { account_number: '9876543210', account_name: 'ADA OBI' } } },
      'unknown',
    ],
    [
      'an empty name',
      { does: 'answer', body: { ...found, data: { account_number: '0123456789', account_name: ' ' } } },
      'unknown',
    ],
    ['422 "could not resolve"', { does: 'answer', status: 422, body: refusal(couldNot) }, 'not_found'],
    ['422 with other words', { does: 'answer', status: 422, body: refusal('Try again') }, 'unknown'],
    ['400 "could not resolve"', { does: 'answer', status: 400, body: refusal(couldNot) }, 'not_found'],
    [
      '422 about the bank',
      { does: 'answer', status: 422, body: refusal('Unknown bank code: 999') },
      'not_found',
    ],
    [
      '400 with the code of a recipient',
      { does: 'answer', status: 400, body: refusal('no', 'invalid_transfer_recipient') },
      'not_found',
    ],
    ['400 about our balance', { does: 'answer', status: 400, body: refusal(BALANCE) }, 'unknown'],
    ['404 "could not resolve"', { does: 'answer', status: 404, body: refusal(couldNot) }, 'unknown'],
    ['422 as a page', { does: 'answer', status: 422, body: couldNot }, 'unknown'],
    ['429', { does: 'answer', status: 429, body: refusal('slow down') }, 'unknown'],
    ['500', { does: 'answer', status: 500, body: refusal(couldNot) }, 'unknown'],
  ])('%s', async (_what, fault, answer) => {
    await on({ ...fault, on: 'GET /bank/resolve' });
    expect(await adapter.names.enquire('058', '0123456789')).toEqual(answer);
  });
});

test('a wrong secret key is told apart from every other trouble, and is in no answer', async () => {
  const stranger = openAdapter(paystack.url, 'sk_test_of_somebody_else');
  const heard = await stranger.payouts.submit(freshOrder());
  expect(heard).toMatchObject({ outcome: 'not_sent', reason: 'Paystack does not take the secret key' });
  expect(JSON.stringify(heard)).not.toContain('sk_test');
});

describe('the balance', () => {
  test.each<[what: string, data: unknown]>([
    ['another currency alone', [{ currency: 'GHS', balance: 1 }]],
    ['two balances in naira', Array(2).fill({ currency: 'NGN', balance: 1 })],
    ['a fraction of a kobo', [{ currency: 'NGN', balance: 1.5 }]],
    ['a text', [{ currency: 'NGN', balance: '100' }]],
    ['less than nothing', [{ currency: 'NGN', balance: -1 }]],
  ])('is not known from %s', async (_what, data) => {
    const body = { status: true, message: 'Balances retrieved', data };
    await on({ on: 'GET /balance', does: 'answer', body });
    await expect(adapter.treasury.balance()).rejects.toThrow('Paystack answered HTTP 200');
  });

  test.each<[what: string, other: unknown]>([
    ['in debt', { currency: 'USD', balance: -20 }],
    ['with cents of cents', { currency: 'USD', balance: 0.5 }],
    ['without a balance', { currency: 'USD' }],
    ['as nothing', null],
  ])('in naira is known beside a row of another currency %s', async (_what, other) => {
    const data = [other, { currency: 'NGN', balance: 77 }];
    await on({ on: 'GET /balance', does: 'answer', body: { status: true, message: '', data } });
    expect(await adapter.treasury.balance()).toBe(77);
  });
});

describe('a recipient without its account', () => {
  test('is looked up by its code', async () => {
    const order = freshOrder();
    await adapter.payouts.submit(order);
    const { recipients } = await paystack.state();
    const code = recipients.find(({ accountNumber }) => accountNumber === order.accountNumber)?.code ?? '';
    expect(await adapter.payouts.recipient?.(code)).toEqual({
      bankCode: '058',
      accountNumber: order.accountNumber,
    });
  });

  test('that Paystack does not know is none, and without an answer nothing is known', async () => {
    expect(await adapter.payouts.recipient?.('RCP_nobody')).toBeNull();
    await on({ on: 'GET /transferrecipient', does: 'answer', status: 500, body: '' });
    await expect(adapter.payouts.recipient?.('RCP_nobody')).rejects.toThrow('HTTP 500');
  });
});

describe('a bank with a code of Paystack’s own', () => {
  const withCode = (code: string | null) => {
    const gtb = {
      code: '058',
      nipCode: '000013',
      name: 'GTB',
      slug: 'gtb',
      companyCodes: { paystack: code },
    };
    return openAdapter(paystack.url, paystack.secretKey, undefined, () => Promise.resolve(gtb));
  };

  test('is paid, named and asked about by that code', async () => {
    const other = withCode('057');
    const order = freshOrder();
    expect(await other.payouts.reaches?.('058')).toBe(true);
    expect((await other.payouts.submit(order)).outcome).toBe('accepted');
    const { recipients } = await paystack.state();
    expect(recipients.find(({ accountNumber }) => accountNumber === order.accountNumber)?.bankCode).toBe(
      '057',
    );
    expect((await other.payouts.query(order)).outcome).toMatch(/pending|success/);
    expect((await openAdapter(paystack.url, paystack.secretKey).payouts.query(order)).isAboutAnother).toBe(
      true,
    );
  });

  test('that Paystack does not have gets no order, and is named by nobody', async () => {
    const other = withCode(null);
    const order = freshOrder();
    expect(await other.payouts.reaches?.('058')).toBe(false);
    expect((await other.payouts.submit(order)).outcome).toBe('not_sent');
    expect(await other.names.enquire('058', order.accountNumber)).toBe('unknown');
    const { recipients } = await paystack.state();
    expect(recipients.find(({ accountNumber }) => accountNumber === order.accountNumber)).toBeUndefined();
  });
});

describe('the list of banks', () => {
  const answer = (data: unknown) =>
    on({ on: 'GET /bank', does: 'answer', body: { status: true, message: '', data } });
  /** A list is known for an hour, so each case has an adapter of its own. */
  const lists = (bankCode: string) => openAdapter(paystack.url, paystack.secretKey).payouts.lists?.(bankCode);

  test.each<[what: string, rows: unknown[]]>([
    ['one bank', [{ code: '058' }]],
    ['a bank without a code', [{ code: null }, { name: 'No code' }, { code: '058' }]],
    ['a row that is no bank', [null, 'x', { code: '058' }]],
  ])('with %s', async (_what, rows) => {
    await answer(rows);
    expect([await lists('058'), await lists('044')]).toEqual([true, false]);
    const listed = await openAdapter(paystack.url, paystack.secretKey).payouts.listed?.();
    expect(listed?.map(({ code }) => code)).toContain('058');
  });

  test('knows a bank by the code of NIP that our list has for it', async () => {
    await answer([{ code: '058' }]);
    expect(await lists('000013')).toBe(true);
  });

  test('that is none is not known', async () => {
    await answer({});
    await expect(lists('058')).rejects.toThrow('Paystack has not given its list of banks');
  });
});
