/** A payment from one wallet to several, each as a transaction of its own (interface: Payments; D77-D80). */
import { present } from '../assert';
import { FREE } from '../fees';
import { PAYMENT_LIMITS } from '../limits';
import type { OpeningOf } from '../ledger/movements';
import { paymentPostings } from '../postings';
import { PAYER_REFUSALS } from '../wallets';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN } from './common';
import type { OpeningKind } from './kind';

export const splitPayment: OpeningKind<OpeningOf<'split_payment'>> = {
  summary: 'One leg of a payment from one wallet to several',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: EVENTS_OF_ITS_OWN,
  sourceRefusals: PAYER_REFUSALS,
  limits: PAYMENT_LIMITS,
  once: {
    by: 'reference',
    terms: ({ type, sourceWalletId, shares }) =>
      JSON.stringify([
        type,
        sourceWalletId,
        shares.map(({ walletId, amountKobo }) => [walletId, amountKobo]),
      ]),
  },
  legs: ({ sourceWalletId, shares }) =>
    shares.map(({ transactionId, walletId, amountKobo }) => ({
      transactionId,
      sourceWalletId,
      destWalletId: walletId,
      amountKobo,
    })),
  // Counted from 0 in the order of the request (D147).
  record: ({ shares, metadata }, place) => ({
    splitConfig: shares.map(({ walletId, amountKobo, percentage }) => ({ walletId, amountKobo, percentage })),
    metadata: { ...metadata, split_index: place },
  }),
  postings: {
    accept: ({ sourceWalletId }, { destWalletId, amountKobo }) =>
      paymentPostings(
        { source: sourceWalletId, dest: present(destWalletId, 'the wallet of a share') },
        amountKobo,
      ),
    settle: null,
    return: null,
  },
};
