/** The kinds of events partners can subscribe to, and the names some know them by (interface: Events; D85, D106). */
import { kindOf } from './kinds';
import type { TransactionType } from './transaction-types';
import type { TransactionStatus } from './transactions';

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

/** The event that tells of a transaction's end. */
export const EVENT_OF_STATUS = {
  completed: 'transaction.completed',
  failed: 'transaction.failed',
  reversed: 'transaction.reversed',
  expired: 'transaction.expired',
} as const satisfies Partial<Record<TransactionStatus, EventKind>>;

/** The quickstart's names; they cover the two kinds of transfer only (D106). */
const ALIASES: Partial<Record<EventKind, string>> = {
  'transaction.completed': 'transfer.completed',
  'transaction.failed': 'transfer.failed',
};

export const SUBSCRIBABLE_KINDS: readonly string[] = [...EVENT_KINDS, ...Object.values(ALIASES)];

/** Who did not subscribe to the one hears of it as the other, never as both (D114). */
const TOLD_AS: Partial<Record<EventKind, EventKind>> = { 'transaction.reversed': 'transaction.failed' };

/**
 * The other names under which an endpoint may have subscribed to this event, the preferred one first and a space
 * between two; null where there is none.
 */
export function eventAlias(kind: EventKind, type: TransactionType): string | null {
  const toldAs = TOLD_AS[kind];
  const alias = kindOf(type).events.areAliased ? ALIASES[toldAs ?? kind] : undefined;
  return [toldAs, alias].filter((name) => name !== undefined).join(' ') || null;
}

/** An event as it is written with the money: its payload is JSON text, fixed from then on. */
export interface EventDraft {
  kind: EventKind;
  /** As `eventAlias` gives it. */
  alias: string | null;
  resourceId: string;
  data: string;
}
