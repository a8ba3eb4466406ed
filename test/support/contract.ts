/**
 * Checks every answer against the OpenAPI document, with a validator that knows nothing of the code that made
 * it: path, method, status, headers, content type and body must be documented, down to the last field, and a
 * refusal must be one of the operation's own.
 */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { documentText } from '../../src/api/openapi/document';
import { madeOnce } from '../setup/test-file';

interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: unknown }>;
}
export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, Response & { $ref?: string }>;
}
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: unknown;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
    schemas: Record<string, unknown>;
  };
}

/** A request and its answer. `text` is the body of the answer as it came. */
interface Exchange {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

export interface Contract {
  /** @throws Error that names every difference between the answer and the document. */
  check(exchange: Exchange): void;
  /** The same check for the body of a delivery to a webhook endpoint. */
  checkDelivery(text: string): void;
}

/** Paths that are served beside the interface: pages and the document itself. */
const OUTSIDE = /^\/(?:(?:openapi(?:\.reference)?|postman)\.json$|llms\.txt$|(?:docs|guides)(?:\/|$))/;
/** The statuses of requests that the HTTP parser refuses, whatever their path. */
const BY_PARSER: Record<number, string> = { 400: 'NotHttp', 408: 'TooSlow', 431: 'HeadersTooLarge' };
/** The documented answers that may come before any operation, such as those of the parser (D151, D158). */
const BEFORE_OPERATIONS = [
  'UnknownRoute',
  'MethodNotAllowed',
  ...Object.values(BY_PARSER),
  'InvalidToken',
  'RateLimited',
  'Unavailable',
];
/** Headers of the platform, each of which must be documented where it is sent. */
const OWN_HEADER = /^(?:x-(?:ratelimit|request|api)-.*|retry-after|idempotent-replayed|allow)$/;

/** The quickstart's names of two kinds (D106). */
const CANONICAL: Record<string, string> = {
  'transfer.completed': 'transaction.completed',
  'transfer.failed': 'transaction.failed',
};

let opened: Contract | undefined;

/** The one contract of this process: to compile it takes a tenth of a second, and every file would do it. */
export const contract = (): Contract =>
  (opened ??= madeOnce('contract', () => openContract(JSON.parse(documentText()) as Document)));

function openContract(document: Document): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(closed(document) as object, 'document');
  const find = findOperation(document);
  const validators = new Map<string, ValidateFunction>();

  /** @param place where the schema stands in the document. */
  function problemsOf(place: string[], value: unknown): string[] {
    const pointer = place.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const known = validators.get(pointer);
    const validate = known ?? ajv.compile({ $ref: `document#/${pointer.replaceAll('%', '%25')}` });
    validators.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
    );
  }

  function problemsOfAnswer(response: Response, place: string[], exchange: Exchange): string[] {
    const { headers, text, status } = exchange;
    const documented = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    const strange = [...headers.keys()].filter((name) => OWN_HEADER.test(name) && !documented.includes(name));
    const problems = strange.map((name) => `the header ${name} is not documented`);
    if (!headers.has('x-request-id')) problems.push('there is no X-Request-Id');
    if (documented.includes('retry-after') && [429, 503].includes(status) && !headers.has('retry-after')) {
      problems.push('there is no Retry-After');
    }
    const types = Object.keys(response.content ?? {});
    // An empty body is valid text, but not valid JSON.
    const mayBeEmpty = exchange.method === 'HEAD' || !types.some((type) => type.endsWith('json'));
    if (text === '') return mayBeEmpty ? problems : [...problems, 'there is no body'];
    const type = headers.get('content-type') ?? '';
    const found = types.find((one) => type.split(';')[0] === one);
    if (found === undefined) return [...problems, `the content type ${type} is not documented`];
    const value: unknown = found.endsWith('json') ? JSON.parse(text) : text;
    return [...problems, ...problemsOf([...place, 'content', found, 'schema'], value)];
  }

  const problemsOfShared = (name: string, exchange: Exchange): string[] =>
    problemsOfAnswer(document.components.responses[name] ?? {}, ['components', 'responses', name], exchange);

  function problemsOfExchange(exchange: Exchange): string[] {
    const { method, status } = exchange;
    const { pathname } = new URL(exchange.path, 'http://localhost');
    if (OUTSIDE.test(pathname) || (method === 'OPTIONS' && status === 204)) return [];
    const found = find(method === 'HEAD' ? 'GET' : method, pathname);
    if (!found) {
      const fits = BEFORE_OPERATIONS.some((name) => problemsOfShared(name, exchange).length === 0);
      return fits ? [] : ['it is none of the answers outside the operations: has the route its doc?'];
    }
    const { operation, place } = found;
    const response = operation.responses[String(status)];
    const byParser = BY_PARSER[status];
    if (!response && byParser !== undefined) return problemsOfShared(byParser, exchange);
    if (!response) return [`the status ${String(status)} is not documented`];
    const shared = response.$ref?.split('/').at(-1);
    return shared === undefined
      ? problemsOfAnswer(response, [...place, 'responses', String(status)], exchange)
      : problemsOfShared(shared, exchange);
  }

  return {
    check(exchange) {
      const problems = problemsOfExchange(exchange);
      if (problems.length === 0) return;
      const { method, path, status, text } = exchange;
      const lines = [`${method} ${path} answered ${String(status)} ${text.slice(0, 2_000)}`, ...problems];
      throw new Error(`not as documented: ${lines.join('\n  ')}`);
    },
    checkDelivery(text) {
      const body = JSON.parse(text) as { event: string };
      const kind = CANONICAL[body.event] ?? body.event;
      const place = ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json', 'schema'];
      const problems = kind in document.webhooks ? problemsOf(place, body) : ['the kind is not documented'];
      if (problems.length > 0) throw new Error(`not as documented: ${[text, ...problems].join('\n  ')}`);
    },
  };
}

/** Later versions may add fields to answers, but this version may send only documented ones. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  const isObject = copy.type === 'object' && typeof copy.properties === 'object';
  return isObject && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}

/** The operation of a request: written-out segments win over parameters, as in the router. */
function findOperation(document: Document) {
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    parameters: template.split('{').length,
  }));
  templates.sort((one, other) => one.parameters - other.parameters);
  return (method: string, pathname: string): { operation: Operation; place: string[] } | null => {
    for (const { template, pattern } of templates) {
      const operation = document.paths[template]?.[method.toLowerCase()];
      const place = ['paths', template, method.toLowerCase()];
      if (operation && pattern.test(pathname)) return { operation, place };
    }
    return null;
  };
}
