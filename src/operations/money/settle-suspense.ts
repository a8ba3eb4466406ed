/** The ways by which people end the money of a finding without a company: an adjustment that names it, and a loss (R54). */
import { present } from '../../domain/assert';
import type { Adjustment } from '../../domain/adjustments';
import type { OperatorCode } from '../../domain/operators';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { ProposalTerms } from '../../domain/proposals';
import { mayEnd, waysOut, type OpenMoney } from '../../domain/suspense';
import { findMoney, findOpenMoney } from '../../db/reconcile/suspense';
import type { Environment, OpenCell } from '../../runtime/environment';
import type { Tenant } from '../tenant';
import { moveOutOfSuspense, wasMoved } from './suspense';

const settledOf = ({ class: name, resource, account }: OpenMoney) => ({ class: name, resource, account });

const noMoney = (): Outcome<never, OperatorCode> =>
  refuse<OperatorCode>('INVALID_STATE', { message: 'No money of this finding is in suspense' });

const cannotEnd = ({ class: name, kobo }: OpenMoney): Outcome<never, OperatorCode> =>
  refuse<OperatorCode>('INVALID_STATE', {
    message: `${String(kobo)} kobo of ${name} are in suspense. ${waysOut(name)}`,
  });

/**
 * An adjustment with the finding whose money it moves: one in the cell of the wallet.
 * @param asked.findingId null where it explains none.
 * @returns it; or INVALID_STATE where it cannot end that finding by this amount.
 */
export async function settlingAdjustment(
  { cell }: Pick<Tenant, 'cell'>,
  { findingId, ...asked }: Omit<Adjustment, 'settles'> & { findingId: string | null },
): Promise<Outcome<Adjustment, OperatorCode>> {
  if (findingId === null) return done(asked);
  const money = await findMoney([cell], findingId);
  if (!money) return noMoney();
  const adjustment = { ...asked, settles: settledOf(money) };
  return maySettle(money, adjustment) ? done(adjustment) : cannotEnd(money);
}

const maySettle = (money: OpenMoney, { direction, amountKobo }: Adjustment): boolean =>
  mayEnd(money, 'adjust', direction === 'credit' ? -amountKobo : amountKobo);

/** Whether what an adjustment settles is still there when it is approved. @returns done; or INVALID_STATE. */
export async function stillSettles(
  { cell }: Pick<Tenant, 'cell'>,
  adjustment: Adjustment,
): Promise<Outcome<null, OperatorCode>> {
  if (!adjustment.settles) return done(null);
  const money = await findOpenMoney(cell, adjustment.settles);
  if (!money) return noMoney();
  return maySettle(money, adjustment) ? done(null) : cannotEnd(money);
}

type WriteOff = Omit<ProposalTerms['write_off'], 'note' | 'evidenceRef'>;

/**
 * What would be written off of a finding: all that is left.
 * @returns it; or NOT_FOUND where no such finding has money, INVALID_STATE where it is not a loss.
 */
export async function writableOff(
  environment: Environment,
  findingId: string,
): Promise<Outcome<WriteOff, OperatorCode>> {
  const money = await findMoney<OpenCell>(environment.cells.values(), findingId);
  if (!money) return refuse('NOT_FOUND');
  if (!mayEnd(money, 'write_off', -money.kobo)) return cannotEnd(money);
  const settles = settledOf(money);
  return done({ findingId, cell: money.cell.schema, settles, amountKobo: -money.kobo });
}

/**
 * Books the loss. What has moved since it was proposed is not written off.
 * @param id of the decision: a second call finds the loss booked.
 * @returns done; or INVALID_STATE.
 */
export async function writeOff(
  environment: Environment,
  id: string,
  { cell: name, settles, amountKobo }: WriteOff,
): Promise<Outcome<null, OperatorCode>> {
  const cell = present(environment.cells.get(name), `the cell ${name}`);
  const entry = `written off/${id}`;
  if (!(await wasMoved(cell, entry))) {
    const money = await findOpenMoney(cell, settles);
    if (money?.kobo !== -amountKobo) return noMoney();
  }
  await moveOutOfSuspense(cell, entry, settles, -amountKobo, '5900');
  return done(null);
}
