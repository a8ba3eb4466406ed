/**
 * An operator's correction of a wallet, posted after two others have approved it (D14, D91); and the debit of a wallet whose
 * payment was taken back by the company that had received it (R45).
 */
import { FREE } from '../fees';
import type { OpeningOf } from '../ledger/movements';
import { correctionPostings, paymentReturnPostings } from '../postings';
import type { SuspenseFinding } from '../suspense';
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
  suspense: correctionFinding,
  postings: {
    accept: ({ destWalletId, settles }, { amountKobo }) =>
      correctionPostings(destWalletId, amountKobo, 'credit', settles?.account),
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
  suspense: (opening) => (opening.returnedBy === undefined ? correctionFinding(opening) : null),
  postings: {
    accept: ({ sourceWalletId, returnedBy, settles }, { amountKobo }) =>
      returnedBy === undefined
        ? correctionPostings(sourceWalletId, amountKobo, 'debit', settles?.account)
        : paymentReturnPostings(sourceWalletId, amountKobo, returnedBy),
    settle: null,
    return: null,
  },
};

/** What a correction settles; one that names nothing leaves a finding of its own, because its other side explains nothing. */
function correctionFinding({
  settles,
  transactionId,
  type,
}: OpeningOf<'wallet_credit' | 'wallet_debit'>): SuspenseFinding {
  if (settles) return { class: settles.class, resource: settles.resource, detail: null };
  return { class: 'adjustment_unexplained', resource: transactionId, detail: { type } };
}
