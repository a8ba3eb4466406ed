/** Every code with its HTTP status in both published forms (interface: Errors; D53, D119, D149). */
import { refuse } from '../../../src/domain/outcome';
import { REFUSALS, type RefusalCode } from '../../../src/domain/refusals';
import { statusOf } from '../../../src/wire/errors';

/** `guide` is the status of a P2P transfer in guide form, which has a table of its own. */
const PUBLISHED: Record<RefusalCode, { reference: number; guide: number }> = {
  INVALID_TOKEN: { reference: 401, guide: 401 },
  RATE_LIMIT_EXCEEDED: { reference: 429, guide: 429 },
  SANDBOX_ONLY: { reference: 403, guide: 403 },
  INVALID_CREDENTIALS: { reference: 401, guide: 401 },
  ONE_TIME_CODE_REQUIRED: { reference: 401, guide: 401 },
  INVALID_BULK_STATE: { reference: 422, guide: 422 },
  INVALID_SCHEDULE_STATE: { reference: 422, guide: 422 },
  LAST_OWNER: { reference: 422, guide: 422 },
  PROOF_REQUIRED: { reference: 403, guide: 403 },
  FORBIDDEN: { reference: 403, guide: 403 },
  PARTNER_NOT_ACTIVE: { reference: 403, guide: 403 },
  NOT_FOUND: { reference: 404, guide: 404 },
  METHOD_NOT_ALLOWED: { reference: 405, guide: 405 },
  PAYLOAD_TOO_LARGE: { reference: 413, guide: 413 },
  IDEMPOTENCY_KEY_REUSED: { reference: 422, guide: 422 },
  REQUEST_IN_PROGRESS: { reference: 409, guide: 409 },
  VALIDATION_ERROR: { reference: 422, guide: 422 },
  INVALID_BANK_CODE: { reference: 422, guide: 422 },
  ACCOUNT_RESOLUTION_FAILED: { reference: 422, guide: 422 },
  AMOUNT_TOO_LOW: { reference: 422, guide: 400 },
  SAME_WALLET_TRANSFER: { reference: 422, guide: 400 },
  EMAIL_ALREADY_REGISTERED: { reference: 409, guide: 409 },
  DUPLICATE_REFERENCE: { reference: 409, guide: 409 },
  WALLET_ALREADY_EXISTS: { reference: 409, guide: 409 },
  WALLET_NOT_FOUND: { reference: 404, guide: 404 },
  WALLET_CLOSED: { reference: 422, guide: 422 },
  WALLET_FROZEN: { reference: 422, guide: 422 },
  WALLET_NOT_ACTIVE: { reference: 422, guide: 422 },
  INVALID_WALLET_STATE: { reference: 422, guide: 422 },
  WALLET_NOT_EMPTY: { reference: 422, guide: 422 },
  PIN_LOCKED: { reference: 422, guide: 422 },
  QR_ALREADY_PAID: { reference: 422, guide: 422 },
  QR_EXPIRED: { reference: 422, guide: 422 },
  HOLD_NOT_OPEN: { reference: 422, guide: 422 },
  USSD_SESSION_EXPIRED: { reference: 422, guide: 422 },
  USSD_SESSION_NOT_ACTIVE: { reference: 422, guide: 422 },
  COMPLIANCE_LOCKED: { reference: 422, guide: 422 },
  INVALID_COMPLIANCE_STATE: { reference: 422, guide: 422 },
  TRANSACTION_NOT_PROCESSING: { reference: 422, guide: 422 },
  NO_DECISION_NEEDED: { reference: 422, guide: 422 },
  LIMIT_EXCEEDED: { reference: 422, guide: 422 },
  INSUFFICIENT_FUNDS: { reference: 422, guide: 422 },
  SERVICE_UNAVAILABLE: { reference: 503, guide: 503 },
  INTERNAL_ERROR: { reference: 500, guide: 500 },
};
const rows = Object.entries(PUBLISHED).map(([code, statuses]) => ({
  code: code as RefusalCode,
  ...statuses,
}));

test('the table holds these codes and no others', () => {
  expect(Object.keys(REFUSALS).sort()).toEqual(Object.keys(PUBLISHED).sort());
});

test.each(rows)(
  '$code is $reference; a P2P transfer in guide form answers $guide',
  ({ code, reference, guide }) => {
    const { refusal } = refuse(code);
    expect(statusOf(refusal, 'reference', true)).toBe(reference);
    expect(statusOf(refusal, 'quickstart', true)).toBe(reference);
    expect(statusOf(refusal, 'guide', true)).toBe(guide);
  },
);

test.each(rows)('$code is $reference in guide form of every other operation', ({ code, reference }) => {
  expect(statusOf(refuse(code).refusal, 'guide', false)).toBe(reference);
});

test.each(rows)('$code has a message for people', ({ code }) => {
  expect(REFUSALS[code].message).toMatch(/^[A-Z][^\n]{10,}$/);
});

test('an unexpected error does not tell its cause', () => {
  expect(REFUSALS.INTERNAL_ERROR.message).toBe('Unexpected error');
});

test('a refusal carries a message and a detail only where they were given', () => {
  expect(refuse('NOT_FOUND').refusal).toEqual({ code: 'NOT_FOUND' });
  expect(refuse('NOT_FOUND', { detail: { a: 1 } }).refusal).toEqual({ code: 'NOT_FOUND', detail: { a: 1 } });
});
