/**
 * What the statement of a provider says of our payouts, compared with our books. Two tables: which attempt a line is
 * about, and what is wrong with a payout. Nothing is booked here, and nothing is guessed: what differs is a finding.
 */
import type { FindingClass } from './findings';
import { EXPECTED_FEE } from './inbound';
import type { Kobo } from './money';
import { payoutReference } from './payouts';
import type { StatementLine } from './statement-lines';
import type { TreasuryEntry } from './treasury';

/** What the provider knows an attempt by. */
export interface KnownAttempt {
  transactionId: string;
  n: number;
  providerRef: string | null;
  sessionId: string | null;
}

type Named = Pick<StatementLine, 'reference' | 'providerRef' | 'sessionId'>;

/** How a line names an attempt, the surest way first. Amount and day never decide: two payouts can have the same. */
const WAYS: readonly {
  says: (line: Named) => string | null;
  names: (attempt: KnownAttempt) => string | null;
}[] = [
  { says: ({ reference }) => reference, names: ({ transactionId, n }) => payoutReference(transactionId, n) },
  { says: ({ providerRef }) => providerRef, names: ({ providerRef }) => providerRef },
  { says: ({ sessionId }) => sessionId, names: ({ sessionId }) => sessionId },
];

/**
 * Finds the attempt that a line is about; null where nothing names exactly one. Each attempt is looked at once, because a
 * day can have a hundred thousand of them and as many lines.
 */
export function finderOfAttempts(attempts: readonly KnownAttempt[]): (line: Named) => KnownAttempt | null {
  const ways = WAYS.map(({ says, names }) => {
    const named = new Map<string, KnownAttempt | 'several'>();
    for (const attempt of attempts) {
      const name = names(attempt);
      if (name !== null) named.set(name, named.has(name) ? 'several' : attempt);
    }
    return (line: Named) => named.get(says(line) ?? '') ?? null;
  });
  return (line) => {
    for (const way of ways) {
      const named = way(line);
      if (named !== null) return named === 'several' ? null : named;
    }
    return null;
  };
}

/** A payout with all that both sides say of it. */
export interface ComparedPayout {
  amountKobo: Kobo;
  /** Its transfer still waits for an outcome: what the provider has taken is under way. */
  isOpen: boolean;
  /** By how much our books say that it has changed our balance with the provider; below 0 for what left. */
  bookedKobo: number;
  /** How many payments of the whole amount our books have, less those that came back. */
  bookedPayments: number;
  /** The change of each line about it. */
  toldKobo: readonly number[];
}

/** No provider takes more than this for one transfer or refund, fee and stamp duty together. */
const CHARGES_MOST_KOBO = 20_000;

interface Compared extends ComparedPayout {
  apartKobo: number;
  /** How many times the whole amount has left by the lines, less how many times it came back. */
  toldPayments: number;
}

const total = (amounts: readonly number[]): number => amounts.reduce((sum, one) => sum + one, 0);

/** The first row that fits says what is wrong; null is that nothing is. */
const RULES: readonly [fits: (payout: Compared) => boolean, wrong: FindingClass | null][] = [
  [({ apartKobo }) => apartKobo === 0, null],
  [({ isOpen }) => isOpen, null],
  [({ toldKobo }) => toldKobo.length === 0, 'booked_not_at_provider'],
  [({ toldPayments, bookedPayments }) => toldPayments > 1 && toldPayments > bookedPayments, 'paid_twice'],
  // Something has left that is more than a charge, and is not the amount.
  [
    ({ toldKobo, amountKobo }) =>
      total(toldKobo) < -CHARGES_MOST_KOBO && toldKobo.every((told) => told > -amountKobo),
    'amount_differs',
  ],
  [({ toldPayments, bookedPayments }) => toldPayments !== bookedPayments, 'status_differs'],
  [({ apartKobo }) => Math.abs(apartKobo) <= CHARGES_MOST_KOBO, 'fee_differs'],
  [() => true, 'amount_differs'],
];

/** @returns the class of the finding, or null where books and lines agree or the payout is under way. */
export function wrongWithPayout(payout: ComparedPayout): FindingClass | null {
  const { amountKobo, bookedKobo, toldKobo } = payout;
  const compared: Compared = {
    ...payout,
    apartKobo: total(toldKobo) - bookedKobo,
    toldPayments:
      toldKobo.filter((told) => told <= -amountKobo).length -
      toldKobo.filter((told) => told >= amountKobo).length,
  };
  return RULES.find(([fits]) => fits(compared))?.[1] ?? null;
}

/**
 * A line about no payout of ours, with what people have booked to explain it.
 * @param line.dueKobo what the provider owes us of the payment from outside that the line is about; null where it is about
 *   none, or nobody knows.
 */
export function wrongWithLine(line: {
  changeKobo: number;
  explainedKobo: number;
  dueKobo: number | null;
}): FindingClass | null {
  if (line.explainedKobo === line.changeKobo) return null;
  if (line.dueKobo !== null && line.dueKobo !== line.changeKobo) return 'amount_differs';
  return line.explainedKobo === 0 ? 'line_unmatched' : 'amount_differs';
}

/**
 * What is booked for a line by which a provider takes a refund from our balance: what it takes beyond the amount is its fee.
 * @returns null where people decide.
 */
export function takenFor(
  changeKobo: number,
  amountKobo: Kobo,
): Pick<TreasuryEntry, 'amountKobo' | 'feeKobo'> | null {
  const feeKobo = -changeKobo - amountKobo;
  return feeKobo >= 0 && feeKobo <= CHARGES_MOST_KOBO ? { amountKobo, feeKobo } : null;
}

/** A payment from outside, as it is booked, that a line is about. */
export interface PaymentOfLine {
  amountKobo: Kobo;
  /** What the provider keeps of it; null where it had not told it. */
  feeKobo: Kobo | null;
  /** What is booked as owed, because it had not told its fee. */
  owedKobo: Kobo;
}

/**
 * What is booked for a line by which a provider passes a payment on to our balance. A fee that it had not told is the one
 * that the line shows. Whatever else differs is left to people.
 * @returns null where people decide.
 */
export function passedOn(
  changeKobo: number,
  { amountKobo, feeKobo, owedKobo }: PaymentOfLine,
): Pick<TreasuryEntry, 'amountKobo' | 'feeKobo' | 'owedKobo'> | null {
  const keptKobo = amountKobo - changeKobo;
  if (changeKobo <= 0) return null;
  if (feeKobo !== null) return keptKobo === feeKobo ? { amountKobo: changeKobo, feeKobo: 0 } : null;
  const isFee = keptKobo >= 0 && keptKobo <= EXPECTED_FEE.mostKobo;
  return isFee ? { amountKobo: changeKobo, feeKobo: keptKobo, owedKobo } : null;
}
