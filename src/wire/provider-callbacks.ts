/**
 * The callbacks of providers: how each provider signs them, and how its body is read. It is a table by the
 * provider's name (D115, R23).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { CallbackNotice, CallbackOutcome } from '../domain/callbacks';
import { CURRENCY, koboOfNaira } from '../domain/money';
import { done, map, refuseFields, type Outcome } from '../domain/outcome';
import { attemptOfPayout } from '../domain/payouts';
import * as field from './fields';
import { readBody } from './read';

export interface CallbackDialect {
  /** Whether exactly these bytes were signed with the secret. The comparison takes constant time. */
  isGenuine(headers: Headers, bytes: Buffer, secret: string): boolean;
  /**
   * Reads a genuine callback. It is refused only if a field is missing or malformed.
   * @param body its JSON.
   * @param signed.secret the secret that fits.
   * @returns null if the callback is about nothing that we follow.
   */
  read(body: unknown, signed: { bytes: Buffer; secret: string }): Outcome<Said | null>;
}

/**
 * What a callback is about: one of our transfers; a payment that came in, by the company's own reference; or that such a
 * payment goes back, or may.
 */
export type Said =
  | { about: 'transfer'; notice: CallbackNotice }
  | { about: 'payment' | 'return'; reference: string };

type Headers = Record<string, string | string[] | undefined>;

/** Whether a header has this value. The comparison takes constant time. */
function hasHeader(headers: Headers, name: string, value: string): boolean {
  const given = Buffer.from(String(headers[name] ?? ''));
  const expected = Buffer.from(value);
  return given.length === expected.length && timingSafeEqual(given, expected);
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

/** The body of a callback of the simulated bank; `simulatorBody` reads it. */
export const writeSimulatorCallback = (notice: CallbackNotice): z.input<typeof simulatorCallbackSchema> => ({
  event_id: notice.eventId,
  transaction_id: notice.transferName,
  provider_reference: notice.providerReference,
  outcome: notice.outcome,
  amount_kobo: notice.amountKobo,
  currency: notice.currency,
  occurred_at: notice.occurredAt.toISOString(),
});

const simulatorBody = simulatorCallbackSchema.transform((body) => ({
  eventId: body.event_id,
  transferName: body.transaction_id,
  attemptNumber: null,
  providerReference: body.provider_reference,
  outcome: body.outcome,
  amountKobo: body.amount_kobo,
  currency: body.currency ?? CURRENCY,
  occurredAt: new Date(body.occurred_at),
}));

const simulator: CallbackDialect = {
  isGenuine: (headers, bytes, secret) =>
    hasHeader(headers, 'x-simulator-signature', simulatorSignature(bytes, secret)),
  read: (body) => map(readBody(simulatorBody, body), (notice) => ({ about: 'transfer', notice })),
};

/** Paystack signs the raw body with the secret key: the HMAC-SHA512 in hex, in the header `x-paystack-signature`. */
export function paystackSignature(bytes: Buffer | string, secretKey: string): string {
  return createHmac('sha512', secretKey).update(bytes).digest('hex');
}

/** The events about transfers. */
const PAYSTACK_OUTCOMES: ReadonlyMap<string, CallbackOutcome> = new Map([
  ['transfer.success', 'success'],
  ['transfer.failed', 'failed'],
  ['transfer.reversed', 'reversed'],
]);

const paystackEvent = z.object({ event: field.plainText(128) });
const paystackTransfer = z.object({
  data: z.object({
    reference: field.plainText(128),
    transfer_code: field.plainText(128),
    amount: z.int().min(0),
    currency: field.plainText(16),
    domain: field.plainText(16),
    updatedAt: z.iso.datetime({ offset: true }).nullish(),
  }),
});

/** The alphabet is that of Paystack's own rule for references. */
const paystackReference = z.string().regex(/^[A-Za-z0-9.=_-]{1,128}$/, 'must be a reference');
const PAYSTACK_RECEIVED = 'charge.success';
/** Events about money that goes back: a refund, and what a payer's bank claims. They name the payment in one of two ways. */
const PAYSTACK_RETURNS = /^(refund|charge\.dispute)\./;
const paystackReturn = z.object({
  data: z.object({
    domain: field.plainText(16),
    transaction_reference: field.optional(paystackReference),
    transaction: field.optional(z.object({ reference: paystackReference })),
  }),
});
/** The way in which money comes to an account number. Other charges are no business of ours. */
const PAYSTACK_CHANNEL = 'dedicated_nuban';
const paystackCharge = z.object({
  data: z.object({
    reference: paystackReference,
    channel: field.plainText(32),
    domain: field.plainText(16),
  }),
});

/** What happens to the money of tests never concerns real money. */
const isOfWorld = (domain: string, secret: string): boolean =>
  domain === (secret.startsWith('sk_live_') ? 'live' : 'test');

const paystack: CallbackDialect = {
  isGenuine: (headers, bytes, secret) =>
    hasHeader(headers, 'x-paystack-signature', paystackSignature(bytes, secret)),
  read(body, { bytes, secret }) {
    const kind = readBody(paystackEvent, body);
    if (!kind.ok) return kind;
    if (kind.value.event === PAYSTACK_RECEIVED) {
      return map(readBody(paystackCharge, body), ({ data: { reference, channel, domain } }) =>
        channel === PAYSTACK_CHANNEL && isOfWorld(domain, secret) ? { about: 'payment', reference } : null,
      );
    }
    if (PAYSTACK_RETURNS.test(kind.value.event)) {
      return map(readBody(paystackReturn, body), ({ data }) => {
        const reference = data.transaction_reference ?? data.transaction?.reference;
        return reference !== undefined && isOfWorld(data.domain, secret)
          ? { about: 'return', reference }
          : null;
      });
    }
    const outcome = PAYSTACK_OUTCOMES.get(kind.value.event);
    if (outcome === undefined) return done(null);
    const read = readBody(paystackTransfer, body);
    if (!read.ok) return read;
    const { reference, domain, ...transfer } = read.value.data;
    if (!isOfWorld(domain, secret)) return done(null);
    const attempt = attemptOfPayout(reference);
    const notice = {
      // Paystack's events have no id. The same event comes with the same bytes.
      eventId: createHash('sha256').update(bytes).digest('hex'),
      transferName: attempt?.transactionId ?? reference,
      attemptNumber: attempt?.n ?? null,
      providerReference: transfer.transfer_code,
      outcome,
      amountKobo: transfer.amount,
      currency: transfer.currency,
      occurredAt: transfer.updatedAt ? new Date(transfer.updatedAt) : new Date(),
    };
    return done({ about: 'transfer', notice });
  },
};

/** Monnify signs the raw body with its secret key: the HMAC-SHA512 in hex, in the header `monnify-signature`. */
const MONNIFY_OUTCOMES: ReadonlyMap<string, CallbackOutcome> = new Map([
  ['SUCCESSFUL_DISBURSEMENT', 'success'],
  ['FAILED_DISBURSEMENT', 'failed'],
  ['REVERSED_DISBURSEMENT', 'reversed'],
]);

const monnifyEvent = z.object({ eventType: field.plainText(128) });
const monnifyTransfer = z.object({
  eventData: z.object({
    reference: field.plainText(128),
    transactionReference: field.plainText(128),
    amount: z.number().min(0),
    currency: field.plainText(16),
  }),
});

/** Of money that comes in, and of money that goes back. Other products than account numbers are no business of ours. */
const MONNIFY_RECEIVED = 'SUCCESSFUL_TRANSACTION';
const MONNIFY_PRODUCT = 'RESERVED_ACCOUNT';
const MONNIFY_RETURNS: readonly string[] = ['SUCCESSFUL_REFUND', 'FAILED_REFUND'];
/** Such as `MNFY|04|20211117112842|000170`. */
const monnifyReference = z.string().regex(/^[A-Za-z0-9|._-]{1,128}$/, 'must be a reference');
const monnifyPayment = z.object({
  eventData: z.object({
    transactionReference: monnifyReference,
    product: z.object({ type: field.plainText(64) }),
  }),
});
const monnifyReturn = z.object({ eventData: z.object({ transactionReference: monnifyReference }) });

const monnify: CallbackDialect = {
  isGenuine: (headers, bytes, secret) =>
    hasHeader(headers, 'monnify-signature', createHmac('sha512', secret).update(bytes).digest('hex')),
  read(body, { bytes }) {
    const kind = readBody(monnifyEvent, body);
    if (!kind.ok) return kind;
    const { eventType } = kind.value;
    if (eventType === MONNIFY_RECEIVED) {
      return map(
        readBody(monnifyPayment, body),
        ({ eventData: { transactionReference: reference, product } }) =>
          product.type === MONNIFY_PRODUCT ? { about: 'payment', reference } : null,
      );
    }
    if (MONNIFY_RETURNS.includes(eventType)) {
      return map(readBody(monnifyReturn, body), ({ eventData: { transactionReference: reference } }) => ({
        about: 'return',
        reference,
      }));
    }
    const outcome = MONNIFY_OUTCOMES.get(eventType);
    if (outcome === undefined) return done(null);
    const read = readBody(monnifyTransfer, body);
    if (!read.ok) return read;
    const { reference, transactionReference, amount, currency } = read.value.eventData;
    const amountKobo = koboOfNaira(amount);
    if (amountKobo === null) return refuseFields({ field: 'amount', message: 'must be naira' });
    const attempt = attemptOfPayout(reference);
    const notice: CallbackNotice = {
      // Monnify's events have no id. The same event comes with the same bytes.
      eventId: createHash('sha256').update(bytes).digest('hex'),
      transferName: attempt?.transactionId ?? reference,
      attemptNumber: attempt?.n ?? null,
      providerReference: transactionReference,
      outcome,
      amountKobo,
      currency,
      // Its times have no zone.
      occurredAt: new Date(),
    };
    return done({ about: 'transfer', notice });
  },
};

const accountSchema = z.object({ account_number: field.plainText(32), bank_code: field.plainText(16) });
const recipientCode = field.plainText(64);

/**
 * What Paystack asks before it pays. Its pages show no example; the fields are those of its transfers, with or without
 * the envelope of its events. A transfer has its recipient with the account, with its code alone, or as nothing but the code.
 */
const paystackAsked = z.object({
  reference: field.plainText(128),
  amount: z.int().min(1),
  currency: z.literal(CURRENCY),
  recipient: z.union([
    recipientCode.transform((code) => ({ details: undefined, recipient_code: code })),
    z
      .object({ details: accountSchema.nullish().catch(null), recipient_code: recipientCode.nullish() })
      .refine(({ details, recipient_code }) => details != null || recipient_code != null),
  ]),
});

/** What a company asks about: its own word for the transfer, and where the money would go. */
export interface ApprovalAsked {
  reference: string;
  amountKobo: number;
  /** The account, or the company's own name for it, which is looked up. We approve nothing that we cannot compare. */
  to: { accountNumber: string; bankCode: string } | { recipient: string };
}

type ReadApproval = (body: unknown) => ApprovalAsked | null;

/** The companies that ask us before they pay. A question that cannot be read is not approved. */
export const APPROVAL_DIALECTS: ReadonlyMap<string, ReadApproval> = new Map([
  [
    'paystack',
    (body) => {
      const inside = paystackAsked.safeParse((body as { data?: unknown } | null)?.data ?? body);
      if (!inside.success) return null;
      const { reference, amount, recipient } = inside.data;
      const { details, recipient_code: code } = recipient;
      if (details) {
        const { account_number: accountNumber, bank_code: bankCode } = details;
        return { reference, amountKobo: amount, to: { accountNumber, bankCode } };
      }
      return code == null ? null : { reference, amountKobo: amount, to: { recipient: code } };
    },
  ],
]);

export const CALLBACK_DIALECTS: ReadonlyMap<string, CallbackDialect> = new Map([
  ['simulator', simulator],
  ['paystack', paystack],
  ['monnify', monnify],
]);
