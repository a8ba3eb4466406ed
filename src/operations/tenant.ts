/**
 * For whom an operation works: one partner in one environment, with the cell that holds the partner's data there.
 */
import type { Partner } from '../domain/partners';
import type { Environment, OpenCell } from '../runtime/environment';

export interface Tenant {
  environment: Environment;
  partner: Partner;
  cell: OpenCell;
  /** The request that asked for the work; absent where no partner did. */
  requestId?: string | undefined;
}
