/** Bulk transfers: the request with its lines, and the answers (interface: Transfers; D202). */
import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  BULK_LINES_MAX,
  BULK_STATUSES,
  bulkTerms,
  LINE_STATUSES,
  type BulkLine,
  type BulkTransfer,
  type LineRequest,
} from '../domain/bulk-transfers';
import { CURRENCY, KOBO_MAX, type Kobo } from '../domain/money';
import { done, refuseFields, type Outcome, type Refused } from '../domain/outcome';
import type { FieldProblem } from '../domain/refusals';
import { kobo, timestamp, transactionStatus, uuid } from './answers';
import { code, detail, errorFields, message } from './error-fields';
import * as field from './fields';
import { pageQuery } from './pages';
import { publishedBody, readBody } from './read';
import {
  bankAccountFields,
  destinationOf,
  instructionFields,
  toOneDestination,
  words,
  wordsOf,
} from './transfers';

/** Ten thousand lines with a description each; larger than any other body. */
export const BULK_BODY_MAX_BYTES = 8_388_608;
/** The rate limit counts requests to the API; the lines are posted later, at the pace of the platform. */
const LINES_PER_PLACE = 1_000;
/** The answer to a request with wrong lines names so many problems. */
const PROBLEMS_MAX = 100;

/** How many places of the rate limit it takes, by the lines of its body as it came. */
export const placesOfBulk = (body: unknown): number =>
  Math.max(1, Math.ceil(linesOf(body) / LINES_PER_PLACE));

/** How many lines a request has, as far as they count. */
export function linesOf(body: unknown): number {
  const lines = typeof body === 'object' && body !== null && 'transfers' in body ? body.transfers : null;
  return Array.isArray(lines) ? Math.min(lines.length, BULK_LINES_MAX) : 0;
}

const lineSchema = toOneDestination(
  z.object({
    source_wallet: field.walletId,
    dest_wallet: field.optional(field.destWalletId).meta({ description: 'Of a transfer between wallets' }),
    dest_account: field
      .optional(z.object(bankAccountFields, 'must be an object'))
      .meta({ description: 'Of a transfer to a bank account' }),
    amount: field.amountKobo.refine((amount) => amount >= 1, 'must be at least 1'),
    ...instructionFields,
    ...words('order-2001'),
  }),
)
  .refine(({ source_wallet, dest_wallet }) => dest_wallet === undefined || source_wallet !== dest_wallet, {
    path: ['dest_wallet'],
    message: 'must be another wallet than source_wallet',
  })
  .meta({ id: 'BulkTransferLineRequest' });

const bulkSchema = z.object({
  reference: field.referenceLike('payroll-2026-11'),
  transfers: field.atMost(
    BULK_LINES_MAX,
    `must have at most ${String(BULK_LINES_MAX)} lines`,
    z
      .array(lineSchema, { error: (issue) => (issue.input === undefined ? undefined : 'must be an array') })
      .min(1, 'must have at least one line'),
  ),
});

export const bulkBody = publishedBody('BulkTransferRequest', bulkSchema);

export interface BulkRequest {
  reference: string;
  lines: readonly LineRequest[];
  /** Of all lines together. */
  amountKobo: Kobo;
  /** What makes a second request with this reference the same one. */
  terms: string;
}

/** Reads a bulk transfer whole. A line that repeats a reference, of another line or of the whole, is wrong. */
export function readBulk(body: unknown): Outcome<BulkRequest> {
  const read = readBody(bulkSchema, body);
  if (!read.ok) return shortened(read);
  const { reference, transfers } = read.value;
  const lines = transfers.map(toLine);
  const repeated = repeatedReferences(reference, lines);
  if (repeated.length > 0) return refuseLines(repeated);
  const amountKobo = lines.reduce((sum, line) => sum + line.amountKobo, 0);
  if (amountKobo > KOBO_MAX) {
    return refuseFields({ field: 'transfers', message: 'the sum of the amounts is too large' });
  }
  const digest = hash('sha256', JSON.stringify(lines), 'base64url');
  return done({ reference, lines, amountKobo, terms: bulkTerms(lines.length, amountKobo, digest) });
}

function toLine(line: z.infer<typeof lineSchema>): LineRequest {
  const { source_wallet: sourceWalletId, dest_wallet, dest_account, amount: amountKobo } = line;
  const to = destinationOf(dest_wallet, dest_account, line);
  return { sourceWalletId, to, amountKobo, ...wordsOf(line) };
}

function repeatedReferences(own: string, lines: readonly LineRequest[]): FieldProblem[] {
  const first = new Map<string, string>([[own, 'the whole bulk transfer']]);
  const problems: FieldProblem[] = [];
  lines.forEach(({ reference }, place) => {
    const used = first.get(reference);
    if (used === undefined) first.set(reference, `transfers[${String(place)}]`);
    else problems.push({ field: lineField(place, 'reference'), message: `is the reference of ${used} too` });
  });
  return problems;
}

/** The field of a line, as problems name it. */
export const lineField = (place: number, name: string): string => `transfers[${String(place)}].${name}`;

/** VALIDATION_ERROR for wrong lines, with the first hundred problems. */
export function refuseLines([first, ...others]: readonly FieldProblem[]): Refused {
  if (!first) throw new Error('bug: no line is wrong');
  return refuseFields(first, ...others.slice(0, PROBLEMS_MAX - 1));
}

function shortened(refused: Refused): Refused {
  const problems = refused.refusal.detail?.['fields'] as FieldProblem[] | undefined;
  return problems && problems.length > PROBLEMS_MAX ? refuseLines(problems) : refused;
}

const bulkStatus = z.enum(BULK_STATUSES).meta({ id: 'BulkTransferStatus' });
const lineStatus = z.enum(LINE_STATUSES).meta({ id: 'BulkTransferLineStatus' });

/** What the event of the end has as well. */
const head = {
  id: uuid,
  reference: z.string(),
  status: bulkStatus,
  amount: kobo.meta({ description: 'Of all lines together, in kobo, without fees' }),
  currency: field.currency,
  lines: z
    .object({
      total: z.int(),
      accepted: z.int().meta({ description: 'Lines whose transfer was made' }),
      refused: z.int(),
    })
    .meta({ id: 'BulkTransferCounts' }),
};

export const bulkSchemaOfAnswer = z
  .object({
    ...head,
    created_at: timestamp,
    ended_at: timestamp.nullable().meta({ description: 'When the last line had its result; null before' }),
  })
  .meta({ id: 'BulkTransfer' });

export const writeBulk = (bulk: BulkTransfer): z.infer<typeof bulkSchemaOfAnswer> => ({
  id: bulk.id,
  reference: bulk.reference,
  status: bulk.status,
  amount: bulk.amountKobo,
  currency: CURRENCY,
  lines: { total: bulk.lines, accepted: bulk.acceptedLines, refused: bulk.refusedLines },
  created_at: bulk.createdAt.toISOString(),
  ended_at: bulk.endedAt?.toISOString() ?? null,
});

export const bulkLineSchema = z
  .object({
    place: z.int().meta({ description: 'From 0, in the order of the request' }),
    reference: z.string(),
    amount: kobo,
    status: lineStatus,
    transaction_id: uuid.nullable(),
    transaction_status: transactionStatus.nullable().meta({ description: 'As the transaction is now' }),
    refusal: z
      .object({ error: code, message, detail })
      .meta({ id: 'BulkTransferLineRefusal' })
      .nullable()
      .meta({ description: 'Why the line was refused; null unless it was' }),
  })
  .meta({ id: 'BulkTransferLine' });

export const writeBulkLine = (line: BulkLine): z.infer<typeof bulkLineSchema> => ({
  place: line.place,
  reference: line.reference,
  amount: line.amountKobo,
  status: line.status,
  transaction_id: line.transactionId,
  transaction_status: line.transactionStatus,
  refusal: line.refusal && { error: line.refusal.code, ...errorFields(line.refusal) },
});

/** The page of bulk transfers with the filter by their status. */
export const bulkQuery = pageQuery.extend({
  status: z.enum(BULK_STATUSES, `must be of: ${BULK_STATUSES.join(', ')}`).optional(),
});

/** The page of lines with the filter by their status. */
export const bulkLinesQuery = pageQuery.extend({
  status: z.enum(LINE_STATUSES, `must be of: ${LINE_STATUSES.join(', ')}`).optional(),
});
