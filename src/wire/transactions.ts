/** Transactions as the interface shows them, in the form that was asked (D3, D7, D134). */
import type { Transaction } from '../domain/transactions';
import { DIALECTS, inAnyForm, type Form } from './forms';
import type { BalancesAfter } from './transaction-fields';

export const transactionInAnyForm = inAnyForm((dialect) => dialect.transaction.schema);

/** @param balances right after the transaction; a form that shows none does not look at them. */
export const writeTransaction = (transaction: Transaction, form: Form, balances?: BalancesAfter): object =>
  DIALECTS[form].transaction.write(transaction, balances);
