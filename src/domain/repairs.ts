/**
 * How damage of the books is made good without a statement by hand: the administrator proposes, an operator approves, and
 * what is booked follows from the damage alone. Entries are never edited. A balancing entry is added which makes the step
 * sum to zero and each wallet's entries sum to the balances that they name, so the balance of a wallet, which its
 * owner has seen, stays. Whoever should have more or less gets an adjustment afterwards, which other people approve.
 */
import { systemAccountId } from './accounts';
import type { FindingClass } from './findings';
import type { Kobo } from './money';
import type { Posting, PostingStep } from './postings';

/** The findings that a repair ends. Nobody closes them by hand, because payouts wait while they are open. */
export const REPAIRED_CLASSES = [
  'ledger_unbalanced',
  'transaction_unbalanced',
  'chain_broken',
  'balance_mismatch',
  'held_mismatch',
] as const satisfies readonly FindingClass[];

export const isRepaired = (of: FindingClass): boolean => REPAIRED_CLASSES.some((one) => one === of);

/** What is wrong with one step of a transaction, with all earlier repairs of it counted. */
export interface StepDamage {
  transactionId: string;
  partnerId: string;
  step: PostingStep;
  /** What its entries sum to; 0 where only a chain is broken. */
  sumKobo: Kobo;
  /** By how much the balance after a wallet's entry differs from the balance before it and the entry; never 0. */
  breaks: readonly { walletId: string; breakKobo: Kobo }[];
  /** Whether the entry before one of them is gone. */
  hasGap: boolean;
}

/** What the row of a wallet should say, where it says something else. */
export interface AccountDamage {
  walletId: string;
  partnerId: string;
  /** As the last entry says. */
  balanceKobo: Kobo;
  sequence: number;
  /** The sum of the open holds. */
  heldKobo: Kobo;
}

/**
 * What is booked for a damaged step. An amount counts in the account without changing its balance.
 * @returns postings that sum to minus `sumKobo`; none where only the place of a removed entry is empty.
 */
export function balancingPostings({ sumKobo, breaks }: Pick<StepDamage, 'sumKobo' | 'breaks'>): Posting[] {
  const ofWallets = breaks.map(({ walletId, breakKobo }) => ({ account: walletId, amountKobo: breakKobo }));
  const rest = ofWallets.reduce((left, { amountKobo }) => left - amountKobo, -sumKobo);
  return rest === 0 ? ofWallets : [...ofWallets, { account: systemAccountId('5900'), amountKobo: rest }];
}

/** So long a proposal can be approved. Afterwards somebody has to look again. */
export const REPAIR_LIFE_MS = 24 * 3_600_000;

/** One repair as it is proposed. `terms` is the damage that was seen: another one is not repaired by it. */
export type PlannedRepair =
  | { kind: 'step'; resource: string; partnerId: string; step: PostingStep; terms: StepDamage }
  | { kind: 'account'; resource: string; partnerId: string; step: null; terms: AccountDamage };

/** Whether two sights of a damage are the same. */
export const isSameDamage = (one: PlannedRepair['terms'], other: PlannedRepair['terms']): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
