/**
 * Adjustments: an operator's correction of a wallet, posted only after two others have approved it (D14, D91). The
 * approvals are states of the machine, so that no code can post an adjustment with fewer.
 */
import type { Opening } from './ledger/movements';
import type { Row } from './machine';
import type { Kobo } from './money';

export const ADJUSTMENT_STATUSES = [
  'proposed',
  'seconded',
  'approved',
  'posted',
  'refused',
  'rejected',
] as const;
export type AdjustmentStatus = (typeof ADJUSTMENT_STATUSES)[number];

/** `post` and `refuse` come from the ledger; `approve` and `reject` come from a person. */
export type AdjustmentTrigger = 'approve' | 'post' | 'refuse' | 'reject';

export const ADJUSTMENT_MACHINE: readonly Row<AdjustmentStatus, AdjustmentTrigger>[] = [
  ['proposed', 'approve', 'seconded'],
  ['seconded', 'approve', 'approved'],
  ['approved', 'post', 'posted'],
  ['approved', 'refuse', 'refused'],
  ['proposed', 'reject', 'rejected'],
  ['seconded', 'reject', 'rejected'],
];

export const ADJUSTMENT_DIRECTIONS = ['credit', 'debit'] as const;
export type AdjustmentDirection = (typeof ADJUSTMENT_DIRECTIONS)[number];

export interface Adjustment {
  /** It is also the id of the transaction, so a second posting finds the first one. */
  id: string;
  partnerId: string;
  walletId: string;
  direction: AdjustmentDirection;
  amountKobo: Kobo;
  reason: string;
  status: AdjustmentStatus;
  /** The code with which the ledger refused it; null unless `refused`. */
  refusal: string | null;
  proposedBy: Person;
  /** In the order in which they approved. */
  approvedBy: Person[];
  createdAt: Date;
  updatedAt: Date;
}

export interface Person {
  id: string;
  name: string;
}

/** The reference of its transaction; it never enters the registry of partners' references. */
const adjustmentReference = (adjustmentId: string): string => `adj_${adjustmentId}`;

/**
 * The movement that posts an adjustment. The partner reads only "Correction"; the operators' notes are not shown.
 */
export function adjustmentOpening(adjustment: Adjustment): Opening {
  const common = {
    kind: 'open',
    transactionId: adjustment.id,
    partnerId: adjustment.partnerId,
    reference: adjustmentReference(adjustment.id),
    amountKobo: adjustment.amountKobo,
    description: 'Correction',
    metadata: {},
    key: null,
  } as const;
  return adjustment.direction === 'credit'
    ? { ...common, type: 'wallet_credit', destWalletId: adjustment.walletId }
    : { ...common, type: 'wallet_debit', sourceWalletId: adjustment.walletId };
}

/**
 * Whether an approval by this operator counts. It does not count from the proposer, from an operator who has
 * approved before, or when the adjustment takes no approval any more. Two approvals are needed.
 */
export function approval(
  adjustment: Adjustment,
  operatorId: string,
): 'counts' | 'given_before' | 'own_proposal' | 'too_late' {
  if (adjustment.proposedBy.id === operatorId) return 'own_proposal';
  if (adjustment.approvedBy.some(({ id }) => id === operatorId)) return 'given_before';
  const open = ADJUSTMENT_MACHINE.some(
    ([from, trigger]) => from === adjustment.status && trigger === 'approve',
  );
  return open ? 'counts' : 'too_late';
}
