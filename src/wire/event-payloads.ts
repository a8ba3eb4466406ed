/**
 * What deliveries carry: the shapes of `data` by kind, and when each is sent (interface: Events; D85, D107,
 * D111-D114).
 */
import { z } from 'zod';
import type { EventKind } from '../domain/events';
import { VERIFICATION_SUBJECTS } from '../domain/verifications';
import { DETAIL_FIELDS } from '../domain/owner-details';
import { PARKING_REASONS, type ParkingReason } from '../domain/wallets';
import {
  accountStatus,
  failureReason,
  kobo,
  timestamp,
  transactionStatus,
  transactionType,
  uuid,
  verificationType,
  walletStatus,
} from './answers';
import { bulkSchemaOfAnswer } from './bulk-transfers';
import { PERSONAL } from './fields';
import { scheduledRunEvent, scheduleOfAnswer } from './scheduled-transfers';

const transaction = {
  id: uuid,
  type: transactionType,
  status: transactionStatus,
  reference: z.string(),
  amount_kobo: kobo,
};

const moneyMoved = z
  .object({
    ...transaction,
    source_wallet_id: uuid.nullable(),
    dest_wallet_id: uuid.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'MoneyMoved', description: 'P2P, QR, split and funding' });
export type MoneyMoved = z.infer<typeof moneyMoved>;

const nameMatches = z.boolean().nullable().meta({
  description: 'Whether the bank has the name for the account that was sent; null where it has told none',
});

const nameMismatch = z.object({ ...transaction, decide_before: timestamp }).meta({
  id: 'BankTransferNameMismatch',
  description: 'Nothing is sent before you decide; the money comes back where you do not in time',
});
export type NameMismatch = z.infer<typeof nameMismatch>;

const bankTransferCompleted = z
  .object({
    ...transaction,
    psp_reference: z.string().nullable(),
    completed_at: timestamp.nullable(),
    name_matches: nameMatches,
  })
  .meta({ id: 'BankTransferCompleted' });
export type BankTransferCompleted = z.infer<typeof bankTransferCompleted>;

const bankTransferFailed = z
  .object({
    ...transaction,
    failure_reason: z.string(),
    reversal: z.object({ reversed: z.literal(true), reversal_tx_id: uuid, amount_kobo: kobo }),
    reversal_status: z.enum(['completed', 'pending']),
    name_matches: nameMatches,
  })
  .meta({ id: 'BankTransferFailed', description: 'With what was given back: amount and fee' });
export type BankTransferFailed = z.infer<typeof bankTransferFailed>;

const ussdCompleted = z
  .object({ ...transaction, session_id: z.string(), completed_at: timestamp.nullable() })
  .meta({ id: 'UssdPaymentCompleted' });
export type UssdCompleted = z.infer<typeof ussdCompleted>;

const ussdFailed = z
  .object({
    ...transaction,
    session_id: z.string(),
    failure_reason: z.string(),
    reversal: z.object({
      reversed: z.literal(false),
      reversal_tx_id: z.null(),
      amount_kobo: z.literal(0),
    }),
  })
  .meta({
    id: 'UssdPaymentFailed',
    description: 'Cancelled, three wrong PINs, or not payable; nothing was debited',
  });
export type UssdFailed = z.infer<typeof ussdFailed>;

const ussdExpired = z
  .object({ ...transaction, session_id: z.string(), expires_at: timestamp })
  .meta({ id: 'UssdPaymentExpired' });
export type UssdExpired = z.infer<typeof ussdExpired>;

const walletActivated = z
  .object({
    id: uuid,
    user_ref: z.string().meta(PERSONAL),
    status: walletStatus,
    account_number: z.string().meta(PERSONAL),
    account_name: z.string().meta(PERSONAL),
    bank_code: z.string(),
    bank_name: z.string(),
    account_status: accountStatus,
    created_at: timestamp,
    activated_at: timestamp,
  })
  .meta({ id: 'WalletActivated' });
export type WalletActivated = z.infer<typeof walletActivated>;

const walletParked = z
  .object({
    id: uuid,
    user_ref: z.string().meta(PERSONAL),
    status: walletStatus,
    account_status: accountStatus,
    reason: z.enum(Object.keys(PARKING_REASONS) as ParkingReason[]).meta({
      description: '`details_missing`: tell what `missing` names; `no_account`: the bank owes a number',
    }),
    missing: z.array(z.enum(DETAIL_FIELDS)).meta({
      description: 'Fields of the wallet, or `verified_bvn_or_nin` of its owner; never what is in them',
      examples: [['metadata.email']],
    }),
    parked_at: timestamp,
    created_at: timestamp,
  })
  .meta({ id: 'WalletParked' });
export type WalletParked = z.infer<typeof walletParked>;

const verification = {
  verification_id: uuid,
  user_ref: z
    .string()
    .nullable()
    .meta({ ...PERSONAL, description: 'null for a director' }),
  director_id: uuid.optional().meta({ description: 'Of a director only' }),
  type: verificationType,
  subject: z.enum(VERIFICATION_SUBJECTS),
};

const kycVerified = z
  .object({ ...verification, status: z.literal('verified'), verified_at: timestamp })
  .meta({ id: 'KycVerified' });
export type KycVerified = z.infer<typeof kycVerified>;

const kycFailed = z
  .object({ ...verification, status: z.literal('failed'), failure_reason: failureReason })
  .meta({ id: 'KycFailed' });
export type KycFailed = z.infer<typeof kycFailed>;

const bankTransferReturned = z
  .object({
    ...transaction,
    failure_reason: z.string(),
    reversal: z.object({ reversed: z.boolean(), reversal_tx_id: uuid.nullable(), amount_kobo: kobo }),
    reversal_status: z.enum(['completed', 'pending']),
  })
  .meta({
    id: 'BankTransferReturned',
    description: 'With what was given back; `pending` where the wallet can no longer take it',
  });
export type BankTransferReturned = z.infer<typeof bankTransferReturned>;

/** Not an event: what an endpoint is sent when its partner tests it (D143). */
export const TEST_EVENT = 'webhook.test';

const webhookTest = z.object({ endpoint_id: uuid, message: z.string() }).meta({ id: 'WebhookTestDelivery' });
export type WebhookTest = z.infer<typeof webhookTest>;

/** When a kind of event is sent, and what its `data` can be; every kind has a row. */
export const EVENT_DOCS: Record<
  EventKind | typeof TEST_EVENT,
  { when: string; payloads: readonly z.ZodObject[] }
> = {
  'transaction.completed': {
    when: 'A transaction has completed: P2P and funding at once, a bank transfer when its bank has it, a USSD payment after its PIN',
    payloads: [moneyMoved, bankTransferCompleted, ussdCompleted],
  },
  'transaction.failed': {
    when: 'A bank transfer has failed and was given back, or a USSD payment was cancelled or has failed',
    payloads: [bankTransferFailed, bankTransferReturned, ussdFailed],
  },
  'transaction.reversed': {
    when: 'A completed bank transfer came back; an endpoint that has not subscribed to it gets `transaction.failed` instead',
    payloads: [bankTransferReturned],
  },
  'transaction.expired': {
    when: 'The three minutes of a USSD payment are over; for endpoints that subscribe to it',
    payloads: [ussdExpired],
  },
  'transaction.name_mismatch': {
    when: 'The bank has another name for the account than was sent with `on_name_mismatch: hold`; both are in the transaction',
    payloads: [nameMismatch],
  },
  'wallet.activated': {
    when: 'A pending wallet has its account number',
    payloads: [walletActivated],
  },
  'wallet.parked': {
    when: 'No account number can be opened for a pending wallet until somebody acts: details about its owner are missing, or the bank has given no number for a day; once each time that it begins to wait',
    payloads: [walletParked],
  },
  'bulk_transfer.completed': {
    when: 'Every line of a bulk transfer has its result, or the lines that had not begun were cancelled',
    payloads: [bulkSchemaOfAnswer],
  },
  'scheduled_transfer.paid': {
    when: 'The transfer of a due time was made; one to a bank tells its end by its own event',
    payloads: [scheduledRunEvent],
  },
  'scheduled_transfer.skipped': {
    when: 'A due time passed without a transfer: for want of money, because it was too late, or because it was cancelled',
    payloads: [scheduledRunEvent],
  },
  'scheduled_transfer.failed': {
    when: 'The transfer of a due time was refused; the next due time is tried, unless a wallet is closed',
    payloads: [scheduledRunEvent],
  },
  'scheduled_transfer.ended': {
    when: 'No due time of a scheduled transfer is left, it was cancelled, or a wallet of it is closed',
    payloads: [scheduleOfAnswer],
  },
  'kyc.verified': { when: 'A BVN or NIN, a director’s too, is verified', payloads: [kycVerified] },
  'kyc.failed': { when: 'A BVN or NIN, a director’s too, could not be verified', payloads: [kycFailed] },
  [TEST_EVENT]: {
    when: 'A test of this endpoint was requested; endpoints do not subscribe to it',
    payloads: [webhookTest],
  },
};

/** The body of a delivery with this `data`. */
export const deliveryOf = (kind: string, payloads: readonly z.ZodObject[]) =>
  z.object({
    event: z.string().meta({ description: 'The kind, by the name that was subscribed to', examples: [kind] }),
    data: z.union(payloads),
    timestamp,
    webhook_id: z.string().regex(/^wh_/).meta({ description: 'The same on every attempt' }),
  });
