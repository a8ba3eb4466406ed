/** The kinds of events partners can subscribe to, and the names some know them by (interface: Events; D85, D106). */
import type { TransactionType } from './transaction-types';

export const EVENT_KINDS = [
  'transaction.completed',
  'transaction.failed',
  'wallet.activated',
  'kyc.verified',
  'kyc.failed',
  'transaction.reversed',
  'transaction.expired',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The quickstart's names; they cover the two kinds of transfer only (D106). */
const ALIASES: Partial<Record<EventKind, string>> = {
  'transaction.completed': 'transfer.completed',
  'transaction.failed': 'transfer.failed',
};
const ALIASED_TYPES: readonly TransactionType[] = ['p2p_transfer', 'bank_transfer'];

export const SUBSCRIBABLE_KINDS: readonly string[] = [...EVENT_KINDS, ...Object.values(ALIASES)];

/** The other name under which an endpoint may have subscribed to this event, or null. */
export function eventAlias(kind: EventKind, type: TransactionType): string | null {
  return ALIASED_TYPES.includes(type) ? (ALIASES[kind] ?? null) : null;
}

/** An event as it is written with the money: its payload is JSON text, fixed from then on. */
export interface EventDraft {
  kind: EventKind;
  alias: string | null;
  resourceId: string;
  data: string;
}
