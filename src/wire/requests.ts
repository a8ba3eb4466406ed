/** The log of requests as partners read it (D209). */
import { z } from 'zod';
import {
  BODY_KEPT_BYTES,
  type KeptBodies,
  type LoggedRequest,
  type RequestFilter,
} from '../domain/request-log';
import { REFUSALS } from '../domain/refusals';
import { requestIdOf, uuidOfRequest } from '../domain/request-ids';
import { madeAtMs } from '../domain/time-ordered-ids';
import { timestamp, uuid } from './answers';
import { pageQuery } from './pages';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const CODES = Object.keys(REFUSALS);
const STATUS = /^[1-5](?:[0-9]{2}|xx)$/;

/** The parameters by which requests are chosen. */
export const requestFilter = {
  status: z
    .string()
    .regex(STATUS, 'must be a status, as 422, or a class of them, as 4xx')
    .optional()
    .meta({ examples: ['4xx'] }),
  method: z.enum(METHODS, `must be of: ${METHODS.join(', ')}`).optional(),
  operation: z
    .string()
    .optional()
    .meta({ description: 'Its `operationId`', examples: ['p2pTransfer'] }),
  code: z
    .string()
    .refine((code) => CODES.includes(code), 'must be a code of an error')
    .optional(),
  resource_id: z
    .uuid('must be a uuid')
    .optional()
    .meta({ description: 'The id that was in the path, or of what the request has made' }),
};

export const requestsQuery = pageQuery.extend(requestFilter);

export function toRequestFilter(query: {
  [Name in keyof typeof requestFilter]?: z.infer<(typeof requestFilter)[Name]>;
}): RequestFilter {
  const { status, method = null, operation = null, code = null, resource_id: resourceId = null } = query;
  return { statuses: status === undefined ? null : statusesOf(status), method, operation, code, resourceId };
}

function statusesOf(text: string): [number, number] {
  const first = Number(text.replace('xx', '00'));
  return [first, text.endsWith('xx') ? first + 99 : first];
}

/** The uuid of a request's id, or null. */
export const readRequestId = (text: string): string | null =>
  /^req_[0-9a-f]{32}$/.test(text) ? uuidOfRequest(text) : null;

export const requestSchema = z
  .object({
    request_id: z
      .string()
      .meta({ description: 'As in `X-Request-Id`', examples: ['req_0198c0de00007000800000000000000a'] }),
    at: timestamp,
    // Any method is answered and noted, with a 404 or 405 where there is no such operation.
    method: z.string().meta({ description: 'As it was sent', examples: ['POST'] }),
    operation: z.string().meta({ description: 'Its `operationId`; `none` where there is no such operation' }),
    status: z.int().nullable().meta({ description: 'null when the caller had gone before the answer' }),
    code: z.string().nullable().meta({ description: 'Of a refusal' }),
    duration_ms: z.int().min(0),
    key_prefix: z.string().nullable().meta({ description: 'Of the API key; null for a person' }),
    idempotency_key: z.string().nullable(),
    replayed: z.boolean().meta({ description: 'Whether the answer repeats an earlier one' }),
    fault: z
      .string()
      .nullable()
      .meta({ description: 'The fault of the sandbox that it asked for by `X-Sandbox-Fault`, and met' }),
    resource_id: uuid.nullable().meta({ description: 'In the path, or of what the request has made' }),
    ignored_fields: z
      .array(z.string())
      .optional()
      .meta({
        description:
          'Only where there are any: fields of the body of a call that moves money which had no effect, by their paths, twenty at most; ' +
          'a name that is none of a programmer is `[hidden]`',
        examples: [['amout', 'transfers[3].narration']],
      }),
  })
  .meta({ id: 'LoggedRequest' });

const body = (what: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${what} as JSON text; null where there was none, or where it was not kept` });

/** A request by itself, with its bodies. */
export const requestWithBodies = requestSchema
  .extend({
    request_body: body('The body of the request'),
    response_body: body('The body of the answer'),
    truncated: z.boolean().meta({
      description: `Whether one of them was longer than the ${String(BODY_KEPT_BYTES)} bytes that are kept`,
    }),
  })
  .meta({ id: 'LoggedRequestWithBodies' });

export const writeRequestWithBodies = (
  request: LoggedRequest & KeptBodies,
): z.infer<typeof requestWithBodies> => ({
  ...writeRequest(request),
  request_body: request.requestBody,
  response_body: request.responseBody,
  truncated: request.truncated,
});

export const writeRequest = (request: LoggedRequest) => ({
  request_id: requestIdOf(request.id),
  at: new Date(madeAtMs(request.id) ?? 0).toISOString(),
  method: request.method,
  operation: request.operation,
  status: request.status,
  code: request.code,
  duration_ms: request.durationMs,
  key_prefix: request.keyPrefix,
  idempotency_key: request.idempotencyKey,
  replayed: request.replayed,
  fault: request.fault,
  resource_id: request.resourceId,
  ...(request.ignoredFields.length > 0 && { ignored_fields: [...request.ignoredFields] }),
});
