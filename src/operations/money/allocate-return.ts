/**
 * Gives a returned transfer, whose own wallet is closed or full, to another wallet of the partner, because people have
 * decided so. The reversal is written with it, and the partner hears that it is complete (R54).
 */
import { present } from '../../domain/assert';
import { kindOf } from '../../domain/kinds';
import type { Opening } from '../../domain/ledger';
import type { OperatorCode } from '../../domain/operators';
import { done, map, refuse, type Outcome } from '../../domain/outcome';
import type { ProposalTerms } from '../../domain/proposals';
import { reversalReference, type Transaction } from '../../domain/transactions';
import { findTransaction } from '../../db/ledger/transactions';
import { idNamed, newId } from '../../db/pg/ids';
import { findOpenMoney } from '../../db/reconcile/suspense';
import { bankTransferReturned } from '../../wire/webhooks';
import type { Tenant } from '../tenant';
import { wouldBePosted } from './suspense';

type Allocation = Pick<ProposalTerms['allocate_return'], 'transactionId' | 'walletId'>;

/** By which it is known that a return has a wallet, whichever that is. */
const onceBy = (transactionId: string): string => idNamed(`return allocated/${transactionId}`);

const opening = (
  { partner }: Tenant,
  transfer: Pick<Transaction, 'id' | 'reference'>,
  walletId: string,
  amountKobo: number,
): Opening => ({
  kind: 'open',
  type: 'reversal',
  transactionId: newId(),
  originalId: transfer.id,
  onceBy: onceBy(transfer.id),
  partnerId: partner.id,
  destWalletId: walletId,
  reference: reversalReference(transfer.id),
  amountKobo,
  description: '',
  metadata: { original_transaction_id: transfer.id, original_reference: transfer.reference },
  key: null,
});

/**
 * Whether a return may be allocated to a wallet of this partner now: the ledger is asked as it would decide.
 * @returns how much waits, amount and fee; or NOT_FOUND where no return of this transfer waits, and what the ledger refuses:
 *   WALLET_NOT_FOUND, WALLET_CLOSED, LIMIT_EXCEEDED; INVALID_STATE where it has a wallet already.
 */
export async function returnAllocatable(
  tenant: Tenant,
  { transactionId, walletId }: Allocation,
): Promise<Outcome<{ amountKobo: number }, OperatorCode>> {
  const transfer = await findTransaction(tenant.cell, tenant.partner.id, transactionId);
  const money =
    transfer && (await findOpenMoney(tenant.cell, { class: 'return_unallocated', resource: transfer.id }));
  const isBack =
    transfer && kindOf(transfer.type).life.endedBy === 'provider' && transfer.status === 'reversed';
  if (!isBack) return refuse('NOT_FOUND');
  if (!money) return refuse<OperatorCode>('INVALID_STATE', { message: 'No money of this transfer waits' });
  const asked = opening(tenant, transfer, walletId, money.kobo);
  return map(await wouldBePosted(tenant, asked), () => ({ amountKobo: money.kobo }));
}

/**
 * Credits the wallet, once, in one commit with the reversal, the end of the finding and the second `transaction.reversed`.
 * A second call, for whichever wallet, finds the first one.
 * @returns done; or as `returnAllocatable`; or INVALID_STATE where another wallet has it.
 */
export async function allocateReturn(
  tenant: Tenant,
  { transactionId, walletId, amountKobo }: Allocation & { amountKobo: number },
): Promise<Outcome<null, OperatorCode>> {
  const { cell, partner } = tenant;
  const transfer = present(
    await findTransaction(cell, partner.id, transactionId),
    'the transfer whose return is allocated',
  );
  const posted = await cell.ledger.post({
    movement: opening(tenant, transfer, walletId, amountKobo),
    announce: ({ transaction }) => [bankTransferReturned(transfer, transaction)],
  });
  if (!posted.ok) return posted;
  switch (posted.value.kind) {
    case 'posted':
      return done(null);
    case 'same_reference': {
      const first = await findTransaction(cell, partner.id, posted.value.transactionId);
      return first?.destWalletId === walletId
        ? done(null)
        : refuse<OperatorCode>('INVALID_STATE', { message: 'Another wallet has the money of this transfer' });
    }
    case 'locked':
      return refuse('SERVICE_UNAVAILABLE', { message: 'The wallet is busy; approve again to post it' });
    case 'same_key':
    case 'settled_before':
      throw new Error(`bug: the return of a transfer cannot be ${posted.value.kind}`);
  }
}
