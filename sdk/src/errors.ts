/**
 * What a call can end with instead of an answer. `name` is a literal, because minified code renames classes. No
 * message holds a body or a key.
 */
import type { components } from './schema.ts';

type Schemas = components['schemas'];
type ErrorCode = Schemas['ErrorCode'];

/** The root of all errors of this package. */
export class WalletError extends Error {
  override readonly name: string = 'WalletError';
}

/** The request was not answered: nobody knows whether it happened. */
export class ConnectionError extends WalletError {
  override readonly name: string = 'ConnectionError';
}

/** No answer came within the time limit. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The answer has another status than success. */
export class ApiError extends WalletError {
  override readonly name: string = 'ApiError';
  constructor(
    readonly status: number,
    /** One of `ErrorCode`, or `UNKNOWN` where the answer is not one of the platform's own. */
    readonly code: ErrorCode | 'UNKNOWN',
    message: string,
    readonly detail: Record<string, unknown>,
    readonly requestId: string | null,
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
  }
}

/** 401: the key or token is wrong, revoked or expired. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}
/** 403: the credential may not do this. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}
/** 404. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 409: something of the same name exists. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 400, 413, 422: the request as it is will never be accepted, or not before something else changes. */
export class RefusedError extends ApiError {
  override readonly name = 'RefusedError';
}
/** 429. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}
/** 5xx. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** A delivery whose signature, time or body is not what the platform sends. */
export class WebhookVerificationError extends WalletError {
  override readonly name = 'WebhookVerificationError';
}

const BY_STATUS: Record<number, typeof ApiError> = {
  400: RefusedError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: RefusedError,
  422: RefusedError,
  429: RateLimitError,
};

/** The body of a refusal, as far as it is what it should be. */
export interface ErrorBody {
  error?: unknown;
  message?: unknown;
  detail?: unknown;
}

/** The error that an answer stands for. @param body the parsed body; null where it was not JSON. */
export function errorOf(status: number, headers: Headers, body: ErrorBody | null): ApiError {
  const code = typeof body?.error === 'string' ? (body.error as ErrorCode) : 'UNKNOWN';
  const message = typeof body?.message === 'string' ? body.message : `HTTP ${String(status)}`;
  const detail = typeof body?.detail === 'object' && body.detail !== null ? body.detail : {};
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Kind(
    status,
    code,
    code === 'UNKNOWN' ? message : `${code}: ${message}`,
    detail as Record<string, unknown>,
    headers.get('x-request-id'),
    secondsOf(headers),
  );
}

/** `Retry-After` in seconds; null without one. */
export function secondsOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Whether the platform has refused a request with this code. */
export const isRefusal = <Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is ApiError & { code: Code } => error instanceof ApiError && error.code === code;
