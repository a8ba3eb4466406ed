/** Asks the provider about a transfer before a person ends it. A question never pays anything out. */
import { payoutOrder, type QueryOutcome } from '../../domain/payouts';
import { findBankTransfer } from '../../db/ledger/transactions';
import type { Tenant } from '../tenant';

/**
 * @returns what the provider says now; `unknown` if it does not answer, or nobody serves payouts; null where there
 *   is nothing to ask, because the transfer has ended or is no bank transfer.
 */
export async function askProvider(
  { environment, partner, cell }: Tenant,
  transactionId: string,
): Promise<QueryOutcome | null> {
  const found = await findBankTransfer(cell, partner.id, transactionId);
  if (found?.transfer.status !== 'processing' || !found.transfer.destAccount) return null;
  const { payouts } = environment.providers;
  if (!payouts) return 'unknown';
  try {
    const order = payoutOrder(found.transfer, found.senderName ?? partner.businessName);
    return (await payouts.payouts.query(order)).outcome;
  } catch {
    // No answer is the case for which people are there: it forbids nothing, and the trail says `unknown`.
    return 'unknown';
  }
}
