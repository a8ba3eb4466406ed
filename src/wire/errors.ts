/** The two published envelopes of a refusal (interface: Errors; D116) and its HTTP status (D53). */
import { z } from 'zod';
import { refuse, refuseFields, type Refused } from '../domain/outcome';
import { REFUSALS, type Refusal, type RefusalCode } from '../domain/refusals';
import { meta } from './answers';
import type { Form } from './forms';

const code = z.enum(Object.keys(REFUSALS) as RefusalCode[]).meta({
  id: 'ErrorCode',
  description: 'Switch on this code, not on the HTTP status: several codes share one',
});
const message = z.string().meta({ description: 'For people; its words may change' });
const fieldProblem = z
  .object({
    field: z.string().meta({ description: 'As the caller wrote it', examples: ['splits[1].amount'] }),
    message: z.string().meta({ examples: ['is required'] }),
  })
  .meta({ id: 'FieldProblem' });
const detail = z
  .looseObject({
    fields: z.array(fieldProblem).optional().meta({
      description:
        'Of `VALIDATION_ERROR`: everything that is wrong, in the order of the schema; the first is the message',
    }),
  })
  .optional()
  .meta({ description: 'The context of the code' });

export const referenceError = z
  .object({ error: code, message, detail, meta })
  .meta({ id: 'Error', description: 'The reference form of a refusal' });
export const guideError = z
  .object({ error: z.object({ code, message, http_status: z.int(), detail }), meta })
  .meta({ id: 'GuideError', description: 'The guide form of a refusal' });

const EXAMPLE_ID = '0198c0de-0000-7000-8000-000000000001';
/** The published context of the codes that have one. */
const EXAMPLE_DETAILS: Partial<Record<RefusalCode, Record<string, unknown>>> = {
  INSUFFICIENT_FUNDS: { availableKobo: 100_000, requiredKobo: 150_750 },
  DUPLICATE_REFERENCE: { transactionId: EXAMPLE_ID },
  WALLET_ALREADY_EXISTS: { walletId: EXAMPLE_ID },
  WALLET_NOT_EMPTY: { balanceKobo: 100_000, openTransactions: 1 },
};
const EXAMPLE_PROBLEMS = refuseFields({ field: 'reference', message: 'is required' });

/** What may be wrong with a credential. That it was once good is not told: `unknown` is one text for all (D174). */
export const UNAUTHENTICATED = {
  absent: 'There is no Authorization header; it must be: Bearer <API key or access token>',
  otherScheme: 'The Authorization header must be given once, as: Bearer <API key or access token>',
  malformed: 'This is no API key: its prefix, its length or its last characters are wrong',
  unknown: 'The API key or access token is unknown, revoked or expired',
} as const;

export const unauthenticated = (problem: keyof typeof UNAUTHENTICATED): Refused =>
  refuse('INVALID_TOKEN', { message: UNAUTHENTICATED[problem] });

/** What an answer with this code looks like. */
export function exampleError(refusalCode: RefusalCode, form: Form, status: number): unknown {
  const detailOfCode = EXAMPLE_DETAILS[refusalCode];
  const refusal: Refusal =
    refusalCode === 'VALIDATION_ERROR'
      ? EXAMPLE_PROBLEMS.refusal
      : { code: refusalCode, ...(detailOfCode && { detail: detailOfCode }) };
  return JSON.parse(writeError(refusal, form, status, 'req_0198c0de000070008000000000000001'));
}

/**
 * The status of a refusal. P2P in guide form answers 400 where the guide's own table does.
 * @param byGuideTable true for the operations whose guide publishes statuses of its own.
 */
export function statusOf(refusal: Refusal, form: Form, byGuideTable: boolean): number {
  const rule: { status: number; guideStatus?: number } = REFUSALS[refusal.code];
  return (byGuideTable && form === 'guide' && rule.guideStatus) || rule.status;
}

/** The envelope as JSON text. `detail` keys go out in the interface's spelling. */
export function writeError(refusal: Refusal, form: Form, status: number, requestId: string): string {
  const message = refusal.message ?? REFUSALS[refusal.code].message;
  const detail = refusal.detail ? { detail: snakeKeys(refusal.detail) } : {};
  const meta = { request_id: requestId };
  if (form === 'guide') {
    return JSON.stringify({ error: { code: refusal.code, message, http_status: status, ...detail }, meta });
  }
  return JSON.stringify({ error: refusal.code, message, ...detail, meta });
}

/** Keys in the interface's spelling. */
export const snakeKeys = (detail: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(detail).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
