/**
 * Gives up an order of which nothing is known, because people have its company's statement. Only then another attempt is
 * begun, or the money is given back (D57).
 */
import type { OperatorCode } from '../../domain/operators';
import { done, refuse, type Outcome } from '../../domain/outcome';
import {
  mayBeReleased,
  originatorOf,
  payoutOrder,
  RELEASED_AFTER_MS,
  type Attempt,
} from '../../domain/payouts';
import type { ProposalTerms } from '../../domain/proposals';
import { newId } from '../../db/pg/ids';
import { findBankTransfer } from '../../db/ledger/transactions';
import { findAttempts, releaseAttempt } from '../../db/payments/transfer-attempts';
import type { Tenant } from '../tenant';
import { payingCompany } from './ask-provider';

type Release = Pick<ProposalTerms['release_payout'], 'transactionId' | 'n' | 'openPosts'>;

const notSo = (message: string): Outcome<never, OperatorCode> =>
  refuse<OperatorCode>('INVALID_STATE', { message });

/**
 * The attempt that may be released now. Its company is asked, and must not know the order.
 * @returns it; or NOT_FOUND, INVALID_STATE, PROVIDER_DISAGREES with what the company says.
 */
export async function releasable(
  { environment, partner, cell }: Tenant,
  transactionId: string,
): Promise<Outcome<Attempt, OperatorCode>> {
  const found = await findBankTransfer(cell, partner.id, transactionId);
  if (!found) return refuse('NOT_FOUND');
  const { transfer, sender } = found;
  if (transfer.status !== 'processing') return notSo(`The transaction is ${transfer.status}`);
  const { attempts, isDoubtful } = await findAttempts(cell, environment.directory, transfer);
  const attempt = attempts.at(-1);
  if (attempt?.state !== 'sending' || attempt.openPosts === 0) {
    return notSo(`No order of unknown fate; the last attempt is ${attempt?.state ?? 'not begun'}`);
  }
  if (isDoubtful) return notSo('The database was restored since, and may have forgotten orders');
  if (!mayBeReleased(attempt, isDoubtful, new Date())) return notSo('The attempt is younger than 15 minutes');
  const order = payoutOrder(transfer, originatorOf(sender, partner.businessName), attempt);
  const providerSays = await payingCompany(environment, attempt.provider)
    .payouts.query(order)
    .then(({ outcome }) => outcome)
    .catch(() => 'unknown' as const);
  if (providerSays === 'not_found') return done(attempt);
  const message = `The provider says that the transfer is ${providerSays}`;
  return refuse<OperatorCode>('PROVIDER_DISAGREES', { message, detail: { providerSays } });
}

/**
 * Releases the attempt that was agreed on, and has the workflow go on. A second call finds it released.
 * @returns done; or as `releasable`. INVALID_STATE where another order was sent since.
 */
export async function releasePayout(
  tenant: Tenant,
  { transactionId, n, openPosts }: Release,
): Promise<Outcome<null, OperatorCode>> {
  const { environment, partner, cell } = tenant;
  const found = await findBankTransfer(cell, partner.id, transactionId);
  if (!found) return refuse('NOT_FOUND');
  const { attempts } = await findAttempts(cell, environment.directory, found.transfer);
  if (attempts.find((one) => one.n === n)?.state !== 'released') {
    const may = await releasable(tenant, transactionId);
    if (!may.ok) return may;
    const seen = { n, openPosts, quietMs: RELEASED_AFTER_MS };
    const isReleased = may.value.n === n && (await releaseAttempt(cell, transactionId, seen));
    if (!isReleased) return notSo('Something was sent or answered within the last 15 minutes; look again');
  }
  environment.relay.tellLater(cell, [{ id: newId(), receiver: 'bankTransfer', transfer: found.transfer }]);
  return done(null);
}
