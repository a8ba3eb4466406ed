/**
 * What the companies will demand of the owner of a wallet, said at the door: whoever was let in without it would wait for
 * something that nobody sees. Each company says what it demands (`providers/port.ts`).
 */
import { isAsLive, switchAsLive } from '../db/wallets/requirements';
import { findVerifiedNumber } from '../db/partners/verifications';
import { refuseFields, type Refused } from '../domain/outcome';
import { fieldOf, type Demands, type OwnerDetail } from '../domain/owner-details';
import { present } from '../domain/assert';
import type { Tenant } from './tenant';

const NOTHING: Demands = { accounts: [], identity: [] };

/** Whether what live refuses of the owners of wallets is refused here: in live, and in a sandbox that is to demand the same. */
export const isLikeLive = async ({ environment, cell, partner }: Tenant): Promise<boolean> =>
  !environment.allowsSimulation || (await isAsLive(cell, partner.id));

/** The demands of the companies that serve live; in a sandbox those, where the partner wants them, and else none. */
export async function demandsOn({ environment, cell, partner }: Tenant): Promise<Demands> {
  if (environment.allowsSimulation) {
    return (await isAsLive(cell, partner.id)) ? environment.demandsOfLive : NOTHING;
  }
  const { accounts, identity } = environment.providers;
  return {
    accounts: accounts.map((company) => company.accounts.demands ?? []),
    identity: identity.map((company) => company.identity.demands ?? []),
  };
}

/** Whether the owner has a verified number; looked up only where some company demands one. */
export const isIdentified = async (
  { cell, partner }: Tenant,
  { accounts }: Demands,
  userRef: string,
): Promise<boolean> =>
  accounts.some((details) => details.includes('identity')) &&
  (await findVerifiedNumber(cell, partner.id, userRef)) !== null;

/** VALIDATION_ERROR that names each detail which is missing; null where none is. */
export function refuseMissing(details: readonly OwnerDetail[]): Refused | null {
  if (details.length === 0) return null;
  const [first, ...others] = details.map((detail) => ({ field: fieldOf(detail), message: DEMANDED }));
  return refuseFields(present(first, 'a detail'), ...others);
}

const DEMANDED = 'is required: the companies that serve live demand it';

/** A partner has its sandbox demand what live demands, or no longer. @returns whether it does now. */
export async function setRequirements({ cell, partner }: Tenant, isOn: boolean): Promise<boolean> {
  await switchAsLive(cell, partner.id, isOn);
  return isOn;
}
