/** Entries about our money with a provider: each explains a line of its statement. Two people book them, or a rule does. */
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { OperatorCode } from '../../domain/operators';
import { accountOfLine, explainedKobo, TREASURY_ENTRIES, type TreasuryEntry } from '../../domain/treasury';
import { findDay } from '../../db/reconcile/provider-days';
import { findLine, noteEntry, type Statements } from '../../db/reconcile/provider-lines';
import { FIRST_UUID } from '../../db/pg/ids';
import { postOwn } from '../money/post-own';
import type { OwnBooks } from './own-books';

/** What an operator asks to book. */
export type AskedEntry = Omit<TreasuryEntry, 'day'>;

/**
 * Whether an entry may be proposed.
 * @returns the entry with the day to which its line counts; or refused: NOT_FOUND for a line that is not kept,
 *   INVALID_STATE where the entry cannot explain the line, or its day is closed.
 */
export async function entryFor(
  { environment }: Pick<OwnBooks, 'environment'>,
  asked: AskedEntry,
): Promise<Outcome<TreasuryEntry, OperatorCode>> {
  const { pool, directory } = environment;
  const statements = { pool, directory, provider: asked.provider };
  const line = await findLine(statements, asked.lineId);
  if (!line) return refuse('NOT_FOUND');
  const no = (message: string) => refuse<OperatorCode>('INVALID_STATE', { message });
  if ((await findDay(statements, line.day))?.closedAt) return no(`The day ${line.day} is closed`);
  if (asked.feeKobo > 0 && !TREASURY_ENTRIES[asked.entry].hasFee) return no(`${asked.entry} has no fee`);
  const kobo = explainedKobo(asked, accountOfLine(line.about));
  if (Math.sign(kobo) !== Math.sign(line.changeKobo) || Math.abs(kobo) > Math.abs(line.changeKobo)) {
    return no(`${asked.entry} cannot explain a line of ${String(line.changeKobo)} kobo (${line.about})`);
  }
  return done({ ...asked, day: line.day });
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
    return refuse<OperatorCode>('INVALID_STATE', { message: 'The line is explained, or its day is closed' });
  }
  const why = await postOwn(own, {
    type: 'treasury_entry',
    booked: entry,
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
