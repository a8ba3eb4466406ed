/**
 * The id of one request, as `X-Request-Id` and `meta.request_id` show it: `req_` and a uuid v7 without its dashes. It
 * goes with all that the request begins: its workflow, its events, their deliveries. The database keeps the uuid.
 */

/** @param uuid with dashes, as Postgres writes it. */
export const requestIdOf = (uuid: string): string => `req_${uuid.replaceAll('-', '')}`;

/** The uuid of a request's id, with its dashes. */
export const uuidOfRequest = (requestId: string): string =>
  requestId.slice('req_'.length).replace(DASHED, '$1-$2-$3-$4-$5');

const DASHED = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
