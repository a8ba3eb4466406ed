/** Money that comes into a wallet from outside (interface: Sandbox-only operations; D14, D60, D94). */
import { FREE } from '../fees';
import { CREDIT_LIMITS } from '../limits';
import type { FundingSource, OpeningOf } from '../ledger/movements';
import { fundingPostings, inboundPostings } from '../postings';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN, oneLeg } from './common';
import type { OpeningKind } from './kind';

export const walletFunding: OpeningKind<OpeningOf<'wallet_funding'>> = {
  summary:
    'Money that came into a wallet from outside: an inbound bank transfer, or a funding in the sandbox',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: EVENTS_OF_ITS_OWN,
  sourceRefusals: null,
  limits: CREDIT_LIMITS,
  // A funding of the sandbox is a new one every time, unless it comes with an Idempotency-Key.
  once: { by: 'credited_transfer', id: ({ from }) => creditedBy(from) },
  legs: (opening) => oneLeg(opening, null, opening.destWalletId),
  record: null,
  suspense: ({ from }) =>
    from.kind === 'suspense' ? { class: 'payment_unallocated', resource: from.creditId, detail: null } : null,
  postings: {
    accept: ({ destWalletId, from }, { amountKobo }) =>
      from.kind === 'inbound'
        ? inboundPostings(destWalletId, amountKobo, from.by)
        : fundingPostings(destWalletId, amountKobo, from.kind),
    settle: null,
    return: null,
  },
};

/** By what a second funding from the same source is recognised; null where there may be a second one. */
function creditedBy(from: FundingSource): string | null {
  if (from.kind === 'own_mfb') return from.bankTransferId;
  if (from.kind === 'suspense' || from.kind === 'other_cell') return from.onceBy;
  return from.kind === 'inbound' ? from.creditId : null;
}
