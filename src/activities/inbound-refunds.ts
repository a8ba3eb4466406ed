/** The step of `refund/{id}`: orders a refund once, asks what became of it, and books it once (R44). */
import { present } from '../domain/assert';
import { OF_NO_PARTNER } from '../domain/partners';
import {
  afterRefundOrder,
  afterRefundQuery,
  isOpenRefund,
  type Refund,
  type RefundOrderOutcome,
  type RefundQueryOutcome,
} from '../domain/refunds';
import { waitBeforeAsking } from '../domain/requery';
import { fundingReference } from '../domain/transactions';
import type { InboundRefundInput } from '../contract/messages';
import { changeRefund, findRefund, notePost, type RefundOfPayment } from '../db/payments/inbound-refunds';
import { closeFindings, recordFindings } from '../db/reconcile/findings';
import { postOwn } from '../operations/money/post-own';
import {
  cellWithCredit,
  refundOrderOf,
  refundingCompany,
  waitForPeople,
} from '../operations/money/refund-credit';
import type { OpenCell } from '../runtime/environment';
import { requerySchedule } from './bank-transfer';
import type { Dependencies } from './dependencies';

/** How far a refund has come. `needsPeople` is for whoever reads the workflow. */
export interface RefundProgress {
  /** The state with which it has ended; null while it is under way. */
  ended: Refund['state'] | null;
  /** In one word; null where nobody was asked. */
  answer: RefundOrderOutcome | RefundQueryOutcome | null;
  /** When the next step is due; null leaves it to an operator. */
  pollAfterMs: number | null;
  needsPeople: boolean;
}

export function inboundRefundActivities({ environment, config, logger }: Dependencies) {
  const requery = requerySchedule(config);

  /**
   * What the payer has now is booked, which ends the finding of the payment, and then written; by the same id, so that a
   * second call finds it booked.
   */
  async function succeed(cell: OpenCell, refund: RefundOfPayment): Promise<Refund> {
    const why = await postOwn(cell, {
      type: 'credit_refund',
      creditId: refund.creditId,
      company: refund.provider,
      transactionId: refund.id,
      partnerId: OF_NO_PARTNER,
      reference: fundingReference(refund.id),
      amountKobo: refund.amountKobo,
    });
    if (why !== null) throw new Error(`the refund cannot be booked now: ${why}`);
    const now = await changeRefund(cell, refund.id, (one) =>
      isOpenRefund(one) ? { ...one, state: 'succeeded' } : one,
    );
    await closeFindings(cell.pool, cell.schema, [{ class: 'refund_stuck', resource: refund.id }]);
    return now;
  }

  const companyOf = ({ provider }: Refund) =>
    present(refundingCompany(environment, provider), `${provider}, which gives payments back`);

  /** Sends the order. The row says before that it may have been sent, so nobody sends it a second time. */
  async function order(cell: OpenCell, refund: RefundOfPayment): Promise<Heard> {
    const told = await companyOf(refund).order(refundOrderOf(refund));
    if (told.outcome === 'refused') {
      logger.warn(
        { refundId: refund.id, provider: refund.provider, reason: told.reason },
        'A refund was refused',
      );
    }
    const now = await changeRefund(cell, refund.id, (one) => afterRefundOrder(one, told.outcome, told));
    return { now, answer: told.outcome, pollAfterMs: told.pollAfterMs };
  }

  async function ask(cell: OpenCell, refund: RefundOfPayment): Promise<Heard> {
    const told = await companyOf(refund).query(refundOrderOf(refund));
    const now = await changeRefund(cell, refund.id, (one, at) =>
      afterRefundQuery(one, told.outcome, told, at),
    );
    return {
      now: told.outcome === 'success' && isOpenRefund(now) ? await succeed(cell, { ...refund, ...now }) : now,
      answer: told.outcome,
      pollAfterMs: told.pollAfterMs,
    };
  }

  return {
    /**
     * Does the next thing for a refund, as its row says: orders it, or asks about it. A second run at the same time asks,
     * because only one of them may send the order.
     * @param asked how often this was done before.
     * @param ageMs how long the workflow has been at work.
     */
    async advanceRefund(
      { creditId, refundId }: InboundRefundInput,
      asked: number,
      ageMs: number,
    ): Promise<RefundProgress> {
      const cell = present(await cellWithCredit(environment, creditId), 'the cell of a credit');
      const refund = present(await findRefund(cell, refundId), 'a refund that was ordered');
      if (!isOpenRefund(refund)) return await endedAs(cell, refund, refund);
      const maySend = refund.state === 'sending' && !refund.isPosted && (await notePost(cell, refundId));
      const heard = maySend ? await order(cell, refund) : await ask(cell, refund);
      if (!isOpenRefund(heard.now)) return endedAs(cell, refund, heard.now);

      const isLate = ageMs >= requery.lateAfterMs;
      const needsPeople = heard.answer === 'needs_people' || isLate;
      if (needsPeople) {
        // The company knows the payment and its own id of the refund, and not always ours.
        const detail = {
          credit: creditId,
          provider: refund.provider,
          payment: refund.reference,
          refund: heard.now.providerRef,
          answer: heard.answer,
        };
        await recordFindings(cell.pool, cell.schema, [{ class: 'refund_stuck', resource: refundId, detail }]);
      }
      const { answer } = heard;
      const waitMs = waitBeforeAsking(requery, asked, ageMs) ?? requery.lateEveryMs;
      return { ended: null, answer, pollAfterMs: heard.pollAfterMs ?? waitMs, needsPeople };
    },
  };

  /** It also runs after a crash between the end and what people see of it. */
  async function endedAs(cell: OpenCell, refund: RefundOfPayment, now: Refund): Promise<RefundProgress> {
    if (now.state === 'failed') await waitForPeople(cell, refund);
    return { ended: now.state, answer: null, pollAfterMs: null, needsPeople: now.state === 'failed' };
  }
}

/** What a company has answered, and the refund after it. */
interface Heard {
  now: Refund;
  answer: RefundOrderOutcome | RefundQueryOutcome;
  pollAfterMs: number | null;
}
