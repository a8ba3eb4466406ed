/**
 * A payment that a company has received for us and that no wallet takes: its account is not ours or not known, or its
 * wallet is closed or full. It waits in suspense until people decide whose it is. No partner meets it.
 */
import { FREE } from '../fees';
import type { OpeningOf } from '../ledger/movements';
import { inboundPostings } from '../postings';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN, oneLeg } from './common';
import type { OpeningKind } from './kind';

export const unallocatedCredit: OpeningKind<OpeningOf<'unallocated_credit'>> = {
  summary: 'A payment that came in and that no wallet takes',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  limits: [],
  // By the same id as the funding of a wallet, so that a payment is booked as one of the two.
  once: { by: 'credited_transfer', id: ({ creditId }) => creditId },
  legs: (opening) => oneLeg(opening, null, null),
  record: null,
  postings: {
    accept: ({ by }, { amountKobo }) => inboundPostings(null, amountKobo, by),
    settle: null,
    return: null,
  },
};
