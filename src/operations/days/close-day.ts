/** Closes a day of a provider: two people have seen that its statement and our books agree, or why they do not. */
import { beginningOf, dayAfter, type Day } from '../../domain/days';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { OperatorCode } from '../../domain/operators';
import type { ProposalTerms } from '../../domain/proposals';
import { closeDay, dayBefore, findDay, findCountsOfDay } from '../../db/reconcile/provider-days';
import type { OwnBooks } from './own-books';

type Terms = ProposalTerms['close_day'];

/**
 * Whether a day may be closed now.
 * @returns what people agree to; or refused: NOT_FOUND for a day that was not imported, INVALID_STATE where it is closed,
 *   not over, was not imported after its end, follows an open day, or has an open finding.
 */
export async function closableDay(
  { environment, cell }: OwnBooks,
  provider: string,
  day: Day,
  note: string,
): Promise<Outcome<Terms, OperatorCode>> {
  const statements = { pool: environment.pool, directory: environment.directory, provider };
  const found = await findDay(statements, day);
  if (!found) return refuse('NOT_FOUND');
  const no = (message: string) => refuse<OperatorCode>('INVALID_STATE', { message });
  if (found.closedAt) return no('The day is closed');
  if (found.checkedAt < beginningOf(dayAfter(day))) return no('Import the day again after its end');
  if (!found.isAsChecked) return no('Import the day again: a line of it was withdrawn');
  const before = await dayBefore(statements, day);
  if (before && !before.closedAt) return no(`Close ${before.day} first`);
  const { open, explained } = await findCountsOfDay(cell, provider, day);
  if (open > 0) return no(`The day has ${String(open)} open findings`);
  const { openingKobo, closingKobo, booksKobo, underWayKobo, receivableKobo, lines, checkedAt } = found;
  const figures = { openingKobo, closingKobo, booksKobo, underWayKobo, receivableKobo, lines };
  return done({ provider, day, ...figures, checkedAt: checkedAt.toISOString(), explained, note });
}

/** Closes it, if it is still as people have seen it. @returns INVALID_STATE where it is not. */
export async function closeAgreedDay(
  { environment, cell }: OwnBooks,
  proposalId: string,
  { provider, day, checkedAt }: Terms,
): Promise<Outcome<object, OperatorCode>> {
  const statements = { pool: environment.pool, directory: environment.directory, provider };
  return (await closeDay(statements, cell, day, { checkedAt, proposalId }))
    ? done({})
    : refuse<OperatorCode>('INVALID_STATE', { message: 'The day was checked again, or has an open finding' });
}
