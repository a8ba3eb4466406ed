/**
 * Credits a wallet with a payment from outside that no wallet took, because people have found out whose it is. The payment
 * may be in another cell than the wallet: first the decision is written with the payment, then the wallet is credited, in a
 * commit of its own cell. Both can be repeated, and a payment goes to one wallet.
 */
import { present } from '../../domain/assert';
import type { OperatorCode } from '../../domain/operators';
import type { Opening } from '../../domain/ledger';
import { done, map, refuse, type Outcome, type Refused } from '../../domain/outcome';
import type { ProposalTerms } from '../../domain/proposals';
import { fundingReference } from '../../domain/transactions';
import {
  carryOutAllocation,
  cellOfCredit,
  decideAllocation,
  findUnallocated,
  type UnallocatedCredit,
} from '../../db/payments/inbound-credits';
import { idNamed, newId } from '../../db/pg/ids';
import type { Environment, OpenCell } from '../../runtime/environment';
import { completedAtOnce } from '../../wire/webhooks';
import type { Tenant } from '../tenant';
import { moveOutOfSuspense, wouldBePosted } from './suspense';

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
 * Whether a credit may be allocated to a wallet of this partner now: the ledger is asked as it would decide.
 * @returns the credit; or NOT_FOUND where no such payment waits, INVALID_STATE where it was allocated to another wallet or
 *   goes back to its payer, and what the ledger refuses: WALLET_NOT_FOUND, WALLET_CLOSED, LIMIT_EXCEEDED.
 */
export async function allocatable(
  tenant: Tenant,
  { creditId, walletId }: Allocation,
): Promise<Outcome<UnallocatedCredit, OperatorCode>> {
  const found = await find(tenant.environment, creditId);
  if (!found) return refuse('NOT_FOUND');
  const { credit } = found;
  const isFree = credit.refundId === null && (credit.allocatedTo === null || credit.allocatedTo === walletId);
  if (!isFree) return DECIDED;
  // A credit that this wallet has got already is done.
  if (credit.allocatedTo !== null) return done(credit);
  const asked = creditOpening(tenant, found, { creditId, walletId }, newId());
  return map(await wouldBePosted(tenant, asked), () => credit);
}

const DECIDED: Outcome<never, OperatorCode> = refuse<OperatorCode>('INVALID_STATE', {
  message: 'The payment was allocated to another wallet, or goes back to its payer',
});

/** The funding of the wallet. What waits in another cell is passed on to this one afterwards. */
function creditOpening(
  { cell, partner }: Tenant,
  waiting: { cell: OpenCell; credit: UnallocatedCredit },
  { creditId, walletId }: Allocation,
  transactionId: string,
): Opening {
  const onceBy = idNamed(`allocated/${creditId}`);
  return {
    kind: 'open',
    type: 'wallet_funding',
    from:
      waiting.cell.schema === cell.schema
        ? { kind: 'suspense', onceBy, creditId }
        : { kind: 'other_cell', onceBy },
    transactionId,
    partnerId: partner.id,
    destWalletId: walletId,
    reference: fundingReference(transactionId),
    amountKobo: waiting.credit.amountKobo,
    description: '',
    metadata: {},
    key: null,
  };
}

/**
 * Credits the wallet, once, with its event; the finding of the payment ends in the same commit, or, where the wallet is in
 * another cell, in the commit that follows.
 * @param id of the decision, and of the transaction where this is the first decision for the wallet.
 * @returns done; or as `allocatable`. Where the ledger refuses, nothing is decided any more.
 */
export async function allocateCredit(
  tenant: Tenant,
  id: string,
  { creditId, walletId }: Allocation,
): Promise<Outcome<null, OperatorCode>> {
  const may = await allocatable(tenant, { creditId, walletId });
  if (!may.ok) return may;
  const waiting = present(await find(tenant.environment, creditId), 'the credit to allocate');
  const { cell } = waiting;
  const transactionId = await decideAllocation(cell, creditId, { walletId, transactionId: id });
  if (transactionId === null) return DECIDED;

  const refused: Refused[] = [];
  const isCredited = await carryOutAllocation(cell, creditId, transactionId, async () => {
    const posted = await tenant.cell.ledger.post({
      movement: creditOpening(tenant, waiting, { creditId, walletId }, transactionId),
      announce: ({ transaction }) => [completedAtOnce(transaction)],
    });
    if (posted.ok && posted.value.kind === 'locked') throw new Error('the wallet is locked now');
    if (!posted.ok && posted.refusal.code === 'SERVICE_UNAVAILABLE') throw new Error('the ledger is busy');
    if (!posted.ok) refused.push(posted);
    return posted.ok;
  });
  if (!isCredited) return refused[0] ?? DECIDED;
  if (cell.schema !== tenant.cell.schema) {
    const from = { class: 'payment_unallocated', resource: creditId, account: '2900' } as const;
    await moveOutOfSuspense(cell, `passed on/${creditId}`, from, waiting.credit.amountKobo, '1990');
  }
  return done(null);
}
