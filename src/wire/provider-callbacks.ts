/**
 * The callbacks of providers: how each provider signs them, and how its body is read. It is a table by the
 * provider's name (D115, R23).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { CallbackNotice } from '../domain/callbacks';
import { CURRENCY } from '../domain/money';
import type { Outcome } from '../domain/outcome';
import * as field from './fields';
import { readBody } from './read';

export interface CallbackDialect {
  /** Whether exactly these bytes were signed with the secret. The comparison takes constant time. */
  isGenuine(headers: Record<string, string | string[] | undefined>, bytes: Buffer, secret: string): boolean;
  /** Reads the JSON of a genuine callback. It is refused only if a field is missing or malformed. */
  read(body: unknown): Outcome<CallbackNotice>;
}

/**
 * The simulator's `X-Simulator-Signature: sha256=<hex>`, the HMAC-SHA256 of the raw body. Its key is the secret
 * as it is written in the configuration, so that `openssl dgst -hmac` makes the same.
 */
export function simulatorSignature(bytes: Buffer | string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;
}

export const simulatorCallbackSchema = z.object({
  event_id: field.plainText(128),
  transaction_id: field.plainText(128),
  provider_reference: field.plainText(128),
  outcome: field.plainText(64),
  amount_kobo: field.amountKobo,
  currency: field.optional(field.plainText(16)),
  occurred_at: z.iso.datetime({ offset: true, error: 'must be a time in ISO 8601' }),
});

const simulatorBody = simulatorCallbackSchema.transform((body) => ({
  eventId: body.event_id,
  transferName: body.transaction_id,
  providerReference: body.provider_reference,
  outcome: body.outcome,
  amountKobo: body.amount_kobo,
  currency: body.currency ?? CURRENCY,
  occurredAt: new Date(body.occurred_at),
}));

const simulator: CallbackDialect = {
  isGenuine(headers, bytes, secret) {
    const given = Buffer.from(String(headers['x-simulator-signature'] ?? ''));
    const expected = Buffer.from(simulatorSignature(bytes, secret));
    return given.length === expected.length && timingSafeEqual(given, expected);
  },
  read: (body) => readBody(simulatorBody, body),
};

export const CALLBACK_DIALECTS: ReadonlyMap<string, CallbackDialect> = new Map([['simulator', simulator]]);
