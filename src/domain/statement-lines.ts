/** What the statement of a company says of our money with it. Nothing in it names a person. */
import type { Kobo } from './money';

/** What a line is about. A settlement is no change of our balance: it went to our bank account. `other` is what the company does not tie to one payment, such as money that we have sent it. */
export const LINE_SUBJECTS = ['payout', 'inbound', 'refund', 'settlement', 'other'] as const;
export type LineSubject = (typeof LINE_SUBJECTS)[number];

/** One change of our balance with a company, as the company has written it down. */
export interface StatementLine {
  /** The company's own id of the line: by it a line is known again. */
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

/** Money that came in for wallets and that a company has passed on to our bank account. */
export interface CompanySettlement {
  id: string;
  at: Date;
  /** What has arrived, after everything that the company has kept. */
  amountKobo: Kobo;
}
