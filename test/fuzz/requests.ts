/**
 * Requests made from the document: valid ones, ones that are wrong in one place, and ones of no operation at all.
 */
import fc from 'fast-check';
import type { Document, Operation, Parameter } from '../support/contract';
import { BODY_TEXTS, CONTENT_TYPES, hostileString, hostileValue } from './hostile';
import { isPick, valuesOf, type Schema } from './schemas';

/** The credentials of the callers. */
const CREDENTIALS = [
  'sandbox',
  'token',
  'live',
  'suspended',
  'other',
  'revoked',
  'none',
  'nonsense',
] as const;
export type Credential = (typeof CREDENTIALS)[number];

export interface Request {
  /** The id of the operation in the document; null for a request of no operation. */
  operation: string | null;
  method: string;
  /** The path, with its parameters still in braces. */
  path: string;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  credential: Credential;
  /** An object whose known values are still to be filled in, or a text that is sent unchanged. */
  body: unknown;
}

const credential: fc.Arbitrary<Credential> = fc.oneof(
  { weight: 30, arbitrary: fc.constant<Credential>('sandbox') },
  { weight: 4, arbitrary: fc.constant<Credential>('token') },
  { weight: 8, arbitrary: fc.constantFrom(...CREDENTIALS) },
);

const seldomHostile = (values: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 15, arbitrary: values },
    { weight: 1, arbitrary: hostileString },
  ) as fc.Arbitrary<string>;

/** The valid parameters, and now and then none. */
const seldomWithout = (query: fc.Arbitrary<Record<string, unknown>>) =>
  fc.oneof({ weight: 9, arbitrary: query }, { weight: 1, arbitrary: fc.constant({}) });

const headers = fc.record(
  {
    'X-Response-Form': seldomHostile(fc.constantFrom('reference', 'guide', 'quickstart')),
    'Idempotency-Key': seldomHostile(fc.nat({ max: 3_000 }).map((number) => `key-${String(number)}`)),
    'X-Sandbox-Hold': fc.constantFrom('true', 'false'),
    'X-Forwarded-For': hostileString,
    'X-Request-Id': hostileString,
  },
  { requiredKeys: [] },
);

/** Operations that empty the sandbox. They are seldom sent, so that the other requests find something. */
export const EMPTYING = /^reset/;

/** Requests of the operations whose id matches, and now and then a request of no operation. */
export function requestsOf(document: Document, fits: RegExp): fc.Arbitrary<Request> {
  const find = (reference: string): Schema => {
    const schema = document.components.schemas[reference.split('/').at(-1) ?? ''];
    if (!schema) throw new Error(`the document has no ${reference}`);
    return schema;
  };
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .filter(({ operation }) => fits.test(operation.operationId))
    .map(({ path, method, operation }) => ({
      weight: EMPTYING.test(operation.operationId) ? 1 : 10,
      arbitrary: requestsOfOperation(document, find, path, method, operation),
    }));
  return fc.oneof({ weight: 30, arbitrary: fc.oneof(...operations) }, { weight: 1, arbitrary: strays });
}

function requestsOfOperation(
  document: Document,
  find: (reference: string) => Schema,
  path: string,
  method: string,
  operation: Operation,
): fc.Arbitrary<Request> {
  const parameters = (operation.parameters ?? []).map(({ $ref, ...own }) =>
    $ref === undefined ? (own as Parameter) : document.components.parameters[$ref.split('/').at(-1) ?? ''],
  );
  const place = path.split('/{')[0]?.split('/').at(-1) ?? '';
  const inPath = parameters
    .filter((parameter) => parameter?.in === 'path')
    .map((parameter) => [parameter?.name ?? '', pathValue(place, parameter?.name ?? '')] as const);
  const inQuery = parameters
    .filter((parameter) => parameter?.in === 'query')
    .map((parameter) => {
      const name = parameter?.name ?? '';
      return [name, seldomHostile(valuesOf(parameter?.schema as Schema, find, name))] as const;
    });
  const needed = parameters.filter((parameter) => parameter?.required && parameter.in === 'query');
  return fc
    .record({
      params: fc.record(Object.fromEntries(inPath)),
      query: seldomWithout(
        fc.record(Object.fromEntries(inQuery), {
          requiredKeys: needed.map((parameter) => parameter?.name ?? ''),
        }),
      ),
      headers,
      credential,
      body: bodiesOf(operation, find),
    })
    .map(({ body, ...request }) => ({
      ...request,
      operation: operation.operationId,
      method: method.toUpperCase(),
      path,
      body: body.value,
      headers: { ...request.headers, ...(body.type !== null && { 'Content-Type': body.type }) },
    }));
}

/** An id of the resource that the path names before it, and now and then something else. */
const pathValue = (place: string, name: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        known: fc.constant(
          name.toLowerCase().includes('ref') ? 'user_ref' : name === 'sessionId' ? 'session_id' : place,
        ),
        index: fc.nat(),
        otherwise: fc.uuid(),
      }),
    },
    { weight: 1, arbitrary: hostileString },
  );

interface Body {
  value: unknown;
  type: string | null;
}

function bodiesOf(operation: Operation, find: (reference: string) => Schema): fc.Arbitrary<Body> {
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  if (!content) return fc.constant({ value: undefined, type: null });
  const [type, { schema }] = content;
  const right = valuesOf(schema as Schema, find);
  const typed = (values: fc.Arbitrary<unknown>, other = fc.constant(type)) =>
    fc.record({ value: values, type: other });
  const damaged = fc.tuple(right, damage).map(([body, change]) => change(body));
  return fc.oneof(
    { weight: 12, arbitrary: typed(right) },
    { weight: 8, arbitrary: typed(damaged) },
    { weight: 1, arbitrary: typed(fc.constantFrom(...BODY_TEXTS)) },
    { weight: 1, arbitrary: typed(right, fc.constantFrom(...CONTENT_TYPES)) },
  );
}

/**
 * One change to a valid body: a field removed, of another type or added, or a second name with another value.
 */
const damage: fc.Arbitrary<(body: unknown) => unknown> = fc
  .record({
    place: fc.nat(),
    kind: fc.constantFrom('drop', 'replace', 'add', 'rival'),
    value: hostileValue,
    name: hostileString,
  })
  .map(({ place, kind, value, name }) => (body) => {
    if (typeof body !== 'object' || body === null || isPick(body)) return value;
    const fields = Object.keys(body);
    const field = fields[place % Math.max(1, fields.length)] ?? 'amount';
    const { [field]: _gone, ...others } = body as Record<string, unknown>;
    if (kind === 'drop') return others;
    if (kind === 'add') return { ...body, [name]: value };
    if (kind === 'rival') return { ...body, [RIVALS[field] ?? 'amount_kobo']: value };
    return { ...body, [field]: value };
  });

const RIVALS: Record<string, string> = {
  source_wallet: 'source_wallet_id',
  source_wallet_id: 'source_wallet',
  dest_wallet: 'dest_wallet_id',
  amount: 'amount_kobo',
  amount_kobo: 'amount',
  user_ref: 'userRef',
};

/** Paths and methods that are no operation. */
const strays: fc.Arbitrary<Request> = fc.record({
  operation: fc.constant(null),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
  path: fc.oneof(
    fc.constantFrom(
      '/',
      '/v1',
      '/v1/',
      '/v1/unknown',
      '/v1//wallets',
      '/v1/wallets/',
      '/v1/wallets/%',
      '/v1/wallets/%00',
      '/v1/wallets/%2e%2e',
      '/v1/wallets/%c3%28',
      '/v1/kyc/%2F/status',
      '/v1/kyc/%/status',
      '/V1/wallets',
      '/v2/wallets',
      '/sandbox',
      '/sandbox/unknown',
      '/v1/sandbox/unknown',
      '/health',
      '/ops/sandbox/partners',
      '/metrics',
    ),
    hostileString.map((text) => `/v1/${encodeURIComponent(text.toWellFormed())}`),
  ),
  params: fc.constant({}),
  query: fc.constant({}),
  headers,
  credential,
  body: fc.constant(undefined),
});
