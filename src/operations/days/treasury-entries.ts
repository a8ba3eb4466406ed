/** Entries about our money with a provider: each explains a line of its statement. Two people book them, or a rule does. */
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { OperatorCode } from '../../domain/operators';
import { present } from '../../domain/assert';
import { mayEnd } from '../../domain/suspense';
import {
  accountOfLine,
  endsFinding,
  explainedKobo,
  TREASURY_ENTRIES,
  type TreasuryEntry,
} from '../../domain/treasury';
import { findDay } from '../../db/reconcile/provider-days';
import { findLine, noteEntry, type Statements } from '../../db/reconcile/provider-lines';
import { FIRST_UUID } from '../../db/pg/ids';
import { findMoney } from '../../db/reconcile/suspense';
import { postOwn } from '../money/post-own';
import { moveOutOfSuspense } from '../money/suspense';
import type { OwnBooks } from './own-books';

/** What an operator asks to book. */
export type AskedEntry = Omit<TreasuryEntry, 'day' | 'ends'> & {
  /** Whose money it ends, for the kinds that end one; null for every other kind. */
  findingId: string | null;
};

/**
 * Whether an entry may be proposed.
 * @returns the entry with the day to which its line counts; or refused: NOT_FOUND for a line that is not kept,
 *   INVALID_STATE where the entry cannot explain the line, or its day is closed, or it cannot end the finding that it names.
 */
export async function entryFor(
  own: OwnBooks,
  { findingId, ...asked }: AskedEntry,
): Promise<Outcome<TreasuryEntry, OperatorCode>> {
  const { pool, directory } = own.environment;
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
  if (!endsFinding(asked.entry)) {
    if (findingId !== null) return no(`${asked.entry} ends no finding`);
    return done({ ...asked, day: line.day });
  }
  const money = findingId === null ? null : await findMoney(own.environment.cells.values(), findingId);
  if (!money) return no(`${asked.entry} needs the finding_id of an open finding with money in suspense`);
  const signedKobo = asked.entry === 'recovered' ? asked.amountKobo : -asked.amountKobo;
  if (!mayEnd(money, asked.entry, signedKobo)) {
    return no(`${asked.entry} cannot end ${String(money.kobo)} kobo of ${money.class}`);
  }
  const otherCell = money.cell.schema === own.cell.schema ? null : money.cell.schema;
  const ends = { class: money.class, resource: money.resource, otherCell };
  return done({ ...asked, day: line.day, ends });
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
