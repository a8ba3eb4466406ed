/** Operators keep the routes of payouts. The audit trail says who has added and removed which, and why. */
import { addPayoutRoute as add, removePayoutRoute as remove } from '../../db/payments/payout-routes';
import { newId } from '../../db/pg/ids';
import { done, refuse, refuseFields, type Outcome } from '../../domain/outcome';
import type { PayoutRoute } from '../../domain/payout-routes';
import type { Environment } from '../../runtime/environment';

/**
 * Adds a route. It is in force for the next order that is sent.
 * @returns VALIDATION_ERROR for a company that does not pay out, and for a bank that nobody knows.
 */
export async function addPayoutRoute(
  { pool, directory, providers, banks }: Environment,
  asked: Omit<PayoutRoute, 'id'>,
): Promise<Outcome<PayoutRoute>> {
  if (!providers.payouts.some(({ name }) => name === asked.provider)) {
    const names = providers.payouts.map(({ name }) => name).join(', ');
    return refuseFields({ field: 'provider', message: `must be one of: ${names}` });
  }
  if (asked.bankCode !== null && !(await banks.find(asked.bankCode))) {
    return refuseFields({ field: 'bank_code', message: 'is not the code of a bank' });
  }
  const route = { ...asked, id: newId() };
  await add(pool, directory, route);
  return done(route);
}

/** Removes a route. @returns NOT_FOUND if there is none with this id, as after a second removal. */
export async function removePayoutRoute(
  { pool, directory }: Environment,
  id: string,
): Promise<Outcome<{ id: string }>> {
  return (await remove(pool, directory, id)) ? done({ id }) : refuse('NOT_FOUND');
}
