/** Gives back amount and fee of a failed or returned transfer, in the commit that ends the transfer (D30, D56). */
import { FREE } from '../fees';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN } from './common';
import type { TransactionKind } from './kind';

export const reversal: TransactionKind = {
  summary: 'Amount and fee of a failed or returned bank transfer, given back to its source',
  fees: FREE,
  // Its entries are the postings by which the transfer returns.
  life: { ...COMPLETE_AT_ONCE, entries: { completed: ['return'] } },
  // The event of the transfer reports it (D56).
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  // What came back must always find its wallet. It gives the use of its day back.
  limits: [],
  postings: { accept: null, settle: null, return: null },
};
