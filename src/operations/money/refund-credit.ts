/**
 * Gives a payment that no wallet took back to its payer, because people have decided so. The decision is a row beside the
 * payment, and its workflow orders the refund of the company that has received the payment. A payment goes one way: to a
 * wallet or back, once (R44).
 */
import { present } from '../../domain/assert';
import type { OperatorCode } from '../../domain/operators';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { ProposalTerms } from '../../domain/proposals';
import { mayReleaseRefund, type Refund, type RefundOrder } from '../../domain/refunds';
import { refundIntention } from '../../contract/intentions';
import { cellOfCredit, findUnallocated, nameOfCredit } from '../../db/payments/inbound-credits';
import {
  changeRefund,
  findRefund,
  insertRefund,
  refundOfCredit,
  type RefundOfPayment,
} from '../../db/payments/inbound-refunds';
import { closeFindings } from '../../db/reconcile/findings';
import type { Environment, OpenCell } from '../../runtime/environment';

type Refunds = Environment['providers']['refunds'][number]['refunds'];

const notSo = (message: string): Outcome<never, OperatorCode> =>
  refuse<OperatorCode>('INVALID_STATE', { message });

/** The cell of a credit; null where there is no such credit. */
export async function cellWithCredit(environment: Environment, creditId: string): Promise<OpenCell | null> {
  const name = await cellOfCredit(environment, creditId);
  return name === null ? null : present(environment.cells.get(name), `the cell ${name}`);
}

/** The company that gives its payments back; null where it does not, or does not serve any more. */
export const refundingCompany = (environment: Environment, provider: string): Refunds | null =>
  environment.providers.refunds.find(({ name }) => name === provider)?.refunds ?? null;

/**
 * Whether a payment may be given back now.
 * @returns what would be given back; or NOT_FOUND where no such payment waits, INVALID_STATE where it was allocated, is
 *   being given back, or its company gives nothing back.
 */
export async function refundable(
  environment: Environment,
  creditId: string,
): Promise<Outcome<{ amountKobo: number; provider: string }, OperatorCode>> {
  const cell = await cellWithCredit(environment, creditId);
  const credit = cell && (await findUnallocated(cell, creditId));
  if (!cell || !credit) return refuse('NOT_FOUND');
  if (credit.allocatedTo !== null) return notSo('The payment was allocated to a wallet');
  if (credit.refundId !== null) return notSo('The payment is being given back, or was given back');
  const { provider } = await nameOfCredit(cell, creditId);
  if (!refundingCompany(environment, provider)) return notSo(`${provider} gives no payments back`);
  return done({ amountKobo: credit.amountKobo, provider });
}

/**
 * Writes the order, from which the workflow goes on.
 * @param id of the decision, and of the refund: a second call finds the first one.
 * @returns done; or as `refundable`.
 */
export async function orderRefund(
  environment: Environment,
  id: string,
  { creditId, amountKobo }: Pick<ProposalTerms['refund_credit'], 'creditId' | 'amountKobo'>,
): Promise<Outcome<null, OperatorCode>> {
  const cell = await cellWithCredit(environment, creditId);
  if (cell && (await findRefund(cell, id))) return done(null);
  const may = await refundable(environment, creditId);
  if (!may.ok) return may;
  if (!cell || may.value.amountKobo !== amountKobo) return refuse('NOT_FOUND');
  const intended = await insertRefund(cell, { id, creditId }, refundIntention({ creditId, refundId: id }));
  if (!intended) return notSo('The payment goes another way by now');
  environment.relay.afterCommit(cell, { intentions: [intended], endpointIds: [] });
  return done(null);
}

/** The order as its company is asked about it. */
export const refundOrderOf = (refund: RefundOfPayment): RefundOrder => ({
  refundId: refund.id,
  reference: refund.reference,
  paymentRef: refund.paymentRef,
  amountKobo: refund.amountKobo,
  receivedAt: refund.receivedAt,
  providerRef: refund.providerRef,
});

/**
 * The refund of a payment that may be given up now: its order was sent at least 15 minutes ago, its answer was lost, and its
 * company does not know of it.
 * @returns it; or NOT_FOUND, INVALID_STATE, PROVIDER_DISAGREES with what the company says.
 */
export async function releasableRefund(
  environment: Environment,
  creditId: string,
): Promise<Outcome<RefundOfPayment, OperatorCode>> {
  const cell = await cellWithCredit(environment, creditId);
  const refundId = cell && (await refundOfCredit(cell, creditId));
  const refund = cell && refundId && (await findRefund(cell, refundId));
  if (!refund) return refuse('NOT_FOUND');
  if (!mayReleaseRefund(refund, new Date())) {
    return notSo('No order of unknown fate that is at least 15 minutes old');
  }
  const company = refundingCompany(environment, refund.provider);
  const providerSays = company
    ? await company
        .query(refundOrderOf(refund))
        .then(({ outcome }) => outcome)
        .catch(() => 'unknown' as const)
    : 'unknown';
  if (providerSays === 'not_found') return done(refund);
  const message = `The provider says that the refund is ${providerSays}`;
  return refuse<OperatorCode>('PROVIDER_DISAGREES', { message, detail: { providerSays } });
}

/**
 * Gives the order up: the payment waits for people again, with its finding. A second call finds it given up.
 * @returns done; or as `releasableRefund`.
 */
export async function releaseRefund(
  environment: Environment,
  { creditId, refundId }: Pick<ProposalTerms['release_refund'], 'creditId' | 'refundId'>,
): Promise<Outcome<null, OperatorCode>> {
  const cell = await cellWithCredit(environment, creditId);
  const before = cell && (await findRefund(cell, refundId));
  if (!cell || !before) return refuse('NOT_FOUND');
  if (before.state !== 'released') {
    const may = await releasableRefund(environment, creditId);
    if (!may.ok) return may;
    if (may.value.id !== refundId) return notSo('Another refund of the payment is under way');
    const now = await changeRefund(cell, refundId, (refund, at): Refund =>
      mayReleaseRefund(refund, at) ? { ...refund, state: 'released', isPosted: false } : refund,
    );
    if (now.state !== 'released')
      return notSo('Something was answered within the last 15 minutes; look again');
  }
  await waitForPeople(cell, before);
  environment.relay.tellOfRefundLater(refundId);
  return done(null);
}

/** A payment that its refund has let go of waits for people again, in the finding that has been open all the time. */
export async function waitForPeople(cell: OpenCell, { id }: Pick<RefundOfPayment, 'id'>): Promise<void> {
  await closeFindings(cell.pool, cell.schema, [{ class: 'refund_stuck', resource: id }]);
}
