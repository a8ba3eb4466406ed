/**
 * Money that came in from outside: what a company says of a payment to one of our account numbers, and what is done with
 * it. A payment is booked once, whatever is told how often, and only what the company has confirmed is booked.
 */
import { beginningOf, dayOf } from './days';
import type { CompanyReceipt } from './postings';
import type { Kobo } from './money';

/** A payment that a company has received for us, as it has confirmed it. */
export interface InboundPayment {
  /** The company's own id of the payment, beside the reference by which it is asked. */
  providerRef: string;
  amountKobo: Kobo;
  /** What the company keeps of it; null where it has not told it. */
  feeKobo: Kobo | null;
  /** The account that was paid. The code of its bank is null where we do not know the bank. */
  bankCode: string | null;
  accountNumber: string;
  /** Whose account that is, by the company's own name for the person; null where it has not told it. */
  customerRef: string | null;
  sender: Sender;
}

/** Who has paid, as the sender's bank tells it; null where it does not. These are data about a person. */
export interface Sender {
  name: string | null;
  bankName: string | null;
  /** Most companies hide all but its last digits. */
  accountNumber: string | null;
  narration: string | null;
}

/** A payment that came in, as operators look at it. */
export interface ShownCredit {
  id: string;
  provider: string;
  reference: string;
  amountKobo: Kobo;
  bankCode: string | null;
  accountNumber: string;
  partnerId: string | null;
  walletId: string | null;
  allocatedTo: string | null;
  receivedAt: Date;
  /** Null after an erasure. */
  sender: Sender | null;
}

/**
 * What a company can say when it is asked about a payment. `failed`: no money has come, or none of this world.
 * `unknown`: its answer says nothing, which is never taken for a no.
 */
export type ConfirmOutcome = 'received' | 'pending' | 'failed' | 'not_found' | 'unknown';

/** What the notice of a company is about: that a payment has come in, or that it goes back, or may. */
export const NOTICE_SUBJECTS = ['payment', 'return'] as const;
export type NoticeSubject = (typeof NOTICE_SUBJECTS)[number];

/** The destination of a payment: one of our wallets, or null where we cannot tell whose money it is. */
export interface WalletPlace {
  partnerId: string;
  walletId: string;
}

/** By day, in Lagos, people pay all the time: between these hours silence is looked at. */
const QUIET_COUNTS = { fromHour: 8, toHour: 20 };
const HOUR_MS = 3_600_000;

/**
 * How long no payment has come in, in milliseconds, counted from the morning on; 0 by night.
 * @param lastAt null where the last one is longer ago than a day.
 */
export function quietMs(lastAt: Date | null, now: Date): number {
  const midnightMs = beginningOf(dayOf(now)).getTime();
  if (now.getTime() >= midnightMs + QUIET_COUNTS.toHour * HOUR_MS) return 0;
  const sinceMs = Math.max(lastAt?.getTime() ?? 0, midnightMs + QUIET_COUNTS.fromHour * HOUR_MS);
  return Math.max(0, now.getTime() - sinceMs);
}

/** The price of a payment that comes in, as companies publish it: one percent, at most N300. */
export const EXPECTED_FEE = { perCent: 1, mostKobo: 30_000 };

/**
 * What a company keeps of a payment, for the books. A fee that it has not told is not 0: it is expected at the published
 * price, and owed until its statement comes (R43).
 */
export function receiptOf(
  company: string,
  { amountKobo, feeKobo }: Pick<InboundPayment, 'amountKobo' | 'feeKobo'>,
): CompanyReceipt {
  if (feeKobo !== null) return { company, feeKobo, owedKobo: 0 };
  const expectedKobo = Math.floor((amountKobo * EXPECTED_FEE.perCent) / 100);
  return { company, feeKobo: 0, owedKobo: Math.min(expectedKobo, EXPECTED_FEE.mostKobo) };
}
