/** The two published envelopes of a refusal (interface: Errors; D116) and its HTTP status (D53). */
import { REFUSALS, type Refusal } from '../domain/refusals';
import type { Form } from './forms';

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

const snakeKeys = (detail: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(detail).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
