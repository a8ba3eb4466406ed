/** Compares payouts with the lines of a provider's statement: all lines of a payout with all that is booked because of it. */
import { present } from '../../domain/assert';
import { wrongWithPayout } from '../../domain/day-check';
import type { Day } from '../../domain/days';
import {
  bookedPayouts,
  payoutsAround,
  type AttemptName,
  type BookedPayout,
} from '../../db/reconcile/provider-books';
import type { Statements } from '../../db/reconcile/provider-lines';
import { explainedOf } from '../../db/reconcile/treasury-entries';
import type { Cell } from '../../db/pg/postgres';

/** A payout with what treasury entries have booked to explain its lines. */
export type ComparedPayout = BookedPayout & {
  /** By how much its lines say more of our balance than our books; above 0 where too much is booked. */
  apartKobo: number;
  toldByThenKobo: number;
  wrong: ReturnType<typeof wrongWithPayout>;
};

/** The payouts that a day may be about. @param cells of the environment; treasury entries are in the first one. */
export async function comparePayouts(
  statements: Statements,
  cells: readonly Cell[],
  day: Day,
): Promise<ComparedPayout[]> {
  const around = await Promise.all(cells.map((cell) => payoutsAround(statements, cell, day)));
  return withLines(statements, cells, around.flat(), day);
}

/** By how much more is booked for a payout than its lines say, all entries included; below 0 where it is less. */
export async function bookedTooMuch(
  statements: Statements,
  cells: readonly Cell[],
  attempt: AttemptName,
  day: Day,
): Promise<number> {
  const found = await Promise.all(cells.map((cell) => bookedPayouts(statements, cell, [attempt], day)));
  const [payout] = await withLines(statements, cells, found.flat(), day);
  return payout?.apartKobo ?? 0;
}

async function withLines(
  statements: Statements,
  cells: readonly Cell[],
  payouts: readonly BookedPayout[],
  day: Day,
): Promise<ComparedPayout[]> {
  const explained = await explainedOf(
    statements,
    present(cells[0], 'the first cell'),
    payouts.flatMap(({ lines }) => lines),
  );
  return payouts.map((payout) => {
    const entries = payout.lines.map((line) => ({ ...line, ...explained.get(line.line) }));
    const extraKobo = entries.reduce((sum, { kobo }) => sum + (kobo ?? 0), 0);
    const extraPayments = entries.reduce((sum, { payments }) => sum + (payments ?? 0), 0);
    const compared = {
      ...payout,
      bookedKobo: payout.bookedKobo + extraKobo,
      // An entry counts for the day of its line.
      bookedByThenKobo:
        payout.bookedByThenKobo +
        entries.reduce((sum, line) => sum + (line.day <= day ? (line.kobo ?? 0) : 0), 0),
      bookedPayments: payout.bookedPayments + extraPayments,
    };
    const toldKobo = payout.lines.map(({ changeKobo }) => changeKobo);
    const apartKobo = toldKobo.reduce((sum, one) => sum + one, 0) - compared.bookedKobo;
    const toldByThenKobo = payout.lines
      .filter((line) => line.day <= day)
      .reduce((sum, { changeKobo }) => sum + changeKobo, 0);
    return { ...compared, apartKobo, toldByThenKobo, wrong: wrongWithPayout({ ...compared, toldKobo }) };
  });
}
