/**
 * A payment that a USSD session carries out (interface: Payments; D31, D71). No movement opens it: the
 * commit of the session writes it as `pending`, with the partner's reference, and its money moves after the PIN.
 */
import { FREE } from '../fees';
import { PAYMENT_LIMITS } from '../limits';
import type { UssdPayment } from '../ledger/movements';
import { paymentPostings } from '../postings';
import { USSD_PAYMENT_MACHINE } from '../transactions';
import { PAYER_REFUSALS } from '../wallets';
import { EVENTS_OF_ITS_OWN } from './common';
import type { TransactionKind } from './kind';

export const ussdPayment = {
  summary: 'A payment that its payer confirms with a PIN on a phone, by USSD',
  fees: FREE,
  life: {
    bornAs: 'pending',
    machine: USSD_PAYMENT_MACHINE,
    endedBy: 'ussd_session',
    inFlightWhile: null,
    entries: { completed: ['accept'] },
    givenBack: null,
  },
  events: { ...EVENTS_OF_ITS_OWN, completedNames: 'ussd_session' },
  sourceRefusals: PAYER_REFUSALS,
  limits: [...PAYMENT_LIMITS, 'daily_ussd'],
  postings: {
    accept: ({ sourceWalletId, destWalletId }, { amountKobo }) =>
      paymentPostings({ source: sourceWalletId, dest: destWalletId }, amountKobo),
    settle: null,
    return: null,
  },
} satisfies TransactionKind<UssdPayment>;
