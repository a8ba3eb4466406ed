/** Ends a processing bank transfer by hand: the sandbox's complete and fail, and an operator with evidence (D96). */
import { kindOf } from '../domain/kinds';
import { done, refuse, type Outcome } from '../domain/outcome';
import type { Partner } from '../domain/partners';
import { findTransaction } from '../db/ledger/transactions';
import type { Environment, OpenCell } from '../runtime/environment';
import type { SettleRequest } from '../contract/messages';
import { tellSettle } from '../relay/messages';

/**
 * Tells the transfer's workflow; the row's lock decides against the provider's own outcome.
 * @returns done when the transfer has ended as asked, now or before.
 */
export async function settleByHand(
  of: { environment: Environment; partner: Pick<Partner, 'id'>; cell: OpenCell; requestId: string },
  transactionId: string,
  request: SettleRequest,
): Promise<Outcome<null>> {
  const find = () => findTransaction(of.cell, of.partner.id, transactionId);
  const transfer = await find();
  if (!transfer) return refuse('NOT_FOUND');
  if (kindOf(transfer.type).life.endedBy !== 'provider') return refuse('TRANSACTION_NOT_PROCESSING');
  let { status } = transfer;
  if (status === 'processing') {
    const told = await tellSettle(of.environment, transfer, request, of.requestId);
    if (told.ok && told.value.kind === 'answered') status = told.value.result;
    // Too late or not known: the row says what holds now.
    else status = (await find())?.status ?? status;
    if (status === 'processing') return refuse('SERVICE_UNAVAILABLE');
  }
  if (status === request.to) return done(null);
  return refuse('TRANSACTION_NOT_PROCESSING', { message: `The transaction is ${status}` });
}
