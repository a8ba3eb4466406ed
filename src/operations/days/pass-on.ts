/**
 * Books what a provider passes on to our balance, payment by payment: a line of its statement that names a payment from
 * outside, and has what we are owed of it. Everything else about a line is left to people. Harmless the second time: the
 * entry of a payment has an id that is made from the payment, so that a payment is passed on once, whatever lines name it.
 */
import { passedOn } from '../../domain/day-check';
import type { Day } from '../../domain/days';
import { idNamed } from '../../db/pg/ids';
import { creditsOf, explainedOf, linesOfDay, type Statements } from '../../db/reconcile/provider-lines';
import type { Cell } from '../../db/pg/postgres';
import type { OwnBooks } from './own-books';
import { bookEntry } from './treasury-entries';

/** So many entries are on their way to the ledger at a time, which writes those together that wait for it. */
const AT_ONCE = 50;

/**
 * @param own the first cell, which has what belongs to no partner.
 * @throws Error where the books are busy. The next import goes on.
 */
export async function bookPassedOn(
  statements: Statements,
  own: Pick<OwnBooks['cell'], 'ledger'>,
  cells: readonly Cell[],
  day: Day,
): Promise<void> {
  const { provider } = statements;
  const lines = (await linesOfDay(statements, day)).filter(({ about }) => about === 'inbound');
  const credits = await creditsOf(cells, provider, lines);
  const [first] = cells;
  const explained = first ? await explainedOf(statements, first, lines) : new Map<string, unknown>();
  const due = lines.flatMap((line) => {
    const credit = credits.get(line.id);
    if (!credit?.isBooked || explained.has(line.id)) return [];
    const booked = passedOn(line.changeKobo, credit);
    return booked ? [{ line, booked, id: idNamed(`passed on/${credit.creditId}`) }] : [];
  });
  for (let done = 0; done < due.length; done += AT_ONCE) {
    await Promise.all(
      due.slice(done, done + AT_ONCE).map(async ({ line, booked, id }) => {
        const entry = { entry: 'settlement_to_balance', provider, lineId: line.id, day, note: '' } as const;
        const outcome = await bookEntry(statements, own, id, { ...entry, ...booked });
        // A line that people have explained meanwhile, or whose day they have closed, stays as they have left it.
        if (!outcome.ok && outcome.refusal.code !== 'INVALID_STATE') {
          throw new Error(
            `the line ${line.id} could not be booked now: ${outcome.refusal.message ?? outcome.refusal.code}`,
          );
        }
      }),
    );
  }
}
