/**
 * Ends a bank transfer in one commit with its event: by the answer of a provider, or as a person has ordered. Whoever
 * locks its row first decides (D96).
 */
import { present } from '../../domain/assert';
import type { EventDraft } from '../../domain/events';
import { HAND_ORDERS, handOrderRefusal, isRowId, NOT_ORDERED } from '../../domain/hand-orders';
import type { Posted, Settlement } from '../../domain/ledger';
import { done, nameOf, type Outcome } from '../../domain/outcome';
import { payoutReference } from '../../domain/payouts';
import type { BankAccount, Transaction, TransactionStatus } from '../../domain/transactions';
import { findHandOrder } from '../../db/payments/hand-orders';
import { dutyIdOf, newId } from '../../db/pg/ids';
import type { Environment, OpenCell } from '../../runtime/environment';
import { UnavailableError } from '../../runtime/unavailable';
import { bankTransferFailed, transactionCompleted } from '../../wire/webhooks';

/** What a partner reads of a failed transfer where nobody gave a reason. */
export const NOT_ACCEPTED = 'The destination account does not accept the transfer';

/**
 * Moves a transfer and its money in one commit, with the event.
 * @returns the status that really holds: a second time nothing moves. Or the refusal of the hand order.
 * @throws an outage while its rows are locked, or its partner is being reset.
 */
export async function postSettlement(
  cell: OpenCell,
  transfer: Transaction,
  announce: (posted: Posted) => EventDraft[],
  end: Pick<Settlement, 'trigger' | 'failedReason' | 'facts' | 'handOrder'>,
): Promise<Outcome<TransactionStatus>> {
  const movement: Settlement = {
    kind: 'settle',
    transactionId: transfer.id,
    partnerId: transfer.partnerId,
    sourceWalletId: present(transfer.sourceWalletId, 'the source of a bank transfer'),
    reversalId: newId(),
    duty: { transactionId: dutyIdOf(transfer.id), reversalId: newId() },
    ...end,
  };
  const result = await cell.ledger.post({ movement, announce });
  if (result.ok && (result.value.kind === 'posted' || result.value.kind === 'settled_before')) {
    return done(result.value.transaction.status);
  }
  if (!result.ok && result.refusal.code === 'FORBIDDEN') return result;
  const told = `the transfer could not be settled now: ${nameOf(result)}`;
  throw result.ok && result.value.kind === 'locked' ? new UnavailableError(told) : new Error(told);
}

/** The one event of a transfer's end. */
export function announceEnd({ transaction, reversal }: Posted): EventDraft[] {
  return [reversal ? bankTransferFailed(transaction, reversal) : transactionCompleted(transaction)];
}

/**
 * Carries out a hand order in one commit, which also uses the order up. Nothing but the row of the order says what is
 * done. A second run finds the transfer ended, and changes nothing.
 * @param ending the transfer, which is processing.
 * @returns the status that really holds; or FORBIDDEN where no order of this environment allows it.
 * @throws an outage while its rows are locked, or its partner is being reset.
 */
export async function endByOrder(
  { simulator }: Environment,
  { transfer, cell }: { transfer: Transaction; cell: OpenCell },
  orderId: string,
): Promise<Outcome<TransactionStatus>> {
  const ordered = isRowId(orderId) ? await findHandOrder(cell, orderId) : null;
  const verdict = HAND_ORDERS.settle_transfer.verdicts.find((one) => one === ordered?.verdict);
  if (!ordered || !verdict) return NOT_ORDERED;
  const { id: resourceId, partnerId } = transfer;
  const asked = { kind: 'settle_transfer', partnerId, resourceId, verdict } as const;
  // The ledger checks the order again in its commit. Before that, the simulator may credit a wallet.
  const refusal = handOrderRefusal(ordered, asked, new Date());
  if (refusal) return refusal;
  const end = simulator ? await simulator.endByHand(simulated(transfer), verdict) : verdict;
  return postSettlement(cell, transfer, announceEnd, {
    trigger: TRIGGERS[end],
    failedReason: end === 'failed' ? (ordered.reason ?? NOT_ACCEPTED) : null,
    facts: null,
    handOrder: { id: ordered.id, verdict },
  });
}

const TRIGGERS = { completed: 'provider_success', failed: 'provider_failure' } as const;

/** The simulator knows a transfer by its id, so every attempt is the same to it. */
const simulated = ({ id, destAccount }: Transaction) => {
  const { bankCode, accountNumber } = present<BankAccount>(destAccount, 'the destination of a bank transfer');
  return { bankCode, accountNumber, reference: payoutReference(id, 1) };
};
