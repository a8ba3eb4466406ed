/**
 * A payment that a company has received for us and that no wallet takes: its account is not ours or not known, or its
 * wallet is closed or full. It waits in suspense until people decide whose it is. No partner meets it.
 */
import type { OpeningOf } from '../ledger/movements';
import { inboundPostings } from '../postings';
import { IN_OUR_BOOKS } from './common';
import type { OpeningKind } from './kind';

export const unallocatedCredit: OpeningKind<OpeningOf<'unallocated_credit'>> = {
  ...IN_OUR_BOOKS,
  summary: 'A payment that came in and that no wallet takes',
  // By the same id as the funding of a wallet, so that a payment is booked as one of the two.
  once: { by: 'credited_transfer', id: ({ creditId }) => creditId },
  suspense: ({ creditId, told }) => ({ class: 'payment_unallocated', resource: creditId, detail: told }),
  postings: {
    accept: ({ by }, { amountKobo }) => inboundPostings(null, amountKobo, by),
    settle: null,
    return: null,
  },
};
