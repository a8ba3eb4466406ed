/**
 * A command for each operation of the reference document, under the name that the SDK has for it: `wallet transfers p2p`.
 * Parts of the path are arguments; parameters and the fields of the body are options.
 */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Call, CallOptions, FileCall, Pages, WalletClient } from '../sdk/src';
import { bodyOf, isAmount } from './body';
import { camel, dashed, type Schema } from './fields';
import { keepFile } from './files';
import { printItems, printOne } from './print';
import { projectFile } from './project';
import { UsageError } from './usage';

export interface Operation {
  method: string;
  path: string;
  /** `transfers.p2p`. */
  name: string;
  summary: string;
  query: { name: string; description?: string; schema: Schema }[];
  /** The fields of the body; null for an operation without one. */
  fields: Record<string, Schema> | null;
  isList: boolean;
  /** Whether it answers with a file too, as `format` says. */
  hasFiles: boolean;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        'x-sdk': string;
        summary: string;
        parameters?: { in: string; name: string; description?: string; schema: Schema }[];
        requestBody?: { content: Record<string, { schema: Schema }> };
        responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

/** The operations that a program can call; streams have commands of their own. */
export function readOperations(): Operation[] {
  const text = readFileSync(projectFile('openapi.reference.json'), 'utf8');
  const { paths, components } = JSON.parse(text) as Document;
  const resolved = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (components.schemas[name] ?? {});
  };
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, { responses }]) => !responses['200']?.content?.['text/event-stream'])
      .map(([verb, one]) => {
        const body = one.requestBody?.content['application/json'];
        const content = one.responses['200']?.content ?? {};
        const answer = content['application/json']?.schema;
        return {
          method: verb.toUpperCase(),
          path,
          name: one['x-sdk'],
          summary: one.summary,
          query: (one.parameters ?? []).filter((parameter) => parameter.in === 'query'),
          fields: body ? (resolved(body.schema).properties ?? {}) : null,
          isList: answer?.properties?.['meta']?.$ref?.endsWith('/PageMeta') ?? false,
          hasFiles: Object.keys(content).length > 1,
        };
      }),
  );
}

/** Adds the commands. @param open gives the client; it refuses what a live key may not do unasked. */
export function addOperations(
  program: Command,
  operations: readonly Operation[],
  open: (operation: Operation) => WalletClient,
  isJson: () => boolean,
): void {
  const groups = new Map<string, Command>();
  for (const operation of operations) {
    const [groupName = '', name = ''] = operation.name.split('.').map(dashed);
    const group =
      groups.get(groupName) ?? program.command(groupName).description(`operations on ${groupName}`);
    groups.set(groupName, group);
    const command = group.command(name).description(operation.summary);
    for (const [, parameter = ''] of operation.path.matchAll(/\{(\w+)\}/g))
      command.argument(`<${dashed(parameter)}>`);
    for (const { name: parameter, description } of operation.query) {
      command.addOption(once(`--${dashed(parameter)} <value>`, description));
    }
    for (const [field, { description }] of Object.entries(operation.fields ?? {})) {
      if (operation.query.some((one) => one.name === field)) continue;
      if (isAmount(field)) {
        command
          .addOption(once('--amount <naira>', 'in naira, as 1500.00'))
          .addOption(once('--amount-kobo <kobo>', 'in kobo'));
      } else command.addOption(once(`--${dashed(field)} <value>`, description));
    }
    if (operation.fields) command.addOption(once('-d, --data <json>', 'the body as JSON, or @file'));
    if (operation.hasFiles)
      command.addOption(once('-o, --output <file>', 'where a format that is a file is kept'));
    command.action(async () => {
      const values = command.opts<Record<string, string>>();
      const client = open(operation);
      await run(client, operation, { parts: command.args, values }, isJson());
    });
  }
}

/** An option that is said once: of two values nobody knows which is meant. */
const once = (flags: string, description?: string): Option =>
  new Option(flags, description).argParser((value: string, before: string | undefined) => {
    if (before !== undefined) throw new InvalidArgumentError('Say it once.');
    return value;
  });

interface Asked {
  /** The values of the path, in their order. */
  parts: readonly string[];
  body?: unknown;
  query?: Record<string, unknown>;
  options?: CallOptions;
}

/** Calls an operation by the method that the SDK has for it. @param suffix of the name of the method: `File` for one that gives a file. */
function methodOf(client: WalletClient, { name, path, ...operation }: Operation, asked: Asked, suffix = '') {
  const [group = '', method = ''] = name.split('.');
  const { parts, body, query, options = {} } = asked;
  const places = [...path.matchAll(/\{/g)].map((_one, index) => parts[index]);
  const takes = [
    ...places,
    ...(operation.fields ? [body] : []),
    ...(operation.query.length > 0 ? [query] : []),
    options,
  ];
  const methods = Reflect.get(client, group) as Record<string, (...takes: unknown[]) => unknown>;
  return methods[method + suffix]?.(...takes);
}

/** Calls an operation that answers with one thing. */
export const callOf = (client: WalletClient, operation: Operation, asked: Asked): Call<unknown> =>
  methodOf(client, operation, asked) as Call<unknown>;

async function run(
  client: WalletClient,
  operation: Operation,
  { parts, values }: { parts: readonly string[]; values: Record<string, string> },
  asJson: boolean,
): Promise<void> {
  const query = Object.fromEntries(operation.query.map(({ name }) => [name, values[camel(name)]]));
  const body = operation.fields ? bodyOf(operation.fields, values) : undefined;
  const asked = { parts, query, body };
  if (operation.isList) {
    const pages = methodOf(client, operation, asked) as Pages<unknown>;
    const items: unknown[] = [];
    // A limit asks for one page.
    if (values['limit'] !== undefined) items.push(...(await pages.page()).items);
    else for await (const item of pages) items.push(item);
    printItems(items, asJson);
  } else if (operation.hasFiles && isFile(values)) {
    const { format, output } = values;
    const parts = methodOf(client, operation, asked, 'File') as FileCall;
    const file = { file: output, format, bytes: await keepFile(parts, output) };
    if (asJson) printOne(file, true);
    else process.stdout.write(`${output} has ${String(file.bytes)} bytes\n`);
  } else printOne(await callOf(client, operation, asked), asJson);
}

/** @throws UsageError for a file without a place, and for a place without a file. */
function isFile(values: Record<string, string>): values is { format: string; output: string } {
  const { format = 'json', output } = values;
  if (format !== 'json' && output === undefined)
    throw new UsageError(`Say where the file is kept, as -o statement.${format}`);
  if (format === 'json' && output !== undefined)
    throw new UsageError('Say --format csv or --format pdf: JSON goes to standard output');
  return format !== 'json';
}
