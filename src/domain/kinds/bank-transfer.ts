/** A transfer to an account at a bank (interface: Transfers; D56-D60). */
import { present } from '../assert';
import type { OpeningOf } from '../ledger/movements';
import {
  bankAcceptPostings,
  bankReturnPostings,
  bankSettlePostings,
  bankTakeBackPostings,
  type PaidBy,
} from '../postings';
import { BANK_TRANSFER_MACHINE, type ProviderFacts } from '../transactions';
import { PAYER_REFUSALS } from '../wallets';
import { oneLeg } from './common';
import type { OpeningKind } from './kind';

export const bankTransfer: OpeningKind<OpeningOf<'bank_transfer'>> = {
  summary: 'A transfer from a wallet to an account at a bank',
  fees: { customer: { kind: 'flat', feeKobo: 5_000 }, bank: 'by_band' },
  life: {
    bornAs: 'processing',
    machine: BANK_TRANSFER_MACHINE,
    endedBy: 'provider',
    inFlightWhile: 'processing',
    entries: {
      processing: ['accept'],
      completed: ['accept', 'settle'],
      failed: ['accept'],
      reversed: ['accept', 'settle'],
    },
    givenBack: { when: ['failed', 'reversed'], as: 'reversal' },
  },
  events: { areSent: true, areAliased: true, completedNames: 'provider_reference' },
  sourceRefusals: PAYER_REFUSALS,
  limits: ['nip_transfer', 'single_debit', 'daily_debit'],
  once: {
    by: 'reference',
    // The names on the account are left out: the bank may spell them in another way (D160).
    terms: ({ type, sourceWalletId, destAccount: { bankCode, accountNumber }, amountKobo }) =>
      JSON.stringify([type, sourceWalletId, bankCode, accountNumber, amountKobo]),
  },
  legs: (opening) => oneLeg(opening, opening.sourceWalletId, null),
  record: ({ destAccount, paused, scenario }) => ({ destAccount, paused, scenario }),
  postings: {
    accept: ({ sourceWalletId }, { amountKobo, fees }) =>
      bankAcceptPostings(sourceWalletId, amountKobo, fees),
    settle: ({ amountKobo, fees, pspMeta }, chargedKobo) =>
      bankSettlePostings(amountKobo, fees, paidBy(pspMeta), chargedKobo),
    return({ status, amountKobo, fees, pspMeta }, wallet) {
      if (status !== 'failed') return bankTakeBackPostings(wallet, amountKobo, fees, paidBy(pspMeta));
      return bankReturnPostings(present(wallet, 'the source of a failed transfer'), amountKobo, fees);
    },
  },
};

/** The simulator pays nobody, so its books have no balance with a company. */
const SIMULATOR = 'simulator';

/** The company of a transfer. A transfer that people completed, and that no company has taken, has none. */
function paidBy(facts: ProviderFacts | null): PaidBy {
  if (facts === null || facts.provider === SIMULATOR) return null;
  return { company: facts.provider, feeKobo: facts.feeKobo, dutyKobo: facts.dutyKobo };
}
