/**
 * Refunds at Monnify (its pages: Transaction refunds; Initiate refund; Get refund status; Get all refunds). It takes our
 * reference of a refund, so a second order with it makes no second refund. It pays a refund out of our balance with it, and
 * takes N10 for one. It makes none before it has enabled that for us.
 */
import { z } from 'zod';
import { nairaOfKobo } from '../../domain/money';
import type { MadeRefund, RefundOrder, RefundQueryOutcome } from '../../domain/refunds';
import type { RefundOrdered, RefundQueried, Refunds } from '../port';
import { bodyOf, inShort, koboIn, nairaSchema, saysThereIsNone, TURNED_AWAY } from './answers';
import type { MonnifyClient, MonnifyReply } from './client';

const REFUND_STATUSES: ReadonlyMap<string, RefundQueryOutcome> = new Map([
  ['PENDING', 'pending'],
  ['IN_PROGRESS', 'pending'],
  ['COMPLETED', 'success'],
  ['FAILED', 'failed'],
]);

const FEE_KOBO = 1_000;
const PER_PAGE = 100;
const PAGES_MAX = 20;
const DAY_MS = 24 * 3_600_000;
const NOTHING = { providerRef: null, reason: null, pollAfterMs: null } as const;

const refundSchema = z.object({
  refundReference: z.string().min(1),
  transactionReference: z.string(),
  refundAmount: nairaSchema,
  refundStatus: z.string(),
});
type FoundRefund = z.infer<typeof refundSchema>;
const listSchema = z.object({ content: z.array(refundSchema), last: z.boolean() });

export function createMonnifyRefunds(call: MonnifyClient['call']): Refunds {
  async function list(since: Date): Promise<FoundRefund[]> {
    const all: FoundRefund[] = [];
    for (let page = 0; page < PAGES_MAX; page++) {
      const query = new URLSearchParams({
        page: String(page),
        size: String(PER_PAGE),
        from: String(since.getTime()),
      });
      const reply = await call('GET', `/api/v1/refunds?${query.toString()}`, { isQuick: true });
      const listed = bodyOf(reply, listSchema);
      if (!listed) throw new Error(`Monnify has not told its refunds (${inShort(reply)})`);
      all.push(...listed.content);
      if (listed.last) return all;
    }
    throw new Error('Monnify tells of more refunds than can be read');
  }

  const isWhole = (order: RefundOrder, one: FoundRefund): boolean =>
    one.transactionReference === order.paymentRef && koboIn(one.refundAmount) === order.amountKobo;

  return {
    paidFrom: { account: '1200', feeKobo: FEE_KOBO },

    async order(order): Promise<RefundOrdered> {
      let before: FoundRefund | undefined;
      try {
        const made = await list(new Date(order.receivedAt.getTime() - DAY_MS));
        before = made.find(
          (one) => one.transactionReference === order.paymentRef && one.refundStatus !== 'FAILED',
        );
      } catch (error) {
        // Nothing has left yet, whatever has gone wrong.
        return { ...NOTHING, outcome: 'not_sent', reason: (error as Error).message };
      }
      if (before && !isWhole(order, before)) {
        return { ...NOTHING, outcome: 'refused', reason: 'A part of the payment was given back before' };
      }
      if (before) return { ...NOTHING, outcome: 'exists', providerRef: before.refundReference };
      const body = {
        transactionReference: order.paymentRef,
        refundReference: order.refundId,
        refundAmount: nairaOfKobo(order.amountKobo),
        refundReason: 'Payment returned',
        customerNote: 'Returned',
      };
      const reply = await call('POST', '/api/v1/refunds/initiate-refund', { body });
      return readOrdered(reply, order);
    },

    async query(order): Promise<RefundQueried> {
      const reference = order.providerRef ?? order.refundId;
      const reply = await call('GET', `/api/v1/refunds/${encodeURIComponent(reference)}`);
      const found = bodyOf(reply, refundSchema);
      if (!found) {
        const outcome = saysThereIsNone(reply) ? 'not_found' : 'unknown';
        return { ...NOTHING, outcome, reason: inShort(reply) };
      }
      if (found.refundReference !== reference || !isWhole(order, found)) {
        return { ...NOTHING, outcome: 'unknown', reason: ANOTHER_REFUND };
      }
      const outcome = REFUND_STATUSES.get(found.refundStatus) ?? 'unknown';
      return { ...NOTHING, providerRef: found.refundReference, outcome };
    },

    async made(since): Promise<MadeRefund[]> {
      return (await list(since)).map((one) => {
        const amountKobo = koboIn(one.refundAmount);
        if (amountKobo === null) throw new Error('Monnify told an amount that is no naira');
        return {
          providerRef: one.refundReference,
          paymentRef: one.transactionReference,
          amountKobo,
          outcome: REFUND_STATUSES.get(one.refundStatus) ?? 'unknown',
        };
      });
    },
  };

  function readOrdered(reply: MonnifyReply, order: RefundOrder): RefundOrdered {
    if (reply.kind !== 'answered') return { ...NOTHING, outcome: 'not_sent', reason: inShort(reply) };
    const taken = bodyOf(reply, refundSchema);
    if (taken) {
      return taken.refundReference === order.refundId && isWhole(order, taken)
        ? { ...NOTHING, outcome: 'accepted', providerRef: taken.refundReference }
        : { ...NOTHING, outcome: 'unknown', reason: ANOTHER_REFUND };
    }
    const outcome = TURNED_AWAY.has(reply.status) ? 'not_sent' : 'unknown';
    return { ...NOTHING, outcome, reason: inShort(reply) };
  }
}

const ANOTHER_REFUND = 'Monnify answered about another refund';
