/**
 * What one operator alone cannot do where money is real: it is proposed by one person, approved by others, and only
 * then carried out (D14, D91). The approvals are a state of the machine, and Postgres counts them too, so that no code
 * can carry out a proposal that has too few.
 */
import type { Adjustment } from './adjustments';
import type { SettledFinding } from './ledger/movements';
import type { LegalHoldSubject } from './legal-holds';
import type { Row } from './machine';
import type { EnvironmentName, Tier } from './partners';
import type { ErasureTold } from './personal-data';
import type { Day } from './days';
import type { TreasuryEntry } from './treasury';

/**
 * Which decisions need how many people beside the one who proposes. Every operator may propose each of them; a viewer
 * may not. In the sandbox no money is real, so what is not `inSandbox` is done there at once by one person.
 */
export const PROPOSALS = {
  adjust_wallet: { approvals: 2, inSandbox: true, meaning: 'Credit or debit a wallet' },
  resolve_transfer: { approvals: 1, inSandbox: false, meaning: 'End a processing bank transfer by hand' },
  release_payout: {
    approvals: 1,
    inSandbox: false,
    meaning: 'Give up an order that its provider provably does not have',
  },
  allocate_credit: {
    approvals: 1,
    inSandbox: true,
    meaning: 'Credit a wallet with a payment that no wallet took',
  },
  allocate_return: {
    approvals: 1,
    inSandbox: false,
    meaning: 'Credit a wallet with a transfer that came back and that its own wallet did not take',
  },
  refund_credit: {
    approvals: 1,
    inSandbox: true,
    meaning: 'Give a payment that no wallet took back to its payer',
  },
  release_refund: {
    approvals: 1,
    inSandbox: true,
    meaning: 'Give up a refund that its provider provably does not have',
  },
  write_off: {
    approvals: 2,
    inSandbox: true,
    meaning: 'Book what we miss of a finding as a loss',
  },
  approve_compliance: { approvals: 1, inSandbox: false, meaning: 'Approve a compliance record' },
  reinstate_compliance: {
    approvals: 1,
    inSandbox: false,
    meaning: 'Lift the suspension of a compliance record',
  },
  /** The status belongs to the partner as a whole, so it is always reinstated in live. */
  reinstate_partner: { approvals: 1, inSandbox: false, meaning: 'Make a suspended partner active again' },
  /** A tier belongs to the partner as a whole, so it is always raised in live. */
  raise_tier: { approvals: 1, inSandbox: false, meaning: 'Raise the tier of a partner' },
  unfreeze_wallet: { approvals: 1, inSandbox: false, meaning: 'Lift a freeze that an operator ordered' },
  erase_person: { approvals: 1, inSandbox: false, meaning: 'Erase the owner of a closed wallet' },
  erase_checked_person: {
    approvals: 1,
    inSandbox: false,
    meaning: 'Erase somebody who was checked and never had a wallet',
  },
  /** Only real data is evidence, so a legal hold is about live. */
  place_legal_hold: {
    approvals: 1,
    inSandbox: false,
    meaning: 'Keep what is known of a person or a partner beyond its period',
  },
  lift_legal_hold: { approvals: 1, inSandbox: false, meaning: 'Lift a legal hold' },
  /** A person belongs to both environments, so codes are always reset in live. */
  reset_codes: { approvals: 1, inSandbox: false, meaning: 'Reset the one-time codes of a user' },
  /** It is about our own money, so it has no partner, as the next one. */
  book_treasury: {
    approvals: 1,
    inSandbox: true,
    meaning: 'Book what a line of a provider’s statement says of our money',
  },
  close_day: { approvals: 1, inSandbox: true, meaning: 'Close a day of a provider' },
} as const satisfies Record<string, { approvals: number; inSandbox: boolean; meaning: string }>;
export type ProposalKind = keyof typeof PROPOSALS;
export const PROPOSAL_KINDS = Object.keys(PROPOSALS) as ProposalKind[];

/** The decisions about our own money with a provider, or about money that is nobody's yet. They concern no partner. */
export const OWN_KINDS = [
  'refund_credit',
  'release_refund',
  'write_off',
  'book_treasury',
  'close_day',
] as const satisfies readonly ProposalKind[];
export type OwnKind = (typeof OWN_KINDS)[number];
export type PartnerKind = Exclude<ProposalKind, OwnKind>;

/** How long a proposal can be approved. Afterwards somebody has to look again, and propose again. */
export const PROPOSAL_LIFE_MS = 24 * 3_600_000;

export const PROPOSAL_STATUSES = [
  'proposed',
  'approved',
  'applied',
  'refused',
  'rejected',
  'expired',
] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** `approve` is the last approval that is needed. `apply` and `refuse` follow from what the platform answered. */
export type ProposalTrigger = 'approve' | 'apply' | 'refuse' | 'reject' | 'expire';

export const PROPOSAL_MACHINE: readonly Row<ProposalStatus, ProposalTrigger>[] = [
  ['proposed', 'approve', 'approved'],
  ['approved', 'apply', 'applied'],
  ['approved', 'refuse', 'refused'],
  ['proposed', 'reject', 'rejected'],
  ['proposed', 'expire', 'expired'],
];

/** What exactly is proposed. Each names the state that the proposer saw, so that it is applied to no other. */
export interface ProposalTerms {
  adjust_wallet: Adjustment;
  resolve_transfer: {
    transactionId: string;
    to: 'completed' | 'failed';
    /** For the partner to read, if the transfer is to fail. */
    failureReason: string;
    note: string;
    evidenceRef: string;
    /** What the provider said when this was proposed. It is asked again before this is applied. */
    providerSays: string | null;
  };
  release_payout: {
    transactionId: string;
    /** The attempt, and how many orders had been sent of which nothing is known. */
    n: number;
    openPosts: number;
    provider: string;
    note: string;
    /** Where the provider's statement is kept that does not have the transfer. */
    evidenceRef: string;
  };
  allocate_credit: {
    creditId: string;
    walletId: string;
    amountKobo: number;
    note: string;
    /** Where it is kept how people know whose money it is. */
    evidenceRef: string;
  };
  allocate_return: {
    transactionId: string;
    walletId: string;
    /** The amount of the transfer and its fee. */
    amountKobo: number;
    note: string;
    evidenceRef: string;
  };
  refund_credit: {
    creditId: string;
    amountKobo: number;
    provider: string;
    note: string;
    /** Where it is kept how people know that the payment is to go back. */
    evidenceRef: string;
  };
  release_refund: {
    creditId: string;
    refundId: string;
    provider: string;
    note: string;
    /** Where the provider's statement is kept that does not have the refund. */
    evidenceRef: string;
  };
  write_off: {
    findingId: string;
    cell: string;
    /** What the finding is about, and what is left of it: nothing else is written off. */
    settles: SettledFinding;
    amountKobo: number;
    note: string;
    /** Where it is kept why nobody gives it back. */
    evidenceRef: string;
  };
  approve_compliance: {
    /** How many requests had been applied to the record that was read. */
    moves: number;
    reason: string | null;
    warnings: string[];
  };
  reinstate_compliance: { moves: number; reason: string | null };
  /** `suspendedAt` names the suspension, so that a later one is not lifted. */
  reinstate_partner: { suspendedAt: string; reason: string };
  raise_tier: { from: Tier; tier: Tier; reason: string };
  unfreeze_wallet: { walletId: string; freezeId: string; reason: string };
  /** A closed wallet never opens again, so its id says enough. The lists are what both people agree to. */
  erase_person: { walletId: string; reason: string; warnings: string[] } & ErasureTold;
  erase_checked_person: { verificationId: string; reason: string; warnings: string[] } & ErasureTold;
  place_legal_hold: LegalHoldSubject & { reason: string };
  lift_legal_hold: { legalHoldId: string; reason: string };
  reset_codes: {
    userId: string;
    /** When the codes that are to be reset were switched on. */
    enabledAt: string;
    reason: string;
  };
  book_treasury: TreasuryEntry;
  /** The figures that the proposer saw: the day is closed with these and no others. */
  close_day: {
    provider: string;
    day: Day;
    openingKobo: number;
    closingKobo: number;
    booksKobo: number;
    underWayKobo: number;
    receivableKobo: number;
    lines: number;
    checkedAt: string;
    /** How many findings of the day people have explained with a note. */
    explained: number;
    note: string;
  };
}

export interface Person {
  id: string;
  name: string;
}

export interface ProposalOf<Kind extends ProposalKind> {
  /** It also names what is carried out, so that a second try finds the first one. */
  id: string;
  kind: Kind;
  environment: EnvironmentName;
  /** null for what is about our own money. */
  partnerId: Kind extends OwnKind ? null : string;
  terms: ProposalTerms[Kind];
  status: ProposalStatus;
  /** The code with which it could not be carried out; null unless `refused`. */
  refusal: string | null;
  proposedBy: Person;
  /** In the order in which they approved. */
  approvedBy: Person[];
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}
export type Proposal = { [Kind in ProposalKind]: ProposalOf<Kind> }[ProposalKind];

/**
 * Whether an approval by this operator counts. It does not count from the proposer, from an operator who has
 * approved before, or when the proposal takes no approval any more.
 */
export function approval(
  proposal: Pick<Proposal, 'status' | 'proposedBy' | 'approvedBy'>,
  operatorId: string,
): 'counts' | 'given_before' | 'own_proposal' | 'too_late' {
  if (proposal.proposedBy.id === operatorId) return 'own_proposal';
  if (proposal.approvedBy.some(({ id }) => id === operatorId)) return 'given_before';
  return proposal.status === 'proposed' ? 'counts' : 'too_late';
}
