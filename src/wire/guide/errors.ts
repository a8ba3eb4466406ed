/** The guide's envelope of a refusal, and its table of statuses (interface: Errors; D53, D116). */
import { z } from 'zod';
import { REFUSALS, type Refusal } from '../../domain/refusals';
import { meta } from '../answers';
import { code, detail, errorFields, message } from '../error-fields';

export const guideError = z
  .object({ error: z.object({ code, message, http_status: z.int(), detail }), meta })
  .meta({ id: 'GuideError', description: 'The guide form of a refusal' });

/** `{ error: { code, message, http_status, detail? }, meta }` as JSON text. */
export const writeGuideError = (refusal: Refusal, status: number, requestId: string): string => {
  const { message: text, ...rest } = errorFields(refusal);
  const error = { code: refusal.code, message: text, http_status: status, ...rest };
  return JSON.stringify({ error, meta: { request_id: requestId } });
};

/** @param byOwnTable true for the operations whose guide publishes statuses of its own. */
export function guideStatusOf(refusal: Refusal, byOwnTable: boolean): number {
  const rule: { status: number; guideStatus?: number } = REFUSALS[refusal.code];
  return (byOwnTable && rule.guideStatus) || rule.status;
}
