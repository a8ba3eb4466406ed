/**
 * What makes a damaged step of another transaction sum to zero again, and its wallets' entries to their balances. The
 * administrator and an operator decide it (`domain/repairs.ts`). It is in our own books alone: no partner meets it.
 */
import { FREE } from '../fees';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN } from './common';
import type { TransactionKind } from './kind';

export const balancingEntry: TransactionKind = {
  summary: 'An entry that makes good what damage has left in the books',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  limits: [],
  // No movement begins it: it does not balance by itself, so it is written beside the ledger, by `balancingPostings`.
  postings: { accept: null, settle: null, return: null },
};
