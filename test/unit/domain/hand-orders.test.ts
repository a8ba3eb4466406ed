/** What a hand order allows: one thing, once, for ten minutes. */
import { handOrderRefusal, type HandOrder, type HandOrderTerms } from '../../../src/domain/hand-orders';
import { refuse } from '../../../src/domain/outcome';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const before = (ms: number): Date => new Date(NOW.getTime() - ms);
const asked: HandOrderTerms = {
  kind: 'settle_transfer',
  partnerId: 'a partner',
  resourceId: 'a transfer',
  verdict: 'completed',
};
const order: HandOrder = {
  ...asked,
  id: 'an order',
  reason: null,
  orderedAt: before(1_000),
  usedAt: null,
  withdrawnAt: null,
};

test.each<[what: string, order: HandOrder]>([
  ['an order for exactly this', order],
  ['an order of ten minutes ago', { ...order, orderedAt: before(600_000) }],
])('%s allows it', (_what, given) => expect(handOrderRefusal(given, asked, NOW)).toBeNull());

test.each<[what: string, order: HandOrder | undefined, message: string]>([
  ['no order', undefined, 'Nobody has ordered this'],
  ['an order of another kind', { ...order, kind: 'pay_ussd' }, 'Nobody has ordered this'],
  ['an order of another partner', { ...order, partnerId: 'another' }, 'Nobody has ordered this'],
  ['an order for another transfer', { ...order, resourceId: 'another' }, 'Nobody has ordered this'],
  ['an order with another verdict', { ...order, verdict: 'failed' }, 'Nobody has ordered this'],
  ['an order that was used', { ...order, usedAt: before(1) }, 'The order has been used'],
  ['an order that was withdrawn', { ...order, withdrawnAt: before(1) }, 'The order was withdrawn'],
  ['an order older than ten minutes', { ...order, orderedAt: before(600_001) }, 'The order is too old'],
])('%s is FORBIDDEN', (_what, given, message) =>
  expect(handOrderRefusal(given, asked, NOW)).toEqual(refuse('FORBIDDEN', { message })),
);
