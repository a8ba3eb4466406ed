/**
 * What the envelopes of a refusal share, and the plain envelope, which reference and quickstart have in common
 * (interface: Errors; D116).
 */
import { z } from 'zod';
import { REFUSALS, type Refusal, type RefusalCode } from '../domain/refusals';
import { FORBIDDEN_REASONS, NOT_FOUND_REASONS } from '../domain/refusal-reasons';
import { meta } from './answers';

export const code = z.enum(Object.keys(REFUSALS) as RefusalCode[]).meta({
  id: 'ErrorCode',
  description: 'Switch on this code, not on the HTTP status: several codes share one',
});
export const message = z.string().meta({ description: 'For people; its words may change' });
const listed = (reasons: Record<string, string>): string =>
  Object.entries(reasons)
    .map(([reason, said]) => `\`${reason}\` (${said})`)
    .join(', ');
const REASONS =
  `Of \`NOT_FOUND\`: ${listed(NOT_FOUND_REASONS)}; what is unknown and what is not yours are told alike. ` +
  `Of \`FORBIDDEN\`: ${listed(FORBIDDEN_REASONS)}`;
const fieldProblem = z
  .object({
    field: z.string().meta({ description: 'As the caller wrote it', examples: ['splits[1].amount'] }),
    message: z.string().meta({ examples: ['is required'] }),
  })
  .meta({ id: 'FieldProblem' });
export const detail = z
  .looseObject({
    fields: z.array(fieldProblem).optional().meta({
      description:
        'Of `VALIDATION_ERROR`: everything that is wrong, in the order of the schema; the first is the message',
    }),
    reason: z.string().optional().meta({ description: REASONS }),
  })
  .optional()
  .meta({ description: 'The context of the code' });

export const plainError = z
  .object({ error: code, message, detail, meta })
  .meta({ id: 'Error', description: 'The reference form of a refusal' });

/** `{ error, message, detail?, meta }` as JSON text. */
export const writePlainError = (refusal: Refusal, _status: number, requestId: string): string =>
  JSON.stringify({ error: refusal.code, ...errorFields(refusal), meta: { request_id: requestId } });

/** The status of a refusal where a form has no table of its own. */
export const plainStatusOf = ({ code: refused }: Refusal): number => REFUSALS[refused].status;

/** The message, and the context where there is one. Its keys are written in the interface's spelling. */
export const errorFields = (refusal: Refusal) => ({
  message: refusal.message ?? REFUSALS[refusal.code].message,
  ...(refusal.detail && { detail: snakeKeys(refusal.detail) }),
});

/** Keys in the interface's spelling. */
export const snakeKeys = (detail: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(detail).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
