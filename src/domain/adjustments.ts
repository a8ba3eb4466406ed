/** Adjustments: an operator's correction of a wallet, posted only after two others have approved it (D14, D91). */
import type { Opening, SettledFinding } from './ledger/movements';
import type { Kobo } from './money';

export const ADJUSTMENT_DIRECTIONS = ['credit', 'debit'] as const;
type AdjustmentDirection = (typeof ADJUSTMENT_DIRECTIONS)[number];

/** What is proposed of a wallet. */
export interface Adjustment {
  walletId: string;
  direction: AdjustmentDirection;
  amountKobo: Kobo;
  /** For operators; the partner does not read it. */
  reason: string;
  /** The finding whose money it moves; absent where it explains none, and leaves one of its own. */
  settles?: SettledFinding;
}

/** The reference of its transaction; it never enters the registry of partners' references. */
const adjustmentReference = (adjustmentId: string): string => `adj_${adjustmentId}`;

/**
 * The movement that posts an adjustment. The partner reads only "Correction"; the operators' notes are not shown.
 * @param id of the proposal; it is also the id of the transaction, so a second posting finds the first one.
 */
export function adjustmentOpening(
  id: string,
  partnerId: string,
  { direction, walletId, amountKobo, settles }: Adjustment,
): Opening {
  const common = {
    kind: 'open',
    transactionId: id,
    partnerId,
    reference: adjustmentReference(id),
    amountKobo,
    description: 'Correction',
    metadata: {},
    key: null,
  } as const;
  const settled = settles && { settles };
  return direction === 'credit'
    ? { ...common, type: 'wallet_credit', destWalletId: walletId, ...settled }
    : { ...common, type: 'wallet_debit', sourceWalletId: walletId, ...settled };
}
