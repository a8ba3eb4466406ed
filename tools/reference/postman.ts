/**
 * `docs/postman.json`: a collection for Postman, which Bruno imports too. A folder has each scenario; scripts keep what later
 * requests need in variables. Another one has every operation of the reference document with its example. Each sending has
 * an Idempotency-Key of its own.
 */
import { createHash } from 'node:crypto';
import { referenceText } from '../../src/api/openapi/reference';
import { fill, readScenarios, type RequestStep, type Scenario } from './scenarios';

const LOOKS_MAX = 60;
const LOOK_EVERY_MS = 1_000;

/** The folder that runs from its first request to its last. */
const SCENARIOS = 'Scenarios';

/** The document of the collection. */
export function postmanText(): string {
  const collection = {
    info: {
      name: 'Partner Wallet Service',
      description:
        'Set `apiKey` to a sandbox key. The requests of a scenario build on each other: run its folder. An operation stands for itself: put ids of your own into its path and body.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000' },
      { key: 'apiKey', value: '' },
    ],
    item: [
      { name: SCENARIOS, item: readScenarios().map(folder) },
      { name: 'Operations', item: operationFolders() },
    ],
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  security?: unknown[];
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; description?: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** Every operation, by the sections of the reference. */
function operationFolders(): object[] {
  const { paths } = JSON.parse(referenceText()) as { paths: Record<string, Record<string, Operation>> };
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      section: operation.tags[0],
      item: operationItem(method.toUpperCase(), path, operation),
    })),
  );
  return [...new Set(all.map(({ section }) => section))].map((section) => ({
    name: section,
    item: all.filter((one) => one.section === section).map(({ item: one }) => one),
  }));
}

function operationItem(method: string, path: string, operation: Operation): object {
  const { operationId, summary, description, security, parameters = [], requestBody } = operation;
  const json = requestBody?.content['application/json']?.example;
  const isKeyed = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/');
  return {
    id: createHash('md5').update(operationId).digest('hex'),
    name: summary,
    request: {
      method,
      ...(description !== undefined && { description }),
      ...(security?.length === 0 && { auth: { type: 'noauth' } }),
      header: [
        ...(json === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...(isKeyed ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}`,
        host: ['{{baseUrl}}'],
        path: segments,
        variable: segments
          .filter((one) => one.startsWith(':'))
          .map((one) => ({ key: one.slice(1), value: '' })),
        query: parameters
          .filter((one) => one.in === 'query')
          .map(({ name, required, description: about }) => ({
            key: name,
            value: '',
            disabled: required !== true,
            ...(about !== undefined && { description: about }),
          })),
      },
      ...(json !== undefined && {
        body: { mode: 'raw', raw: JSON.stringify(json, null, 2), options: { raw: { language: 'json' } } },
      }),
    },
  };
}

function folder({ name, steps }: Scenario): object {
  const places = [...JSON.stringify(steps).matchAll(/\$\{(\w+)\.(\w+)\}/g)];
  const keptOf = (id: string): string[] => [
    ...new Set(places.filter(([, of]) => of === id).map(([, , field = '']) => field)),
  ];
  return {
    name,
    item: steps.flatMap((step, index) => {
      const item = request(name, step, keptOf(step.id), index === 0);
      return step.wait ? [item, wait(name, step.id, step.wait)] : [item];
    }),
  };
}

function request(scenario: string, step: RequestStep, kept: readonly string[], isFirst: boolean): object {
  const { id, summary, method, path, headers, body, expect = {}, isKeyed, inData } = step;
  const { code, ...fields } = expect;
  const json = body && JSON.stringify(body, null, 2);
  const before = [
    ...(isFirst ? ["pm.collectionVariables.set('run', Math.random().toString(16).slice(2, 10));"] : []),
    ...(json?.includes('${soon}')
      ? ["pm.collectionVariables.set('soon', new Date(Date.now() + 2000).toISOString());"]
      : []),
  ];
  const at = inData ? 'body.data' : 'body';
  const after = [
    'const body = pm.response.json();',
    ...(code === undefined
      ? [`pm.test('accepted', () => pm.expect(pm.response.code).to.be.below(300));`]
      : [`pm.test('refused', () => pm.expect(body.error).to.equal(${quoted(code)}));`]),
    ...Object.entries(fields).map(
      ([name, value]) => `pm.test('${name}', () => pm.expect(${at}.${name}).to.equal(${quoted(value)}));`,
    ),
    ...kept.map((field) => `pm.collectionVariables.set('${id}_${field}', ${at}.${field});`),
  ];
  const sent = {
    ...(json ? { 'Content-Type': 'application/json' } : {}),
    ...(isKeyed ? { 'Idempotency-Key': '{{$guid}}' } : {}),
    ...headers,
  };
  return item(`${scenario}: ${summary} (${id})`, {
    before,
    after,
    request: {
      method,
      header: Object.entries(sent).map(([key, value]) => ({ key, value })),
      url: `{{baseUrl}}${filled(path)}`,
      ...(json && { body: { mode: 'raw', raw: filled(json), options: { raw: { language: 'json' } } } }),
    },
  });
}

/** Asks again until the event is there. Sent by hand, it says whether it is. */
function wait(
  scenario: string,
  id: string,
  { event, resource_id }: NonNullable<RequestStep['wait']>,
): object {
  const name = `${scenario}: wait for ${event} (${id})`;
  return item(name, {
    before: [],
    after: [
      `const about = pm.variables.replaceIn('${filled(resource_id)}');`,
      'const events = pm.response.json().data;',
      'const isThere = events.some((one) => [one.data.id, one.data.user_ref, one.data.session_id].includes(about));',
      "const looks = Number(pm.collectionVariables.get('looks') ?? 0) + 1;",
      `const isToGoOn = !isThere && looks < ${String(LOOKS_MAX)};`,
      "pm.collectionVariables.set('looks', isToGoOn ? looks : 0);",
      'if (isToGoOn) {',
      `  pm.execution.setNextRequest('${name}');`,
      `  setTimeout(() => {}, ${String(LOOK_EVERY_MS)});`,
      '} else {',
      `  pm.test('${event}', () => pm.expect(isThere).to.equal(true));`,
      '}',
    ],
    request: { method: 'GET', header: [], url: `{{baseUrl}}/v1/events?event=${event}` },
  });
}

function item(
  name: string,
  { before, after, request }: { before: string[]; after: string[]; request: object },
): object {
  const script = (listen: string, exec: string[]): object[] =>
    exec.length === 0 ? [] : [{ listen, script: { type: 'text/javascript', exec } }];
  return {
    // The same in each document, so that a change shows what has changed.
    id: createHash('md5').update(name).digest('hex'),
    name,
    event: [...script('prerequest', before), ...script('test', after)],
    request,
  };
}

const filled = (text: string): string =>
  fill(text, (id, field) => (field === null ? `{{${id}}}` : `{{${id}_${field}}}`));

const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
