/** Entries about our money with a provider: each explains a line of its statement. Two people book them, or a rule does. */
import { present } from '../../domain/assert';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { OperatorCode } from '../../domain/operators';
import { wrongWithEntry, type TreasuryEntry } from '../../domain/treasury';
import { treasuryPostings } from '../../domain/postings';
import type { Day } from '../../domain/days';
import { findDay } from '../../db/reconcile/provider-days';
import { findLine, findLines, type KeptLine, type Statements } from '../../db/reconcile/provider-lines';
import { explainedOf, isEntryNoted, noteEntry } from '../../db/reconcile/treasury-entries';
import { FIRST_UUID } from '../../db/pg/ids';
import { postOwn } from '../money/post-own';
import { bookedTooMuch } from './compare-payouts';
import type { OwnBooks } from './own-books';

/** What an operator asks to book. `ownDay` says which line is meant where several days have one of this id. */
export type AskedEntry = Omit<TreasuryEntry, 'day' | 'line'> & { ownDay: Day | null };

const no = (message: string) => refuse<OperatorCode>('INVALID_STATE', { message });

/**
 * The line that a person means by its id.
 * @returns it, if it counts for a day that is open; or refused: NOT_FOUND for a line that is not kept, INVALID_STATE where
 *   several lines have this id, or the day is closed.
 */
export async function lineMeant(
  statements: Statements,
  lineId: string,
  ownDay: Day | null,
): Promise<Outcome<KeptLine, OperatorCode>> {
  const [line, ...others] = await findLines(statements, lineId, ownDay);
  if (!line) return refuse('NOT_FOUND');
  if (others.length > 0) {
    const days = [line, ...others].map((one) => one.ownDay).join(', ');
    return no(`The line ${lineId} is one of several days (${days}): name the day`);
  }
  if ((await findDay(statements, line.day))?.closedAt) return no(`The day ${line.day} is closed`);
  return done(line);
}

/**
 * Whether an entry may be proposed.
 * @returns the entry with the day to which its line counts; or refused: NOT_FOUND for a line that is not kept,
 *   INVALID_STATE where the entry cannot explain the line, or its day is closed.
 */
export async function entryFor(
  own: Pick<OwnBooks, 'environment'>,
  { ownDay, ...asked }: AskedEntry,
): Promise<Outcome<TreasuryEntry, OperatorCode>> {
  const { pool, directory } = own.environment;
  const meant = await lineMeant({ pool, directory, provider: asked.provider }, asked.lineId, ownDay);
  if (!meant.ok) return meant;
  const why = await wrongNow(own, meant.value, asked);
  return why === null ? done({ ...asked, line: meant.value.line, day: meant.value.day }) : no(why);
}

/** Why an entry does not fit its line as both are now; null where it does. */
async function wrongNow(
  { environment }: Pick<OwnBooks, 'environment'>,
  line: KeptLine,
  asked: Omit<AskedEntry, 'ownDay'>,
): Promise<string | null> {
  const { pool, directory } = environment;
  const statements = { pool, directory, provider: asked.provider };
  const cells = [...environment.cells.values()].map(({ schema }) => ({ schema, pool }));
  const explained = await explainedOf(statements, present(cells[0], 'the first cell'), [line]);
  const { transactionId, n } = line;
  const bookedTooMuchKobo =
    transactionId === null || n === null
      ? null
      : await bookedTooMuch(statements, cells, { transactionId, n }, line.day);
  const explainedKobo = explained.get(line.line)?.kobo ?? 0;
  return wrongWithEntry(asked, { ...line, provider: asked.provider, explainedKobo, bookedTooMuchKobo });
}

/**
 * Books an entry that people have agreed on, if it still fits its line. A second call finds what the first one has done.
 * @returns as `bookEntry`; INVALID_STATE also where the line was withdrawn, or other entries explain it meanwhile.
 */
export async function bookAgreedEntry(
  own: OwnBooks,
  id: string,
  entry: TreasuryEntry,
): Promise<Outcome<object, OperatorCode>> {
  const { pool, directory } = own.environment;
  const statements = { pool, directory, provider: entry.provider };
  if (!(await isEntryNoted(statements, id))) {
    const line = await findLine(statements, entry.line);
    if (!line) return no('The line was withdrawn');
    const why = await wrongNow(own, line, entry);
    if (why !== null) return no(why);
  }
  return bookEntry(statements, own.cell, id, entry);
}

/**
 * Books an entry. Its row is written before its money, and both are known by one id, so a second call finds what the first
 * one has done.
 * @param own the cell with what belongs to no partner.
 * @returns INVALID_STATE where another entry of this kind explains the line, or its day was closed meanwhile.
 */
export async function bookEntry(
  statements: Statements,
  own: Pick<OwnBooks['cell'], 'ledger'>,
  id: string,
  entry: TreasuryEntry,
): Promise<Outcome<object, OperatorCode>> {
  if (!(await noteEntry(statements, id, entry))) {
    return no('The line is explained, or its day is closed');
  }
  const why = await postOwn(own, {
    type: 'treasury_entry',
    postings: treasuryPostings(entry),
    transactionId: id,
    // It is about our own money, so it belongs to no partner.
    partnerId: FIRST_UUID,
    reference: `treasury_${id}`,
    amountKobo: entry.amountKobo,
  });
  return why === null
    ? done({})
    : refuse('SERVICE_UNAVAILABLE', { message: `The books are busy (${why}); approve again to book it` });
}
