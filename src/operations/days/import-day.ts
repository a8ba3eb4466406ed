/**
 * Imports one day of a provider's statement, books what it passes on of payments, and compares it with our books. The lines
 * come from the provider itself, or from a file with the same columns. A line is kept once, so that a day can be imported as
 * often as people like; a line that comes again is compared with the one that is kept. Everything is checked before anything
 * is kept.
 */
import { isCompanyName } from '../../domain/accounts';
import { beginningOf, dayAfter, dayOf, type Day } from '../../domain/days';
import { done, refuse, type Outcome } from '../../domain/outcome';
import {
  balancesToldBy,
  differenceOf,
  type CompanySettlement,
  type StatementLine,
} from '../../domain/statement-lines';
import { dayBefore, findDay } from '../../db/reconcile/provider-days';
import { isKnownProvider, keepLines, linesOfDay, type Statements } from '../../db/reconcile/provider-lines';
import type { Cell } from '../../db/pg/postgres';
import type { Environment } from '../../runtime/environment';
import { checkDay, type CheckedDay } from './check-day';
import type { OwnBooks } from './own-books';
import { bookPassedOn } from './pass-on';

type Treasury = Environment['providers']['treasury'][number]['treasury'];

/** Where the lines of a day come from. */
export interface DaySource {
  /** What tells the statement of the provider; null where nothing does. */
  treasury: Treasury | null;
  /** The lines of the whole day, from a file that people have made; null to ask the provider. */
  lines: readonly StatementLine[] | null;
  /** Whether a provider of which nothing is kept may be taken: it is configured, or a person has introduced it. */
  mayBeNew: boolean;
}

/** What an import has done. */
export interface ImportedDay extends CheckedDay {
  /** The day that was compared: a later one, where lines came for a day that is closed. */
  day: Day;
  imported: number;
  /** What the statement itself has: how many lines, and the balance after the last one where it says it. */
  told: { lines: number; closingKobo: number | null };
}

/**
 * @param own the first cell of the environment, whose ledger books what belongs to no partner.
 * @returns what was compared, or why nothing was and nothing is kept: INVALID_STATE with a sentence for a person.
 * @throws Error where the provider does not tell its whole statement. Nothing is kept then.
 */
export async function importDay(
  statements: Statements,
  own: Pick<OwnBooks['cell'], 'ledger'>,
  cells: readonly Cell[],
  source: DaySource,
  day: Day,
): Promise<Outcome<ImportedDay, 'INVALID_STATE'>> {
  const begun = await importable(statements, source, day);
  if (!begun.ok) return begun;
  const { provider } = statements;
  const no = (message: string) => refuse<'INVALID_STATE'>('INVALID_STATE', { message });
  const lines = source.lines ?? (source.treasury ? await readStatement(source.treasury, day) : null);
  if (!lines) return no(`${provider} tells no statement; give its lines in a file`);
  const wrong = wrongIn(lines, day);
  if (wrong !== null) return no(wrong);
  const closing = balancesToldBy(inOrder(lines));
  if (!closing && !(await knowsBeginning(statements, day))) {
    return no('No line of the first day says the balance, so its beginning is not known');
  }
  const isByHand = source.lines !== null;
  const { imported, differing } = await keepLines(statements, { day, lines, isByHand });
  const { isClosed } = begun.value;
  if (isClosed && imported + differing === 0) return no(`${day} is closed, and no new line has come`);
  const counted = isClosed ? await firstOpenDay(statements, day) : day;
  await bookPassedOn(statements, own, cells, counted);
  const told = { lines: lines.length, closingKobo: closing?.lastKobo ?? null };
  return done({ day: counted, imported, told, ...(await checkDay(statements, cells, counted)) });
}

/** Whether a day of a provider may be imported at all. @returns whether it is closed. */
async function importable(
  statements: Statements,
  { mayBeNew }: DaySource,
  day: Day,
): Promise<Outcome<{ isClosed: boolean }, 'INVALID_STATE'>> {
  const { provider } = statements;
  const no = (message: string) => refuse<'INVALID_STATE'>('INVALID_STATE', { message });
  if (!isCompanyName(provider)) {
    return no(`${provider} is no name of a company: 1 to 14 of a-z, 0-9 and -, a letter first`);
  }
  if (!mayBeNew && !(await isKnownProvider(statements))) {
    return no(
      `Nothing is known of ${provider}: it is not configured, and no line of it is kept. If it is new, add --new-company`,
    );
  }
  if (beginningOf(day) > new Date()) return no(`${day} has not begun`);
  const before = await dayBefore(statements, day);
  if (before && before.day !== dayAfter(day, -1)) return no(`Import ${dayAfter(before.day)} first`);
  const known = await findDay(statements, day);
  if (!before && !known && (await findDay(statements, dayAfter(day)))) {
    return no(`${day} is before the first day of ${provider}`);
  }
  return done({ isClosed: Boolean(known?.closedAt) });
}

/** What is wrong with the lines themselves; null where nothing is. */
function wrongIn(lines: readonly StatementLine[], day: Day): string | null {
  const ids = new Set<string>();
  for (const { id, at } of lines) {
    if (dayOf(at) !== day) return `The line ${id} is not of ${day}, but of ${dayOf(at)}`;
    if (ids.has(id)) return `The line ${id} is there twice`;
    ids.add(id);
  }
  return null;
}

const inOrder = (lines: readonly StatementLine[]): StatementLine[] =>
  lines
    .filter(({ about }) => about !== 'settlement')
    .toSorted(
      (a, b) => a.at.getTime() - b.at.getTime() || a.id.length - b.id.length || (a.id < b.id ? -1 : 1),
    );

/** Whether the balance before a day is known without its statement. */
async function knowsBeginning(statements: Statements, day: Day): Promise<boolean> {
  if (await dayBefore(statements, day)) return true;
  return balancesToldBy(await linesOfDay(statements, day)) !== null;
}

/** Everything that a provider says of a day. */
async function readStatement(treasury: Treasury, day: Day): Promise<StatementLine[]> {
  const span = { from: beginningOf(day), to: beginningOf(dayAfter(day)) };
  const { settlements } = treasury;
  const differs = (one: StatementLine, other: StatementLine): boolean => differenceOf(one, other) !== null;
  const changes = await once(treasury.lines(span), differs);
  const settled = settlements
    ? await once(settlements(span), (one, other) => differs(lineOfSettlement(one), lineOfSettlement(other)))
    : [];
  return [...changes, ...settled.map(lineOfSettlement)];
}

/** A settlement as a line. Its id has a name before it, because a provider numbers its lists apart. */
const lineOfSettlement = ({ id, at, amountKobo }: CompanySettlement): StatementLine => ({
  id: `settlement-${id}`,
  at,
  about: 'settlement',
  changeKobo: amountKobo,
  balanceKobo: null,
  reference: null,
  providerRef: id,
  sessionId: null,
});

/** All items of a list, each once: one that comes on two pages is one item, if it says the same on both. */
async function once<Item extends { id: string }>(
  pages: AsyncIterable<readonly Item[]>,
  differs: (one: Item, other: Item) => boolean,
): Promise<Item[]> {
  const items = new Map<string, Item>();
  for await (const page of pages) {
    for (const item of page) {
      const known = items.get(item.id);
      if (known && differs(known, item)) {
        throw new Error(`${item.id} is told twice in one statement, and not as the same`);
      }
      items.set(item.id, item);
    }
  }
  return [...items.values()];
}

async function firstOpenDay(statements: Statements, day: Day): Promise<Day> {
  let open = day;
  while ((await findDay(statements, open))?.closedAt) open = dayAfter(open);
  return open;
}
