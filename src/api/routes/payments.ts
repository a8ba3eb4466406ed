/** Payments by QR and split payments (interface: Payments; D64-D68, D77-D80, D166). */
import { findQrRequestNow, listQrRequests } from '../../db/payments/qr-requests';
import { done, refuse } from '../../domain/outcome';
import { createQr } from '../../operations/money/create-qr';
import { payQr, paySplit } from '../../operations/money/pay';
import { dataOf, listOf, pageOf } from '../../wire/answers';
import { writeEmv } from '../../wire/emv';
import {
  placesOfSplit,
  qrCreateBody,
  qrListed,
  qrPayBody,
  qrQuery,
  qrRequestSchema,
  qrShown,
  readQrCreation,
  readQrPayment,
  readQrReference,
  readSplit,
  splitBody,
  writeQrListed,
  writeQrRequest,
  writeQrShown,
} from '../../wire/payments';
import { transactionInAnyForm, writeTransaction } from '../../wire/transactions';
import { usedKey } from '../fingerprint';
import { drawQr } from '../qr-image';
import { BY_TIME, pageAnswer } from '../page';
import { MOVEMENT_REFUSALS } from './transfers';
import { dataAnswer, reading, replyOf, type Route } from '../route';

/** A request to be paid: nothing moves, but its reference is used up (D45). */
const create: Route = {
  method: 'POST',
  path: '/v1/payments/qr/create',
  operation: 'createQrPayment',
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
  doc: {
    section: 'Payments',
    sdk: 'qr.create',
    summary: 'Ask for a payment by QR',
    description:
      'Gives a picture to show and its text. Nothing moves until somebody pays; a request is paid once, and ' +
      'expires after five minutes unless another time is asked for.',
    body: qrCreateBody,
    answer: { status: 200, description: 'The request to be paid', body: dataOf(qrRequestSchema) },
    refusals: ['AMOUNT_TOO_LOW', 'DUPLICATE_REFERENCE', 'WALLET_NOT_FOUND', 'WALLET_CLOSED'],
  },
  async handle(call) {
    const read = readQrCreation(call.body);
    if (!read.ok) return read;
    const created = await createQr(call.services, call, read.value, {
      key: usedKey(call, 'createQrPayment', read.value),
      draw: (request) => drawQr(writeEmv(request)),
      write: ({ request, image }) => dataAnswer(call, 200, writeQrRequest(request, image)),
    });
    return replyOf(created);
  },
};

/**
 * A request is paid once. Its row is locked after the wallets. A payer who pays again gets the original
 * payment (D66).
 */
const pay: Route = {
  method: 'POST',
  path: '/v1/payments/qr/pay',
  operation: 'payQrPayment',
  postsMoney: true,
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
  doc: {
    section: 'Payments',
    sdk: 'qr.pay',
    summary: 'Pay a QR payment request',
    description:
      'The request is named by its reference, or by the whole text that was scanned, which must be the text that was ' +
      'issued. A repeat from the same wallet gets the original payment.',
    body: qrPayBody,
    answer: { status: 200, description: 'The completed payment', body: dataOf(transactionInAnyForm) },
    refusals: [
      'NOT_FOUND',
      'QR_ALREADY_PAID',
      'QR_EXPIRED',
      'SAME_WALLET_TRANSFER',
      ...MOVEMENT_REFUSALS.filter((code) => code !== 'AMOUNT_TOO_LOW' && code !== 'DUPLICATE_REFERENCE'),
    ],
  },
  async handle(call) {
    const read = readQrPayment(call.body);
    if (!read.ok) return read;
    const paid = await payQr(call, read.value, {
      key: usedKey(call, 'payQrPayment', read.value),
      write: ({ transaction, balances }, told = call) =>
        dataAnswer(told, 200, writeTransaction(transaction, told.form, balances)),
    });
    return replyOf(paid);
  },
};

/** A request has no page of its own under the names that are taken below its path; the list finds those too. */
const list = reading({
  method: 'GET',
  path: '/v1/payments/qr',
  operation: 'listQrPayments',
  needs: 'look',
  doc: {
    section: 'Payments',
    sdk: 'qr.list',
    summary: 'List the QR payment requests',
    description:
      'Newest first, without their pictures. With `wallet_id` or `status` a page may be short, or empty, and still have ' +
      'a next one.',
    query: qrQuery,
    answer: { status: 200, description: 'A page of requests', body: pageOf(qrListed) },
    refusals: [],
  },
  async handle(call) {
    const { wallet_id: walletId = null, status = null } = call.query;
    const filter = { walletId, status };
    return pageAnswer(call, {
      name: `qr/${call.environment.name}/${call.partner.id}/${JSON.stringify(filter)}`,
      order: BY_TIME,
      find: (page) => listQrRequests(call.cell, call.partner.id, filter, page),
      write: writeQrListed,
    });
  },
});

const get: Route = {
  method: 'GET',
  path: '/v1/payments/qr/:reference',
  operation: 'getQrPayment',
  needs: 'look',
  doc: {
    section: 'Payments',
    sdk: 'qr.get',
    summary: 'Get a QR payment request',
    description:
      'As it is now, with its picture. A reference stands in the path with its special characters encoded.',
    answer: { status: 200, description: 'The request', body: dataOf(qrShown) },
    refusals: [],
  },
  async handle(call) {
    const reference = readQrReference(call.params.reference ?? '');
    const request = reference && (await findQrRequestNow(call.cell, call.partner.id, reference));
    if (!request) return refuse('NOT_FOUND');
    return done(dataAnswer(call, 200, writeQrShown(request, drawQr(writeEmv(request)))));
  },
};

/** All legs or none, in one commit (D77). */
const split: Route = {
  method: 'POST',
  path: '/v1/payments/split',
  operation: 'splitPayment',
  postsMoney: true,
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
  places: placesOfSplit,
  doc: {
    section: 'Payments',
    sdk: 'payments.split',
    summary: 'Pay several wallets at once',
    description:
      'Either all legs happen or none. Each is a transaction of its own under the same reference, numbered ' +
      'from 0 by `metadata.split_index`. Only amounts count: nothing is computed from the percentages. Ten legs take ' +
      'one place of the rate limit, and the metadata of all legs together has at most 262,144 bytes.',
    body: splitBody,
    answer: {
      status: 200,
      description: 'The completed legs, in the order of the request',
      body: listOf(transactionInAnyForm),
    },
    refusals: [...MOVEMENT_REFUSALS, 'SAME_WALLET_TRANSFER'],
  },
  async handle(call) {
    const read = readSplit(call.body);
    if (!read.ok) return read;
    const paid = await paySplit(call, read.value, {
      key: usedKey(call, 'splitPayment', read.value),
      write: (legs, told = call) =>
        dataAnswer(
          told,
          200,
          legs.map(({ transaction, balances }) => writeTransaction(transaction, told.form, balances)),
        ),
    });
    return replyOf(paid);
  },
};

export const paymentRoutes: readonly Route[] = [create, list, pay, get, split];
