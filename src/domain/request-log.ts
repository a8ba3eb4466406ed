/** The log of requests: what a partner asked for, and what came of it (D209). */

import type { Day } from './days';

/** For so many days it is kept. */
export const REQUESTS_KEPT_DAYS = { sandbox: 7, live: 30 } as const;

/** The operations that read the log: they are not in it, so that who watches it does not fill it. */
export const NOT_LOGGED: readonly string[] = ['listRequests', 'getRequest', 'streamRequests'];

/** So much of a body is kept. */
export const BODY_KEPT_BYTES = 4_096;

/** What is kept of the bodies of a request, as JSON text without what is hidden. */
export interface KeptBodies {
  /** null without a body, and where it was not kept. */
  requestBody: string | null;
  responseBody: string | null;
  /** Whether one of them was longer than what is kept of it. */
  truncated: boolean;
}

export const NO_BODIES: KeptBodies = { requestBody: null, responseBody: null, truncated: false };

export interface LoggedRequest {
  /** The uuid of its id, which begins with its time. */
  id: string;
  partnerId: string;
  method: string;
  /** The name of the operation, or `none` if the request reached none. */
  operation: string;
  /** null when the caller went away before it was answered. */
  status: number | null;
  /** Of a refusal. */
  code: string | null;
  durationMs: number;
  /** The first characters of the API key; null for a person. */
  keyPrefix: string | null;
  idempotencyKey: string | null;
  /** Whether the answer repeats an earlier one. */
  replayed: boolean;
  /** The fault that it asked for in the sandbox and met, as `after_503`. */
  fault: string | null;
  /** What the request named in its path, or has made. */
  resourceId: string | null;
  /** The fields of its body that had no effect, by their paths; never a value. */
  ignoredFields: readonly string[];
}

/** A request as it is written: with the key that asked, whose days are counted and which the log does not name. */
export interface NotedRequest extends LoggedRequest, KeptBodies {
  /** null for a person. */
  keyId: string | null;
}

/** For so many days it is kept how often a key was used (D213). */
export const KEY_DAYS_KEPT = 30;

/** How many requests a key has asked for on a day of Lagos. */
export interface KeyDay {
  keyId: string;
  day: Day;
  requests: number;
}

/** Which requests a list shows. */
export interface RequestFilter {
  /** From the first status to the second, both included. */
  statuses: readonly [number, number] | null;
  method: string | null;
  operation: string | null;
  code: string | null;
  resourceId: string | null;
}

/** Whether a request is among those that a filter shows. */
export function isAmong(
  { statuses, method, operation, code, resourceId }: RequestFilter,
  request: LoggedRequest,
): boolean {
  const { status } = request;
  return (
    (statuses === null || (status !== null && status >= statuses[0] && status <= statuses[1])) &&
    (method === null || method === request.method) &&
    (operation === null || operation === request.operation) &&
    (code === null || code === request.code) &&
    (resourceId === null || resourceId === request.resourceId)
  );
}
