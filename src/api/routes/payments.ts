/** Payments by QR and split payments (interface: Payments; D64-D68, D77-D80, D166). */
import { randomInt } from 'node:crypto';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { qrTerms, type QrRequest } from '../../domain/qr-requests';
import { present } from '../../domain/assert';
import { accept } from '../../db/ledger/acceptance';
import { newId } from '../../db/pg/ids';
import { findQrRequest, insertQrRequest } from '../../db/payments/qr-requests';
import { findWallet } from '../../db/wallets/wallets';
import { dataOf, listOf } from '../../wire/answers';
import { isEmv, readEmvLabel, writeEmv, type EmvRequest } from '../../wire/emv';
import {
  qrCreateBody,
  qrPayBody,
  qrRequestSchema,
  readQrCreation,
  readQrPayment,
  readSplit,
  splitBody,
  writeQrRequest,
} from '../../wire/payments';
import { transactionInAnyForm, writeTransaction } from '../../wire/transactions';
import { transactionCompleted } from '../../wire/webhooks';
import { usedKey } from '../fingerprint';
import { postTransaction } from '../post-transaction';
import { drawQr } from '../qr-image';
import { MOVEMENT_REFUSALS } from './transfers';
import { dataAnswer, replayed, type Answer, type Call, type Route } from '../route';

/** A request to be paid: nothing moves, but its reference is used up (D45). */
const createQr: Route = {
  method: 'POST',
  path: '/v1/payments/qr/create',
  operation: 'createQrPayment',
  needsActivePartner: true,
  keyed: true,
  doc: {
    section: 'Payments',
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
    const { walletId, amountKobo, reference, description, metadata, lifetimeSeconds } = read.value;
    if (amountKobo < 1) return refuse('AMOUNT_TOO_LOW');
    const { cell, partner } = call;
    const id = newId();
    // Before, not inside: nothing takes a second connection while it holds one. An unpaid QR never stops a
    // wallet from being closed, so it does not matter which of the two comes first.
    const wallet = await findWallet(cell, partner.id, walletId);
    const asked = {
      id,
      partnerId: partner.id,
      walletId,
      amountKobo,
      reference,
      label: newLabel(),
      payeeName: wallet?.account?.accountName ?? partner.businessName,
      description,
      metadata,
    };
    // Drawn before: the transaction holds the reference, and others may be waiting for it.
    const image = draw(asked);
    const result = await accept(
      cell,
      {
        partnerId: partner.id,
        key: usedKey(call, 'createQrPayment', read.value),
        reference,
        terms: qrTerms({ walletId, amountKobo }),
        resourceId: id,
        transactionId: null,
      },
      call.services.config.IDEMPOTENCY_WINDOW_MS,
      async (trx) => {
        if (!wallet) return refuse('WALLET_NOT_FOUND');
        if (wallet.status === 'closed') return refuse('WALLET_CLOSED');
        const request = await insertQrRequest(trx, cell.schema, asked, lifetimeSeconds);
        const answer = qrAnswer(call, request, image);
        return done({ value: answer, answer: { status: answer.status, body: answer.body ?? '' } });
      },
    );
    if (!result.ok) return result;
    switch (result.value.kind) {
      case 'accepted':
        return done(result.value.value);
      case 'same_key':
        return done(replayed(result.value.answer));
      case 'same_reference': {
        const found = await findQrRequest(cell, partner.id, { reference });
        const request = present(found, 'the QR request of a used reference');
        return done(replayed(qrAnswer(call, request, draw(request))));
      }
    }
  },
};

const draw = (request: EmvRequest): string => drawQr(writeEmv(request));

const qrAnswer = (call: Call, request: QrRequest, image: string): Answer =>
  dataAnswer(call, 200, writeQrRequest(request, image));

/** Crockford's digits: none that people or scanners mistake for another. */
const LABEL_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const newLabel = (): string =>
  Array.from({ length: 12 }, () => LABEL_DIGITS[randomInt(LABEL_DIGITS.length)]).join('');

/** One payment ever: the request's row is locked after the wallets, and its payer gets the original again (D66). */
const payQr: Route = {
  method: 'POST',
  path: '/v1/payments/qr/pay',
  operation: 'payQrPayment',
  needsActivePartner: true,
  keyed: true,
  doc: {
    section: 'Payments',
    summary: 'Pay a QR payment request',
    description:
      'By the reference it was created with, or by the whole text that was scanned. Paying again from the ' +
      'same wallet answers the original payment.',
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
    const { qrReference, sourceWalletId } = read.value;
    const requested = await findRequested(call, qrReference);
    if (!requested.ok) return requested;
    const found = requested.value;
    return postTransaction(call, {
      opening: {
        kind: 'open',
        type: 'qr_payment',
        qrRequestId: found.id,
        transactionId: newId(),
        partnerId: call.partner.id,
        sourceWalletId,
        destWalletId: found.walletId,
        amountKobo: found.amountKobo,
        reference: found.reference,
        description: found.description,
        metadata: found.metadata,
        key: usedKey(call, 'payQrPayment', read.value),
      },
      announce: (posted) => [transactionCompleted(posted.transaction)],
      write: ({ transaction, balances }) =>
        dataAnswer(call, 200, writeTransaction(transaction, call.form, balances)),
    });
  },
};

/** By the text of a scanned code, else by the partner's reference (D160). */
async function findRequested(call: Call, qrReference: string): Promise<Outcome<QrRequest>> {
  const label = isEmv(qrReference) ? readEmvLabel(qrReference) : null;
  if (isEmv(qrReference) && label === null) {
    return refuse('VALIDATION_ERROR', { message: 'qr_reference: is not a code of ours, or was misread' });
  }
  const by = label === null ? { reference: qrReference } : { label };
  const found = await findQrRequest(call.cell, call.partner.id, by);
  return found ? done(found) : refuse('NOT_FOUND');
}

/** All legs or none, in one commit (D77). */
const split: Route = {
  method: 'POST',
  path: '/v1/payments/split',
  operation: 'splitPayment',
  needsActivePartner: true,
  keyed: true,
  doc: {
    section: 'Payments',
    summary: 'Pay several wallets at once',
    description:
      'All legs happen or none. Each is a transaction of its own under the same reference, numbered from 0 by ' +
      '`metadata.split_index`. Amounts decide; percentages are kept and never computed with.',
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
    const { shares, ...request } = read.value;
    const legs = shares.map((share) => ({ ...share, transactionId: newId() }));
    return postTransaction(call, {
      opening: {
        kind: 'open',
        type: 'split_payment',
        transactionId: present(legs[0], 'the first leg').transactionId,
        partnerId: call.partner.id,
        ...request,
        amountKobo: legs.reduce((sum, leg) => sum + leg.amountKobo, 0),
        shares: legs,
        key: usedKey(call, 'splitPayment', read.value),
      },
      announce: (posted) => posted.legs.map((leg) => transactionCompleted(leg.transaction)),
      write: (_first, posted) =>
        dataAnswer(
          call,
          200,
          posted.map(({ transaction, balances }) => writeTransaction(transaction, call.form, balances)),
        ),
    });
  },
};

export const paymentRoutes: readonly Route[] = [createQr, payQr, split];
