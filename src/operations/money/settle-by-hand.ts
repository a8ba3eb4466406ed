/**
 * Ends a processing bank transfer by hand: the sandbox's complete and fail, and an operator with evidence (D96).
 */
import { present } from '../../domain/assert';
import type { VerdictOf } from '../../domain/hand-orders';
import { kindOf } from '../../domain/kinds';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { TransactionStatus } from '../../domain/transactions';
import { findBankTransfer, findTransaction } from '../../db/ledger/transactions';
import { insertHandOrder, withdrawOrder } from '../../db/payments/hand-orders';
import { tellSettle } from '../../relay/messages';
import type { Tenant } from '../tenant';
import { endByOrder } from './end-transfer';

/** What is ordered by hand. */
interface ByHand {
  to: VerdictOf<'settle_transfer'>;
  /** For the partner to read, if the transfer is to fail. */
  reason: string | null;
  /** `sandbox`, or the id of the operator. */
  actor: string;
  /**
   * Whether the transfer is ended here where no workflow answers: for people with evidence, who must be able to end it
   * also while Temporal is away, or while its workflow is stuck.
   */
  withoutWorkflow: boolean;
}

/**
 * Writes the order, and tells the transfer's workflow of it. If the provider's outcome comes at the same time, the
 * first to lock the row wins. A repeat after a lost answer is another order, which finds the transfer ended. A workflow
 * that was passed over finds it ended when it looks next.
 * @returns done if the transfer has ended as asked, now or before; or refused: NOT_FOUND,
 *   TRANSACTION_NOT_PROCESSING with its status, SERVICE_UNAVAILABLE if it has not ended: then its order is withdrawn.
 */
export async function settleByHand(
  tenant: Tenant,
  transactionId: string,
  { to, reason, actor, withoutWorkflow }: ByHand,
): Promise<Outcome<null>> {
  const { environment, partner, cell } = tenant;
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
    if (status === 'processing' && withoutWorkflow) status = await endHere(tenant, transactionId, orderId);
    if (status === 'processing') {
      // Nobody carries it out after this answer.
      if (await withdrawOrder(cell, orderId)) return refuse('SERVICE_UNAVAILABLE');
      status = (await find())?.status ?? status;
    }
  }
  if (status === to) return done(null);
  return refuse('TRANSACTION_NOT_PROCESSING', { message: `The transaction is ${status}` });
}

/** Carries out an order in this process. The commit is the one that the workflow's step would make. */
async function endHere(
  { environment, cell, partner }: Tenant,
  transactionId: string,
  orderId: string,
): Promise<TransactionStatus> {
  const { transfer } = present(
    await findBankTransfer(cell, partner.id, transactionId),
    'the transfer to end',
  );
  if (transfer.status !== 'processing') return transfer.status;
  const ended = await endByOrder(environment, { transfer, cell }, orderId);
  // Somebody may have carried out the order, or ended the transfer, at the same moment.
  return ended.ok
    ? ended.value
    : ((await findTransaction(cell, partner.id, transactionId))?.status ?? 'processing');
}
