/** The payment of a QR request (interface: Payments; D64-D66). */
import { FREE } from '../fees';
import { PAYMENT_LIMITS } from '../limits';
import type { OpeningOf } from '../ledger/movements';
import { paymentPostings } from '../postings';
import { PAYER_REFUSALS } from '../wallets';
import { betweenWallets, COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN } from './common';
import type { OpeningKind } from './kind';

export const qrPayment: OpeningKind<OpeningOf<'qr_payment'>> = {
  summary: 'The one payment of a QR payment request',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: EVENTS_OF_ITS_OWN,
  sourceRefusals: PAYER_REFUSALS,
  limits: PAYMENT_LIMITS,
  // The partner's reference was used up when the request was created (D45, R6).
  once: { by: 'qr_request', id: ({ qrRequestId }) => qrRequestId },
  legs: betweenWallets,
  record: null,
  postings: {
    accept: ({ sourceWalletId, destWalletId }, { amountKobo }) =>
      paymentPostings({ source: sourceWalletId, dest: destWalletId }, amountKobo),
    settle: null,
    return: null,
  },
};
