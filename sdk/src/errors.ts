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

/**
 * Something answered, and not the platform: the page of a proxy or of a login, a redirect, an empty or a cut answer.
 * Nobody knows whether the request happened.
 */
export class UnreadableAnswerError extends ConnectionError {
  override readonly name = 'UnreadableAnswerError';
  constructor(
    what: string,
    readonly status: number,
    came: string,
    readonly requestId: string | null = null,
  ) {
    super(
      `${what}: HTTP ${String(status)} with ${came} is no answer of the platform, so nobody knows whether it was done: look at the address and at proxies`,
    );
  }
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

/** What came is told from what the platform answers; a status alone does not tell it. */
type Came = Pick<Response, 'status' | 'headers'>;

/**
 * The error that an answer stands for.
 * @param what the method and the address.
 * @param text its body.
 */
export function errorOf(what: string, { status, headers }: Came, text: string): WalletError {
  const { error, message, detail } = parsed(text) ?? {};
  const isOurs = status >= 400 && typeof error === 'string';
  const requestId = headers.get('x-request-id');
  if (!isOurs && status < 500 && status !== 429)
    return new UnreadableAnswerError(what, status, cameOf(status, headers, text), requestId);
  const code = isOurs ? (error as ErrorCode) : 'UNKNOWN';
  const said = typeof message === 'string' ? message : `HTTP ${String(status)}`;
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Kind(
    status,
    code,
    isOurs ? `${code}: ${said}` : `${what}: ${said}`,
    (typeof detail === 'object' && detail !== null ? detail : {}) as Record<string, unknown>,
    requestId,
    secondsOf(headers),
  );
}

function cameOf(status: number, headers: Headers, text: string): string {
  const location = headers.get('location');
  if (location !== null || status < 200 || (status >= 300 && status < 400)) {
    const host = location !== null && URL.canParse(location) ? new URL(location).host : 'another address';
    return `a redirect to ${host}`;
  }
  if (text === '') return 'an empty body';
  const type = typeOf(headers);
  if (type !== 'application/json') return type || 'a body of no type';
  return parsed(text) ? 'other JSON' : 'JSON that was cut';
}

/** The content type without its parameters. */
export const typeOf = (headers: Headers): string =>
  (headers.get('content-type') ?? '').replace(/\s*;.*/, '').toLowerCase();

/** A body as an object; null for what is none. */
export function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** The request did not get through. The cause stands in the message, because it tells what to do. */
export function connectionErrorOf(what: string, cause: unknown): ConnectionError {
  let deepest = cause as { cause?: unknown; errors?: unknown[]; code?: unknown; message?: unknown };
  for (let next: unknown = deepest; next instanceof Object; next = deepest.cause ?? deepest.errors?.[0])
    deepest = next;
  const { code, message } = deepest;
  const text = String(message ?? cause);
  const why = typeof code === 'string' && !text.includes(code) ? `${code}, ${text}` : text;
  return new ConnectionError(`${what}: the connection failed: ${why}`, { cause });
}

/** `Retry-After` in seconds; null without one. */
function secondsOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Whether the platform has refused a request with this code. */
export const isRefusal = <Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is ApiError & { code: Code } => error instanceof ApiError && error.code === code;
