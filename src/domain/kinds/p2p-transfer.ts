/** A transfer from wallet to wallet (interface: Transfers). */
import { PAYMENT_LIMITS } from '../limits';
import type { OpeningOf } from '../ledger/movements';
import { p2pPostings } from '../postings';
import { PAYER_REFUSALS } from '../wallets';
import { betweenWallets, COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN } from './common';
import type { OpeningKind } from './kind';

export const p2pTransfer: OpeningKind<OpeningOf<'p2p_transfer'>> = {
  summary: 'A transfer from one wallet to another',
  fees: { customer: { kind: 'rate', perMille: 5, capKobo: 20_000 }, bank: 'none' },
  life: COMPLETE_AT_ONCE,
  events: { ...EVENTS_OF_ITS_OWN, areAliased: true },
  sourceRefusals: PAYER_REFUSALS,
  limits: PAYMENT_LIMITS,
  once: {
    by: 'reference',
    terms: ({ type, sourceWalletId, destWalletId, amountKobo }) =>
      JSON.stringify([type, sourceWalletId, destWalletId, amountKobo]),
  },
  legs: betweenWallets,
  record: null,
  postings: {
    accept: ({ sourceWalletId, destWalletId }, { amountKobo, fees }) =>
      p2pPostings({ source: sourceWalletId, dest: destWalletId }, amountKobo, fees),
    settle: null,
    return: null,
  },
};
