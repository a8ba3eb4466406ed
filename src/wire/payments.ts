/** QR and split payments: their requests in both forms of their keys, and their answers (interface: Payments). */
import { z } from 'zod';
import { CURRENCY, type Kobo } from '../domain/money';
import { QR_LIFETIME_SECONDS, QR_STATUSES, type QrRequest, type QrRequestNow } from '../domain/qr-requests';
import type { SplitShare } from '../domain/transactions';
import type { Metadata } from '../domain/wallets';
import { done, refuseFields, type Outcome } from '../domain/outcome';
import { isEmv, NOT_OURS, readEmvLabel, writeEmv } from './emv';
import * as field from './fields';
import { freeForm, kobo, timestamp, uuid } from './answers';
import { namesFor } from './forms';
import { pageQuery } from './pages';
import { publishedBody, readBody } from './read';
import { words, wordsOf } from './transfers';

const AMOUNT = namesFor('amount');
const SOURCE = namesFor('source_wallet');

const SPLIT_MIN = 2;
const SPLIT_MAX = 100;
/** The answer repeats the metadata for each leg, and is not to repeat more than a body may have. */
const SPLIT_METADATA_MAX_BYTES = 262_144;
/** Ten legs cost as much as one request. */
const LEGS_PER_PLACE = 10;

/** How many places of the rate limit a split takes, by the legs of its body as it came. */
export function placesOfSplit(body: unknown): number {
  const legs = typeof body === 'object' && body !== null && 'splits' in body ? body.splits : null;
  return Array.isArray(legs) ? Math.max(1, Math.ceil(Math.min(legs.length, SPLIT_MAX) / LEGS_PER_PLACE)) : 1;
}
/** The greatest sum of percentages, with room for rounding (D19). */
const PERCENT_SUM_MAX = 100.01;

const qrCreation = z.object({
  // Another wallet than the one that pays in the example of `qr/pay`.
  wallet_id: field.destWalletId,
  amount: field.amountKobo,
  ...words('order-1003'),
  expires_in_seconds: field.optional(
    z
      .int('must be an integer number of seconds')
      .min(QR_LIFETIME_SECONDS.min, `must be at least ${String(QR_LIFETIME_SECONDS.min)}`)
      .max(QR_LIFETIME_SECONDS.max, `must be at most ${String(QR_LIFETIME_SECONDS.max)}`),
  ),
});

export const qrCreateBody = publishedBody('QrCreateRequest', qrCreation, {
  form: 'Guide',
  aliases: AMOUNT,
});

export interface QrCreation {
  walletId: string;
  amountKobo: Kobo;
  reference: string;
  description: string;
  metadata: Metadata;
  lifetimeSeconds: number;
}

export function readQrCreation(body: unknown): Outcome<QrCreation> {
  const read = readBody(qrCreation, body, AMOUNT);
  if (!read.ok) return read;
  const { wallet_id, amount, expires_in_seconds } = read.value;
  return done({
    walletId: wallet_id,
    amountKobo: amount,
    ...wordsOf(read.value),
    lifetimeSeconds: expires_in_seconds ?? QR_LIFETIME_SECONDS.default,
  });
}

/** A QR is named by the partner's reference, or by the whole text of the code that was scanned (D23). */
const QR_REFERENCE_MAX = 512;

/** Without the blanks and line ends that scanners send after a text; a reference as references are kept. */
function asScanned(text: string): string {
  const trimmed = text.trimEnd();
  return isEmv(trimmed) ? trimmed : trimmed.normalize('NFC');
}

const qrPayment = z.object({
  qr_reference: field
    .plainText(QR_REFERENCE_MAX, 1, z.string().overwrite(asScanned))
    .refine((text) => !isEmv(text) || readEmvLabel(text) !== null, NOT_OURS)
    .meta({ ...field.PERSONAL, examples: ['order-1003'] }),
  source_wallet: field.walletId,
});

export const qrPayBody = publishedBody('QrPayRequest', qrPayment, { form: 'Guide', aliases: SOURCE });

export function readQrPayment(body: unknown): Outcome<{ qrReference: string; sourceWalletId: string }> {
  const read = readBody(qrPayment, body, SOURCE);
  if (!read.ok) return read;
  return done({ qrReference: read.value.qr_reference, sourceWalletId: read.value.source_wallet });
}

/** @param image the code as PNG, base64 without a `data:` prefix (D23). */
export const writeQrRequest = (request: QrRequest, image: string) => ({
  qr_code: image,
  qr_payload: writeEmv(request),
  reference: request.reference,
  expires_at: request.expiresAt.toISOString(),
});

/** The code in both its shapes: it shows the name of the account. */
const code = {
  qr_code: z.string().meta({ ...field.PERSONAL, description: 'The code as PNG, base64' }),
  qr_payload: z.string().meta({
    ...field.PERSONAL,
    description: 'The text of the code by EMVCo; `qr/pay` takes it too',
  }),
};

const qrSummary = {
  reference: z.string(),
  status: z.enum(QR_STATUSES).meta({ id: 'QrStatus' }),
  wallet_id: uuid.meta({ description: 'The wallet that is paid' }),
  amount: kobo,
  currency: field.currency,
  description: z.string().meta(field.PERSONAL),
  metadata: freeForm,
  transaction_id: uuid.nullable().meta({ description: 'The payment; null before it' }),
  source_wallet: uuid.nullable().meta({ description: 'The wallet that has paid; null before' }),
  created_at: timestamp,
  expires_at: timestamp,
};

export const qrListed = z.object(qrSummary).meta({ id: 'QrRequestInList' });

/** A request as a list shows it: without its picture. */
export const writeQrListed = (request: QrRequestNow): z.infer<typeof qrListed> => ({
  reference: request.reference,
  status: request.status,
  wallet_id: request.walletId,
  amount: request.amountKobo,
  currency: CURRENCY,
  description: request.description,
  metadata: request.metadata,
  transaction_id: request.paid?.transactionId ?? null,
  source_wallet: request.paid?.sourceWalletId ?? null,
  created_at: request.createdAt.toISOString(),
  expires_at: request.expiresAt.toISOString(),
});

export const qrShown = z
  .object({
    ...qrSummary,
    ...code,
  })
  .meta({ id: 'QrRequest' });

/** @param image the code as PNG, base64 without a `data:` prefix (D23). */
export const writeQrShown = (request: QrRequestNow, image: string): z.infer<typeof qrShown> => ({
  ...writeQrListed(request),
  qr_code: image,
  qr_payload: writeEmv(request),
});

/** The reference of a path; null for a text that no reference can be. */
export const readQrReference = (text: string): string | null => field.reference.safeParse(text).data ?? null;

export const qrQuery = pageQuery.extend({
  wallet_id: field.walletId.optional(),
  status: z.enum(QR_STATUSES, `must be of: ${QR_STATUSES.join(', ')}`).optional(),
});

export const qrRequestSchema = z
  .object({
    ...code,
    reference: z.string(),
    expires_at: timestamp,
  })
  .meta({ id: 'QrPaymentRequest' });

const share = z.object(
  {
    wallet_id: field.destWalletId,
    amount: field.amountKobo,
    percentage: field.optional(
      z.number('must be a number').gt(0, 'must be above 0').max(100, 'must be at most 100'),
    ),
  },
  { error: (issue) => (issue.input === undefined ? undefined : 'must be an object') },
);

const splitSchema = z.object({
  source_wallet: field.walletId,
  ...words('order-1004'),
  splits: field.atMost(
    SPLIT_MAX,
    `must have at most ${String(SPLIT_MAX)} items`,
    z
      .array(share, { error: (issue) => (issue.input === undefined ? undefined : 'must be an array') })
      .min(SPLIT_MIN, `must have at least ${String(SPLIT_MIN)} items`)
      .refine(percentagesAgree, {
        message: 'percentages must not add up to more than 100',
        // The sum is checked even when single items are wrong, so that one answer names every problem (D169).
        when: ({ value }) => Array.isArray(value) && value.length <= SPLIT_MAX,
      }),
  ),
});

export const splitBody = publishedBody('SplitRequest', splitSchema, { form: 'Guide', aliases: SOURCE });

/** @param shares may have items that are wrong themselves. A percentage that is not a number is not counted. */
function percentagesAgree(shares: readonly unknown[]): boolean {
  const given = shares.flatMap((one) => {
    const percentage = typeof one === 'object' && one !== null && 'percentage' in one ? one.percentage : null;
    return typeof percentage === 'number' ? percentage : [];
  });
  if (given.length < shares.length) return true;
  return given.reduce((sum, percentage) => sum + percentage, 0) <= PERCENT_SUM_MAX;
}

export interface SplitRequest {
  sourceWalletId: string;
  reference: string;
  description: string;
  metadata: Metadata;
  shares: SplitShare[];
}

export function readSplit(body: unknown): Outcome<SplitRequest> {
  const read = readBody(splitSchema, body, SOURCE);
  if (!read.ok) return read;
  const { source_wallet, splits } = read.value;
  const common = wordsOf(read.value);
  const mostBytes = Math.floor(SPLIT_METADATA_MAX_BYTES / splits.length);
  if (Buffer.byteLength(JSON.stringify(common.metadata)) > mostBytes) {
    const message = `must have at most ${String(mostBytes)} bytes with ${String(splits.length)} splits`;
    return refuseFields({ field: 'metadata', message });
  }
  return done({
    sourceWalletId: source_wallet,
    ...common,
    shares: splits.map(({ wallet_id, amount, percentage }) => ({
      walletId: wallet_id,
      amountKobo: amount,
      percentage: percentage ?? null,
    })),
  });
}
