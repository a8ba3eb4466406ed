/**
 * Erases a customer of a partner, when the person or the partner has asked for it (Nigeria Data Protection Act 2023).
 * Where people are real, one operator proposes it with what is erased and what is kept, and another one approves.
 */
import { findErasable, findErasableCheck } from '../../db/upkeep/erase-person';
import type { OperatorCode } from '../../domain/operators';
import type { Outcome } from '../../domain/outcome';
import { erasureTold, erasureWarnings, OF_CHECKED_PERSON } from '../../domain/personal-data';
import type { Tenant } from '../tenant';
import { decide, type Decided, type DecisionDeps } from './decisions';

/**
 * Proposes the erasure, or carries it out at once in the sandbox. The books stay whole.
 * @returns what became of it, or refused: NOT_FOUND, INVALID_WALLET_STATE.
 */
export async function proposeErasure(
  deps: DecisionDeps,
  tenant: Tenant,
  walletId: string,
  reason: string,
  operatorId: string,
): Promise<Outcome<Decided, OperatorCode>> {
  const found = await findErasable(tenant.cell, { partnerId: tenant.partner.id, walletId });
  if (!found.ok) return found;
  const warnings = erasureWarnings('wallet', found.value.closedAt, new Date());
  return decide(deps, tenant, 'erase_person', { walletId, reason, warnings, ...erasureTold() }, operatorId);
}

/**
 * The same for somebody who was checked and never had a wallet. Any of the person's checks names them, so that no trail
 * keeps the partner's own name of the person.
 * @returns what became of it, or refused: NOT_FOUND, INVALID_WALLET_STATE.
 */
export async function proposeErasureOfChecked(
  deps: DecisionDeps,
  tenant: Tenant,
  verificationId: string,
  reason: string,
  operatorId: string,
): Promise<Outcome<Decided, OperatorCode>> {
  const found = await findErasableCheck(tenant.cell, tenant.partner.id, verificationId);
  if (!found.ok) return found;
  const warnings = erasureWarnings('last check', found.value.lastCheckedAt, new Date());
  const terms = { verificationId, reason, warnings, ...erasureTold(OF_CHECKED_PERSON) };
  return decide(deps, tenant, 'erase_checked_person', terms, operatorId);
}
