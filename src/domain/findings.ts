import type { Day } from './days';

/**
 * What the reconciliation looks for, by class. The operators' list, the CHECK of the table and the runbook use
 * these names.
 */
export const FINDING_CLASSES = {
  ledger_unbalanced: 'The entries of a cell do not sum to zero',
  transaction_unbalanced: 'The entries of a step of a transaction do not sum to zero',
  transaction_impossible: 'A transaction is in a status that its type never has',
  balance_mismatch: 'A balance is not what the last entry of its wallet left',
  held_mismatch: 'What a wallet has set aside is not the sum of its open holds',
  chain_broken: 'An entry does not follow from the one before it',
  entries_missing: 'A transaction has ended, and the entries of its end are not there',
  processing_too_long: 'A transaction has been open for too long',
  reversal_missing: 'A bank transfer was given up, and amount and fee did not come back in one reversal',
  reversal_repeated: 'There is a reversal that is not the one reversal of a given-up transfer',
  provider_contradiction: 'A provider says something else of a transfer than our books',
  paid_after_all: 'A provider has paid an order that was given up',
  return_unallocated: 'A completed transfer came back, and its wallet does not take it',
  payment_unallocated: 'A payment came in, and no wallet takes it',
  payment_unconfirmed: 'A provider has told of a payment, and does not confirm it',
  payment_returned: 'A provider has taken back a payment, and people must look at it',
  refund_stuck: 'A refund of a payment needs people',
  debit_unexplained: 'A provider was paid for nothing, and the money is not back',
  adjustment_unexplained: 'A wallet was adjusted, and the other side of it explains nothing',
  suspense_differs: 'The balance of an account of suspense is not the sum of its open findings',
  provider_unknown: 'A provider speaks of a transfer that is not ours',
  fee_mismatch: 'The fees of a transaction are not those of its type and amount',
  event_missing: 'A transaction has ended, and no event reports it',
  expired_but_open: 'A USSD session is past its time and still open',
  workflow_missing: 'Something is unfinished, and no workflow is finishing it',
  workflow_failing: 'The tasks of a workflow keep failing, so its work does not go on',
  line_unmatched: 'A line of a provider’s statement is about nothing that we know',
  booked_not_at_provider: 'Our books have a payout that the provider’s statement does not have',
  amount_differs: 'A provider’s statement has another amount than our books',
  status_differs: 'A provider’s statement says that a payout was made or came back, and our books do not',
  fee_differs: 'A provider has taken another fee for a payout than is booked',
  paid_twice: 'A provider has paid one transfer twice',
  line_differs: 'A line of a provider’s statement came again with something else, or did not come again',
  balance_differs: 'Our balance with a provider is not what its lines and our books make',
  lost_in_restore: 'A restore of the database has forgotten something that was promised',
} as const;

export type FindingClass = keyof typeof FINDING_CLASSES;

/** What the check of a provider's day looks for (`domain/day-check.ts`). Their resource begins with `dayOfFindings`. */
export const DAY_CLASSES = [
  'line_unmatched',
  'booked_not_at_provider',
  'amount_differs',
  'status_differs',
  'fee_differs',
  'paid_twice',
  'line_differs',
  'balance_differs',
] as const satisfies readonly FindingClass[];

/** What the resources of all findings of one day begin with. */
export const dayOfFindings = (provider: string, day: Day): string => `${provider}/${day}/`;

/**
 * Something that is wrong. `detail` has ids, states and kobo, and never the name or a number of a person; an account number
 * that money came in to is none.
 */
export interface Finding {
  class: FindingClass;
  /** The id of what it is about; the cell's name where it is about all of it. */
  resource: string;
  detail: Record<string, unknown>;
}

/** A finding as it was kept. */
/** An order that a company has or had of us, under the reference by which the company knows it. */
interface NamedOrder {
  provider: string;
  reference: string;
  state: string;
}

export interface FindingRecord extends Finding {
  id: string;
  /** The orders of the bank transfer that the finding is about, the first one first; empty where it is about none. */
  orders: NamedOrder[];
  /** When it was seen first: the order of the list. */
  createdAt: Date;
  lastSeen: Date;
  closedAt: Date | null;
  /** The account of suspense whose money it stands for, and how much of it is left; null for a finding without money. */
  account: string | null;
  kobo: number | null;
  /** The operator who closed it; null if the reconciliation closed it. */
  closedBy: string | null;
  closedNote: string | null;
}
