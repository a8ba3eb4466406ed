/**
 * The statement of a wallet that Monnify's dashboard lets people download as CSV. Its columns are named as those of the answer
 * to "Wallet statement"; a file with other ones is refused, and people name its columns with `--map`. Its dates are written as
 * 05/07/2026 by some pages, so their format is never guessed.
 */
import type { TableMap } from '../../domain/statement-tables';

export const MONNIFY_DOWNLOAD: TableMap = {
  columns: {
    id: 'Wallet Transaction Reference',
    at: 'Transaction Date',
    amount: 'Amount',
    direction: 'Transaction Type',
    balance: 'Available Balance After',
    reference: 'Reference',
    provider_ref: 'Monnify Transaction Reference',
    narration: 'Narration',
  },
  unit: 'naira',
};
