/**
 * Imports one day of a provider's statement, books what it passes on of payments, and compares it with our books. The lines come from the provider itself, or
 * from a file with the same columns. A line is kept once, so that a day can be imported as often as people like.
 */
import { beginningOf, dayAfter, dayOf, type Day } from '../../domain/days';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { CompanySettlement, StatementLine } from '../../domain/statement-lines';
import { dayBefore, findDay } from '../../db/reconcile/provider-days';
import { keepLines, type Statements } from '../../db/reconcile/provider-lines';
import type { Cell } from '../../db/pg/postgres';
import type { Environment } from '../../runtime/environment';
import { checkDay, type CheckedDay } from './check-day';
import type { OwnBooks } from './own-books';
import { bookPassedOn } from './pass-on';

type Treasury = Environment['providers']['treasury'][number]['treasury'];

/** What an import has done. */
export interface ImportedDay extends CheckedDay {
  /** The day that was compared: a later one, where lines came for a day that is closed. */
  day: Day;
  imported: number;
}

/**
 * @param own the first cell of the environment, whose ledger books what belongs to no partner.
 * @param lines of the day, from a file; null to ask the provider.
 * @returns what was compared, or why nothing was: INVALID_STATE with a sentence for a person.
 * @throws Error where the provider does not tell its whole statement. Nothing is kept then.
 */
export async function importDay(
  statements: Statements,
  own: Pick<OwnBooks['cell'], 'ledger'>,
  cells: readonly Cell[],
  treasury: Treasury | null,
  day: Day,
  lines: readonly StatementLine[] | null,
): Promise<Outcome<ImportedDay, 'INVALID_STATE'>> {
  const { provider } = statements;
  const no = (message: string) => refuse<'INVALID_STATE'>('INVALID_STATE', { message });
  if (beginningOf(day) > new Date()) return no(`${day} has not begun`);
  const before = await dayBefore(statements, day);
  if (before && before.day !== dayAfter(day, -1)) return no(`Import ${dayAfter(before.day)} first`);
  const known = await findDay(statements, day);
  const isClosed = Boolean(known?.closedAt);
  if (!before && !known && (await findDay(statements, dayAfter(day)))) {
    return no(`${day} is before the first day of ${provider}`);
  }
  const told = lines ?? (treasury ? await readStatement(treasury, day) : null);
  if (!told) return no(`${provider} tells no statement; give its lines in a file`);
  const foreign = told.find(({ at }) => dayOf(at) !== day);
  if (foreign) return no(`The line ${foreign.id} is not of ${day}`);
  const imported = await keepLines(statements, told);
  const counted = isClosed ? await firstOpenDay(statements, day) : day;
  if (isClosed && imported === 0) return no(`${day} is closed, and no new line has come`);
  await bookPassedOn(statements, own, cells, counted);
  return done({ day: counted, imported, ...(await checkDay(statements, cells, counted)) });
}

/** Everything that a provider says of a day. */
async function readStatement(treasury: Treasury, day: Day): Promise<StatementLine[]> {
  const span = { from: beginningOf(day), to: beginningOf(dayAfter(day)) };
  const changes = await once(treasury.lines(span));
  const settled = treasury.settlements ? await once(treasury.settlements(span)) : [];
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

/** All items of a list, each once. */
async function once<Item extends { id: string }>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items = new Map<string, Item>();
  for await (const page of pages) for (const item of page) items.set(item.id, item);
  return [...items.values()];
}

async function firstOpenDay(statements: Statements, day: Day): Promise<Day> {
  let open = day;
  while ((await findDay(statements, open))?.closedAt) open = dayAfter(open);
  return open;
}
