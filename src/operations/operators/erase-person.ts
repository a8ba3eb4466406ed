/** Erases a customer of a partner, when the person or the partner has asked for it (Nigeria Data Protection Act 2023). */
import { erasePerson as writeErasure } from '../../db/upkeep/erase-person';
import type { Outcome } from '../../domain/outcome';
import type { Tenant } from '../tenant';

/**
 * Takes the personal data of the owner of a closed wallet out of the environment. The books stay whole. A second call
 * changes nothing.
 * @returns when the person was erased, or refused: NOT_FOUND, INVALID_WALLET_STATE.
 */
export const erasePerson = (
  { environment, cell, partner }: Tenant,
  walletId: string,
): Promise<Outcome<{ erasedAt: Date }>> =>
  writeErasure(cell, environment.directory, { partnerId: partner.id, walletId });
