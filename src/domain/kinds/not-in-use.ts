/** Kinds that the interface publishes and that nothing makes yet (D14). */
import { FREE } from '../fees';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN } from './common';
import type { TransactionKind } from './kind';

export const feeDeduction: TransactionKind = {
  summary: 'A fee that is charged by itself; not in use yet',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  // The event of what a fee is charged for reports the fee, too.
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  limits: [],
  postings: { accept: null, settle: null, return: null },
};

export const settlementPayout: TransactionKind = {
  summary: 'Collected money that is paid out to a partner; not in use yet',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: EVENTS_OF_ITS_OWN,
  sourceRefusals: null,
  limits: [],
  postings: { accept: null, settle: null, return: null },
};
