/**
 * The kinds of events to which partners can subscribe, and other names for some of them (interface: Events; D85,
 * D106).
 */
import { kindOf } from './kinds';
import type { TransactionType } from './transaction-types';
import type { Transaction, TransactionStatus } from './transactions';
import type { IssuedAccount } from './wallets';

export const EVENT_KINDS = [
  'transaction.completed',
  'transaction.failed',
  'wallet.activated',
  'wallet.parked',
  'kyc.verified',
  'kyc.failed',
  'transaction.reversed',
  'transaction.expired',
  'transaction.name_mismatch',
  'bulk_transfer.completed',
  'scheduled_transfer.paid',
  'scheduled_transfer.skipped',
  'scheduled_transfer.failed',
  'scheduled_transfer.ended',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The event that reports the end of a transaction. */
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

/**
 * An endpoint that does not subscribe to the first kind gets the event as the second kind, and never as both
 * (D114).
 */
const TOLD_AS: Partial<Record<EventKind, EventKind>> = { 'transaction.reversed': 'transaction.failed' };

/**
 * The other names under which an endpoint may have subscribed to this event, separated by a space, the preferred
 * one first; null where there is none.
 */
export function eventAlias(kind: EventKind, type: TransactionType): string | null {
  const toldAs = TOLD_AS[kind];
  const alias = kindOf(type).events.areAliased ? ALIASES[toldAs ?? kind] : undefined;
  return [toldAs, alias].filter((name) => name !== undefined).join(' ') || null;
}

/** An event as it is written, in the commit of what happened. Its payload never changes. */
export interface EventDraft {
  kind: EventKind;
  /** As `eventAlias` gives it. */
  alias: string | null;
  resourceId: string;
  /**
   * The payload as JSON text. null for a transaction that was complete at once, and for a wallet that has got its
   * account: the payload is made from its row when it is sent, because nothing of it can change any more.
   */
  data: string | null;
}

/** What the payload of a transaction that was complete at once is made from. None of it changes after the commit. */
export type MovedMoney = Pick<
  Transaction,
  'id' | 'type' | 'status' | 'reference' | 'amountKobo' | 'sourceWalletId' | 'destWalletId' | 'createdAt'
>;

/**
 * What the payload of a wallet that has got its account is made from. None of it changes afterwards, until the owner is
 * erased with all events about the wallet.
 */
export interface ActivatedWallet {
  id: string;
  userRef: string;
  account: Omit<IssuedAccount, 'mfbReference'>;
  createdAt: Date;
  activatedAt: Date;
}

/** What a payload without a text is made from. */
export type ToldRow = MovedMoney | ActivatedWallet;
