/** Our money with Paystack, read over the fake Paystack: its balance, the lines of its ledger, and its settlements. */
import { randomUUID } from 'node:crypto';
import { findBank, SEED_BANKS } from '../../../src/domain/banks';
import { payoutReference } from '../../../src/domain/payouts';
import type { StatementLine } from '../../../src/domain/statement-lines';
import { createPaystack } from '../../../src/providers/paystack/paystack';
import type { Payouts, Treasury } from '../../../src/providers/port';
import { openFakePaystack, type FakePaystack } from '../../support/fake-paystack';
import { linesOf as linesOfSpan } from '../../support/provider-contract';
import { until } from '../../support/until';
import { pagesIn } from '../../support/pages';
import { FROM_BOLA } from '../../support/originator';

const FAILING_ACCOUNT = '2000000000';
const DAY_MS = 86_400_000;

let paystack: FakePaystack;
let company: { payouts: Payouts; treasury: Required<Treasury> };
beforeAll(async () => {
  paystack = await openFakePaystack();
  await paystack.set({ endings: { [FAILING_ACCOUNT]: 'failed' }, pendingMs: 0 });
  company = createPaystack({
    url: paystack.url,
    secretKey: paystack.secretKey,
    answersWithinMs: 2_000,
    asksFirst: false,
    minKobo: 10_000,
    costMaxKobo: 10_000,
    takesDuty: false,
    findBank: (bankCode) => Promise.resolve(findBank(SEED_BANKS, bankCode)),
    listBanks: () => Promise.resolve(SEED_BANKS),
  }) as { payouts: Payouts; treasury: Required<Treasury> };
});
afterEach(() => paystack.set({ faults: [] }));
afterAll(() => paystack.close());

async function pay(accountNumber: string): Promise<string> {
  const reference = payoutReference(randomUUID(), 1);
  const order = { reference, providerRef: null, amountKobo: 500_000, bankCode: '058', accountNumber };
  const people = { accountName: 'Ada Obi', narration: 'rent', ...FROM_BOLA };
  await company.payouts.submit({ ...order, ...people });
  await until(
    'the end',
    async () => (await company.payouts.query({ ...order, ...people })).outcome !== 'pending',
  );
  return reference;
}

const linesOf = (from: Date, to: Date): Promise<StatementLine[]> =>
  linesOfSpan(company.treasury, { from, to });

test('a payout has a line with our reference, and a payout that failed has a second one that gives the amount back', async () => {
  // So that the return is later than its transfer.
  await paystack.set({ pendingMs: 20 });
  const from = new Date();
  const [paid, failed] = [await pay('0123456789'), await pay(FAILING_ACCOUNT)];
  const { transfers } = await paystack.state();
  const lines = await linesOf(from, new Date(Date.now() + 1));
  const codeOf = (reference: string) => transfers.find((one) => one.reference === reference)!.code;
  expect(lines).toMatchObject([
    { about: 'payout', changeKobo: -501_000, reference: paid, providerRef: codeOf(paid) },
    { about: 'payout', changeKobo: -501_000, reference: failed, providerRef: codeOf(failed) },
    { about: 'payout', changeKobo: 500_000, reference: failed },
  ]);
  expect(lines[0]!.sessionId).toMatch(/^999/);
  expect(lines.at(-1)!.balanceKobo).toBe(await company.treasury.balance());
  // The line of the return alone: its transfer is older than the span, and is asked for by its number.
  const [only] = await linesOf(lines[2]!.at, new Date(Date.now() + 1));
  expect(only).toMatchObject({ id: lines[2]!.id, reference: failed });
});

test('other lines: money that came in, a refund, and what has no payment', async () => {
  const from = new Date();
  await paystack.book({ model: 'Transaction', row: 77, differenceKobo: 300 });
  await paystack.book({ model: 'Refund', row: 78, differenceKobo: -200 });
  await paystack.book({ model: 'Something new', row: null, differenceKobo: 5_000 });
  expect(await linesOf(from, new Date(Date.now() + 1))).toMatchObject([
    { about: 'inbound', changeKobo: 300, reference: null, providerRef: '77' },
    { about: 'refund', changeKobo: -200, reference: null, providerRef: '78' },
    { about: 'other', changeKobo: 5_000, reference: null, providerRef: null, sessionId: null },
  ]);
});

test('a day has all its lines, over several pages, and no line of the next moment', async () => {
  const from = new Date(Date.now() - 9 * DAY_MS);
  const to = new Date(from.getTime() + DAY_MS);
  for (let made = 0; made < 51; made++) {
    const atMs = made === 0 ? from.getTime() : to.getTime() - made;
    await paystack.book({ model: 'Something new', row: null, differenceKobo: 1, atMs });
  }
  await paystack.book({ model: 'Something new', row: null, differenceKobo: 1, atMs: to.getTime() });
  await paystack.book({ model: 'Something new', row: null, differenceKobo: 1, atMs: from.getTime() - 1 });
  const ids = (await linesOf(from, to)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(51);
});

test('a settlement counts once it has arrived, with what has arrived', async () => {
  const at = new Date(Date.now() - 20 * DAY_MS);
  const span = { from: at, to: new Date(at.getTime() + DAY_MS) };
  await paystack.settle({ totalKobo: 495_000, atMs: at.getTime() });
  await paystack.settle({ totalKobo: 10_000, effectiveKobo: 9_000, atMs: at.getTime() + 1 });
  await paystack.settle({ totalKobo: 1, atMs: at.getTime(), status: 'processing' });
  await paystack.settle({ totalKobo: 2, atMs: span.to.getTime() });
  const items = (await pagesIn(company.treasury.settlements(span))).flat();
  expect(items.map(({ amountKobo }) => amountKobo).sort()).toEqual([495_000, 9_000]);
});

test.each([
  ['a line without its amount', 'GET /balance/ledger', [{ id: 1 }]],
  ['a line of the other world', 'GET /balance/ledger', 'live'],
  ['a settlement in another form', 'GET /settlement', [{ id: 'x' }]],
])('%s stops the reading', async (_what, on, data) => {
  const line = { currency: 'NGN', difference: 1, balance: 1, model_responsible: 'x', createdAt: new Date() };
  const body = {
    status: true,
    message: '',
    data: data === 'live' ? [{ id: 1, domain: 'live', ...line }] : data,
  };
  await paystack.fault({ on, does: 'answer', body });
  const span = { from: new Date(0), to: new Date(Date.now() + DAY_MS) };
  const { lines, settlements } = company.treasury;
  const list = on.endsWith('ledger') ? lines(span) : settlements(span);
  await expect(pagesIn<unknown>(list)).rejects.toThrow('Paystack');
});
