/** Holds: what a partner sets aside of a wallet, and the payment that captures it. */
import { z } from 'zod';
import type { LineRequest } from '../domain/bulk-transfers';
import { HOLD_LIFETIME_SECONDS, HOLD_STATUSES, type Hold } from '../domain/holds';
import { CURRENCY, type Kobo } from '../domain/money';
import { done, type Outcome } from '../domain/outcome';
import type { Metadata } from '../domain/wallets';
import { kobo, timestamp, uuid } from './answers';
import * as field from './fields';
import { namesFor } from './forms';
import { pageQuery } from './pages';
import { publishedBody, readBody } from './read';
import { bankAccountFields, destinationOf, instructionFields, toOneDestination } from './transfers';

const AMOUNT = namesFor('amount');
const CAPTURE = namesFor('dest_wallet', 'amount');

const holdSchema = z.object({
  wallet_id: field.walletId,
  amount: field.amountKobo,
  reference: field.referenceLike('hold-1001'),
  expires_in_seconds: field.optional(
    z
      .int('must be an integer number of seconds')
      .min(HOLD_LIFETIME_SECONDS.min, `must be at least ${String(HOLD_LIFETIME_SECONDS.min)}`)
      .max(HOLD_LIFETIME_SECONDS.max, `must be at most ${String(HOLD_LIFETIME_SECONDS.max)}`),
  ),
});

export const holdBody = publishedBody('HoldRequest', holdSchema, { form: 'Guide', aliases: AMOUNT });

export interface HoldRequest {
  walletId: string;
  amountKobo: Kobo;
  reference: string;
  lifetimeSeconds: number;
}

export function readHold(body: unknown): Outcome<HoldRequest> {
  const read = readBody(holdSchema, body, AMOUNT);
  if (!read.ok) return read;
  const { wallet_id, amount, reference, expires_in_seconds } = read.value;
  return done({
    walletId: wallet_id,
    amountKobo: amount,
    reference,
    lifetimeSeconds: expires_in_seconds ?? HOLD_LIFETIME_SECONDS.default,
  });
}

const captureSchema = toOneDestination(
  z.object({
    amount: field.amountKobo,
    dest_wallet: field.optional(field.destWalletId).meta({ description: 'Of a transfer between wallets' }),
    dest_account: field
      .optional(z.object(bankAccountFields, 'must be an object'))
      .meta({ description: 'Of a transfer to a bank account' }),
    ...instructionFields,
    description: field.optional(field.description),
    metadata: field.optional(field.metadata),
  }),
);

export const captureBody = publishedBody('CaptureRequest', captureSchema, {
  form: 'Guide',
  aliases: CAPTURE,
});

interface Captured {
  amountKobo: Kobo;
  description: string;
  metadata: Metadata;
}

/** What captures a hold: the payment without its source and its reference, which are those of the hold. */
export type CaptureRequest = Captured & LineRequest['to'];

export function readCapture(body: unknown): Outcome<CaptureRequest> {
  const read = readBody(captureSchema, body, CAPTURE);
  if (!read.ok) return read;
  const { amount: amountKobo, dest_wallet, dest_account, description = '', metadata = {} } = read.value;
  const to = destinationOf(dest_wallet, dest_account, read.value);
  return done({ amountKobo, description, metadata, ...to });
}

export const holdQuery = pageQuery.extend({
  wallet_id: field.walletId.optional(),
  status: z.enum(HOLD_STATUSES, `must be of: ${HOLD_STATUSES.join(', ')}`).optional(),
});

export const holdSchemaOfAnswer = z
  .object({
    id: uuid,
    status: z.enum(HOLD_STATUSES).meta({ id: 'HoldStatus' }),
    wallet_id: uuid,
    amount: kobo.meta({ description: 'What the hold sets aside while it is open' }),
    currency: field.currency,
    reference: z.string(),
    transaction_id: uuid.nullable().meta({ description: 'The payment that has captured it; null before' }),
    captured_amount: kobo.nullable().meta({ description: 'The amount of that payment, without its fee' }),
    created_at: timestamp,
    expires_at: timestamp,
    ended_at: timestamp.nullable().meta({ description: 'When it was captured, released or had expired' }),
  })
  .meta({ id: 'Hold' });

export const writeHold = (hold: Hold): z.infer<typeof holdSchemaOfAnswer> => ({
  id: hold.id,
  status: hold.status,
  wallet_id: hold.walletId,
  amount: hold.amountKobo,
  currency: CURRENCY,
  reference: hold.reference,
  transaction_id: hold.capture?.transactionId ?? null,
  captured_amount: hold.capture?.amountKobo ?? null,
  created_at: hold.createdAt.toISOString(),
  expires_at: hold.expiresAt.toISOString(),
  ended_at: hold.endedAt?.toISOString() ?? null,
});
