/** What a transaction can be (interface: Transaction). */
export const TRANSACTION_TYPES = [
  'wallet_funding',
  'wallet_credit',
  'wallet_debit',
  'p2p_transfer',
  'bank_transfer',
  'ussd_payment',
  'qr_payment',
  'split_payment',
  'fee_deduction',
  'reversal',
  'settlement_payout',
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];
