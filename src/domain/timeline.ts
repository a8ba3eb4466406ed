/** What happened to a transaction, as its partner reads it (D194). */

/**
 * - `request`: a request of the partner named it or made it.
 * - `ledger`: entries were written.
 * - `provider`: the payout was handed to a payment company; `other_name` where the bank has another name for the account.
 * - `callback`: a payment company reported the outcome.
 * - `ussd`: a USSD session was opened, was given a PIN, or ended.
 * - `operator`: somebody ordered the outcome by hand.
 * - `reversal`: the reversal of this transaction was written, or the transaction that this one reverses.
 * - `event`: an event was written.
 * - `delivery`: an endpoint was sent an event.
 */
export const TIMELINE_KINDS = [
  'request',
  'ussd',
  'operator',
  'ledger',
  'provider',
  'callback',
  'reversal',
  'event',
  'delivery',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** Who did it, where that is not the platform: the payer's phone, the partner in its sandbox, or one of our operators. */
export const TIMELINE_ACTORS = ['payer', 'sandbox', 'operator'] as const;
export type TimelineActor = (typeof TIMELINE_ACTORS)[number];

export interface TimelineItem {
  at: Date;
  kind: TimelineKind;
  /** What of this kind: the step of the entries, or the name of the event; null where the kind says all. */
  what: string | null;
  actor: TimelineActor | null;
  /** How it stands or ended: of an attempt at a payout its state, of a delivery the HTTP status. */
  status: string | null;
  /** Why there was no answer to a delivery. */
  error: string | null;
  durationMs: number | null;
  eventId: string | null;
  endpointId: string | null;
  /** The uuid of the request. */
  requestId: string | null;
  /** The other transaction of a reversal. */
  transactionId: string | null;
  entryIds: string[];
}
