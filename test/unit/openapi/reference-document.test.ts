/** The document that clients are made from has the reference form alone, and nothing that generators stumble over. */
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { buildDocument } from '../../../src/api/openapi/document';
import { referenceText } from '../../../src/api/openapi/reference';
import { OPEN_ROUTES, ROUTES } from '../../../src/api/routes';

interface Operation {
  'x-sdk': string;
  'x-retry': string;
  operationId: string;
  parameters?: { $ref?: string; name?: string; schema?: unknown }[];
  requestBody?: { content: Record<string, { schema: object; example: unknown }> };
  responses: Record<string, object>;
}

const text = referenceText();
const document = JSON.parse(text) as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { tags: string[] } }>;
  components: Record<string, Record<string, Record<string, unknown>>>;
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const bodies = operations.flatMap((operation) =>
  Object.values(operation.requestBody?.content ?? {}).map(
    (content) => [operation['x-sdk'], content] as const,
  ),
);

test('it has every operation of partners once', () => {
  const names = [...OPEN_ROUTES, ...ROUTES].flatMap(({ doc }) => doc.sdk ?? []);
  expect(operations.map((operation) => operation['x-sdk']).sort()).toEqual([...new Set(names)].sort());
});

test('the page of the API fills in the same examples', () => {
  const { paths } = buildDocument() as unknown as Pick<typeof document, 'paths'>;
  const bodyOf = (one: Operation | undefined): unknown =>
    one?.requestBody?.content['application/json']?.example;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.requestBody) continue;
      expect(bodyOf(operation)).toBeDefined();
      // The sandbox's operations have a path without a version too.
      for (const place of [path, path.replace('/v1/sandbox/', '/sandbox/')]) {
        expect(bodyOf(paths[place]?.[method])).toEqual(bodyOf(operation));
      }
    }
  }
});

test('it has no other form, no header that asks for one, and no path without a version', () => {
  expect(text).not.toMatch(/Guide[A-Z]|Quickstart[A-Z]|ResponseForm/);
  expect(Object.keys(document.paths).filter((path) => !path.startsWith('/v1/'))).toEqual([]);
});

test('the alternatives that are left are a null beside a value, and the kinds of data of an event', () => {
  const unions: unknown[][] = [];
  JSON.parse(text, (key, value: unknown) => {
    if (key === 'anyOf') unions.push(value as unknown[]);
    return value;
  });
  const others = unions.filter((union) => !JSON.stringify(union).includes('{"type":"null"}'));
  expect(
    others.map((union) => (union as { $ref?: string }[]).map(({ $ref }) => $ref?.split('/').at(-1))),
  ).toEqual([
    ['MoneyMoved', 'BankTransferCompleted', 'UssdPaymentCompleted'],
    ['BankTransferFailed', 'BankTransferReturned', 'UssdPaymentFailed'],
  ]);
});

test('a refusal has the same type in every answer, and says its codes in words', () => {
  interface Refusal {
    $ref?: string;
    description: string;
    content: Record<string, { schema: unknown; examples: Record<string, unknown> }>;
  }
  const shared = document.components.responses as unknown as Record<string, Refusal>;
  const refusals = operations.flatMap(({ responses }) =>
    Object.entries(responses as Record<string, Refusal>)
      .filter(([status]) => status >= '400')
      .map(([, one]) => (one.$ref === undefined ? one : shared[one.$ref.split('/').at(-1)!]!)),
  );
  expect(refusals.length).toBeGreaterThan(operations.length);
  for (const { description, content, ...rest } of refusals) {
    const { schema, examples } = content['application/json']!;
    expect([schema, rest]).toEqual([{ $ref: '#/components/schemas/Error' }, {}]);
    expect(Object.keys(examples)).toEqual([...description.matchAll(/^`(\w+)`/gm)].map(([, code]) => code));
  }
});

test('an id of an answer has the type of an id in a request', () => expect(text).not.toContain('"uuid"'));

test('the header that pauses a transfer is a boolean', () => {
  const hold = operations
    .flatMap(({ parameters = [] }) => parameters)
    .filter(({ name }) => name === 'X-Sandbox-Hold');
  expect(hold.map(({ schema }) => schema)).toEqual([{ type: 'boolean' }]);
});

test('the events are under a tag of their own', () => {
  for (const { post } of Object.values(document.webhooks)) expect(post.tags).toEqual(['Events']);
});

test('every reference leads somewhere, and every component is referred to', () => {
  const references = new Set([...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, to]) => to));
  const { securitySchemes: _schemes, ...named } = document.components;
  const components = Object.entries(named).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `${kind}/${name}`),
  );
  expect(components.sort()).toEqual([...references].sort());
});

test.each(['password', 'pin', 'bvn', 'nin', 'secret', 'key', 'access_token', 'recovery_codes', 'token'])(
  'every field with the name %s is marked as a secret',
  (field) => {
    const marks: unknown[] = [];
    JSON.parse(text, (key, value: unknown) => {
      if (key === 'properties')
        marks.push(...Object.entries(value as object).filter(([name]) => name === field));
      return value;
    });
    expect(marks.length).toBeGreaterThan(0);
    for (const mark of marks) expect(mark).toEqual([field, expect.objectContaining({ 'x-sensitive': true })]);
  },
);

describe('the example of each body is one that its schema accepts', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  ajv.addSchema(document, 'reference');
  const inDocument = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"reference#/')) as object;

  test.each(bodies)('%s', (_name, { schema, example }) => {
    expect(ajv.validate(inDocument(schema), example) || ajv.errors).toBe(true);
    expect(JSON.stringify(example)).not.toContain('"text"');
  });
});

test('making it leaves the whole document as it was', () => {
  expect(JSON.stringify(buildDocument())).toContain('GuideTransaction');
});
