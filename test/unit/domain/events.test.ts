/** The kinds of events, and the quickstart's names for those of transfers (interface: Events; D85, D106). */
import { EVENT_KINDS, eventAlias, SUBSCRIBABLE_KINDS, type EventKind } from '../../../src/domain/events';
import { TRANSACTION_TYPES } from '../../../src/domain/transaction-types';

test('an endpoint can subscribe to the five published kinds, the two aliases and the additions', () => {
  expect([...SUBSCRIBABLE_KINDS].sort()).toEqual([
    'bulk_transfer.completed',
    'kyc.failed',
    'kyc.verified',
    'scheduled_transfer.ended',
    'scheduled_transfer.failed',
    'scheduled_transfer.paid',
    'scheduled_transfer.skipped',
    'transaction.completed',
    'transaction.expired',
    'transaction.failed',
    'transaction.name_mismatch',
    'transaction.reversed',
    'transfer.completed',
    'transfer.failed',
    'wallet.activated',
    'wallet.parked',
  ]);
});

const TRANSFERS = ['p2p_transfer', 'bank_transfer'];
const OF_TRANSFERS: Partial<Record<EventKind, string>> = {
  'transaction.completed': 'transfer.completed',
  'transaction.failed': 'transfer.failed',
  'transaction.reversed': 'transaction.failed transfer.failed',
};
const OF_OTHERS: Partial<Record<EventKind, string>> = { 'transaction.reversed': 'transaction.failed' };
const pairs = EVENT_KINDS.flatMap((kind) =>
  TRANSACTION_TYPES.map(
    (type) => [kind, type, (TRANSFERS.includes(type) ? OF_TRANSFERS : OF_OTHERS)[kind] ?? null] as const,
  ),
);

test.each(pairs)('%s of a %s is also known as %s', (kind, type, alias) => {
  expect(eventAlias(kind, type)).toBe(alias);
});
