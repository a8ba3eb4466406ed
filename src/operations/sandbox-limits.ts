/** A partner switches the regulator's limits on or off for its sandbox (D123). */
import { switchLimits } from '../db/wallets/limits';
import type { Tenant } from './tenant';

/**
 * Puts all wallets of the partner's sandbox under limits, or under none.
 * @returns whether they are on now. An outage in the middle is thrown; the same call then does what was left.
 */
export async function setSandboxLimits({ cell, partner }: Tenant, areEnforced: boolean): Promise<boolean> {
  await switchLimits(cell, partner.id, areEnforced);
  return areEnforced;
}
