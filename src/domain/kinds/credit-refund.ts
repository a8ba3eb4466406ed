/**
 * A payment that no wallet took went back to its payer, through the company that had received it. It is in our own books
 * alone: it has no wallet, and no partner meets it.
 */
import type { OpeningOf } from '../ledger/movements';
import { creditRefundPostings } from '../postings';
import { IN_OUR_BOOKS } from './common';
import type { OpeningKind } from './kind';

export const creditRefund: OpeningKind<OpeningOf<'credit_refund'>> = {
  ...IN_OUR_BOOKS,
  summary: 'A payment that no wallet took, given back to its payer',
  once: { by: 'own_id' },
  suspense: ({ creditId }) => ({ class: 'payment_unallocated', resource: creditId, detail: null }),
  postings: {
    accept: ({ company }, { amountKobo }) => creditRefundPostings(amountKobo, company),
    settle: null,
    return: null,
  },
};
