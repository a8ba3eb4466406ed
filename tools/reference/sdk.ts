/** The operations of the SDK: a class for each group, a method for each operation of the reference document. */
import { referenceText } from '../../src/api/openapi/reference';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
}
interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  'x-sdk': string;
  'x-retry': string;
  parameters?: { $ref?: string; name: string; in: string; required?: boolean }[];
  requestBody?: { required: boolean };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Method {
  group: string;
  text: string;
}

const HEAD = `/** Made by \`npm run sdk\` from the reference document: change the route table. */
import { Core, Group, inPath, type Call, type CallOptions, type Pages } from './core.ts';
import type { operations } from './schema.ts';

type Named<Value, Name extends PropertyKey> = Value extends { [Key in Name]: infer Found } ? Found : never;
type Json<Value> = Named<Named<Value, 'content'>, 'application/json'>;

/** The body of a request. */
type Body<Name extends keyof operations> = Json<NonNullable<operations[Name]['requestBody']>>;
/** The parameters of a GET. */
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
/** The data of an answer: without its envelope, where it has one. */
export type Data<Name extends keyof operations, Status extends number> =
  Json<Named<operations[Name]['responses'], Status>> extends { data: infer Inner; meta: unknown }
    ? Inner
    : Json<Named<operations[Name]['responses'], Status>>;
type Item<Name extends keyof operations, Status extends number> =
  Data<Name, Status> extends (infer One)[] ? One : never;
`;

/** The groups to which the client adds what waits for an outcome, and the streams. */
const EXTENDED = ['transactions', 'events', 'requests'];

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** \`sdk/src/operations.ts\`. */
export function sdkOperations(): string {
  const { paths } = JSON.parse(referenceText()) as { paths: Record<string, Record<string, Operation>> };
  const methods = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, operation]) => !isStream(operation))
      .map(([verb, operation]) => methodOf(verb.toUpperCase(), path, operation)),
  );
  const groups = [...new Set(methods.map(({ group }) => group))];
  const classes = groups.map((group) => {
    const own = methods.filter((method) => method.group === group).map(({ text }) => text);
    const exported = EXTENDED.includes(group) ? 'export ' : '';
    return `${exported}class ${capital(group)} extends Group {\n${own.join('\n\n')}\n}\n`;
  });
  const fields = groups.map((group) => `  readonly ${group} = new ${capital(group)}(this);`).join('\n');
  const all = `/** All groups of operations. */\nexport class Operations extends Core {\n${fields}\n}\n`;
  return [HEAD, ...classes, all].join('\n');
}

function methodOf(verb: string, path: string, operation: Operation): Method {
  const { operationId: id, parameters = [], requestBody } = operation;
  const [group = '', name = ''] = operation['x-sdk'].split('.');
  const inPath = parameters.filter((one) => one.in === 'path').map((one) => camel(one.name));
  const hasQuery = parameters.some((one) => one.in === 'query');
  const needsQuery = parameters.some((one) => one.in === 'query' && one.required) && !isList(operation);
  const [status = '', success] =
    Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? [];
  const types = `'${id}', ${status}`;
  const takes = [
    ...inPath.map((one) => `${one}: string`),
    ...(requestBody ? [`body${requestBody.required ? '' : '?'}: Body<'${id}'>`] : []),
    ...(hasQuery
      ? [
          `query${needsQuery ? '' : '?'}: ${asksJson(operation) ? `Omit<Query<'${id}'>, 'format'>` : `Query<'${id}'>`}`,
        ]
      : []),
    'options?: CallOptions',
  ];
  const sends = [...(requestBody ? ['body'] : []), ...(hasQuery ? ['query'] : []), 'options'].join(', ');
  const where = `\`${path.replaceAll(/\{(\w+)\}/g, (_all, one: string) => `\${inPath(${camel(one)})}`)}\``;
  const place = inPath.length > 0 ? where : where.replaceAll('`', "'");
  const [gives, does] = isList(operation)
    ? [`Pages<Item<${types}>>`, `pages(${place}, { ${sends} })`]
    : [
        success?.content ? `Call<Data<${types}>>` : 'Call<null>',
        `call('${operation['x-retry']}', '${verb}', ${place}, { ${sends} })`,
      ];
  const text = `${docOf(operation)}\n  ${name}(${takes.join(', ')}): ${gives} {\n    return this.core.${does};\n  }`;
  return { group, text };
}

/** An answer that goes on is read by hand-written code. */
const isStream = ({ responses }: Operation): boolean =>
  responses['200']?.content?.['text/event-stream'] !== undefined;

/** A list that comes in pages. */
const isList = ({ responses }: Operation): boolean =>
  responses['200']?.content?.['application/json']?.schema.properties?.['meta']?.$ref?.endsWith('/PageMeta') ??
  false;

/** What comes in other formats too comes to the SDK as JSON. */
const asksJson = ({ responses }: Operation): boolean =>
  Object.keys(responses['200']?.content ?? {}).length > 1;

const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

function docOf({ summary, description = '' }: Operation): string {
  const rules = description.replace(/(?:\n\n)?SDK: `[^`]*`$/, '');
  const lines = [`${summary}.`, ...(rules === '' ? [] : rules.split('\n'))];
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n');
}
