/**
 * Ends a processing bank transfer by hand: the sandbox's complete and fail, and an operator with evidence (D96).
 */
import type { VerdictOf } from '../../domain/hand-orders';
import { kindOf } from '../../domain/kinds';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { findTransaction } from '../../db/ledger/transactions';
import { insertHandOrder } from '../../db/payments/hand-orders';
import { tellSettle } from '../../relay/messages';
import type { Tenant } from '../tenant';

/** What is ordered by hand. */
interface ByHand {
  to: VerdictOf<'settle_transfer'>;
  /** For the partner to read, if the transfer is to fail. */
  reason: string | null;
  /** `sandbox`, or the id of the operator. */
  actor: string;
}

/**
 * Writes the order, and tells the transfer's workflow of it. If the provider's outcome comes at the same time, the
 * first to lock the row wins. A repeat after a lost answer is another order, which finds the transfer ended.
 * @returns done if the transfer has ended as asked, now or before; or refused: NOT_FOUND,
 *   TRANSACTION_NOT_PROCESSING with its status, SERVICE_UNAVAILABLE if its end is not known yet.
 */
export async function settleByHand(
  { environment, partner, cell }: Tenant,
  transactionId: string,
  { to, reason, actor }: ByHand,
): Promise<Outcome<null>> {
  const find = () => findTransaction(cell, partner.id, transactionId);
  const transfer = await find();
  if (!transfer) return refuse('NOT_FOUND');
  if (kindOf(transfer.type).life.endedBy !== 'provider') return refuse('TRANSACTION_NOT_PROCESSING');
  let { status } = transfer;
  if (status === 'processing') {
    const terms = { kind: 'settle_transfer', partnerId: partner.id, resourceId: transfer.id } as const;
    const orderId = await insertHandOrder(cell, { ...terms, verdict: to, reason, actor });
    const told = await tellSettle(environment, transfer, orderId);
    if (told.ok && told.value.kind === 'answered') status = told.value.result;
    // The message came too late, or its answer is not known. The row has the status that holds now.
    else status = (await find())?.status ?? status;
    if (status === 'processing') return refuse('SERVICE_UNAVAILABLE');
  }
  if (status === to) return done(null);
  return refuse('TRANSACTION_NOT_PROCESSING', { message: `The transaction is ${status}` });
}
