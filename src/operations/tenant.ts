/**
 * For whom an operation works: one partner in one environment, with the cell that holds the partner's data there.
 */
import { refuse, type Refused } from '../domain/outcome';
import type { Partner } from '../domain/partners';
import type { Environment, OpenCell } from '../runtime/environment';

export interface Tenant {
  environment: Environment;
  partner: Partner;
  cell: OpenCell;
  /** The request that asked for the work; absent where no partner did. */
  requestId?: string | undefined;
}

/** The refusal of everything that moves money for a partner that is not approved, in live (D103, D136), or null. */
export const notActive = ({
  environment,
  partner,
}: Pick<Tenant, 'environment' | 'partner'>): Refused | null =>
  environment.requiresActivePartner && partner.status !== 'active' ? refuse('PARTNER_NOT_ACTIVE') : null;
