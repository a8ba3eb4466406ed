/** What the statement of a company says of our money with it. Nothing in it names a person. */
import type { Kobo } from './money';

/** What a line is about. A settlement is no change of our balance: it went to our bank account. `other` is what the company does not tie to one payment, such as money that we have sent it. */
export const LINE_SUBJECTS = ['payout', 'inbound', 'refund', 'settlement', 'other'] as const;
export type LineSubject = (typeof LINE_SUBJECTS)[number];

/** One change of our balance with a company, as the company has written it down. */
export interface StatementLine {
  /** The company's own id of the line: by it, and by its day, a line is known again. */
  id: string;
  at: Date;
  about: LineSubject;
  /** Below 0 for what left our balance. */
  changeKobo: number;
  /** Our balance after this line; null where the company does not say it. */
  balanceKobo: Kobo | null;
  /** The reference under which we have ordered what it is about; null where the line has none. */
  reference: string | null;
  /** The company's own id of the payment. */
  providerRef: string | null;
  sessionId: string | null;
}

/**
 * Whether a long number was rounded by a spreadsheet: it is in scientific notation, or has zeros after its fifteenth digit. What
 * it named cannot be known any more.
 */
export const isRounded = (id: string): boolean =>
  /^[+-]?\d+([.,]\d+)?[eE][+-]?\d+$/.test(id.trim()) || /^\d{15}0{5,}$/.test(id.trim());

/** What a line says, as a finding shows it. */
export type ToldOfLine = Record<string, string | number | null>;

/** What is compared when a line comes again. The names of a payment stand last. */
const COMPARED = {
  at: ({ at }) => at.toISOString(),
  about: ({ about }) => about,
  kobo: ({ changeKobo }) => changeKobo,
  balance: ({ balanceKobo }) => balanceKobo,
  reference: ({ reference }) => reference,
  providerRef: ({ providerRef }) => providerRef,
  sessionId: ({ sessionId }) => sessionId,
} as const satisfies Record<string, (line: StatementLine) => string | number | null>;

/**
 * Compares a line that comes again under a known id with the line that is kept: an id alone never makes two lines one. The
 * session of a payment may be told later than the payment, so it differs only where both say it.
 * @returns what is told now of each thing that differs; null where the two are one line.
 */
export function differenceOf(kept: StatementLine, told: StatementLine): ToldOfLine | null {
  const differs = Object.entries(COMPARED).filter(
    ([name, of]) =>
      of(kept) !== of(told) && (name !== 'sessionId' || (kept.sessionId !== null && told.sessionId !== null)),
  );
  return differs.length === 0 ? null : Object.fromEntries(differs.map(([name, of]) => [name, of(told)]));
}

/** What a line says, for people who compare it. */
export const toldOf = (line: StatementLine): ToldOfLine =>
  Object.fromEntries(Object.entries(COMPARED).map(([name, of]) => [name, of(line)]));

/** What stands for a line that the statement does not have any more. */
export const NOT_TOLD: ToldOfLine = { line: 'is not told any more' };

/** Money that came in for wallets and that a company has passed on to our bank account. */
export interface CompanySettlement {
  id: string;
  at: Date;
  /** What has arrived, after everything that the company has kept. */
  amountKobo: Kobo;
}

/** A line as it changes the balance. */
type Change = Pick<StatementLine, 'at' | 'changeKobo' | 'balanceKobo'>;

/**
 * What the lines say of the balance before the first of them and after the last; null where no line says it. A company may
 * write its times by the second, and lines of one moment come in any order: what one of them has left is where the next one
 * begins, so the moment begins where none of them has left it, and ends where none of them begins.
 * @param lines ordered by their times.
 */
export function balancesToldBy(lines: readonly Change[]): { firstKobo: Kobo; lastKobo: Kobo } | null {
  const telling = lines.flatMap(({ at, changeKobo, balanceKobo: after }) =>
    after === null ? [] : [{ ms: at.getTime(), before: after - changeKobo, after }],
  );
  const [first, last] = [telling[0], telling.at(-1)];
  if (!first || !last) return null;
  const opening = telling.filter(({ ms }) => ms === first.ms);
  const closing = telling.filter(({ ms }) => ms === last.ms);
  return {
    firstKobo:
      onlyIn(
        opening.map(({ before }) => before),
        opening.map(({ after }) => after),
      ) ?? first.before,
    lastKobo:
      onlyIn(
        closing.map(({ after }) => after),
        closing.map(({ before }) => before),
      ) ?? last.after,
  };
}

/** The one that `some` has more often than `others`; undefined where there is none, or where there are several. */
function onlyIn(some: readonly Kobo[], others: readonly Kobo[]): Kobo | undefined {
  const left = [...some];
  for (const one of others) {
    const found = left.indexOf(one);
    if (found !== -1) left.splice(found, 1);
  }
  return left.length === 1 ? left[0] : undefined;
}
