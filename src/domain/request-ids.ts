/**
 * The id of one request, as `X-Request-Id` and `meta.request_id` show it: `req_` and a uuid v7 without its dashes. It
 * goes with all that the request begins: its workflow, its events, their deliveries. The database keeps the uuid.
 */

/** @param uuid with dashes, as Postgres writes it. */
export const requestIdOf = (uuid: string): string => `req_${uuid.replaceAll('-', '')}`;

/** The uuid of a request's id, with its dashes. */
export function uuidOfRequest(requestId: string): string {
  const digits = requestId.slice('req_'.length);
  const first = `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}`;
  return `${first}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
