/**
 * Refunds at Paystack (its pages: Refunds; API reference, Refund; Errors). It takes no reference of ours for a refund. Its list
 * is read whole from the payment's day on, because its pages do not say clearly whether its filter takes an id or a reference.
 */
import { z } from 'zod';
import type { RefundOrder, RefundQueryOutcome } from '../../domain/refunds';
import type { RefundOrdered, RefundQueried, Refunds } from '../port';
import { allOf, NoListError, pagesOf } from '../lists';
import { answerBefore, NOTHING_OF_REFUND, REFUNDS_PER_PAGE, refundsIn, refundsSince } from '../refund-lists';
import { dataOf, TURNED_AWAY, type Domain } from './answers';
import type { PaystackClient, PaystackReply } from './client';

/** The states of a refund. A failed one has given its amount back to us. */
const REFUND_STATUSES: ReadonlyMap<string, RefundQueryOutcome> = new Map([
  ['pending', 'pending'],
  ['processing', 'pending'],
  ['needs-attention', 'needs_people'],
  ['processed', 'success'],
  ['failed', 'failed'],
]);

/** The page on errors says of these that the request was not fulfilled. */
const NOT_FULFILLED: readonly number[] = [400, 404, 422];

const refundOf = z.object({
  transaction: z.union([z.int(), z.object({ id: z.int() }).transform(({ id }) => id)]),
});
const refundSchema = refundOf.extend({
  id: z.int(),
  amount: z.int().min(1),
  currency: z.string(),
  domain: z.string(),
  status: z.string(),
});
type FoundRefund = z.infer<typeof refundSchema>;

export function createPaystackRefunds(
  client: PaystackClient,
  domain: Domain,
  answersWithinMs: number,
): Refunds {
  // An order takes at least two requests, of which the first has a third of the time.
  const listWithinMs = Math.floor(answersWithinMs / 3);

  /** All refunds since a time, of whomever. @param about see `refundsIn`. @throws NoListError */
  async function list(since: Date, about: string | null): Promise<FoundRefund[]> {
    const rows = pagesOf('Paystack', async (page) => {
      const query = new URLSearchParams({
        from: since.toISOString(),
        perPage: String(REFUNDS_PER_PAGE),
        page: String(page),
      });
      const reply = await client.get(`/refund?${query.toString()}`, listWithinMs);
      const told = dataOf(reply, [200], z.array(z.unknown()));
      if (!told) throw new NoListError(`Paystack has not told its refunds (${inShort(reply)})`);
      return told;
    });
    return refundsIn(
      'Paystack',
      await allOf(rows),
      (row) => refundSchema.safeParse(row).data,
      (row) => refundOf.safeParse(row).data?.transaction.toString(),
      about,
    );
  }

  /** The refund of the payment that has not failed, of whomever; null where there is none. @throws NoListError */
  async function findRefund(order: RefundOrder): Promise<FoundRefund | null> {
    const all = await list(refundsSince(order.receivedAt), order.paymentRef);
    return all.find((one) => isOf(order, one) && one.status !== 'failed') ?? null;
  }

  const isOf = (order: RefundOrder, one: FoundRefund): boolean =>
    String(one.transaction) === order.paymentRef && one.domain === domain;
  const isWhole = (order: RefundOrder, one: FoundRefund): boolean =>
    one.amount === order.amountKobo && one.currency === 'NGN';

  function told(order: RefundOrder, one: FoundRefund): RefundQueried {
    if (!isOf(order, one) || !isWhole(order, one)) {
      return { ...NOTHING_OF_REFUND, outcome: 'unknown', reason: ANOTHER_REFUND };
    }
    const outcome = REFUND_STATUSES.get(one.status) ?? 'unknown';
    return { ...NOTHING_OF_REFUND, providerRef: String(one.id), outcome };
  }

  return {
    async order(order): Promise<RefundOrdered> {
      const before = await answerBefore(async () => {
        const found = await findRefund(order);
        return found && { providerRef: String(found.id), isWhole: isWhole(order, found) };
      });
      if (before) return before;
      const body = {
        transaction: order.paymentRef,
        amount: order.amountKobo,
        currency: 'NGN',
        merchant_note: `refund ${order.refundId}`,
      };
      const reply = await client.post('/refund', body, answersWithinMs - listWithinMs);
      return readOrdered(reply, order);
    },

    async query(order): Promise<RefundQueried> {
      try {
        if (order.providerRef === null) {
          const found = await findRefund(order);
          return found ? told(order, found) : { ...NOTHING_OF_REFUND, outcome: 'not_found' };
        }
      } catch (error) {
        if (!(error instanceof NoListError)) throw error;
        return { ...NOTHING_OF_REFUND, outcome: 'unknown', reason: error.message };
      }
      const reply = await client.get(`/refund/${encodeURIComponent(order.providerRef)}`, answersWithinMs);
      const found = dataOf(reply, [200], refundSchema);
      if (found && String(found.id) === order.providerRef) return told(order, found);
      return {
        ...NOTHING_OF_REFUND,
        outcome: 'unknown',
        reason: inShort(reply),
        pollAfterMs: resetOf(reply),
      };
    },

    async made(since) {
      const ours = (await list(since, null)).filter((one) => one.domain === domain && one.currency === 'NGN');
      return ours.map((one) => ({
        providerRef: String(one.id),
        paymentRef: String(one.transaction),
        amountKobo: one.amount,
        outcome: REFUND_STATUSES.get(one.status) ?? 'unknown',
      }));
    },
  };

  function readOrdered(reply: PaystackReply, order: RefundOrder): RefundOrdered {
    if (reply.kind === 'not connected')
      return { ...NOTHING_OF_REFUND, outcome: 'not_sent', reason: inShort(reply) };
    const taken = dataOf(reply, [200, 201], refundSchema);
    if (taken) {
      return isOf(order, taken) && isWhole(order, taken)
        ? { ...NOTHING_OF_REFUND, outcome: 'accepted', providerRef: String(taken.id) }
        : { ...NOTHING_OF_REFUND, outcome: 'unknown', reason: ANOTHER_REFUND };
    }
    const more = { ...NOTHING_OF_REFUND, reason: inShort(reply), pollAfterMs: resetOf(reply) };
    if (TURNED_AWAY.has(reply.status)) return { ...more, outcome: 'not_sent' };
    const isRefused = NOT_FULFILLED.includes(reply.status) && reply.body?.status === false;
    return { ...more, outcome: isRefused ? 'refused' : 'unknown' };
  }
}

const ANOTHER_REFUND = 'Paystack answered about another refund';

const inShort = (reply: PaystackReply): string =>
  reply.kind === 'answered' ? `HTTP ${String(reply.status)}` : reply.cause;
const resetOf = (reply: PaystackReply): number | null =>
  reply.kind === 'answered' ? reply.resetsAfterMs : null;
