/**
 * Refunds at Monnify (its pages: Transaction refunds; Initiate refund; Get refund status; Get all refunds). It takes our
 * reference of a refund, so a second order with it makes no second refund. It pays a refund out of our balance with it, and
 * takes N10 for one: both are lines of its statement. It makes none before it has enabled that for us.
 */
import { z } from 'zod';
import { nairaOfKobo } from '../../domain/money';
import type { MadeRefund, RefundOrder, RefundQueryOutcome } from '../../domain/refunds';
import type { RefundOrdered, RefundQueried, Refunds } from '../port';
import { allOf, pagesOf } from '../lists';
import { answerBefore, NOTHING_OF_REFUND, REFUNDS_PER_PAGE, refundsIn, refundsSince } from '../refund-lists';
import { bodyOf, inShort, koboIn, nairaSchema, readPage, saysThereIsNone, TURNED_AWAY } from './answers';
import type { MonnifyClient, MonnifyReply } from './client';

const REFUND_STATUSES: ReadonlyMap<string, RefundQueryOutcome> = new Map([
  ['PENDING', 'pending'],
  ['IN_PROGRESS', 'pending'],
  ['COMPLETED', 'success'],
  ['FAILED', 'failed'],
]);

const refundOf = z.object({ transactionReference: z.string() });
const refundSchema = refundOf.extend({
  refundReference: z.string().min(1),
  refundAmount: nairaSchema,
  refundStatus: z.string(),
});
type FoundRefund = z.infer<typeof refundSchema>;

export function createMonnifyRefunds(call: MonnifyClient['call']): Refunds {
  /** All refunds since a time, of whomever. @param about see `refundsIn`. @throws NoListError */
  async function list(since: Date, about: string | null): Promise<FoundRefund[]> {
    const rows = pagesOf('Monnify', async (page) => {
      const query = new URLSearchParams({
        page: String(page - 1),
        size: String(REFUNDS_PER_PAGE),
        from: String(since.getTime()),
      });
      return readPage(
        await call('GET', `/api/v1/refunds?${query.toString()}`, { isQuick: true }),
        'its refunds',
      );
    });
    return refundsIn(
      'Monnify',
      await allOf(rows),
      (row) => refundSchema.safeParse(row).data,
      (row) => refundOf.safeParse(row).data?.transactionReference,
      about,
    );
  }

  const isWhole = (order: RefundOrder, one: FoundRefund): boolean =>
    one.transactionReference === order.paymentRef && koboIn(one.refundAmount) === order.amountKobo;

  return {
    async order(order): Promise<RefundOrdered> {
      const before = await answerBefore(async () => {
        const found = (await list(refundsSince(order.receivedAt), order.paymentRef)).find(
          (one) => one.transactionReference === order.paymentRef && one.refundStatus !== 'FAILED',
        );
        return found ? { providerRef: found.refundReference, isWhole: isWhole(order, found) } : null;
      });
      if (before) return before;
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
        return { ...NOTHING_OF_REFUND, outcome, reason: inShort(reply) };
      }
      if (found.refundReference !== reference || !isWhole(order, found)) {
        return { ...NOTHING_OF_REFUND, outcome: 'unknown', reason: ANOTHER_REFUND };
      }
      const outcome = REFUND_STATUSES.get(found.refundStatus) ?? 'unknown';
      return { ...NOTHING_OF_REFUND, providerRef: found.refundReference, outcome };
    },

    async made(since): Promise<MadeRefund[]> {
      return (await list(since, null)).flatMap((one) => {
        const amountKobo = koboIn(one.refundAmount);
        if (amountKobo === null) return [];
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
    if (reply.kind !== 'answered')
      return { ...NOTHING_OF_REFUND, outcome: 'not_sent', reason: inShort(reply) };
    const taken = bodyOf(reply, refundSchema);
    if (taken) {
      return taken.refundReference === order.refundId && isWhole(order, taken)
        ? { ...NOTHING_OF_REFUND, outcome: 'accepted', providerRef: taken.refundReference }
        : { ...NOTHING_OF_REFUND, outcome: 'unknown', reason: ANOTHER_REFUND };
    }
    const outcome = TURNED_AWAY.has(reply.status) ? 'not_sent' : 'unknown';
    return { ...NOTHING_OF_REFUND, outcome, reason: inShort(reply) };
  }
}

const ANOTHER_REFUND = 'Monnify answered about another refund';
