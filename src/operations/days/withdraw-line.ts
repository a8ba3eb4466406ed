/**
 * Withdraws a line of a provider's statement that should never have been kept, such as one that people have typed wrong: two
 * people agree on it, its day is open, and what was booked to explain it is taken back with it. The line stays in the table,
 * and another one may come under its id.
 */
import { systemAccountId } from '../../domain/accounts';
import type { Day } from '../../domain/days';
import type { OperatorCode } from '../../domain/operators';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { ProposalTerms } from '../../domain/proposals';
import { FIRST_UUID } from '../../db/pg/ids';
import { withdrawLine } from '../../db/reconcile/provider-lines';
import { noteEntry, undoingEntriesOf, type UndoingEntry } from '../../db/reconcile/treasury-entries';
import { postOwn } from '../money/post-own';
import type { OwnBooks } from './own-books';
import { lineMeant } from './treasury-entries';

type Terms = ProposalTerms['withdraw_line'];

/**
 * Whether a line may be withdrawn now.
 * @returns what people agree to; or refused: NOT_FOUND for a line that is not kept or was withdrawn, INVALID_STATE where its
 *   day is closed.
 */
export async function withdrawable(
  { environment, cell }: OwnBooks,
  asked: { provider: string; ownDay: Day; lineId: string; note: string },
): Promise<Outcome<Terms, OperatorCode>> {
  const { provider, lineId, ownDay, note } = asked;
  const statements = { pool: environment.pool, directory: environment.directory, provider };
  const meant = await lineMeant(statements, lineId, ownDay);
  if (!meant.ok) return meant;
  const { line, day, changeKobo } = meant.value;
  const undoing = await undoingEntriesOf(statements, cell, { line });
  if (undoing.some(isOfAnotherCell)) {
    return refuse<OperatorCode>('INVALID_STATE', {
      message: 'An entry of the line has ended a finding of another cell, and stays',
    });
  }
  return done({ provider, lineId, line, ownDay, day, changeKobo, entries: undoing.length, note });
}

/** Whether an entry has moved money of another cell's finding, which only that cell could take back. */
const isOfAnotherCell = ({ postings }: UndoingEntry): boolean =>
  postings.some(({ account }) => account === BETWEEN_CELLS);
const BETWEEN_CELLS = systemAccountId('1990');

/**
 * Withdraws it, and takes back what was booked for it. The line first: from then on nothing new explains it.
 * @returns INVALID_STATE where its day was closed or another proposal has withdrawn it; SERVICE_UNAVAILABLE where the books
 *   are busy: the same approval goes on.
 */
export async function withdrawAgreedLine(
  { environment, cell }: OwnBooks,
  proposalId: string,
  { provider, line, day }: Terms,
): Promise<Outcome<object, OperatorCode>> {
  const statements = { pool: environment.pool, directory: environment.directory, provider };
  if (!(await withdrawLine(statements, line, proposalId))) {
    return refuse<OperatorCode>('INVALID_STATE', { message: 'The line was withdrawn, or its day is closed' });
  }
  const undoing = await undoingEntriesOf(statements, cell, { line });
  for (const { id, undoes, entry, amountKobo, postings, finding } of undoing) {
    if (!(await noteEntry(statements, id, { entry, line, day }, undoes))) {
      return refuse<OperatorCode>('INVALID_STATE', { message: 'The day of the line is closed' });
    }
    const why = await postOwn(cell, {
      type: 'treasury_entry',
      postings,
      finding,
      transactionId: id,
      partnerId: FIRST_UUID,
      reference: `treasury_${id}`,
      amountKobo,
    });
    if (why !== null) {
      const message = `The books are busy (${why}); approve again to take back what was booked`;
      return refuse('SERVICE_UNAVAILABLE', { message });
    }
  }
  return done({});
}
