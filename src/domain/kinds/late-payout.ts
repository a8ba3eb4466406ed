/**
 * What a provider has paid although the transfer was given back, or paid by another attempt (D57). It is in our own books
 * alone: it has no wallet, and no partner meets it.
 */
import { FREE } from '../fees';
import type { OpeningOf } from '../ledger/movements';
import { latePayoutPostings } from '../postings';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN, oneLeg } from './common';
import type { OpeningKind } from './kind';

export const latePayout: OpeningKind<OpeningOf<'late_payout'>> = {
  summary: 'A payout of a provider that nobody has to pay for',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  limits: [],
  once: { by: 'own_id' },
  legs: (opening) => oneLeg(opening, null, null),
  record: null,
  postings: {
    accept: ({ by }, { amountKobo }) => latePayoutPostings(amountKobo, by),
    settle: null,
    return: null,
  },
};
