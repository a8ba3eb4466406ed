/**
 * Every code with which a request can be refused, in the order in which refusals are looked for (D120, D135): the
 * HTTP status of the reference form, that of the guide form where it differs (D53), and the message.
 */
export const REFUSALS = {
  INVALID_TOKEN: { status: 401, message: 'The credential is missing or not valid' },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'Too many requests in this minute' },
  SANDBOX_ONLY: { status: 403, message: 'This operation exists in the sandbox only' },
  INVALID_CREDENTIALS: { status: 401, message: 'The email, the password or the one-time code is wrong' },
  ONE_TIME_CODE_REQUIRED: { status: 401, message: 'A one-time code is needed too, in the field code' },
  PARTNER_NOT_ACTIVE: { status: 403, message: 'The partner is not active in live yet' },
  FORBIDDEN: { status: 403, message: 'This credential may not do this' },
  PROOF_REQUIRED: {
    status: 403,
    message: 'This needs a proof of who you are that is younger than ten minutes: POST /v1/auth/proof',
  },
  NOT_FOUND: { status: 404, message: 'The resource does not exist' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'The method is not allowed here' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than 262144 bytes' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: 'The Idempotency-Key was used with another body' },
  REQUEST_IN_PROGRESS: { status: 409, message: 'A request with this Idempotency-Key is still in progress' },
  VALIDATION_ERROR: { status: 422, message: 'The request is not valid' },
  INVALID_BANK_CODE: { status: 422, message: 'No bank has this bank_code' },
  ACCOUNT_RESOLUTION_FAILED: { status: 422, message: 'The account number cannot be resolved with this bank' },
  AMOUNT_TOO_LOW: { status: 422, guideStatus: 400, message: 'The amount is less than 1 kobo' },
  SAME_WALLET_TRANSFER: {
    status: 422,
    guideStatus: 400,
    message: 'Source and destination are the same wallet',
  },
  EMAIL_ALREADY_REGISTERED: { status: 409, message: 'A user with this email exists already' },
  DUPLICATE_REFERENCE: { status: 409, message: 'The reference was used for a different transfer' },
  WALLET_ALREADY_EXISTS: { status: 409, message: 'A wallet already exists for this user_ref' },
  WALLET_NOT_FOUND: { status: 404, message: 'The wallet does not exist' },
  WALLET_CLOSED: { status: 422, message: 'The wallet is closed' },
  WALLET_FROZEN: { status: 422, message: 'The source wallet is frozen' },
  WALLET_NOT_ACTIVE: { status: 422, message: 'The source wallet is not active yet' },
  INVALID_WALLET_STATE: { status: 422, message: 'The state of the wallet does not allow this' },
  WALLET_NOT_EMPTY: { status: 422, message: 'The wallet has a balance or something open' },
  PIN_LOCKED: { status: 422, message: 'The PIN is locked until a new one is set without the current one' },
  QR_ALREADY_PAID: { status: 422, message: 'The QR payment request was paid already' },
  QR_EXPIRED: { status: 422, message: 'The QR payment request has expired' },
  HOLD_NOT_OPEN: { status: 422, message: 'The hold was captured or released already, or has expired' },
  USSD_SESSION_EXPIRED: { status: 422, message: 'The USSD session has expired' },
  USSD_SESSION_NOT_ACTIVE: { status: 422, message: 'The USSD session does not allow this any more' },
  COMPLIANCE_LOCKED: { status: 422, message: 'The compliance record cannot be edited now' },
  INVALID_COMPLIANCE_STATE: { status: 422, message: 'The compliance record does not allow this decision' },
  TRANSACTION_NOT_PROCESSING: { status: 422, message: 'The transaction is not processing' },
  NO_DECISION_NEEDED: {
    status: 422,
    message: 'The transfer waits for no decision about the name of its account',
  },
  INVALID_BULK_STATE: { status: 422, message: 'The bulk transfer does not allow this any more' },
  INVALID_SCHEDULE_STATE: { status: 422, message: 'The scheduled transfer has ended already' },
  LAST_OWNER: { status: 422, message: 'A partner needs an owner, and this is the last one' },
  LIMIT_EXCEEDED: { status: 422, message: 'A limit would be exceeded' },
  INSUFFICIENT_FUNDS: { status: 422, message: 'The balance is below the amount plus fees' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'Not available right now; the same request is safe to repeat',
  },
  INTERNAL_ERROR: { status: 500, message: 'Unexpected error' },
} as const satisfies Record<string, { status: number; guideStatus?: number; message: string }>;

export type RefusalCode = keyof typeof REFUSALS;

/**
 * A business answer of "no": a value, never retried. `detail` carries the published context of the code.
 * `guideStatus` of the table applies to P2P only; elsewhere both forms answer `status` (D53).
 */
export interface Refusal<Code extends string = RefusalCode> {
  code: Code;
  message?: string;
  detail?: Record<string, unknown>;
  /** After how many seconds a repeat may succeed; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** True where that part of the platform was never switched on: nothing fails, and no alarm is raised (R22). */
  isNotConfigured?: boolean;
}

/** One thing that is wrong with a request: the field, as the caller wrote it, and what it must be. */
export interface FieldProblem {
  field: string;
  message: string;
}
