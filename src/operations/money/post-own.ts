/** Posts what is in our own books alone: it has no wallet, no partner hears of it, and its id says that it happens once. */
import { nameOf } from '../../domain/outcome';
import type { OpeningOf } from '../../domain/ledger';
import type { Metadata } from '../../domain/wallets';
import type { LedgerResult } from '../../db/ledger/batch';
import type { OpenCell } from '../../runtime/environment';

type OwnType =
  | 'late_payout'
  | 'unallocated_credit'
  | 'credit_refund'
  | 'return_shortfall'
  | 'treasury_entry'
  | 'suspense_move';
type OwnMovement = {
  [Type in OwnType]: Omit<OpeningOf<Type>, 'kind' | 'description' | 'metadata' | 'key'> & {
    metadata?: Metadata;
  };
}[OwnType];

/** @returns as `whyNotPosted`. */
export async function postOwn(
  { ledger }: Pick<OpenCell, 'ledger'>,
  movement: OwnMovement,
): Promise<string | null> {
  const asked = { kind: 'open', description: '', metadata: {}, key: null, ...movement } as const;
  return whyNotPosted(await ledger.post({ movement: asked, announce: () => [] }));
}

/** Why a movement is not posted now; null where it is, by this call or an earlier one. */
export const whyNotPosted = (result: LedgerResult): string | null =>
  result.ok && result.value.kind !== 'locked' ? null : nameOf(result);
