/**
 * Books what the lines of a statement say of payments from outside, payment by payment: what a provider passes on to our
 * balance, where it is what we are owed, and what it takes from there for a refund that we know. Everything else about a line
 * is left to people. Harmless the second time: each entry has an id that is made from the payment or the refund, so that it
 * is booked once, whatever lines name it.
 */
import { passedOn, takenFor } from '../../domain/day-check';
import type { Day } from '../../domain/days';
import type { TreasuryEntry } from '../../domain/treasury';
import { idNamed } from '../../db/pg/ids';
import { creditsOf, refundsOf } from '../../db/reconcile/line-subjects';
import { linesOfDay, type KeptLine, type Statements } from '../../db/reconcile/provider-lines';
import { explainedOf } from '../../db/reconcile/treasury-entries';
import type { Cell } from '../../db/pg/postgres';
import type { OwnBooks } from './own-books';
import { bookEntry } from './treasury-entries';

/** So many entries are on their way to the ledger at a time, which writes those together that wait for it. */
const AT_ONCE = 50;

/** What a line shows, with the id of its entry. */
interface Shown {
  id: string;
  line: KeptLine;
  booked: Pick<TreasuryEntry, 'entry' | 'amountKobo' | 'feeKobo' | 'owedKobo'>;
}

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
  const lines = await linesOfDay(statements, day);
  const shown = [
    ...(await paymentsShown(cells, provider, lines)),
    ...(await refundsShown(cells, provider, lines)),
  ];
  const [first] = cells;
  if (!first || shown.length === 0) return;
  const explained = await explainedOf(
    statements,
    first,
    shown.map(({ line }) => line),
  );
  const due = shown.filter(({ line }) => !explained.has(line.line));
  for (let done = 0; done < due.length; done += AT_ONCE) {
    await Promise.all(
      due.slice(done, done + AT_ONCE).map(async ({ line: { line, id: lineId }, booked, id }) => {
        const entry = { provider, line, lineId, day, note: '', ...booked };
        const outcome = await bookEntry(statements, own, id, entry);
        // A line that people have explained meanwhile, or whose day they have closed, stays as they have left it.
        if (!outcome.ok && outcome.refusal.code !== 'INVALID_STATE') {
          throw new Error(
            `the line ${lineId} could not be booked now: ${outcome.refusal.message ?? outcome.refusal.code}`,
          );
        }
      }),
    );
  }
}

async function paymentsShown(
  cells: readonly Cell[],
  provider: string,
  all: readonly KeptLine[],
): Promise<Shown[]> {
  const lines = all.filter(({ about }) => about === 'inbound');
  const credits = await creditsOf(cells, provider, lines);
  return lines.flatMap((line) => {
    const credit = credits.get(line.line);
    const shown = credit?.isBooked ? passedOn(line.changeKobo, credit) : null;
    if (!credit || !shown) return [];
    const id = idNamed(`passed on/${credit.creditId}`);
    return [{ id, line, booked: { entry: 'settlement_to_balance', ...shown } }];
  });
}

async function refundsShown(
  cells: readonly Cell[],
  provider: string,
  all: readonly KeptLine[],
): Promise<Shown[]> {
  // A provider may write a refund like a payout; a line of a payout of ours has its attempt.
  const lines = all
    .filter(({ transactionId, changeKobo }) => transactionId === null && changeKobo < 0)
    // What a provider numbers beside its refunds has numbers of its own.
    .map((line) => (line.about === 'refund' ? line : { ...line, providerRef: null }))
    .filter(({ reference, providerRef }) => reference !== null || providerRef !== null);
  const byRow = new Map(lines.map((line) => [line.line, line]));
  return (await refundsOf(cells, provider, lines)).flatMap(({ line: row, refundId, amountKobo }) => {
    const line = byRow.get(row);
    const shown = line ? takenFor(line.changeKobo, amountKobo) : null;
    if (!line || !shown) return [];
    return [{ id: idNamed(`refund taken/${refundId}`), line, booked: { entry: 'refund_taken', ...shown } }];
  });
}
