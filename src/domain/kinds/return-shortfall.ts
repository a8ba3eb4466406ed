/**
 * What a company has taken back of a payment and the credited wallet did not have any more. It is in our own books alone: it
 * has no wallet, and no partner meets it.
 */
import { FREE } from '../fees';
import type { OpeningOf } from '../ledger/movements';
import { paymentReturnPostings } from '../postings';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN, oneLeg } from './common';
import type { OpeningKind } from './kind';

export const returnShortfall: OpeningKind<OpeningOf<'return_shortfall'>> = {
  summary: 'A payment that was taken back, as far as its wallet did not have it any more',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  limits: [],
  once: { by: 'own_id' },
  legs: (opening) => oneLeg(opening, null, null),
  record: null,
  postings: {
    accept: ({ company }, { amountKobo }) => paymentReturnPostings(null, amountKobo, company),
    settle: null,
    return: null,
  },
};
