/**
 * What a company has taken back of a payment and the credited wallet did not have any more. It is in our own books alone: it
 * has no wallet, and no partner meets it.
 */
import type { OpeningOf } from '../ledger/movements';
import { paymentReturnPostings } from '../postings';
import { IN_OUR_BOOKS } from './common';
import type { OpeningKind } from './kind';

export const returnShortfall: OpeningKind<OpeningOf<'return_shortfall'>> = {
  ...IN_OUR_BOOKS,
  summary: 'A payment that was taken back, as far as its wallet did not have it any more',
  once: { by: 'own_id' },
  suspense: ({ creditId, told }) => ({ class: 'payment_returned', resource: creditId, detail: told }),
  postings: {
    accept: ({ company }, { amountKobo }) => paymentReturnPostings(null, amountKobo, company),
    settle: null,
    return: null,
  },
};
