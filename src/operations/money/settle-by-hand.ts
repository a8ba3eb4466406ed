/**
 * Ends a processing bank transfer by hand: the sandbox's complete and fail, and an operator with evidence (D96).
 */
import { kindOf } from '../../domain/kinds';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { findTransaction } from '../../db/ledger/transactions';
import type { SettleRequest } from '../../contract/messages';
import { tellSettle } from '../../relay/messages';
import type { Tenant } from '../tenant';

/**
 * Tells the transfer's workflow. If the provider's outcome comes at the same time, the first to lock the row wins.
 * @param requestId names the message, so that a repeat after a lost answer is the same message.
 * @returns done if the transfer has ended as asked, now or before; or refused: NOT_FOUND,
 *   TRANSACTION_NOT_PROCESSING with its status, SERVICE_UNAVAILABLE if its end is not known yet.
 */
export async function settleByHand(
  { environment, partner, cell }: Tenant,
  transactionId: string,
  request: SettleRequest,
  requestId: string,
): Promise<Outcome<null>> {
  const find = () => findTransaction(cell, partner.id, transactionId);
  const transfer = await find();
  if (!transfer) return refuse('NOT_FOUND');
  if (kindOf(transfer.type).life.endedBy !== 'provider') return refuse('TRANSACTION_NOT_PROCESSING');
  let { status } = transfer;
  if (status === 'processing') {
    const told = await tellSettle(environment, transfer, request, requestId);
    if (told.ok && told.value.kind === 'answered') status = told.value.result;
    // The message came too late, or its answer is not known. The row has the status that holds now.
    else status = (await find())?.status ?? status;
    if (status === 'processing') return refuse('SERVICE_UNAVAILABLE');
  }
  if (status === request.to) return done(null);
  return refuse('TRANSACTION_NOT_PROCESSING', { message: `The transaction is ${status}` });
}
