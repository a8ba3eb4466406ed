/**
 * Stamp duty that the source of a bank transfer bears. It is a transaction of its own, because the interface fixes what the
 * transfer itself debits; one commit writes both (D123, R46).
 */
import { FREE } from '../fees';
import { STAMP_DUTY_MACHINE } from '../transactions';
import { EVENTS_OF_ITS_OWN } from './common';
import type { TransactionKind } from './kind';

export const feeDeduction: TransactionKind = {
  summary: 'Stamp duty of a bank transfer, where it is charged',
  fees: FREE,
  life: {
    bornAs: 'completed',
    machine: STAMP_DUTY_MACHINE,
    endedBy: null,
    inFlightWhile: null,
    entries: { completed: ['accept'], reversed: ['accept'] },
    givenBack: { when: ['reversed'], as: 'reversal' },
  },
  // The event of the transfer reports the end of both.
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  limits: [],
  // No movement begins it by itself: the ledger charges it with a transfer, by `dutyAcceptPostings`.
  postings: { accept: null, settle: null, return: null },
};
