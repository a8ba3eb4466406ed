/** Who paid, or was paid: what a statement shows of the other side of an entry, and which lines an entry becomes for people. */
import type { StatementEntry } from './entries';
import type { Kobo } from './money';

/** How many digits of an account number are shown to whoever is not its owner. */
const DIGITS_SHOWN = 4;

/** An account number as everybody but its owner reads it: `******6789`. One that a company has masked already stays so hidden. */
export function maskedAccount(accountNumber: string | null): string | null {
  if (accountNumber === null) return null;
  const hidden = Math.max(accountNumber.length - DIGITS_SHOWN, 0);
  return '*'.repeat(hidden) + accountNumber.slice(hidden);
}

/**
 * The fee, its VAT included, within an entry of a transaction: a debit has it on top of what was paid, and a credit is less
 * by it. Below 0 where a fee comes back.
 * @param entryKobo below 0 for a debit.
 * @param amountKobo what the transaction moves.
 */
export const feeWithin = (entryKobo: Kobo, amountKobo: Kobo): Kobo =>
  Math.sign(entryKobo) * amountKobo - entryKobo;

/** One line of a statement for people. */
export interface StatementLineShown {
  entry: StatementEntry;
  about: 'payment' | 'fee';
  /** Below 0 for a debit. */
  amountKobo: Kobo;
  balanceAfterKobo: Kobo;
}

/** The lines of an entry: what was paid, and its fee on a line of its own. Together they are the entry. */
export function linesOf(entry: StatementEntry): StatementLineShown[] {
  const { amountKobo, balanceAfterKobo, feeKobo } = entry;
  const paid = { entry, about: 'payment', amountKobo: amountKobo + feeKobo } as const;
  if (feeKobo === 0) return [{ ...paid, balanceAfterKobo }];
  return [
    { ...paid, balanceAfterKobo: balanceAfterKobo + feeKobo },
    { entry, about: 'fee', amountKobo: -feeKobo, balanceAfterKobo },
  ];
}

/** What stands for the text of an entry on the line of its fee. */
export const feeText = ({ amountKobo }: StatementLineShown): string =>
  amountKobo < 0 ? 'Fee and VAT' : 'Fee and VAT returned';
