/**
 * Money that comes in at the fake Monnify and goes back: `GET /api/v2/transactions/:reference`, the search of transactions,
 * and refunds, as Monnify's public pages describe them.
 */
import type { Answer, Asked } from '../kit';
import { ok, page, refusal } from './answers';
import type { MonnifyPayment, MonnifyRefund, MonnifyState } from './state';

const writePayment = (payment: MonnifyPayment): object => ({
  transactionReference: payment.transactionReference,
  paymentReference: payment.transactionReference,
  amountPaid: payment.amountPaid,
  totalPayable: payment.amountPaid,
  settlementAmount: payment.settlementAmount,
  paidOn: new Date(payment.paidAtMs).toISOString(),
  paymentStatus: payment.paymentStatus,
  paymentDescription: 'Transfer for rent',
  currency: 'NGN',
  paymentMethod: 'ACCOUNT_TRANSFER',
  product: { type: payment.productType, reference: payment.accountReference },
  accountDetails: {
    accountName: payment.senderName,
    accountNumber: '******2190',
    bankCode: '058',
    amountPaid: payment.amountPaid,
  },
  customer: { name: 'ADA OBI', email: 'ada@acme.example' },
});

const writeRefund = ({ madeAtMs, ...refund }: MonnifyRefund): object => ({
  ...refund,
  refundReason: 'Payment returned',
  customerNote: 'Returned',
  refundType: 'FULL_REFUND',
  refundStrategy: 'MERCHANT_WALLET',
  createdOn: new Date(madeAtMs).toISOString(),
});

function refund(state: MonnifyState, body: Record<string, unknown>): Answer {
  const { transactionReference, refundReference, refundAmount, refundReason, customerNote } = body;
  const payment = state.settings.incoming.find((one) => one.transactionReference === transactionReference);
  const texts = [refundReference, refundReason, customerNote];
  if (!payment) return refusal(404, 'R1', 'Transaction with specified reference does not exist');
  if (!texts.every((text) => typeof text === 'string' && text !== '') || typeof refundAmount !== 'number') {
    return refusal(400, '99', 'A field is missing');
  }
  if (state.refunds.some((one) => one.refundReference === refundReference)) {
    return refusal(422, '99', 'Duplicate refund reference');
  }
  const made: MonnifyRefund = {
    refundReference: String(refundReference),
    transactionReference: payment.transactionReference,
    refundAmount,
    refundStatus: state.settings.refundStatus,
    madeAtMs: Date.now(),
  };
  state.refunds.push(made);
  return ok(writeRefund(made));
}

/** Which page is asked for. */
const asked = (query: URLSearchParams): [number, number] => [
  Number(query.get('page') ?? 0),
  Number(query.get('size') ?? 10),
];

/** @returns undefined where the request is about something else. */
export function aboutIncoming(state: MonnifyState, { called, query, body }: Asked): Answer | undefined {
  const { incoming } = state.settings;
  const from = Number(query.get('from') ?? 0);
  const to = Number(query.get('to') ?? Infinity);
  const [, paid] = /^GET \/api\/v2\/transactions\/([^/]+)$/.exec(called) ?? [];
  const [, back] = /^GET \/api\/v1\/refunds\/([^/]+)$/.exec(called) ?? [];
  if (paid !== undefined) {
    const found = incoming.find((one) => one.transactionReference === decodeURIComponent(paid));
    return found
      ? ok(writePayment(found))
      : refusal(404, '99', 'There is no transaction with this reference');
  }
  if (back !== undefined) {
    const found = state.refunds.find((one) => one.refundReference === decodeURIComponent(back));
    return found ? ok(writeRefund(found)) : refusal(404, '99', 'There is no refund with this reference');
  }
  switch (called) {
    case 'GET /api/v1/transactions/search': {
      const status = query.get('paymentStatus');
      const found = incoming.filter(
        (one) =>
          one.paidAtMs >= from && one.paidAtMs <= to && one.paymentStatus === (status ?? one.paymentStatus),
      );
      return page(found, asked(query), writePayment);
    }
    case 'GET /api/v1/refunds':
      return page(
        state.refunds.filter(({ madeAtMs }) => madeAtMs >= from && madeAtMs <= to),
        asked(query),
        writeRefund,
      );
    case 'POST /api/v1/refunds/initiate-refund':
      return refund(state, body);
    default:
      return undefined;
  }
}
