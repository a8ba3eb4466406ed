/** What an answer of a company makes of a refund: one row per answer, and the times just before and past their edge. */
import {
  afterRefundOrder,
  afterRefundQuery,
  mayReleaseRefund,
  type Refund,
  type RefundOrderOutcome,
  type RefundQueryOutcome,
} from '../../../src/domain/refunds';

const NOW = new Date('2026-01-15T12:00:00Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const refund = (more: Partial<Refund> = {}): Refund => ({
  id: 'r1',
  creditId: 'c1',
  provider: 'paystack',
  state: 'sending',
  amountKobo: 500_000,
  isPosted: true,
  providerRef: null,
  failedAt: null,
  updatedAt: NOW,
  ...more,
});

test.each<[outcome: RefundOrderOutcome, after: Partial<Refund>]>([
  ['accepted', { state: 'accepted', providerRef: '7' }],
  ['exists', { state: 'accepted', providerRef: '7' }],
  ['not_sent', { state: 'sending', isPosted: false, providerRef: null }],
  ['refused', { state: 'failed', isPosted: false, providerRef: null }],
  ['unknown', { state: 'sending', isPosted: true, providerRef: null }],
])('an order that is answered %s', (outcome, after) => {
  expect(afterRefundOrder(refund(), outcome, { providerRef: '7' })).toEqual(refund(after));
});

test.each<[outcome: RefundQueryOutcome, after: Partial<Refund>]>([
  ['success', { state: 'accepted', providerRef: '7' }],
  ['pending', { state: 'accepted', providerRef: '7' }],
  ['needs_people', { state: 'accepted', providerRef: '7' }],
  ['failed', { state: 'accepted', providerRef: '7', failedAt: NOW }],
  ['not_found', {}],
  ['unknown', {}],
])('a question that is answered %s', (outcome, after) => {
  expect(afterRefundQuery(refund(), outcome, { providerRef: '7' }, NOW)).toEqual(refund(after));
});

test.each<[what: string, failedAt: Date, outcome: RefundQueryOutcome, after: Partial<Refund>]>([
  ['failed once more within a minute', ago(59_999), 'failed', { failedAt: ago(59_999) }],
  ['failed once more after a minute', ago(60_000), 'failed', { state: 'failed', failedAt: ago(60_000) }],
  ['pending after all', ago(60_000), 'pending', {}],
  ['unknown, which changes nothing', ago(60_000), 'unknown', { failedAt: ago(60_000) }],
])('a refund that was called failed is %s', (_what, failedAt, outcome, after) => {
  const was = refund({ state: 'accepted', providerRef: '7', failedAt });
  const is = afterRefundQuery(was, outcome, { providerRef: null }, NOW);
  expect(is).toEqual({ ...was, failedAt: null, ...after });
});

test.each(['failed', 'released', 'succeeded'] as const)('no answer changes a refund that is %s', (state) => {
  const ended = refund({ state, failedAt: ago(60_000) });
  expect(afterRefundOrder(ended, 'accepted', { providerRef: '7' })).toBe(ended);
  expect(afterRefundQuery(ended, 'failed', { providerRef: '7' }, NOW)).toBe(ended);
});

test.each<[what: string, more: Partial<Refund>, may: boolean]>([
  ['15 minutes after its order', { updatedAt: ago(900_000) }, true],
  ['just before that', { updatedAt: ago(899_999) }, false],
  ['that was never sent', { updatedAt: ago(900_000), isPosted: false }, false],
  ['that the company has', { updatedAt: ago(900_000), state: 'accepted' }, false],
])('a refund %s', (_what, more, may) => {
  expect(mayReleaseRefund(refund(more), NOW)).toBe(may);
});
