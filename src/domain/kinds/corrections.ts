/**
 * An operator's correction of a wallet, posted after two others have approved it (D14, D91); and the debit of a wallet whose
 * payment was taken back by the company that had received it (R45).
 */
import { FREE } from '../fees';
import type { OpeningOf } from '../ledger/movements';
import { correctionPostings, paymentReturnPostings } from '../postings';
import { PAYER_REFUSALS } from '../wallets';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN, oneLeg } from './common';
import type { OpeningKind } from './kind';

export const walletCredit: OpeningKind<OpeningOf<'wallet_credit'>> = {
  summary: 'A correction in favour of a wallet',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: EVENTS_OF_ITS_OWN,
  sourceRefusals: null,
  // A mistake can always be corrected, and it was nobody's payment.
  limits: [],
  once: { by: 'own_id' },
  legs: (opening) => oneLeg(opening, null, opening.destWalletId),
  record: null,
  postings: {
    accept: ({ destWalletId }, { amountKobo }) => correctionPostings(destWalletId, amountKobo, 'credit'),
    settle: null,
    return: null,
  },
};

export const walletDebit: OpeningKind<OpeningOf<'wallet_debit'>> = {
  summary: 'A correction at the cost of a wallet, or a payment that was taken back from it',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: EVENTS_OF_ITS_OWN,
  // A freeze stops the holder, not the operator who corrects a mistake, nor the bank that takes its money back.
  sourceRefusals: { ...PAYER_REFUSALS, pending: null, frozen: null },
  limits: [],
  once: { by: 'own_id' },
  legs: (opening) => oneLeg(opening, opening.sourceWalletId, null),
  record: null,
  postings: {
    accept: ({ sourceWalletId, returnedBy }, { amountKobo }) =>
      returnedBy === undefined
        ? correctionPostings(sourceWalletId, amountKobo, 'debit')
        : paymentReturnPostings(sourceWalletId, amountKobo, returnedBy),
    settle: null,
    return: null,
  },
};
