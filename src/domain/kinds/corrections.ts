/** An operator's correction of a wallet, posted after two others have approved it (D14, D91). */
import { FREE } from '../fees';
import type { OpeningOf } from '../ledger/movements';
import { correctionPostings } from '../postings';
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
  summary: 'A correction at the cost of a wallet',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: EVENTS_OF_ITS_OWN,
  // A freeze stops the holder, not the operator who corrects a mistake.
  sourceRefusals: { ...PAYER_REFUSALS, pending: null, frozen: null },
  limits: [],
  once: { by: 'own_id' },
  legs: (opening) => oneLeg(opening, opening.sourceWalletId, null),
  record: null,
  postings: {
    accept: ({ sourceWalletId }, { amountKobo }) => correctionPostings(sourceWalletId, amountKobo, 'debit'),
    settle: null,
    return: null,
  },
};
