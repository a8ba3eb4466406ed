/** The operations of the SDK: a class for each group, a method for each operation of the reference document. */
import { referenceText } from '../../src/api/openapi/reference';

interface Schema {
  $ref?: string;
  type?: unknown;
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
}
interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  'x-sdk': string;
  'x-retry': string;
  parameters?: { $ref?: string; name: string; in: string; required?: boolean }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Method {
  group: string;
  text: string;
  /** The types that only this method has. */
  types: string[];
}

/** The schemas of the document, to look at one that is meant by its name. */
type Schemas = Record<string, Schema>;

const HEAD = `/** Made by \`npm run sdk\` from the reference document: change the route table. */
import type { Call, FileCall, Pages } from './answers.ts';
import { Core, Group } from './core.ts';
import type { CallOptions } from './options.ts';
import type * as schema from './schema.ts';
import type { operations } from './schema.ts';

type Named<Value, Name extends PropertyKey> = Value extends { [Key in Name]: infer Found } ? Found : never;
type Json<Value> = Named<Named<Value, 'content'>, 'application/json'>;

/** The body of a request. */
type Body<Name extends keyof operations> = Json<NonNullable<operations[Name]['requestBody']>>;
/** The parameters of a GET. */
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
/** The data of an answer: without its envelope, where it has one. */
type Data<Name extends keyof operations, Status extends number> =
  Json<Named<operations[Name]['responses'], Status>> extends { data: infer Inner; meta: unknown }
    ? Inner
    : Json<Named<operations[Name]['responses'], Status>>;
`;

/** The groups to which the client adds what waits for an outcome, and the streams. */
const EXTENDED = ['transactions', 'events', 'requests'];

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** \`sdk/src/operations.ts\`. */
export function sdkOperations(): string {
  const { paths, components } = JSON.parse(referenceText()) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Schemas };
  };
  const methods = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, operation]) => !isStream(operation))
      .map(([verb, operation]) => methodOf(verb.toUpperCase(), path, operation, components.schemas)),
  );
  const groups = [...new Set(methods.map(({ group }) => group))];
  const classes = groups.map((group) => {
    const own = methods.filter((method) => method.group === group).map(({ text }) => text);
    const exported = EXTENDED.includes(group) ? 'export ' : '';
    return `${exported}class ${capital(group)} extends Group {\n${own.join('\n\n')}\n}\n`;
  });
  const types = methods.flatMap((method) => method.types).join('\n');
  const fields = groups.map((group) => `  readonly ${group} = new ${capital(group)}(this);`).join('\n');
  const all = `/** All groups of operations. */\nexport class Operations extends Core {\n${fields}\n}\n`;
  return [HEAD, `${types}\n`, ...classes, all].join('\n');
}

function methodOf(verb: string, path: string, operation: Operation, schemas: Schemas): Method {
  const { operationId: id, parameters = [], requestBody } = operation;
  const [group = '', name = ''] = operation['x-sdk'].split('.');
  const inPath = parameters.filter((one) => one.in === 'path').map((one) => camel(one.name));
  const hasQuery = parameters.some((one) => one.in === 'query');
  const needsQuery = parameters.some((one) => one.in === 'query' && one.required) && !isList(operation);
  const types = typesOf(operation);
  const takes = [
    ...inPath.map((one) => `${one}: string`),
    ...(requestBody ? [`body${requestBody.required ? '' : '?'}: ${types.body}`] : []),
  ];
  const query = (type: string, isNeeded: boolean): string[] =>
    hasQuery ? [`query${isNeeded ? '' : '?'}: ${type}`] : [];
  const sends = [
    ...(inPath.length > 0 ? [`parts: [${inPath.join(', ')}]`] : []),
    ...(requestBody ? ['body'] : []),
    ...(hasQuery ? ['query'] : []),
    'options',
  ].join(', ');
  const call = `call('${operation['x-retry']}', '${verb}', '${path}', '${givesOf(operation, schemas)}', { ${sends} })`;
  const [gives, does] = isList(operation)
    ? [`Pages<${types.item}>`, `pages('${path}', { ${sends} })`]
    : [`Call<${types.data}>`, call];
  const text = method(operation, name, [...takes, ...query(types.query, needsQuery)], gives, does);
  if (!asksJson(operation)) return { group, text, types: types.own };
  const asked = [...takes, ...query(`${capital(id)}FileQuery`, true)];
  const file = method(operation, `${name}File`, asked, 'FileCall', `file('${path}', { ${sends} })`);
  return { group, text: `${text}\n\n${file}`, types: types.own };
}

const method = (operation: Operation, name: string, takes: string[], gives: string, does: string): string =>
  `${docOf(operation)}\n  ${name}(${[...takes, 'options?: CallOptions'].join(', ')}): ${gives} {\n    return this.core.${does};\n  }`;

/** The names of the types of an operation, and `own`, what makes those that the document has no name for. */
function typesOf(operation: Operation) {
  const { operationId: id } = operation;
  const own: string[] = [];
  const query = `${capital(id)}Query`;
  if (operation.parameters?.some((one) => one.in === 'query')) {
    const whole = `Query<'${id}'>`;
    own.push(
      `export interface ${query} extends ${asksJson(operation) ? `Omit<${whole}, 'format'>` : whole} {}`,
    );
    if (asksJson(operation)) {
      const formats = `Exclude<${whole}['format'], 'json' | undefined>`;
      own.push(`export interface ${capital(id)}FileQuery extends ${query} {\n  format: ${formats};\n}`);
    }
  }
  const nameOf = (schema: Schema | undefined, kind: string, made: string): string => {
    if (schema?.$ref !== undefined) return `schema.${schema.$ref.split('/').at(-1) ?? ''}`;
    if (schema?.items) return `${nameOf(schema.items, kind, made)}[]`;
    own.push(`export interface ${capital(id)}${kind} extends ${made} {}`);
    return `${capital(id)}${kind}`;
  };
  const asked = operation.requestBody?.content['application/json']?.schema;
  const [status, answer] = answerOf(operation);
  const inner = answer?.properties?.['meta'] ? answer.properties['data'] : answer;
  const data = answer ? nameOf(inner, 'Answer', `Data<'${id}', ${status}>`) : 'null';
  return {
    own,
    query,
    body: asked ? nameOf(asked, 'Body', `Body<'${id}'>`) : '',
    data,
    item: data.replace(/\[\]$/, ''),
  };
}

/** The status of success, and the schema of its answer as JSON. */
function answerOf({ responses }: Operation): [string, Schema | undefined] {
  const [status, success] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? ['', {}];
  return [status, success.content?.['application/json']?.schema];
}

/** By what an answer is known: the envelope, or a field that it always has; nothing where it has no content. */
function givesOf(operation: Operation, schemas: Schemas): string {
  const [, answer] = answerOf(operation);
  if (!answer) return '';
  if (answer.properties?.['meta']) return 'data';
  const { required = [] } = schemas[answer.$ref?.split('/').at(-1) ?? ''] ?? answer;
  const [first] = required;
  if (first === undefined) throw new Error(`${operation.operationId} may answer with nothing`);
  return first;
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
