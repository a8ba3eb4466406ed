/** Entries about our money with a provider: each explains a line of its statement. Two people book them, or a rule does. */
import { present } from '../../domain/assert';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { OperatorCode } from '../../domain/operators';
import { mayEnd } from '../../domain/suspense';
import { endsFinding, suspenseOfEntry, wrongWithEntry, type TreasuryEntry } from '../../domain/treasury';
import { treasuryPostings } from '../../domain/postings';
import type { Day } from '../../domain/days';
import { findDay } from '../../db/reconcile/provider-days';
import { findLine, findLines, type KeptLine, type Statements } from '../../db/reconcile/provider-lines';
import { explainedOf, isEntryNoted, noteEntry } from '../../db/reconcile/treasury-entries';
import { FIRST_UUID } from '../../db/pg/ids';
import { findMoney } from '../../db/reconcile/suspense';
import { postOwn } from '../money/post-own';
import { moveOutOfSuspense } from '../money/suspense';
import { bookedTooMuch } from './compare-payouts';
import type { OwnBooks } from './own-books';

/**
 * What an operator asks to book. `ownDay` says which line is meant where several days have one of this id, and `findingId` whose
 * money it ends, for the kinds that end one.
 */
export type AskedEntry = Omit<TreasuryEntry, 'day' | 'line' | 'ends'> & {
  ownDay: Day | null;
  findingId: string | null;
};

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
 *   INVALID_STATE where the entry cannot explain the line, or its day is closed, or it cannot end the finding that it names.
 */
export async function entryFor(
  own: OwnBooks,
  { ownDay, findingId, ...asked }: AskedEntry,
): Promise<Outcome<TreasuryEntry, OperatorCode>> {
  const { pool, directory } = own.environment;
  const meant = await lineMeant({ pool, directory, provider: asked.provider }, asked.lineId, ownDay);
  if (!meant.ok) return meant;
  const why = await wrongNow(own, meant.value, asked);
  if (why !== null) return no(why);
  const entry: TreasuryEntry = { ...asked, line: meant.value.line, day: meant.value.day };
  if (!endsFinding(asked.entry)) {
    return findingId === null ? done(entry) : no(`${asked.entry} ends no finding`);
  }
  const money = findingId === null ? null : await findMoney(own.environment.cells.values(), findingId);
  if (!money) return no(`${asked.entry} needs the finding_id of an open finding with money in suspense`);
  const signedKobo = asked.entry === 'recovered' ? asked.amountKobo : -asked.amountKobo;
  if (!mayEnd(money, asked.entry, signedKobo)) {
    return no(`${asked.entry} cannot end ${String(money.kobo)} kobo of ${money.class}`);
  }
  const otherCell = money.cell.schema === own.cell.schema ? null : money.cell.schema;
  return done({ ...entry, ends: { class: money.class, resource: money.resource, otherCell } });
}

/** Why an entry does not fit its line as both are now; null where it does. */
async function wrongNow(
  { environment }: Pick<OwnBooks, 'environment'>,
  line: KeptLine,
  asked: Omit<AskedEntry, 'ownDay' | 'findingId'>,
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
  return bookEntry(statements, own.cell, id, entry, own.environment.cells);
}

/**
 * Books an entry. Its row is written before its money, and both are known by one id, so a second call finds what the first
 * one has done.
 * @param own the cell with what belongs to no partner.
 * @param cells of the environment, by name: the finding that it ends may be in another one.
 * @returns INVALID_STATE where another entry of this kind explains the line, or its day was closed meanwhile.
 */
export async function bookEntry(
  statements: Statements,
  own: Pick<OwnBooks['cell'], 'ledger'>,
  id: string,
  entry: TreasuryEntry,
  cells: ReadonlyMap<string, Pick<OwnBooks['cell'], 'ledger'>> = new Map(),
): Promise<Outcome<object, OperatorCode>> {
  if (!(await noteEntry(statements, id, entry))) {
    return no('The line is explained, or its day is closed');
  }
  const why = await postOwn(own, {
    type: 'treasury_entry',
    postings: treasuryPostings(entry),
    finding: suspenseOfEntry(entry),
    transactionId: id,
    // It is about our own money, so it belongs to no partner.
    partnerId: FIRST_UUID,
    reference: `treasury_${id}`,
    amountKobo: entry.amountKobo,
  });
  if (why !== null) {
    return refuse('SERVICE_UNAVAILABLE', {
      message: `The books are busy (${why}); approve again to book it`,
    });
  }
  if (entry.ends && entry.ends.otherCell !== null) {
    const { otherCell, class: name, resource } = entry.ends;
    const cell = present(cells.get(otherCell), `the cell ${otherCell}`);
    const isBack = entry.entry === 'recovered';
    const from = { class: name, resource, account: isBack ? '1900' : '2900' } as const;
    const leftKobo = isBack ? -entry.amountKobo : entry.amountKobo;
    await moveOutOfSuspense(cell, `ended by/${id}`, from, leftKobo, '1990');
  }
  return done({});
}
