/**
 * A payment that no wallet took went back to its payer, through the company that had received it. It is in our own books
 * alone: it has no wallet, and no partner meets it.
 */
import { FREE } from '../fees';
import type { OpeningOf } from '../ledger/movements';
import { creditRefundPostings } from '../postings';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN, oneLeg } from './common';
import type { OpeningKind } from './kind';

export const creditRefund: OpeningKind<OpeningOf<'credit_refund'>> = {
  summary: 'A payment that no wallet took, given back to its payer',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  limits: [],
  once: { by: 'own_id' },
  legs: (opening) => oneLeg(opening, null, null),
  record: null,
  postings: {
    accept: ({ paidFrom }, { amountKobo }) => creditRefundPostings(amountKobo, paidFrom),
    settle: null,
    return: null,
  },
};
