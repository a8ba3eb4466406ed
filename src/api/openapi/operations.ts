/** From a row of the route table to its operation in the document. */
import type {
  oas31,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { HEALTH_DOC, HEALTH_PATHS } from '../routes/health';
import { OPEN_ROUTES, ROUTES } from '../routes';
import { hasBody, type OpenRoute, type Route, type RouteDoc } from '../route';
import { headersOf, type AnswerKind } from './headers';
import { codesOf, codesOfOpen, refusalResponses } from './responses';

/** Express' `/:id` is the document's `/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** `paths`: health, the open routes, and the route table. */
export function documentedPaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  const add = (path: string, method: string, operation: ZodOpenApiOperationObject): void => {
    paths[templateOf(path)] = { ...paths[templateOf(path)], [method.toLowerCase()]: operation };
  };
  for (const path of HEALTH_PATHS) add(path, 'get', health(path));
  for (const route of OPEN_ROUTES) add(route.path, route.method, openOperation(route));
  for (const route of ROUTES) add(route.path, route.method, operation(route));
  return paths;
}

/** Unique in the document, although one operation can have two paths. */
const operationId = (name: string, path: string): string =>
  path.startsWith('/v1/') ? name : `${name}Unversioned`;

/**
 * How a program may repeat an operation when it does not know what became of the first try.
 * - `key`: with the same `Idempotency-Key`; the second answer is the first one.
 * - `safe`: as it is, because a second call does nothing more than the first.
 * - `never`: only after a 429, which did nothing.
 */
type Retry = 'key' | 'safe' | 'never';

const retryOf = ({ keyed, harmlessTwice, method }: Route): Retry =>
  keyed ? 'key' : harmlessTwice || IDEMPOTENT.includes(method) ? 'safe' : 'never';

const IDEMPOTENT: readonly Route['method'][] = ['GET', 'PATCH', 'DELETE'];

function operation(route: Route): ZodOpenApiOperationObject {
  const { doc } = route;
  const shared = [
    'ResponseForm',
    'SandboxFault',
    ...(hasBody(route.method) && doc.body && !route.takesOtherFields ? (['Strict'] as const) : []),
    ...(route.keyed ? (['IdempotencyKey'] as const) : []),
  ] as const;
  return {
    ...common(route.operation, route.path, doc, shared, !route.bodyOptional),
    'x-retry': retryOf(route),
    security: route.tokenOnly ? [{ accessToken: [] }] : [{ apiKey: [] }, { accessToken: [] }],
    responses: {
      ...answer(doc, { counted: true, ...(route.keyed && { replayable: true }) }),
      ...refusals(codesOf(route), route.guideStatuses ?? false, true),
    },
  };
}

const openOperation = (route: OpenRoute): ZodOpenApiOperationObject => ({
  ...common(route.operation, route.path, route.doc, ['ResponseForm']),
  'x-retry': 'never' satisfies Retry,
  security: [],
  responses: { ...answer(route.doc, {}), ...refusals(codesOfOpen(route), false, false) },
});

const health = (path: string): ZodOpenApiOperationObject => {
  const ok = answer(HEALTH_DOC, {});
  const degraded = { ...HEALTH_DOC.answer, status: 503, description: 'Postgres is down' };
  return {
    ...common('getHealth', path, HEALTH_DOC, []),
    security: [],
    responses: {
      ...ok,
      ...refusals(HEALTH_DOC.refusals, false, false),
      ...answer({ ...HEALTH_DOC, answer: degraded }, {}),
    },
  };
};

function common(name: string, path: string, doc: RouteDoc, shared: readonly string[], needsBody = true) {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => pathParameter(parameter));
  const references = shared.map((parameter) => ({ $ref: `#/components/parameters/${parameter}` }));
  const params = { ...(doc.query && { query: doc.query }), ...(doc.headers && { header: doc.headers }) };
  const type = doc.bodyType ?? 'application/json';
  return {
    operationId: operationId(name, path),
    tags: [doc.section],
    summary: doc.summary,
    ...describedBy(doc),
    parameters: [...inPath, ...references] as oas31.ParameterObject[],
    ...(Object.keys(params).length > 0 && { requestParams: params }),
    ...(doc.body && {
      requestBody: {
        required: needsBody,
        content: {
          [type]: { schema: doc.body, ...(doc.bodyExample && { example: doc.bodyExample }) },
          ...otherBodies(doc),
        },
      },
    }),
  };
}

function otherBodies({ otherBodies: others = {} }: RouteDoc) {
  return Object.fromEntries(
    Object.entries(others).map(([type, { description, example }]) => [
      type,
      { schema: { type: 'string' as const, description }, example },
    ]),
  );
}

/** The rules, and how partners' programs call the operation. */
function describedBy({ description, sdk }: RouteDoc) {
  const lines = [
    ...(description === undefined ? [] : [description]),
    ...(sdk === null ? [] : [`SDK: \`${sdk}\``]),
  ];
  return lines.length > 0 && { description: lines.join('\n\n') };
}

const pathParameter = (name: string): oas31.ParameterObject => ({
  name,
  in: 'path',
  required: true,
  description:
    'A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others.',
  schema: { type: 'string' },
});

function answer({ answer: { status, description, body, type, others = [] } }: RouteDoc, kind: AnswerKind) {
  const instead = Object.fromEntries(others.map((other) => [other, { schema: TEXT }]));
  const content = body && { content: { [type ?? 'application/json']: { schema: body }, ...instead } };
  return {
    [String(status)]: { description, headers: headersOf(kind), ...content },
  } as ZodOpenApiResponsesObject;
}

const TEXT = { type: 'string' } as const;

const refusals = (
  ...[codes, byGuideTable, counted]: [Parameters<typeof refusalResponses>[0], boolean, boolean]
) => refusalResponses(codes, { byGuideTable, counted }) as ZodOpenApiResponsesObject;
