/** Closes a finding of the reconciliation. It opens again if its cause is still there. */
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { FindingRecord } from '../../domain/findings';
import { isSuspenseClass, waysOut } from '../../domain/suspense';
import type { RefusalCode } from '../../domain/refusals';
import { closeFindingByHand, findFindingInCells } from '../../db/reconcile/finding-list';
import type { Environment } from '../../runtime/environment';

/**
 * @param note why it is closed, kept with the operator's name.
 * @returns the closed finding, or refused: NOT_FOUND, INVALID_STATE where it is closed already, and its first note
 *   stays, or where it stands for money that is still in suspense (R54).
 */
export async function closeFinding(
  environment: Environment,
  findingId: string,
  operatorName: string,
  note: string,
): Promise<Outcome<FindingRecord, RefusalCode | 'INVALID_STATE'>> {
  const found = await findFindingInCells(environment.cells.values(), findingId);
  if (!found) return refuse('NOT_FOUND');
  const { class: name, kobo, closedAt } = found.finding;
  if (kobo !== null && kobo !== 0 && closedAt === null) {
    const way = isSuspenseClass(name) ? waysOut(name) : 'Take them out first';
    return refuse('INVALID_STATE', { message: `${String(Math.abs(kobo))} kobo are in suspense. ${way}` });
  }
  const closed = await closeFindingByHand(found.cell, findingId, operatorName, note);
  return closed ? done(closed) : refuse('INVALID_STATE', { message: 'The finding is closed' });
}
