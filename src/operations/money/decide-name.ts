/** A partner decides about a transfer that is held because the bank has another name for its account (D59). */
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { NameDecision } from '../../domain/payout-instructions';
import type { Transaction } from '../../domain/transactions';
import { findTransaction } from '../../db/ledger/transactions';
import { decideName } from '../../db/payments/transfer-attempts';
import type { Tenant } from '../tenant';

/**
 * Has the transfer go on, or fail and give the money back. The decision is kept in its row, and its workflow follows it; a
 * second one of the same kind changes nothing.
 * @returns the transfer; or NOT_FOUND, TRANSACTION_NOT_PROCESSING, or NO_DECISION_NEEDED where its partner has not asked to hold it,
 *   or has decided otherwise.
 */
export async function decideAboutName(
  { environment, cell, partner }: Tenant,
  transactionId: string,
  decision: NameDecision,
): Promise<Outcome<Transaction>> {
  const before = await findTransaction(cell, partner.id, transactionId);
  if (!before) return refuse('NOT_FOUND');
  if (before.status !== 'processing') return refuse('TRANSACTION_NOT_PROCESSING');
  if (!(await decideName(cell, before, decision))) return refuse('NO_DECISION_NEEDED');
  environment.relay.tellOfTransferLater(transactionId);
  const after = await findTransaction(cell, partner.id, transactionId);
  return after ? done(after) : refuse('NOT_FOUND');
}
