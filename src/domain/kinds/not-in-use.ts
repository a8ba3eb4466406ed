/** A kind that the interface publishes and that nothing makes yet (D14). */
import { FREE } from '../fees';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN } from './common';
import type { TransactionKind } from './kind';

export const settlementPayout: TransactionKind = {
  summary: 'Collected money that is paid out to a partner; not in use yet',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: EVENTS_OF_ITS_OWN,
  sourceRefusals: null,
  limits: [],
  postings: { accept: null, settle: null, return: null },
};
