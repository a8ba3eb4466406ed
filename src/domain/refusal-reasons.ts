/**
 * Why something was not found, and why a credential may not do something: the values of `detail.reason`, declared once, so that
 * a program can tell them apart without reading the message (D116, D174).
 */
import { refuse, type Refused } from './outcome';

/**
 * What is unknown and what belongs to another partner are one and the same, so that nobody learns whether an id of somebody
 * else exists.
 */
export const NOT_FOUND_REASONS = {
  no_such_operation: 'There is no operation with this method and path',
  malformed_id: 'The address has a malformed id, which can be the id of nothing',
  not_found: 'The resource does not exist',
} as const;
export type NotFoundReason = keyof typeof NOT_FOUND_REASONS;

export const notFound = (reason: NotFoundReason, more: Record<string, unknown> = {}): Refused =>
  refuse('NOT_FOUND', { message: NOT_FOUND_REASONS[reason], detail: { reason, ...more } });

/** Each with its message. */
export const FORBIDDEN_REASONS = {
  network: 'The API key may not be used from this address',
  scope: 'The API key does not have the scope that this needs',
  access_token: 'An API key may not do this: log in at POST /v1/auth/login, and send the access token',
  role: 'The role of this user does not allow it',
  email_unconfirmed: "This works in live once the owner's email address is confirmed",
  environment: 'An access token makes keys for its own environment only: log in for the other one',
  no_user: 'The token belongs to no user: log in with email and password',
  viewer: 'A viewer changes nothing',
  oneself: 'Nobody admits themselves',
  own_proposal: 'Nobody approves their own proposal',
} as const;
export type ForbiddenReason = keyof typeof FORBIDDEN_REASONS;

/**
 * @param more what is missing or was found, beside the reason.
 * @param message where it says more than the one of the reason.
 */
export const forbidden = (
  reason: ForbiddenReason,
  more: Record<string, unknown> = {},
  message: string = FORBIDDEN_REASONS[reason],
): Refused => refuse('FORBIDDEN', { message, detail: { reason, ...more } });
