/** What Paystack says of payments that came in, over the fake Paystack: one case for each answer, and those past the edge. */
import { SEED_BANKS } from '../../../src/domain/banks';
import { createPaystack } from '../../../src/providers/paystack/paystack';
import type { Provider } from '../../../src/providers/port';
import type { FakeFault } from '../../standins/paystack/state';
import { openFakePaystack, type FakePaystack } from '../../support/fake-paystack';
import { pagesIn } from '../../support/pages';

let paystack: FakePaystack;
let inbound: NonNullable<Provider['inbound']>;
beforeAll(async () => {
  paystack = await openFakePaystack();
  const adapter = createPaystack({
    url: paystack.url,
    secretKey: paystack.secretKey,
    answersWithinMs: 900,
    asksFirst: false,
    minKobo: 10_000,
    costMaxKobo: 10_000,
    takesDuty: false,
    findBank: () => Promise.resolve(undefined),
    listBanks: () => Promise.resolve(SEED_BANKS),
  });
  inbound = adapter.inbound as NonNullable<Provider['inbound']>;
  await paystack.receive('paid', { amountKobo: 500_000, feeKobo: 5_000, customerCode: 'CUS_ada' });
});
afterEach(() => paystack.set({ faults: [] }));
afterAll(() => paystack.close());

const PAID = {
  outcome: 'received',
  payment: {
    providerRef: expect.stringMatching(/^[0-9]+$/),
    amountKobo: 500_000,
    feeKobo: 5_000,
    bankCode: '035',
    accountNumber: '9930000902',
    customerRef: 'CUS_ada',
    sender: {
      name: 'RANDALL AKANBI HORTON',
      bankName: 'First City Monument Bank',
      accountNumber: 'XXXXXX0011',
      narration: 'NIP: RHODA CHURCH -1123344343',
    },
  },
};

test('a payment is received with its amount, fee, account and sender', async () => {
  expect(await inbound.confirm('paid')).toEqual(PAID);
});

const refusal = (message: string) => ({ status: false, message });
const MISSING = 'Transaction reference not found.';
const authorization = { receiver_bank_account_number: '9930000902', receiver_bank: 'Bank of Elsewhere' };

const rows: [what: string, fault: Omit<FakeFault, 'on'>, answer: object][] = [
  ...Object.entries({
    pending: 'pending',
    processing: 'pending',
    ongoing: 'pending',
    queued: 'pending',
    failed: 'failed',
    abandoned: 'failed',
    reversed: 'failed',
    'a new word': 'unknown',
    constructor: 'unknown',
  }).map(([status, outcome]): (typeof rows)[number] => [
    `the status "${status}"`,
    { does: 'change', data: { status } },
    { outcome },
  ]),
  ['no fee', { does: 'change', data: { fees: null } }, { payment: { feeKobo: null } }],
  [
    'a bank that we do not know',
    { does: 'change', data: { authorization } },
    { payment: { bankCode: null } },
  ],
  ['no customer', { does: 'change', data: { customer: null } }, { payment: { customerRef: null } }],
  ['the other world', { does: 'change', data: { domain: 'live' } }, { outcome: 'failed' }],
  ['another way of paying', { does: 'change', data: { channel: 'card' } }, { outcome: 'failed' }],
  ['another currency', { does: 'change', data: { currency: 'USD' } }, { outcome: 'failed' }],
  ['another reference', { does: 'change', data: { reference: 'another' } }, { outcome: 'unknown' }],
  ['the amount as a text', { does: 'change', data: { amount: '500000' } }, { outcome: 'unknown' }],
  ['no amount', { does: 'change', data: { amount: 0 } }, { outcome: 'unknown' }],
  ['a fee below nothing', { does: 'change', data: { fees: -1 } }, { outcome: 'unknown' }],
  ['no account', { does: 'change', data: { authorization: {} } }, { outcome: 'unknown' }],
  [
    '400 that has no such payment',
    { does: 'answer', status: 400, body: refusal(MISSING) },
    { outcome: 'not_found' },
  ],
  [
    '404 that has no such payment',
    { does: 'answer', status: 404, body: refusal(MISSING) },
    { outcome: 'not_found' },
  ],
  [
    '500 with the same words',
    { does: 'answer', status: 500, body: refusal(MISSING) },
    { outcome: 'unknown' },
  ],
  ['400 with other words', { does: 'answer', status: 400, body: refusal('no') }, { outcome: 'unknown' }],
  ['404 as a page', { does: 'answer', status: 404, body: '<html>Not found</html>' }, { outcome: 'unknown' }],
  [
    '429',
    { does: 'answer', status: 429, headers: { 'x-ratelimit-reset': '30' }, body: refusal('slow down') },
    { outcome: 'unknown', pollAfterMs: 30_000 },
  ],
];

test.each(rows)('%s', async (_what, fault, answer) => {
  await paystack.fault({ ...fault, on: 'GET /transaction/verify' });
  expect(await inbound.confirm('paid')).toMatchObject(answer);
});

test('a reference that Paystack never had is not found', async () => {
  expect(await inbound.confirm('never')).toMatchObject({ outcome: 'not_found' });
});

test.each(['drop before', 'hang before'] as const)(
  'without an answer (%s) nothing is known',
  async (does) => {
    await paystack.fault({ on: 'GET /transaction/verify', does });
    await expect(inbound.confirm('paid')).rejects.toThrow(/^Paystack has not answered: [A-Za-z_]+$/);
  },
);

describe('the list', () => {
  const hour = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };

  test('has the payments to account numbers, page by page, and nothing else', async () => {
    await paystack.receive('by-card', { channel: 'card' });
    await paystack.receive('of-live', { domain: 'live' });
    await paystack.receive('failed', { status: 'failed' });
    await paystack.receive('long-ago', { paidAtMs: Date.now() - 7_200_000 });
    expect(await pagesIn(inbound.list(hour))).toEqual([['paid']]);
    for (let n = 0; n < 98; n++) await paystack.receive(`more-${String(n)}`, {});
    const pages = await pagesIn(inbound.list(hour));
    expect(pages).toHaveLength(2);
    expect(new Set(pages.flat()).size).toBe(99);
  });

  test.each<[what: string, body: unknown]>([
    ['a refusal', { status: false, message: 'no' }],
    ['one transaction', { status: true, message: 'yes', data: {} }],
    ['a page of HTML', '<html>Hello</html>'],
  ])('that is %s is no list', async (_what, body) => {
    await paystack.fault({ on: 'GET /transaction', does: 'answer', body });
    await expect(pagesIn(inbound.list(hour))).rejects.toThrow(
      'Paystack has not given its list of transactions',
    );
  });
});
