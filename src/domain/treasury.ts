/**
 * Entries about our money with a company that no payment books: one person proposes each, another approves it. An entry
 * always explains a line of the company's statement, so that nothing is booked that did not happen.
 */
import type { Day } from './days';
import type { Kobo } from './money';
import type { SuspenseClass, SuspenseFinding } from './suspense';

/** Accounts as the table names them: `-p` stands for the company, whose own account it is. */
export type TreasuryAccount =
  | '1100'
  | '1200-p'
  | '1300-p'
  | '1900'
  | '2300'
  | '2410'
  | '2900'
  | '5110'
  | '5300';

/**
 * The name under which the statement of our own bank account (1100) is imported. What goes between it and a company is booked
 * by a line of the company; only what the bank alone says is booked by a line of the bank.
 */
export const OUR_BANK = 'bank';

/** What each kind of entry books. The company's fee is debited to 5110 beside it, where the kind has one. */
export const TREASURY_ENTRIES = {
  prefund: {
    debit: '1200-p',
    credit: '1100',
    hasFee: false,
    meaning: 'Money that we have sent to our balance with the provider',
  },
  withdrawal: {
    debit: '1100',
    credit: '1200-p',
    hasFee: false,
    meaning: 'Money that we have taken from our balance to our bank account',
  },
  settlement_to_bank: {
    debit: '1100',
    credit: '1300-p',
    hasFee: false,
    meaning: 'Money that came in for wallets, paid on to our bank account',
  },
  settlement_to_balance: {
    debit: '1200-p',
    credit: '1300-p',
    hasFee: true,
    meaning: 'Money that came in for wallets, paid on to our balance after a fee',
  },
  refund_taken: {
    debit: '1300-p',
    credit: '1200-p',
    hasFee: true,
    meaning: 'A payment that went back to its payer out of our balance',
  },
  refund_back: {
    debit: '1200-p',
    credit: '1300-p',
    hasFee: false,
    meaning: 'The same, given back to our balance because it has failed',
  },
  fee: {
    debit: '5110',
    credit: '1200-p',
    hasFee: false,
    meaning: 'A fee of the provider beyond what is booked',
  },
  fee_back: {
    debit: '1200-p',
    credit: '5110',
    hasFee: false,
    meaning: 'A fee that the provider gave back, or that was booked too high',
  },
  fee_owed: {
    debit: '2300',
    credit: '1200-p',
    hasFee: false,
    meaning: 'A fee that was booked as owed, because the provider had not told it',
  },
  stamp_duty: { debit: '5300', credit: '1200-p', hasFee: false, meaning: 'Stamp duty beyond what is booked' },
  duty_back: {
    debit: '1200-p',
    credit: '5300',
    hasFee: false,
    meaning: 'Stamp duty that the provider gave back, or that was booked too high',
  },
  duty_paid_on: {
    debit: '2410',
    credit: '1200-p',
    hasFee: false,
    meaning: 'Stamp duty that was charged to payers, and that the provider has taken without telling it',
  },
  bank_charge: { debit: '5110', credit: '1100', hasFee: false, meaning: 'What our own bank has charged' },
  bank_duty: {
    debit: '5300',
    credit: '1100',
    hasFee: false,
    meaning: 'Stamp duty that our own bank has taken',
  },
  paid_twice: {
    debit: '1900',
    credit: '1200-p',
    hasFee: true,
    meaning: 'A second payment of one transfer: unexplained until people get it back',
  },
  recovered: {
    debit: '1200-p',
    credit: '1900',
    hasFee: false,
    meaning: 'What people got back of an unexplained debit',
  },
  paid_by_hand: {
    debit: '2900',
    credit: '1200-p',
    hasFee: true,
    meaning: 'Money that no wallet could take, sent by hand to whom it belongs',
  },
} as const satisfies Record<
  string,
  { debit: TreasuryAccount; credit: TreasuryAccount; hasFee: boolean; meaning: string }
>;
export type TreasuryEntryKind = keyof typeof TREASURY_ENTRIES;
export const TREASURY_ENTRY_KINDS = Object.keys(TREASURY_ENTRIES) as TreasuryEntryKind[];

/** One entry, as it is proposed and booked. */
export interface TreasuryEntry {
  entry: TreasuryEntryKind;
  provider: string;
  /** The line of the provider's statement that it explains, by its id there. A kind of entry explains a line once. */
  lineId: string;
  /** The row of that line. */
  line: string;
  /** The day to which the line counts. */
  day: Day;
  amountKobo: Kobo;
  /** Of the provider, where the kind has one. */
  feeKobo: Kobo;
  /** What was booked as owed of that fee, because the provider had not told it; absent where nothing was. */
  owedKobo?: Kobo;
  note: string;
  /**
   * The finding whose money it ends, for the kinds of `ENDS_FINDING`, and its cell, where that is not the one in which our own
   * money is booked; absent for every other kind.
   */
  ends?: { class: SuspenseClass; resource: string; otherCell: string | null };
}

/** The kinds that take the money of a finding out of suspense. Each names its finding. */
const ENDS_FINDING = ['recovered', 'paid_by_hand'] as const satisfies readonly TreasuryEntryKind[];

export const endsFinding = (entry: TreasuryEntryKind): entry is (typeof ENDS_FINDING)[number] =>
  ENDS_FINDING.some((one) => one === entry);

/** The finding of what an entry books in suspense; null where it books nothing there. */
export function suspenseOfEntry({ entry, provider, lineId, ends }: TreasuryEntry): SuspenseFinding | null {
  if (ends)
    return ends.otherCell === null ? { class: ends.class, resource: ends.resource, detail: null } : null;
  if (entry !== 'paid_twice') return null;
  return {
    class: 'debit_unexplained',
    resource: `${provider}/line ${lineId}`,
    detail: { provider, line: lineId },
  };
}

/** The account of ours that a line changes: that at our bank, what the company owes us of incoming money, or our balance with it. */
export const accountOfLine = (provider: string, about: string): '1100' | '1200-p' | '1300-p' =>
  provider === OUR_BANK ? '1100' : about === 'settlement' ? '1300-p' : '1200-p';

/** Whether an entry of this kind explains lines of our bank; every other one explains lines of a company. */
const isOfBank = (entry: TreasuryEntryKind): boolean =>
  !Object.values(TREASURY_ENTRIES[entry]).some((account) => account === '1200-p' || account === '1300-p');

/** By how much an entry explains a line that changes this account; 0 where it does not touch it. */
export function explainedKobo(
  { entry, amountKobo, feeKobo }: Pick<TreasuryEntry, 'entry' | 'amountKobo' | 'feeKobo'>,
  account: '1100' | '1200-p' | '1300-p',
): number {
  const { debit, credit } = TREASURY_ENTRIES[entry];
  // What arrives has lost its fee already, and what leaves takes its fee with it.
  const wholeKobo = amountKobo + feeKobo;
  // What is settled leaves 1300-p, and the line shows it as money that has arrived.
  if (account === '1300-p') return credit === '1300-p' && debit === '1100' ? wholeKobo : 0;
  return debit === account ? amountKobo : credit === account ? -wholeKobo : 0;
}

/** The kinds that also correct what was booked too high for a payout, on a line of that payout. */
const CORRECTIONS: readonly TreasuryEntryKind[] = ['fee_back', 'duty_back'];

/** A line as an entry is compared with it. */
export interface LineToExplain {
  provider: string;
  about: string;
  changeKobo: number;
  /** What entries have booked to explain it. */
  explainedKobo: number;
  /**
   * Of a payout: by how much its lines say less than what is booked for it, all entries included; below 0 where they say
   * more. Null for a line of no payout.
   */
  bookedTooMuchKobo: number | null;
}

/**
 * How an entry fits its line: it explains no more of it than is left. A cost of a payout that was booked too high is taken
 * back on a line of that payout, up to what is booked beyond its lines.
 * @returns what is wrong, for a person; null where it fits.
 */
export function wrongWithEntry(
  asked: Pick<TreasuryEntry, 'entry' | 'amountKobo' | 'feeKobo'>,
  line: LineToExplain,
) {
  const kobo = explainedKobo(asked, accountOfLine(line.provider, line.about));
  const { changeKobo, bookedTooMuchKobo } = line;
  if (isOfBank(asked.entry) !== (line.provider === OUR_BANK)) {
    return `${asked.entry} explains no line of ${line.provider}`;
  }
  if (asked.feeKobo > 0 && !TREASURY_ENTRIES[asked.entry].hasFee) return `${asked.entry} has no fee`;
  if (CORRECTIONS.includes(asked.entry) && bookedTooMuchKobo !== null && changeKobo < 0) {
    return kobo <= bookedTooMuchKobo
      ? null
      : `${asked.entry} can take back ${String(Math.max(0, bookedTooMuchKobo))} kobo here: so much is booked beyond the lines of the payout`;
  }
  // A line of a payout is compared with all that is booked for it; every other one is explained by entries alone.
  const leftKobo = bookedTooMuchKobo === null ? changeKobo - line.explainedKobo : changeKobo;
  return kobo !== 0 && Math.sign(kobo) === Math.sign(leftKobo) && Math.abs(kobo) <= Math.abs(leftKobo)
    ? null
    : `${asked.entry} cannot explain ${String(kobo)} kobo of a line of ${String(changeKobo)} kobo (${line.about}), of which ${String(leftKobo)} kobo are left`;
}
