/**
 * Refunds at the fake Paystack: `POST /refund`, `GET /refund` and `GET /refund/:id`, and the events `refund.*`, as Paystack's
 * public pages describe them (Refunds; API reference, Refund). A refund of more than is left of its payment is refused.
 */
import type { FakeEvents } from './events';
import { ok, refusal, type Answer } from './fake-paystack';
import type { FakeRefund, OpenState } from './state';

export interface RefundsOfFake {
  /** Gives a payment back after a claim of its payer's bank: the payment is reversed, and the refund is in the list. */
  takeBack(reference: string): void;
  /** Changes a refund, with its event. */
  turn(id: number, status: string): void;
  /** @returns undefined where the request is about something else. */
  answer(called: string, query: URLSearchParams, body: Record<string, unknown>): Answer | undefined;
}

export function createRefunds({ now, book, save }: OpenState, events: FakeEvents): RefundsOfFake {
  const paymentOf = (refund: FakeRefund) => now.transactions.find(({ id }) => id === refund.transactionId);
  const stamp = (ms: number): string => new Date(ms).toISOString();

  const dataOf = (refund: FakeRefund) => ({
    id: refund.id,
    integration: 100_073,
    domain: paymentOf(refund)?.domain,
    transaction: refund.transactionId,
    dispute: null,
    settlement: null,
    amount: refund.amountKobo,
    deducted_amount: refund.amountKobo,
    fully_deducted: true,
    currency: 'NGN',
    channel: 'dedicated_nuban',
    status: refund.status,
    refunded_by: 'operations@partner.example',
    refunded_at: null,
    expected_at: stamp(refund.bookedAtMs),
    customer_note: '',
    merchant_note: '',
    createdAt: stamp(refund.bookedAtMs),
    updatedAt: stamp(refund.bookedAtMs),
  });

  function tell(refund: FakeRefund): void {
    events.send(`refund.${refund.status}`, {
      status: refund.status,
      transaction_reference: paymentOf(refund)?.reference,
      refund_reference: null,
      amount: String(refund.amountKobo),
      currency: 'NGN',
      processor: 'instant-transfer',
      customer: { first_name: null, last_name: null, email: 'owner@customers.example' },
      integration: 100_073,
      domain: paymentOf(refund)?.domain,
    });
  }

  function make({ transaction, amount }: Record<string, unknown>): Answer {
    const payment = now.transactions.find(
      (one) => String(one.id) === String(transaction) || one.reference === transaction,
    );
    if (!payment) return refusal(404, 'Transaction not found', 'transaction_not_found');
    const back = now.refunds
      .filter((one) => one.transactionId === payment.id && one.status !== 'failed')
      .reduce((sum, one) => sum + one.amountKobo, 0);
    const amountKobo = Number(amount ?? payment.amountKobo);
    if (payment.status !== 'success' || amountKobo > payment.amountKobo - back) {
      return refusal(400, 'Transaction has been fully reversed', 'invalid_params');
    }
    const { refundStatus: status } = now.settings;
    const made = { id: now.nextId++, transactionId: payment.id, amountKobo, status, bookedAtMs: Date.now() };
    now.refunds.push(made);
    book({ model: 'Refund', row: made.id, differenceKobo: -amountKobo });
    tell(made);
    const data = {
      ...dataOf(made),
      transaction: { id: payment.id, reference: payment.reference, amount: payment.amountKobo },
    };
    return ok('Refund has been queued for processing', data);
  }

  return {
    takeBack(reference) {
      const payment = now.transactions.find((one) => one.reference === reference);
      if (!payment) return;
      make({ transaction: payment.id });
      payment.status = 'reversed';
      save();
      events.send('charge.dispute.resolve', {
        id: now.nextId++,
        refund_amount: payment.amountKobo,
        currency: 'NGN',
        status: 'resolved',
        resolution: 'auto-accepted',
        domain: payment.domain,
        transaction: { id: payment.id, domain: payment.domain, status: payment.status, reference },
        transaction_reference: null,
        category: 'chargeback',
      });
    },
    turn(id, status) {
      const refund = now.refunds.find((one) => one.id === id);
      if (!refund) return;
      refund.status = status;
      if (status === 'failed') book({ model: 'Refund', row: id, differenceKobo: refund.amountKobo });
      save();
      tell(refund);
    },
    answer(called, query, body) {
      if (called === 'POST /refund') return make(body);
      const id = /^GET \/refund\/([0-9]+)$/.exec(called)?.[1];
      if (id !== undefined) {
        const found = now.refunds.find((one) => one.id === Number(id));
        return found ? ok('Refund retrieved', dataOf(found)) : refusal(404, 'Refund not found', 'not_found');
      }
      if (called !== 'GET /refund') return undefined;
      const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('perPage') ?? 50)];
      const from = Date.parse(query.get('from') ?? '1970-01-01');
      const found = now.refunds.filter(({ bookedAtMs }) => bookedAtMs >= from).reverse();
      return ok('Refunds retrieved', found.slice((page - 1) * perPage, page * perPage).map(dataOf));
    },
  };
}
