/** The sandbox's reset: everything of one partner is deleted (interface: Sandbox-only operations; D97). */
import { done, refuse, type Outcome } from '../domain/outcome';
import { insertResetOrder, withdrawOrder } from '../db/payments/hand-orders';
import { databaseNow, isBeingReset } from '../db/upkeep/epochs';
import { runReset } from '../relay/messages';
import type { Tenant } from './tenant';

/**
 * Has the partner's sandbox emptied and waits for the end. A reset that began before this request is
 * not enough, because it may not delete what was made since then.
 * @returns when the sandbox was empty; or SERVICE_UNAVAILABLE. That says where the sandbox is being emptied, and asking again
 *   waits for its end. Otherwise the order is withdrawn, so that nothing is deleted after the answer.
 */
export async function resetSandbox({ environment, cell, partner }: Tenant): Promise<Outcome<Date>> {
  const askedAt = await databaseNow(cell.pool);
  for (let joinedInVain = false; ;) {
    const orderId = await insertResetOrder(cell, partner.id);
    const told = await runReset(environment, { partnerId: partner.id, orderId });
    if (told.ok && told.value.kind === 'ended' && !joinedInVain) {
      // It was another one, whose order was withdrawn.
      joinedInVain = true;
      continue;
    }
    if (!told.ok || told.value.kind !== 'answered') {
      await withdrawOrder(cell, orderId);
      return (await isBeingReset(cell, partner.id)) ? IS_EMPTIED : refuse('SERVICE_UNAVAILABLE');
    }
    const resetAt = new Date(told.value.result);
    if (resetAt >= askedAt) return done(resetAt);
  }
}

const IS_EMPTIED = refuse('SERVICE_UNAVAILABLE', {
  message: 'The sandbox is being emptied; the same request waits for its end',
});
