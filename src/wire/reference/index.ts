/** The reference form: the plain spelling of everything (D2). */
import type { Dialect } from '../dialect';
import { plainError, plainStatusOf, writePlainError } from '../error-fields';
import { plainTransaction, writePlainTransaction } from '../transaction-fields';
import { plainUssdStarted, writePlainUssdStarted } from '../ussd-fields';
import { walletSchema } from '../wallet-fields';

export const REFERENCE: Dialect = {
  names: [],
  isToldByNames: false,
  asksForPhone: true,
  transaction: { schema: plainTransaction, write: (of) => writePlainTransaction(of, null) },
  wallet: { schema: walletSchema, write: (fields) => fields },
  ussdStarted: { answer: plainUssdStarted, write: writePlainUssdStarted },
  error: { schema: plainError, write: writePlainError, statusOf: plainStatusOf },
};
