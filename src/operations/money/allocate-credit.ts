/**
 * Credits a wallet with a payment from outside that no wallet took, because people have found out whose it is. The payment
 * may be in another cell than the wallet: first the decision is written with the payment, then the wallet is credited, in a
 * commit of its own cell. Both can be repeated, and a payment goes to one wallet.
 */
import { present } from '../../domain/assert';
import type { OperatorCode } from '../../domain/operators';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import type { ProposalTerms } from '../../domain/proposals';
import { fundingReference } from '../../domain/transactions';
import {
  carryOutAllocation,
  cellOfCredit,
  decideAllocation,
  findUnallocated,
  type UnallocatedCredit,
} from '../../db/payments/inbound-credits';
import { idNamed } from '../../db/pg/ids';
import { closeFindings } from '../../db/reconcile/findings';
import { findWallet } from '../../db/wallets/wallets';
import type { Environment, OpenCell } from '../../runtime/environment';
import { completedAtOnce } from '../../wire/webhooks';
import type { Tenant } from '../tenant';

type Allocation = Pick<ProposalTerms['allocate_credit'], 'creditId' | 'walletId'>;

async function find(
  environment: Environment,
  creditId: string,
): Promise<{ cell: OpenCell; credit: UnallocatedCredit } | null> {
  const name = await cellOfCredit(environment, creditId);
  if (name === null) return null;
  const cell = present(environment.cells.get(name), `the cell ${name}`);
  const credit = await findUnallocated(cell, creditId);
  return credit && { cell, credit };
}

/**
 * Whether a credit may be allocated to a wallet of this partner now.
 * @returns the credit; or NOT_FOUND where no such payment waits, WALLET_NOT_FOUND, WALLET_CLOSED, INVALID_STATE where it
 *   was allocated to another wallet or goes back to its payer.
 */
export async function allocatable(
  { environment, cell, partner }: Tenant,
  { creditId, walletId }: Allocation,
): Promise<Outcome<UnallocatedCredit, OperatorCode>> {
  const found = await find(environment, creditId);
  if (!found) return refuse('NOT_FOUND');
  const wallet = await findWallet(cell, partner.id, walletId);
  if (!wallet) return refuse('WALLET_NOT_FOUND');
  if (wallet.status === 'closed') return refuse('WALLET_CLOSED');
  const { allocatedTo, refundId } = found.credit;
  const isFree = refundId === null && (allocatedTo === null || allocatedTo === walletId);
  return isFree ? done(found.credit) : DECIDED;
}

const DECIDED: Outcome<never, OperatorCode> = refuse<OperatorCode>('INVALID_STATE', {
  message: 'The payment was allocated to another wallet, or goes back to its payer',
});

/**
 * Credits the wallet, once, with its event, and closes the finding.
 * @param id of the decision, and of the transaction where this is the first decision for the wallet.
 * @returns done; or as `allocatable`, and LIMIT_EXCEEDED where the wallet has no room. Then nothing is decided any more.
 */
export async function allocateCredit(
  tenant: Tenant,
  id: string,
  { creditId, walletId }: Allocation,
): Promise<Outcome<null, OperatorCode>> {
  const may = await allocatable(tenant, { creditId, walletId });
  if (!may.ok) return may;
  const { cell } = present(await find(tenant.environment, creditId), 'the credit to allocate');
  const transactionId = await decideAllocation(cell, creditId, { walletId, transactionId: id });
  if (transactionId === null) return DECIDED;

  const refused: Refused[] = [];
  const isCredited = await carryOutAllocation(cell, creditId, transactionId, async () => {
    const posted = await tenant.cell.ledger.post({
      movement: {
        kind: 'open',
        type: 'wallet_funding',
        from: { kind: 'suspense', onceBy: idNamed(`allocated/${creditId}`) },
        transactionId,
        partnerId: tenant.partner.id,
        destWalletId: walletId,
        reference: fundingReference(transactionId),
        amountKobo: may.value.amountKobo,
        description: '',
        metadata: {},
        key: null,
      },
      announce: ({ transaction }) => [completedAtOnce(transaction)],
    });
    if (posted.ok && posted.value.kind === 'locked') throw new Error('the wallet is locked now');
    if (!posted.ok && posted.refusal.code === 'SERVICE_UNAVAILABLE') throw new Error('the ledger is busy');
    if (!posted.ok) refused.push(posted);
    return posted.ok;
  });
  if (!isCredited) return refused[0] ?? DECIDED;
  await closeFindings(cell.pool, cell.schema, [{ class: 'payment_unallocated', resource: creditId }]);
  return done(null);
}
