/**
 * Giving a payment that came in back to its payer, through the company that has received it. People order it, for a
 * payment that no wallet took. A company may know no reference of ours for a refund, so the rule is stricter than for a
 * payout: an order whose answer was lost is asked about and never sent again by itself. People decide about it (D57).
 */
import type { Kobo } from './money';

/**
 * - `sending`: the company has not said that it has the order. It may have it all the same (`isPosted`).
 * - `accepted`: the company has the order.
 * - `failed`: the company has not given the money back and will not; the payment waits for people again. Final.
 * - `released`: people have found that the company does not have the order; the payment waits for people again. Final.
 * - `succeeded`: the payer has the money, and it is booked. Final.
 */
export const REFUND_STATES = ['sending', 'accepted', 'failed', 'released', 'succeeded'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** One payment has at most one refund in any of these states. */
export const STATES_OF_ONE_REFUND = [
  'sending',
  'accepted',
  'succeeded',
] as const satisfies readonly RefundState[];

/** `exists`: the company had given this payment back, or was about to, before the order. */
export type RefundOrderOutcome = 'accepted' | 'exists' | 'not_sent' | 'refused' | 'unknown';

/** `needs_people`: the company waits for something that only people can give it, such as the payer's bank account. */
export type RefundQueryOutcome = 'success' | 'failed' | 'pending' | 'needs_people' | 'not_found' | 'unknown';

/** What a company tells of a refund beside its outcome. */
export interface RefundFacts {
  /** The company's own id of the refund; null where it has not told it. */
  providerRef: string | null;
}

export interface Refund extends RefundFacts {
  /** Also of the transaction that books it. */
  id: string;
  creditId: string;
  provider: string;
  state: RefundState;
  amountKobo: Kobo;
  /** An order was sent of which it is not proved that the company did not take it. */
  isPosted: boolean;
  /** When the company first said that it had failed, if it has said nothing else since. */
  failedAt: Date | null;
  /** When the row last changed. */
  updatedAt: Date;
}

/** What a company is told of a refund when it is ordered, and when it is asked about it. */
export interface RefundOrder extends RefundFacts {
  /** Our own id of the refund, for companies that take a reference. */
  refundId: string;
  /** The payment, as `inbound.confirm` knows it, and the company's own id of it. */
  reference: string;
  paymentRef: string;
  amountKobo: Kobo;
  /** No refund of the payment is older. */
  receivedAt: Date;
}

/** Something that a company has given back, or is about to, as its list has it. */
export interface MadeRefund {
  /** The company's own ids of the refund, and of its payment. */
  providerRef: string;
  paymentRef: string;
  amountKobo: Kobo;
  outcome: RefundQueryOutcome;
}

/** So long after a company has said `failed` for the first time, the same answer is believed. */
const SECOND_KEY_AFTER_MS = 60_000;
/** A refund of unknown fate is not released earlier: an order may be under way for so long. */
const RELEASED_AFTER_MS = 15 * 60_000;

/**
 * A refund after its order was answered. `refused` ends it at once, because the company says that it has not taken the
 * order; without any proof the order stays open.
 */
export function afterRefundOrder(refund: Refund, outcome: RefundOrderOutcome, told: RefundFacts): Refund {
  if (refund.state !== 'sending') return refund;
  switch (outcome) {
    case 'accepted':
    case 'exists':
      return { ...refund, state: 'accepted', providerRef: told.providerRef };
    case 'not_sent':
      return { ...refund, isPosted: false };
    case 'refused':
      return { ...refund, state: 'failed', isPosted: false };
    case 'unknown':
      return refund;
  }
}

/**
 * A refund after its company was asked about it. It has failed only when the company says so twice, a minute apart.
 * `not_found` and `unknown` prove nothing. Whether it has succeeded is booked first, and then written.
 */
export function afterRefundQuery(
  refund: Refund,
  outcome: RefundQueryOutcome,
  told: RefundFacts,
  now: Date,
): Refund {
  if (!isOpenRefund(refund)) return refund;
  switch (outcome) {
    case 'success':
    case 'pending':
    case 'needs_people':
      return { ...refund, ...known(refund, told), state: 'accepted', failedAt: null };
    case 'failed': {
      const failedAt = refund.failedAt ?? now;
      const isSure = now.getTime() - failedAt.getTime() >= SECOND_KEY_AFTER_MS;
      return { ...refund, ...known(refund, told), state: isSure ? 'failed' : 'accepted', failedAt };
    }
    case 'not_found':
    case 'unknown':
      return refund;
  }
}

const known = (refund: Refund, told: RefundFacts): RefundFacts => ({
  providerRef: told.providerRef ?? refund.providerRef,
});

/** Whether its end is still to come. */
export const isOpenRefund = ({ state }: Pick<Refund, 'state'>): boolean =>
  state === 'sending' || state === 'accepted';

/** Whether people may give up an order of unknown fate, once its company says that it does not have it. */
export const mayReleaseRefund = (refund: Refund, now: Date): boolean =>
  refund.state === 'sending' &&
  refund.isPosted &&
  now.getTime() - refund.updatedAt.getTime() >= RELEASED_AFTER_MS;
