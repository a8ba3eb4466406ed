import { assert } from './assert';

/** What a transaction can be (interface: Transaction). */
export const PUBLISHED_TYPES = [
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

/** The types of our own books, which no partner meets. */
const OWN_TYPES = [
  'late_payout',
  'unallocated_credit',
  'credit_refund',
  'return_shortfall',
  'treasury_entry',
  'suspense_move',
] as const;
export const TRANSACTION_TYPES = [...PUBLISHED_TYPES, ...OWN_TYPES] as const;
export type PublishedType = (typeof PUBLISHED_TYPES)[number];
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** The type of a transaction that partners are told of. @throws for one of our own books, which is a bug. */
export function publishedType(type: TransactionType): PublishedType {
  assert(isPublished(type), 'partners are told only of published types');
  return type;
}

const isPublished = (type: TransactionType): type is PublishedType =>
  PUBLISHED_TYPES.some((published) => published === type);
