/**
 * Gives back amount and fee of a failed or returned transfer, in the commit that ends the transfer (D30, D56); or later, out
 * of suspense, to the wallet that people have decided on (R54).
 */
import { FREE } from '../fees';
import type { OpeningOf } from '../ledger/movements';
import { returnAllocatedPostings } from '../postings';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN, oneLeg } from './common';
import type { OpeningKind } from './kind';

export const reversal: OpeningKind<OpeningOf<'reversal'>> = {
  summary: 'Amount and fee of a failed or returned bank transfer, given back to its source',
  fees: FREE,
  // Its entries are the postings by which the transfer returns.
  life: { ...COMPLETE_AT_ONCE, entries: { completed: ['return'] } },
  // The event of the transfer reports it (D56).
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  // It is asked only where people have chosen the wallet, and it is no payment. What comes back to its own wallet must always
  // find it, and gives the use of its day back.
  limits: ['largest_balance'],
  once: { by: 'credited_transfer', id: ({ onceBy }) => onceBy },
  legs: (opening) => oneLeg(opening, null, opening.destWalletId),
  record: null,
  reverses: ({ originalId }) => originalId,
  suspense: ({ originalId }) => ({ class: 'return_unallocated', resource: originalId, detail: null }),
  postings: {
    accept: ({ destWalletId }, { amountKobo }) => returnAllocatedPostings(destWalletId, amountKobo),
    settle: null,
    return: null,
  },
};
