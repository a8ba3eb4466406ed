/**
 * Hand orders: what a person may order of a workflow. The API writes the order as a row before it tells the workflow,
 * and the message to the workflow carries only the id of that row. So whoever reaches Temporal can order nothing.
 */
import { refuse, type Refused } from './outcome';

/**
 * Every kind of order with its verdicts. The CHECK of Postgres is made from this table; in live it has no row that is
 * for the sandbox only.
 */
export const HAND_ORDERS = {
  /** Ends a bank transfer whose outcome the provider does not tell (D58, D96). The resource is the transaction. */
  settle_transfer: { verdicts: ['completed', 'failed'], sandboxOnly: false },
  /** Pays a USSD session in the place of its payer, without a PIN (D34). The resource is the session. */
  pay_ussd: { verdicts: ['confirmed'], sandboxOnly: true },
  /** Empties the sandbox of a partner (D97). The resource is the partner. */
  reset_sandbox: { verdicts: ['confirmed'], sandboxOnly: true },
} as const satisfies Record<string, { verdicts: readonly string[]; sandboxOnly: boolean }>;

type HandOrderKind = keyof typeof HAND_ORDERS;
export type VerdictOf<Kind extends HandOrderKind> = (typeof HAND_ORDERS)[Kind]['verdicts'][number];

/** What an order says: who may do what to which resource. It never changes after it was written. */
export interface HandOrderTerms<Kind extends HandOrderKind = HandOrderKind> {
  kind: Kind;
  partnerId: string;
  resourceId: string;
  verdict: VerdictOf<Kind>;
}

export interface HandOrder extends HandOrderTerms {
  id: string;
  /** For the partner to read, where the verdict needs a reason. */
  reason: string | null;
  orderedAt: Date;
  /** When the commit that carried it out used it up; null before that. */
  usedAt: Date | null;
  /** When whoever gave it was told that it was not carried out; null before that. It is never carried out then. */
  withdrawnAt: Date | null;
}

/** What an order to reset the sandbox of a partner says. */
export const resetTerms = (partnerId: string): HandOrderTerms<'reset_sandbox'> => ({
  kind: 'reset_sandbox',
  partnerId,
  resourceId: partnerId,
  verdict: 'confirmed',
});

/**
 * How long an order, or a request about a compliance record, is good for. It covers every wait of the request that
 * gave the order. Whoever gave an order that was not carried out was answered 503, which withdraws it, and gives another
 * one. An old order of an API that ended before it could answer must not surprise them later.
 */
const GOOD_FOR_MS = 600_000;

export const isOld = (orderedAt: Date, now: Date): boolean =>
  now.getTime() - orderedAt.getTime() > GOOD_FOR_MS;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a message really names a row. Somebody else's message may carry anything. */
export const isRowId = (given: unknown): given is string => typeof given === 'string' && UUID.test(given);

export const NOT_ORDERED: Refused = refuse('FORBIDDEN', { message: 'Nobody has ordered this' });

export const TOO_OLD: Refused = refuse('FORBIDDEN', { message: 'The order is too old' });

/**
 * Whether an order allows this now.
 * @param order the row that the message names; undefined where this environment has no such row.
 * @param now the time of Postgres, in the commit that uses the order up.
 * @returns FORBIDDEN, with what is wrong with the order; null where the order allows it.
 */
export function handOrderRefusal(
  order: HandOrder | undefined,
  asked: HandOrderTerms,
  now: Date,
): Refused | null {
  const isForThis =
    order?.kind === asked.kind &&
    order.partnerId === asked.partnerId &&
    order.resourceId === asked.resourceId &&
    order.verdict === asked.verdict;
  if (!isForThis) return NOT_ORDERED;
  if (order.usedAt) return refuse('FORBIDDEN', { message: 'The order has been used' });
  if (order.withdrawnAt) return refuse('FORBIDDEN', { message: 'The order was withdrawn' });
  return isOld(order.orderedAt, now) ? TOO_OLD : null;
}
