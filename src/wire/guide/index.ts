/** The guide's form: units in the names, naira beside kobo, and an envelope of its own for refusals (D2, D134). */
import type { Dialect } from '../dialect';
import { walletSchema } from '../wallet-fields';
import { guideError, guideStatusOf, writeGuideError } from './errors';
import { guideTransaction, writeGuideTransaction } from './transactions';
import { guideUssdStarted, writeGuideUssdStarted } from './ussd';

export const GUIDE: Dialect = {
  names: [
    ['source_wallet', 'source_wallet_id'],
    ['dest_wallet', 'dest_wallet_id'],
    ['amount', 'amount_kobo'],
    ['wallet_id', 'payer_wallet_id'],
  ],
  isToldByNames: true,
  asksForPhone: false,
  transaction: { schema: guideTransaction, write: writeGuideTransaction },
  wallet: { schema: walletSchema, write: (fields) => fields },
  ussdStarted: { answer: guideUssdStarted, write: writeGuideUssdStarted },
  error: { schema: guideError, write: writeGuideError, statusOf: guideStatusOf },
};
