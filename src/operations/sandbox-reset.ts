/** The sandbox's reset: everything of one partner is deleted (interface: Sandbox-only operations; D97). */
import { done, refuse, type Outcome } from '../domain/outcome';
import { insertResetOrder } from '../db/payments/hand-orders';
import { databaseNow } from '../db/upkeep/epochs';
import { runReset } from '../relay/messages';
import type { Tenant } from './tenant';

/**
 * Has the partner's sandbox emptied and waits for the end. A reset that began before this request is
 * not enough, because it may not delete what was made since then.
 * @returns when the sandbox was empty, or SERVICE_UNAVAILABLE where it takes long: asking again waits for its end.
 */
export async function resetSandbox({ environment, cell, partner }: Tenant): Promise<Outcome<Date>> {
  const askedAt = await databaseNow(cell.pool);
  for (;;) {
    const orderId = await insertResetOrder(cell, partner.id);
    const told = await runReset(environment, { partnerId: partner.id, orderId });
    if (!told.ok || told.value.kind !== 'answered') return refuse('SERVICE_UNAVAILABLE');
    const resetAt = new Date(told.value.result);
    if (resetAt >= askedAt) return done(resetAt);
  }
}
