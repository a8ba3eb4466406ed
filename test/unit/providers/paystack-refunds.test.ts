/** What Paystack says of refunds, over the fake Paystack: one case for each answer, and how often money goes back. */
import { createPaystack } from '../../../src/providers/paystack/paystack';
import type { RefundOrder } from '../../../src/domain/refunds';
import type { Refunds } from '../../../src/providers/port';
import type { FakeFault } from '../../standins/paystack/state';
import { openFakePaystack, type FakePaystack } from '../../support/fake-paystack';

let paystack: FakePaystack;
let refunds: Refunds;
beforeAll(async () => {
  paystack = await openFakePaystack();
  const adapter = createPaystack({
    url: paystack.url,
    secretKey: paystack.secretKey,
    // The first third of it is for the list.
    answersWithinMs: 3_000,
    asksFirst: false,
    minKobo: 10_000,
    costMaxKobo: 10_000,
    takesDuty: false,
    findBank: () => Promise.resolve(undefined),
    listBanks: () => Promise.resolve([]),
  });
  refunds = adapter.refunds as Refunds;
});
afterEach(() => paystack.set({ faults: [], refundStatus: 'processed' }));
afterAll(() => paystack.close());

let n = 0;
/** A payment that came in, as it is to go back. */
async function paid(amountKobo = 500_000): Promise<RefundOrder> {
  const reference = `paid-${String(++n)}`;
  await paystack.receive(reference, { amountKobo });
  const payment = (await paystack.state()).transactions.find((one) => one.reference === reference);
  return {
    refundId: `refund-${String(n)}`,
    reference,
    paymentRef: String(payment?.id),
    amountKobo,
    receivedAt: new Date(),
    providerRef: null,
  };
}
const backOf = async ({ paymentRef }: RefundOrder): Promise<number[]> =>
  (await paystack.state()).refunds
    .filter((one) => String(one.transactionId) === paymentRef)
    .map(({ amountKobo }) => amountKobo);

test('an order is accepted, and its refund has succeeded; a second order finds it', async () => {
  const order = await paid();
  const answer = await refunds.order(order);
  expect(answer).toMatchObject({ outcome: 'accepted', providerRef: expect.stringMatching(/^[0-9]+$/) });
  expect(await refunds.query({ ...order, providerRef: answer.providerRef })).toMatchObject({
    outcome: 'success',
    providerRef: answer.providerRef,
  });
  expect(await refunds.order(order)).toMatchObject({ outcome: 'exists', providerRef: answer.providerRef });
  expect(await backOf(order)).toEqual([500_000]);
});

test.each<[what: string, fault: Omit<FakeFault, 'on'>]>([
  ['lost', { does: 'drop after' }],
  ['late', { does: 'hang after' }],
  ['a page of HTML', { does: 'answer after', status: 502, body: '<html>Bad gateway</html>' }],
  ['about another amount', { does: 'change', data: { amount: 1 } }],
])(
  'an order whose answer is %s may have arrived, and a question finds it by its payment',
  async (_what, fault) => {
    const order = await paid();
    await paystack.fault({ ...fault, on: 'POST /refund', times: 1 });
    const answer = await refunds.order(order).catch(() => ({ outcome: 'thrown' }));
    expect(['thrown', 'unknown']).toContain(answer.outcome);
    expect(await refunds.query(order)).toMatchObject({ outcome: 'success' });
    expect(await refunds.order(order)).toMatchObject({ outcome: 'exists' });
    expect(await backOf(order)).toEqual([500_000]);
  },
);

test.each<[what: string, on: string, fault: Omit<FakeFault, 'on'>, outcome: string]>([
  ['the list before it is lost', 'GET /refund', { does: 'drop before' }, 'not_sent'],
  [
    'the list before it is no list',
    'GET /refund',
    { does: 'answer', body: { status: true, data: {} } },
    'not_sent',
  ],
  [
    'the key is not taken',
    'POST /refund',
    { does: 'answer', status: 401, body: { status: false } },
    'not_sent',
  ],
  [
    'there are too many requests',
    'POST /refund',
    { does: 'answer', status: 429, body: { status: false } },
    'not_sent',
  ],
  [
    'Paystack says why not',
    'POST /refund',
    { does: 'answer', status: 400, body: { status: false } },
    'refused',
  ],
  [
    'a firewall answers 400',
    'POST /refund',
    { does: 'answer', status: 400, body: '<html></html>' },
    'unknown',
  ],
  [
    'Paystack has trouble',
    'POST /refund',
    { does: 'answer', status: 500, body: { status: false } },
    'unknown',
  ],
])('where %s, nothing goes back', async (_what, on, fault, outcome) => {
  const order = await paid();
  await paystack.fault({ ...fault, on });
  expect(await refunds.order(order)).toMatchObject({ outcome });
  expect(await backOf(order)).toEqual([]);
});

test('a payment of which a part was given back before is refused', async () => {
  const order = await paid();
  await refunds.order({ ...order, amountKobo: 100_000 });
  expect(await refunds.order(order)).toMatchObject({ outcome: 'refused' });
  expect(await refunds.query(order)).toMatchObject({ outcome: 'unknown' });
  expect(await backOf(order)).toEqual([100_000]);
});

test('a refund that failed gives its payment free for another one', async () => {
  const order = await paid();
  const { providerRef } = await refunds.order(order);
  await paystack.turnRefund(Number(providerRef), 'failed');
  expect(await refunds.query({ ...order, providerRef })).toMatchObject({ outcome: 'failed' });
  expect(await refunds.order(order)).toMatchObject({ outcome: 'accepted' });
});

test.each([
  ['pending', 'pending'],
  ['processing', 'pending'],
  ['needs-attention', 'needs_people'],
  ['processed', 'success'],
  ['a new word', 'unknown'],
  ['constructor', 'unknown'],
])('the status "%s" is %s', async (status, outcome) => {
  const order = await paid();
  const { providerRef } = await refunds.order(order);
  await paystack.turnRefund(Number(providerRef), status);
  expect(await refunds.query({ ...order, providerRef })).toMatchObject({ outcome });
});

test('a refund among many others is found, and one that was never made is not', async () => {
  const order = await paid();
  await refunds.order(order);
  const others = await Promise.all(Array.from({ length: 100 }, () => paid(1_000)));
  for (const other of others) await refunds.order({ ...other });
  expect(await refunds.query(order)).toMatchObject({ outcome: 'success' });
  expect(await refunds.query(await paid())).toMatchObject({ outcome: 'not_found' });
});

test('the list of what went back has everything since a time, also what a payer’s bank has claimed', async () => {
  const [ours, claimed] = [await paid(), await paid(700_000)];
  const { providerRef } = await refunds.order(ours);
  await paystack.takeBack(claimed.reference);
  const since = new Date(Date.now() - 60_000);
  const made = await refunds.made(since);
  expect(made).toContainEqual({
    providerRef,
    paymentRef: ours.paymentRef,
    amountKobo: 500_000,
    outcome: 'success',
  });
  expect(made).toContainEqual({
    providerRef: expect.any(String),
    paymentRef: claimed.paymentRef,
    amountKobo: 700_000,
    outcome: 'success',
  });
  expect(await refunds.made(new Date(Date.now() + 60_000))).toEqual([]);
  await paystack.fault({ on: 'GET /refund', does: 'answer', body: { status: true, data: {} } });
  await expect(refunds.made(since)).rejects.toThrow('Paystack has not told its refunds (HTTP 200)');
});

test.each<[what: string, fault: Omit<FakeFault, 'on'>]>([
  ['of the other world', { does: 'change', data: { domain: 'live' } }],
  ['of another payment', { does: 'change', data: { transaction: 1 } }],
  ['of another amount', { does: 'change', data: { amount: 1 } }],
  ['with its amount as a text', { does: 'change', data: { amount: '500000' } }],
  ['as a page', { does: 'answer', status: 200, body: '<html></html>' }],
])('an answer %s says nothing', async (_what, fault) => {
  const order = await paid();
  const { providerRef } = await refunds.order(order);
  await paystack.fault({ ...fault, on: `GET /refund/${String(providerRef)}` });
  expect(await refunds.query({ ...order, providerRef })).toMatchObject({ outcome: 'unknown' });
});
