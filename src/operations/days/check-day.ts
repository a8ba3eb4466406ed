/**
 * Compares one day of a provider with our books: line by line, payout by payout, and the balance at its end. What differs
 * is a finding. Nothing is booked here. A second check gives the same, and closes the findings whose cause is gone.
 */
import { wrongWithLine, wrongWithPayout } from '../../domain/day-check';
import { beginningOf, dayAfter, dayOf, type Day } from '../../domain/days';
import { dayOfFindings, type Finding } from '../../domain/findings';
import { payoutReference } from '../../domain/payouts';
import { balancesToldBy } from '../../domain/statement-lines';
import { bookBalances, payoutsAround, type BookedPayout } from '../../db/reconcile/provider-books';
import { dayBefore, keepDay, keepFindings, type DayFigures } from '../../db/reconcile/provider-days';
import {
  candidatesFor,
  creditsOf,
  dueOf,
  explainedOf,
  linesOfDay,
  matchLines,
  type KeptLine,
  type Statements,
} from '../../db/reconcile/provider-lines';
import type { Cell } from '../../db/pg/postgres';
import { present } from '../../domain/assert';

export interface CheckedDay {
  figures: DayFigures;
  open: readonly Finding[];
}

/** For so many lines of a day people are shown which payouts have their amount. */
const COMPARED_MAX = 100;

/** A payout with what treasury entries have booked to explain its lines. */
type Payout = BookedPayout & {
  apartKobo: number;
  toldByThenKobo: number;
  wrong: ReturnType<typeof wrongWithPayout>;
};

/**
 * @param cells of the environment; what belongs to no partner, and the findings, are in the first one.
 * @throws Error where the opening of the first day is not known, because none of its lines says the balance.
 */
export async function checkDay(
  statements: Statements,
  cells: readonly Cell[],
  day: Day,
): Promise<CheckedDay> {
  const { provider } = statements;
  const first = present(cells[0], 'the first cell');
  await matchLines(statements, cells, await linesOfDay(statements, day), day);
  const lines = await linesOfDay(statements, day);
  const before = await dayBefore(statements, day);
  const named = (what: string): string => dayOfFindings(provider, day) + what;

  const payouts = await comparePayouts(statements, cells, day);
  const findings: Finding[] = payouts.flatMap((payout) => findingOf(payout, day, named));
  const explained = await explainedOf(statements, first, lines);
  const credits = await creditsOf(
    cells,
    provider,
    lines.filter(({ about }) => about === 'inbound'),
  );
  let compared = 0;
  for (const line of lines.filter(({ transactionId }) => transactionId === null)) {
    const credit = credits.get(line.id);
    const dueKobo = credit ? dueOf(credit) : null;
    const explainedKobo = explained.get(line.id)?.kobo ?? 0;
    const wrong = wrongWithLine({ changeKobo: line.changeKobo, explainedKobo, dueKobo });
    if (!wrong) continue;
    const maySay = wrong === 'line_unmatched' && line.changeKobo < 0 && compared++ < COMPARED_MAX;
    const candidates = maySay ? await candidatesFor(cells, provider, line) : [];
    const detail = {
      about: line.about,
      kobo: { line: line.changeKobo, explained: explainedKobo },
      ...(credit && { credit: { id: credit.creditId, due: dueKobo } }),
      ...(candidates.length > 0 && {
        candidates: candidates.map(({ transactionId, n }) => payoutReference(transactionId, n)),
      }),
    };
    findings.push({ class: wrong, resource: named(`line ${line.id}`), detail });
  }
  for (const line of lines.filter(({ at }) => dayOf(at) !== day)) {
    const detail = { of: dayOf(line.at), kobo: { line: line.changeKobo } };
    findings.push({ class: 'line_unmatched', resource: named(`late line ${line.id}`), detail });
  }

  const { closingKobo, openingKobo, sumKobo } = balancesOf(lines, before?.closingKobo ?? null);
  const { booksKobo, receivableKobo, receivableLateKobo } = await bookBalances(
    statements,
    cells,
    day,
    before,
  );
  const underWayKobo = payouts
    .filter((payout) => isUnderWay(payout, day))
    .reduce((sum, { toldByThenKobo, bookedByThenKobo }) => sum + toldByThenKobo - bookedByThenKobo, 0);
  const balanceDiffers = (what: string, kobo: Record<string, number>): void => {
    findings.push({ class: 'balance_differs', resource: named(what), detail: { kobo } });
  };
  if (openingKobo + sumKobo !== closingKobo) {
    balanceDiffers('lines', { opening: openingKobo, lines: sumKobo, closing: closingKobo });
  }
  if (booksKobo + underWayKobo !== closingKobo) {
    balanceDiffers('balance', { closing: closingKobo, books: booksKobo, underWay: underWayKobo });
  }
  if (receivableLateKobo > 0) {
    balanceDiffers('receivable', { receivable: receivableKobo, late: receivableLateKobo });
  }

  const figures = { openingKobo, closingKobo, lines: lines.length, booksKobo, underWayKobo, receivableKobo };
  const open = await keepFindings(first, statements, day, findings);
  await keepDay(statements, day, figures);
  return { figures, open };
}

async function comparePayouts(statements: Statements, cells: readonly Cell[], day: Day): Promise<Payout[]> {
  const first = present(cells[0], 'the first cell');
  const around = (await Promise.all(cells.map((cell) => payoutsAround(statements, cell, day)))).flat();
  const lines = around.flatMap((payout) => payout.lines.map(({ id }) => ({ id, about: 'payout' as const })));
  const explained = await explainedOf(statements, first, lines);
  return around.map((payout) => {
    const entries = payout.lines.map((line) => ({ ...line, ...explained.get(line.id) }));
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

/** Whether what the provider has taken for a payout by the end of the day differs from our books for good reason. */
const isUnderWay = ({ apartKobo, isOpen, endedAt }: Payout, day: Day): boolean =>
  apartKobo === 0 || isOpen || (endedAt !== null && endedAt >= beginningOf(dayAfter(day)));

/** A payout is looked at on the day of a line of it, and on the day on which we have booked it. */
function findingOf(payout: Payout, day: Day, named: (what: string) => string): Finding[] {
  const { wrong, lines, endedAt } = payout;
  const isOfDay = lines.some((line) => line.day === day) || (endedAt !== null && dayOf(endedAt) === day);
  if (!wrong || !isOfDay) return [];
  const detail = {
    state: payout.state,
    kobo: { amount: payout.amountKobo, booked: payout.bookedKobo },
    lines: lines.map(({ id, changeKobo }) => ({ id, kobo: changeKobo })),
  };
  return [{ class: wrong, resource: named(payoutReference(payout.transactionId, payout.n)), detail }];
}

/** What the lines of a day say of our balance. A settlement is none of its changes. */
function balancesOf(
  lines: readonly KeptLine[],
  openingKnownKobo: number | null,
): { openingKobo: number; closingKobo: number; sumKobo: number } {
  const changes = lines.filter(({ about }) => about !== 'settlement');
  const sumKobo = changes.reduce((sum, { changeKobo }) => sum + changeKobo, 0);
  const told = balancesToldBy(changes);
  const openingKobo = openingKnownKobo ?? told?.firstKobo ?? null;
  if (openingKobo === null) {
    throw new Error('No line of the first day says the balance, so its beginning is not known');
  }
  return { openingKobo, closingKobo: told?.lastKobo ?? openingKobo + sumKobo, sumKobo };
}
