/** How the table that a company or a bank lets people download becomes lines of a statement: which column has what. */
import type { LineSubject } from './statement-lines';

export interface TableMap {
  columns: {
    /** When it happened; a second column may have the time of the day. */
    at: string;
    time?: string | undefined;
    /** One column with a sign, or with `direction` beside it; or one column for each direction. */
    amount?: string | undefined;
    credit?: string | undefined;
    debit?: string | undefined;
    direction?: string | undefined;
    balance?: string | undefined;
    /** The company's id of the line. Without it the lines of a day are numbered from 1. */
    id?: string | undefined;
    /** In which column our reference of the payment stands. */
    reference?: string | undefined;
    /** The company's id of the payment. */
    provider_ref?: string | undefined;
    session_id?: string | undefined;
    /** Looked through for our reference after all the others. */
    narration?: string | undefined;
    about?: string | undefined;
  };
  /** Which words in the column `about` mean what. Every other word is `other`. */
  about?: Readonly<Record<string, LineSubject>> | undefined;
  /** How dates are written, such as dd/mm/yyyy, where that is not plain from the date itself. */
  date?: string | undefined;
  /** The zone of times that have none, such as Africa/Lagos. */
  zone?: string | undefined;
  /** In what amounts are written; naira, unless it says kobo. */
  unit?: 'naira' | 'kobo' | undefined;
  /** What stands before the kobo; a point, unless it says a comma. */
  decimal?: '.' | ',' | undefined;
  /** Rows that begin with one of these words are no lines, such as the totals. */
  ignore?: readonly string[] | undefined;
}
