/** Payments to reserved accounts and their refunds at Monnify, over the fake Monnify: one case for each answer. */
import { randomUUID } from 'node:crypto';
import type { RefundOrder } from '../../../src/domain/refunds';
import type { Inbound, Refunds } from '../../../src/providers/port';
import type { Fault } from '../../standins/kit';
import { type MonnifyPayment, type MonnifyState } from '../../standins/monnify/state';
import { openFakeCompany, type FakeCompany } from '../../support/fake-company';
import { openMonnify } from '../../support/fake-monnify';
import { pagesIn } from '../../support/pages';

const REFERENCE = 'MNFY|04|20211117112842|000170';
const walletId = randomUUID();
let monnify: FakeCompany<MonnifyState>;
let inbound: Inbound;
let refunds: Refunds;
let accountNumber: string;
beforeAll(async () => {
  monnify = await openFakeCompany<MonnifyState>('monnify');
  const adapter = openMonnify(monnify.url);
  [inbound, refunds] = [adapter.inbound as Inbound, adapter.refunds as Refunds];
  const owner = { firstName: null, lastName: null, email: 'ada@acme.example', phone: null };
  const issued = await adapter.accounts?.issue({
    partnerId: randomUUID(),
    walletId,
    accountName: 'ADA OBI',
    owner,
    identity: { type: 'bvn', number: '22222222222' },
    createdAt: new Date(),
  });
  accountNumber = issued?.outcome === 'issued' ? issued.account.accountNumber : '';
});
beforeEach(() => monnify.set({ faults: [], incoming: [payment()], refundStatus: 'COMPLETED' }));
afterAll(() => monnify.close());

const payment = (more: Partial<MonnifyPayment> = {}): MonnifyPayment => ({
  transactionReference: REFERENCE,
  accountReference: walletId,
  productType: 'RESERVED_ACCOUNT',
  amountPaid: '5000.00',
  settlementAmount: '4950.00',
  paymentStatus: 'PAID',
  senderName: 'BOLA ADE',
  paidAtMs: Date.now(),
  ...more,
});

test('a payment is received with its amount, fee, account and sender', async () => {
  expect(await inbound.confirm(REFERENCE)).toEqual({
    outcome: 'received',
    payment: {
      providerRef: REFERENCE,
      amountKobo: 500_000,
      feeKobo: 5_000,
      bankCode: '50515',
      accountNumber,
      customerRef: walletId,
      sender: {
        name: 'BOLA ADE',
        bankName: expect.stringMatching(/Guaranty|GTBank/i),
        accountNumber: '******2190',
        narration: 'Transfer for rent',
      },
    },
  });
});

test.each<[what: string, more: Partial<MonnifyPayment>, answer: object]>([
  ...Object.entries({
    PENDING: 'pending',
    FAILED: 'failed',
    EXPIRED: 'failed',
    CANCELLED: 'failed',
    REVERSED: 'failed',
    OVERPAID: 'unknown',
    PARTIALLY_PAID: 'unknown',
    'a new word': 'unknown',
    constructor: 'unknown',
  }).map(([paymentStatus, outcome]): [string, Partial<MonnifyPayment>, object] => [
    `the status "${paymentStatus}"`,
    { paymentStatus },
    { outcome },
  ]),
  ['another product', { productType: 'WEB_SDK' }, { outcome: 'failed' }],
  ['an account that is not reserved', { accountReference: 'nobody' }, { outcome: 'unknown' }],
  ['an amount with three decimals', { amountPaid: '5000.001' }, { outcome: 'unknown' }],
  ['an amount of nothing', { amountPaid: '0.00' }, { outcome: 'unknown' }],
  ['no settlement', { settlementAmount: null }, { payment: { feeKobo: null } }],
  ['more settled than paid', { settlementAmount: '5000.01' }, { payment: { feeKobo: null } }],
  ['kobo', { amountPaid: '0.29', settlementAmount: '0.28' }, { payment: { amountKobo: 29, feeKobo: 1 } }],
])('%s', async (_what, more, answer) => {
  await monnify.set({ incoming: [payment(more)] });
  expect(await inbound.confirm(REFERENCE)).toMatchObject(answer);
});

test('a reference that Monnify never had is not found', async () => {
  expect(await inbound.confirm('MNFY|never')).toMatchObject({ outcome: 'not_found' });
});

test('the list has what was paid, page by page', async () => {
  const many = Array.from({ length: 101 }, (_, n) => payment({ transactionReference: `MNFY|${String(n)}` }));
  const old = payment({ transactionReference: 'MNFY|old', paidAtMs: Date.now() - 7_200_000 });
  const open = payment({ transactionReference: 'MNFY|open', paymentStatus: 'PENDING' });
  await monnify.set({ incoming: [...many, old, open] });
  const hour = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const pages = await pagesIn(inbound.list(hour));
  expect(pages.map(({ length }) => length)).toEqual([100, 1]);
  expect(new Set(pages.flat())).toEqual(
    new Set(many.map(({ transactionReference }) => transactionReference)),
  );
});

describe('a refund', () => {
  const order = (): RefundOrder => ({
    refundId: randomUUID(),
    reference: REFERENCE,
    paymentRef: REFERENCE,
    amountKobo: 500_000,
    receivedAt: new Date(),
    providerRef: null,
  });
  const POST = 'POST /api/v1/refunds/initiate-refund';
  let fresh = 0;
  /** A payment of its own for each case, because refunds stay. */
  async function paid(): Promise<RefundOrder> {
    const reference = `MNFY|back|${String((fresh += 1))}`;
    await monnify.set({ incoming: [payment({ transactionReference: reference })] });
    return { ...order(), reference, paymentRef: reference };
  }
  const backOf = async ({ paymentRef }: RefundOrder): Promise<number> =>
    (await monnify.state()).refunds.filter((one) => one.transactionReference === paymentRef).length;

  test('is ordered under our reference, has succeeded, and a second order finds it', async () => {
    const asked = await paid();
    expect(await refunds.order(asked)).toMatchObject({ outcome: 'accepted', providerRef: asked.refundId });
    expect(await refunds.query(asked)).toMatchObject({ outcome: 'success', providerRef: asked.refundId });
    expect(await refunds.order(asked)).toMatchObject({ outcome: 'exists', providerRef: asked.refundId });
    expect(await refunds.made(new Date(Date.now() - 60_000))).toContainEqual({
      providerRef: asked.refundId,
      paymentRef: asked.paymentRef,
      amountKobo: 500_000,
      outcome: 'success',
    });
    expect(await backOf(asked)).toBe(1);
  });

  test.each<[what: string, on: string, fault: Omit<Fault, 'on'>, outcome: string, back: number]>([
    ['whose answer is lost', POST, { does: 'drop after' }, 'thrown', 1],
    ['before which the list is lost', 'GET /api/v1/refunds', { does: 'drop before' }, 'not_sent', 0],
    ['that Monnify turns away', POST, { does: 'answer', status: 403, body: {} }, 'not_sent', 0],
    ['with which Monnify has trouble', POST, { does: 'answer', status: 500, body: {} }, 'unknown', 0],
  ])('%s: %s %p is %s', async (_what, on, fault, outcome, back) => {
    const asked = await paid();
    await monnify.set({ faults: [{ ...fault, on, times: 1 }] });
    const answer = await refunds.order(asked).catch(() => ({ outcome: 'thrown' }));
    expect(answer.outcome).toBe(outcome);
    expect(await refunds.query(asked)).toMatchObject({ outcome: back === 1 ? 'success' : 'not_found' });
    expect(await backOf(asked)).toBe(back);
  });

  test.each([
    ['PENDING', 'pending'],
    ['IN_PROGRESS', 'pending'],
    ['FAILED', 'failed'],
    ['a new word', 'unknown'],
  ])('with the status "%s" is %s', async (refundStatus, outcome) => {
    const asked = await paid();
    await monnify.set({ refundStatus });
    await refunds.order(asked);
    expect(await refunds.query(asked)).toMatchObject({ outcome });
  });
});
