/**
 * Compares one day of a provider with our books: line by line, payout by payout, and the balance at its end. What differs
 * is a finding. Nothing is booked here. A second check gives the same, and closes the findings whose cause is gone.
 */
import { wrongWithLine } from '../../domain/day-check';
import { beginningOf, dayAfter, dayOf, type Day } from '../../domain/days';
import { dayOfFindings, type Finding } from '../../domain/findings';
import { payoutReference } from '../../domain/payouts';
import { balancesToldBy, toldOf } from '../../domain/statement-lines';
import { bookBalances } from '../../db/reconcile/provider-books';
import { dayBefore, keepDay, keepFindings, type DayFigures } from '../../db/reconcile/provider-days';
import { candidatesFor, creditsOf, dueOf, matchLines } from '../../db/reconcile/line-subjects';
import {
  linesOfDay,
  linesToldAgain,
  type KeptLine,
  type Statements,
} from '../../db/reconcile/provider-lines';
import { entriesAtBank, explainedOf } from '../../db/reconcile/treasury-entries';
import { OUR_BANK } from '../../domain/treasury';
import type { Cell } from '../../db/pg/postgres';
import { present } from '../../domain/assert';
import { comparePayouts, type ComparedPayout } from './compare-payouts';

export interface CheckedDay {
  figures: DayFigures;
  open: readonly Finding[];
  /** How many findings are not open because people have explained them. */
  explained: number;
}

/** For so many lines of a day people are shown which payouts have their amount. */
const COMPARED_MAX = 100;

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
  const nameOf = namesIn(lines, day);
  let compared = 0;
  for (const line of lines.filter(({ transactionId }) => transactionId === null)) {
    const credit = credits.get(line.line);
    const dueKobo = credit ? dueOf(credit) : null;
    const explainedKobo = explained.get(line.line)?.kobo ?? 0;
    const wrong = wrongWithLine({ changeKobo: line.changeKobo, explainedKobo, dueKobo });
    if (!wrong) continue;
    const maySay = wrong === 'line_unmatched' && line.changeKobo < 0 && compared++ < COMPARED_MAX;
    const candidates = maySay ? await candidatesFor(cells, provider, line) : [];
    const atBank = provider === OUR_BANK ? await entriesAtBank(statements, first, line) : [];
    const detail = {
      about: line.about,
      kobo: { line: line.changeKobo, explained: explainedKobo },
      ...(credit && { credit: { id: credit.creditId, due: dueKobo } }),
      ...(atBank.length > 0 && { entries: atBank }),
      ...(candidates.length > 0 && {
        candidates: candidates.map(({ transactionId, n }) => payoutReference(transactionId, n)),
      }),
    };
    findings.push({ class: wrong, resource: named(`line ${nameOf(line)}`), detail });
  }
  for (const line of lines.filter(({ ownDay }) => ownDay !== day)) {
    const detail = { of: line.ownDay, kobo: { line: line.changeKobo } };
    findings.push({ class: 'line_unmatched', resource: named(`late line ${nameOf(line)}`), detail });
  }
  findings.push(...(await differencesTold(statements, day, named)));

  const { closingKobo, openingKobo, sumKobo } = balancesOf(lines, before?.closingKobo ?? null);
  const { booksKobo, receivableKobo, receivableLateKobo } = await bookBalances(
    statements,
    cells,
    day,
    before ?? beginningAtBank(provider, day, openingKobo),
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
  const { open, explained: byPeople } = await keepFindings(first, statements, day, findings);
  await keepDay(statements, day, figures);
  return { figures, open, explained: byPeople };
}

/**
 * What our bank held before its first statement came from somewhere that these books do not know, so it is where they begin.
 * @returns null for a company: with it our books begin with nothing.
 */
const beginningAtBank = (provider: string, day: Day, openingKobo: number) =>
  provider === OUR_BANK ? { day: dayAfter(day, -1), booksKobo: openingKobo, receivableKobo: 0 } : null;

/** The id of a line, with its day where another line that counts for this day has the same id. */
function namesIn(lines: readonly KeptLine[], day: Day): (line: KeptLine) => string {
  const own = new Set<string>();
  const late = new Map<string, number>();
  for (const { id, ownDay } of lines) {
    if (ownDay === day) own.add(id);
    else late.set(id, (late.get(id) ?? 0) + 1);
  }
  return ({ id, ownDay }) =>
    ownDay !== day && (own.has(id) || (late.get(id) ?? 0) > 1) ? `${id} of ${ownDay}` : id;
}

/** Of so many lines a finding about lines that are not told any more has the ids. */
const MISSING_SHOWN = 20;

/** The lines of which the statement says something else now: one finding for each, and one for all that it does not tell. */
async function differencesTold(
  statements: Statements,
  day: Day,
  named: (what: string) => string,
): Promise<Finding[]> {
  const again = await linesToldAgain(statements, day);
  const isMissing = ({ toldAgain }: KeptLine): boolean => toldAgain !== null && 'line' in toldAgain;
  const findings = again
    .filter((line) => !isMissing(line))
    .map((line): Finding => {
      const kept = toldOf(line);
      const told = line.toldAgain ?? {};
      const was = Object.fromEntries(Object.keys(told).map((what) => [what, kept[what]]));
      return {
        class: 'line_differs',
        resource: named(`line ${line.id} of ${line.ownDay}`),
        detail: { kept: was, told },
      };
    });
  const missing = again.filter(isMissing);
  for (const of of new Set(missing.map(({ ownDay }) => ownDay))) {
    const lines = missing.filter(({ ownDay }) => ownDay === of);
    const kobo = { lines: lines.reduce((sum, { changeKobo }) => sum + changeKobo, 0) };
    const ids = lines.slice(0, MISSING_SHOWN).map(({ id }) => id);
    findings.push({
      class: 'line_differs',
      resource: named(`lines of ${of} that are not told any more`),
      detail: { count: lines.length, kobo, ids },
    });
  }
  return findings;
}

/** Whether what the provider has taken for a payout by the end of the day differs from our books for good reason. */
const isUnderWay = ({ apartKobo, isOpen, endedAt }: ComparedPayout, day: Day): boolean =>
  apartKobo === 0 || isOpen || (endedAt !== null && endedAt >= beginningOf(dayAfter(day)));

/** A payout is looked at on the day of a line of it, and on the day on which we have booked it. */
function findingOf(payout: ComparedPayout, day: Day, named: (what: string) => string): Finding[] {
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
