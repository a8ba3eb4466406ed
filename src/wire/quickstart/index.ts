/** The quickstart's form: wallets under names of its own; everything else is plain (D6, D8, D49). */
import type { Dialect } from '../dialect';
import { plainError, plainStatusOf, writePlainError } from '../error-fields';
import { plainTransaction, writePlainTransaction } from '../transaction-fields';
import { plainUssdStarted, writePlainUssdStarted } from '../ussd-fields';
import { quickstartWallet, writeQuickstartWallet } from './wallets';

export const QUICKSTART: Dialect = {
  names: [['user_ref', 'userRef']],
  isToldByNames: false,
  asksForPhone: true,
  transaction: { schema: plainTransaction, write: (of) => writePlainTransaction(of, '') },
  wallet: { schema: quickstartWallet, write: writeQuickstartWallet },
  ussdStarted: { answer: plainUssdStarted, write: writePlainUssdStarted },
  error: { schema: plainError, write: writePlainError, statusOf: plainStatusOf },
};
