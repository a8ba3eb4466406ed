/**
 * What a provider has paid although the transfer was given back, or paid by another attempt (D57). It is in our own books
 * alone: it has no wallet, and no partner meets it.
 */
import type { OpeningOf } from '../ledger/movements';
import { latePayoutPostings } from '../postings';
import { IN_OUR_BOOKS } from './common';
import type { OpeningKind } from './kind';

export const latePayout: OpeningKind<OpeningOf<'late_payout'>> = {
  ...IN_OUR_BOOKS,
  summary: 'A payout of a provider that nobody has to pay for',
  once: { by: 'own_id' },
  suspense: ({ originalId, attempt, amountKobo, by }) => ({
    class: 'paid_after_all',
    resource: originalId,
    detail: { attempt, provider: by.company, kobo: amountKobo },
  }),
  postings: {
    accept: ({ by }, { amountKobo }) => latePayoutPostings(amountKobo, by),
    settle: null,
    return: null,
  },
};
