/**
 * The balance history that Paystack's dashboard lets people download as CSV. Its columns are not part of Paystack's API
 * reference, so a file with other ones is refused, and people name its columns with `--map`.
 */
import type { TableMap } from '../../domain/statement-tables';

export const PAYSTACK_DOWNLOAD: TableMap = {
  columns: {
    id: 'ID',
    at: 'Date',
    about: 'Type',
    amount: 'Amount',
    balance: 'Balance',
    reference: 'Reference',
    provider_ref: 'Transfer Code',
    narration: 'Reason',
  },
  about: { transfer: 'payout', transaction: 'inbound', refund: 'refund', settlement: 'settlement' },
  unit: 'naira',
};
