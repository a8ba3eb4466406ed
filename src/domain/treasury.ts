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
  fee_back: { debit: '1200-p', credit: '5110', hasFee: false, meaning: 'A fee that the provider gave back' },
  fee_owed: {
    debit: '2300',
    credit: '1200-p',
    hasFee: false,
    meaning: 'A fee that was booked as owed, because the provider had not told it',
  },
  stamp_duty: { debit: '5300', credit: '1200-p', hasFee: false, meaning: 'Stamp duty beyond what is booked' },
  duty_paid_on: {
    debit: '2410',
    credit: '1200-p',
    hasFee: false,
    meaning: 'Stamp duty that was charged to payers, and that the provider has taken without telling it',
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
  /** The line of the provider's statement that it explains. A kind of entry explains a line once. */
  lineId: string;
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

/** The account of ours that a line changes: what the company owes us of incoming money, or our balance with it. */
export const accountOfLine = (about: string): '1200-p' | '1300-p' =>
  about === 'settlement' ? '1300-p' : '1200-p';

/** By how much an entry explains a line that changes this account; 0 where it does not touch it. */
export function explainedKobo(
  { entry, amountKobo, feeKobo }: Pick<TreasuryEntry, 'entry' | 'amountKobo' | 'feeKobo'>,
  account: '1200-p' | '1300-p',
): number {
  const { debit, credit } = TREASURY_ENTRIES[entry];
  // What arrives has lost its fee already, and what leaves takes its fee with it.
  const wholeKobo = amountKobo + feeKobo;
  // What is settled leaves 1300-p, and the line shows it as money that has arrived.
  if (account === '1300-p') return credit === '1300-p' && debit === '1100' ? wholeKobo : 0;
  return debit === '1200-p' ? amountKobo : credit === '1200-p' ? -wholeKobo : 0;
}
