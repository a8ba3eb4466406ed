/**
 * What a company says again of a payment that is known is compared with what is kept: a reference alone does not make two
 * payments one (R52). What differs is told to people, and our books stay as they are.
 */
import { differenceOfCredit, type InboundClaim, type PaymentName } from '../db/payments/inbound-credits';
import { recordFindings } from '../db/reconcile/findings';
import { present } from '../domain/assert';
import type { InboundPayment } from '../domain/inbound';
import type { Environment } from '../runtime/environment';

/** @returns whether it differs. A second call for the same answer finds its finding there. */
export async function isToldOtherwise(
  environment: Environment,
  { provider, reference }: PaymentName,
  claim: InboundClaim,
  payment: InboundPayment,
): Promise<boolean> {
  const cell = present(environment.cells.get(claim.cell), `the cell ${claim.cell}`);
  const difference = await differenceOfCredit(cell, claim.creditId, payment);
  if (difference === null) return false;
  await recordFindings(environment.pool, cell.schema, [
    {
      class: 'provider_contradiction',
      resource: claim.creditId,
      detail: { provider, reference, about: 'payment', ...difference },
    },
  ]);
  return true;
}

/**
 * Asks a company about a payment that is booked, because another notice of it has come. An answer that says nothing is no
 * difference: the statement of the day has the payment, too.
 */
export async function compareBooked(
  environment: Environment,
  name: PaymentName,
  claim: InboundClaim,
): Promise<void> {
  const company = environment.providers.inbound.find((one) => one.name === name.provider);
  const answer = await company?.inbound.confirm(name.reference);
  if (answer?.outcome === 'received') await isToldOtherwise(environment, name, claim, answer.payment);
}
