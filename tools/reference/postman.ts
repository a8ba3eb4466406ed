/**
 * `docs/postman.json`: each scenario as a folder of a collection for Postman. Bruno imports it too. Scripts keep what later
 * requests need in variables, and each sending has an Idempotency-Key of its own.
 */
import { createHash } from 'node:crypto';
import { fill, readScenarios, type RequestStep, type Scenario } from './scenarios';

const LOOKS_MAX = 60;
const LOOK_EVERY_MS = 1_000;

/** The document of the collection. */
export function postmanText(): string {
  const collection = {
    info: {
      name: 'Partner Wallet Service',
      description:
        'Made by `npm run reference` from `scenarios/`. Set `apiKey` to a sandbox key, and run a folder: its requests build on each other.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000' },
      { key: 'apiKey', value: '' },
    ],
    item: readScenarios().map(folder),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
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
