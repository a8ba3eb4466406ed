/**
 * "Ask the company again": the one path by which a bank transfer is compared with what its companies say now, whatever the
 * books say. An operator's command takes it, the import of a statement that differs, and the daily look at what a company may
 * still change. What a company says is booked as if its events had come: a return is taken back, and a payment after a
 * failure goes to unexplained debits. Nothing else is booked, and nobody's wallet is debited.
 */
import { findBankTransfer, findTransaction } from '../../db/ledger/transactions';
import { closeContradicted } from '../../db/payments/callbacks';
import { findAttempts } from '../../db/payments/transfer-attempts';
import { idNamed, newId } from '../../db/pg/ids';
import { recordFindings } from '../../db/reconcile/findings';
import type { Posted } from '../../domain/ledger';
import { nameOf } from '../../domain/outcome';
import {
  GIVEN_UP,
  originatorOf,
  payoutOrder,
  payoutReference,
  UNKNOWN_ATTEMPT,
  type Attempt,
  type QueryOutcome,
} from '../../domain/payouts';
import type { Transaction, TransactionStatus } from '../../domain/transactions';
import { companiesWithOrders, type OpenCell } from '../../runtime/environment';
import { UnavailableError } from '../../runtime/unavailable';
import { bankTransferReturned } from '../../wire/webhooks';
import type { Tenant } from '../tenant';
import { askCompany, type AnswerLog, type Queried } from './ask-company';
import { postSettlement } from './end-transfer';
import { postOwn } from './post-own';

/**
 * What followed from the answer about an attempt.
 * - `nothing`: company and books agree, or the company does not know.
 * - `workflow_told`: the transfer is under way, and its workflow asks and follows the answer now.
 * - `taken_back`: the transfer came back, and amount and fee were given back.
 * - `booked_late`: the company has paid an order that was given up; it is booked against unexplained debits.
 * - `contradiction`: company and books contradict each other, and a finding says so.
 */
type FollowedBy = 'nothing' | 'workflow_told' | 'taken_back' | 'booked_late' | 'contradiction';

/** What one attempt's company has said. */
interface SaidAgain {
  n: number;
  provider: string;
  says: QueryOutcome;
  /** The company's code, and our words for it. */
  code: string | null;
  reason: string | null;
  followedBy: FollowedBy;
}

interface AskedAgain {
  /** The status that the transfer has now. */
  status: TransactionStatus;
  said: SaidAgain[];
}

type Asked = Pick<Attempt, 'n' | 'providerRef'> & { provider: string; state: Attempt['state'] | null };

/**
 * Asks about every attempt of a transfer that may have been paid, and books what follows. A second call finds it booked, and
 * changes nothing.
 * @param only a company; null asks all of them.
 * @returns null where there is no such transfer to a bank.
 * @throws an outage while what follows cannot be booked.
 */
export async function askAgain(
  tenant: Tenant,
  logger: AnswerLog,
  transactionId: string,
  only: string | null = null,
): Promise<AskedAgain | null> {
  const { environment, partner, cell } = tenant;
  const found = await findBankTransfer(cell, partner.id, transactionId);
  if (!found?.transfer.destAccount) return null;
  const { transfer, sender } = found;
  const { attempts } = await findAttempts(cell, environment.directory, transfer);
  const said: SaidAgain[] = [];
  for (const attempt of mayBePaid(environment, attempts)) {
    const { n, provider } = attempt;
    if (only !== null && provider !== only) continue;
    const order = payoutOrder(transfer, originatorOf(sender, partner.businessName), attempt);
    const answer = await askCompany(environment, { cell, logger, order, provider }).catch(
      (error: unknown) => {
        logger.warn({ err: error, reference: order.reference, provider }, 'A company did not answer');
        return null;
      },
    );
    const followedBy = answer ? await follow(tenant, transfer, attempt, answer) : 'nothing';
    said.push({
      n,
      provider,
      says: answer?.outcome ?? 'unknown',
      code: answer ? (answer.saidCode ?? answer.code) : null,
      reason: answer ? answer.reason : 'The company did not answer',
      followedBy,
    });
  }
  const now = await findTransaction(cell, partner.id, transactionId);
  return { status: now?.status ?? transfer.status, said };
}

/** The attempts about which a company can know something; the first one, where people have ended a transfer without any. */
function mayBePaid({ providers }: Tenant['environment'], attempts: readonly Attempt[]): readonly Asked[] {
  if (attempts.length > 0) return attempts.filter(({ state }) => state !== 'refused');
  const [preferred] = companiesWithOrders(providers);
  return preferred ? [{ ...UNKNOWN_ATTEMPT, provider: preferred.name, state: null }] : [];
}

async function follow(
  { environment, cell }: Tenant,
  transfer: Transaction,
  attempt: Asked,
  answer: Queried,
): Promise<FollowedBy> {
  const isGivenUp =
    transfer.status === 'failed' || (attempt.state !== null && GIVEN_UP.includes(attempt.state));
  if (isGivenUp) {
    if (answer.outcome !== 'success') return 'nothing';
    await bookLate(cell, transfer, attempt, answer);
    return 'booked_late';
  }
  if (transfer.status === 'processing') {
    environment.relay.tellLater(cell, [{ id: newId(), receiver: 'bankTransfer', transfer }]);
    return 'workflow_told';
  }
  if (transfer.status === 'completed' && answer.outcome === 'reversed') {
    await takeBack(cell, transfer, attempt.provider, answer);
    return 'taken_back';
  }
  const isContradicted = CONTRADICTS[transfer.status]?.includes(answer.outcome) ?? false;
  if (!isContradicted) return 'nothing';
  const detail = { about: 'answer', answer: answer.outcome, status: transfer.status, attempt: attempt.n };
  await recordFindings(cell.pool, cell.schema, [
    { class: 'provider_contradiction', resource: transfer.id, detail },
  ]);
  return 'contradiction';
}

/** The answers that a transfer which has ended so cannot have. What a company does not know contradicts nothing. */
const CONTRADICTS: Partial<Record<TransactionStatus, readonly QueryOutcome[]>> = {
  completed: ['failed'],
  reversed: ['success'],
};

/**
 * Books what a company has paid of an attempt that was given up, against unexplained debits, with its finding in the same commit.
 * Its id is made from the attempt, so a second run books nothing. What the company had contradicted before is settled with it.
 * @throws an outage while it cannot be booked.
 */
export async function bookLate(
  cell: OpenCell,
  transfer: Transaction,
  { n, provider }: Pick<Asked, 'n' | 'provider'>,
  { feeKobo, dutyKobo }: Queried,
): Promise<void> {
  const { id: transactionId, partnerId, amountKobo } = transfer;
  const reference = payoutReference(transactionId, n);
  if (await findTransaction(cell, partnerId, idNamed(reference))) return;
  const why = await postOwn(cell, {
    type: 'late_payout',
    originalId: transactionId,
    attempt: n,
    by: { company: provider, feeKobo, dutyKobo },
    transactionId: idNamed(reference),
    partnerId,
    reference: `late_${reference}`,
    amountKobo,
    metadata: { original_transaction_id: transactionId, attempt: n },
  });
  if (why !== null) throw new UnavailableError(`a late payout could not be booked now: ${why}`);
  await closeContradicted(cell, transactionId);
}

/**
 * Takes the money of a completed transfer back in one commit: the transfer is `reversed`, amount and fee return to its
 * source, and the event reports it. Only a completed transfer changes, so a second call does nothing. What the company had
 * contradicted before is settled with it.
 * @throws an outage while it cannot be taken back.
 */
export async function takeBack(
  cell: OpenCell,
  transfer: Transaction,
  provider: string,
  answer: Queried,
): Promise<TransactionStatus> {
  const announce = ({ transaction, reversal }: Posted) => [bankTransferReturned(transaction, reversal)];
  const taken = await postSettlement(cell, transfer, announce, {
    trigger: 'provider_return',
    failedReason: answer.reason ?? 'Returned by the bank',
    facts: {
      provider,
      sessionId: answer.sessionId,
      responseCode: answer.code,
      feeKobo: answer.feeKobo,
      dutyKobo: answer.dutyKobo,
    },
    handOrder: null,
  });
  if (!taken.ok) throw new Error(`the transfer could not be taken back now: ${nameOf(taken)}`);
  await closeContradicted(cell, transfer.id);
  return taken.value;
}
