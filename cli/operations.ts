/**
 * A command for each operation of the reference document, under the name that the SDK has for it: `wallet transfers p2p`.
 * Parts of the path are arguments; parameters and the fields of the body are options.
 */
import { readFileSync } from 'node:fs';
import { type Command } from 'commander';
import { kobo, type Wallet } from '../sdk/src';
import { printItems, printOne } from './print';
import { projectFile } from './project';
import { UsageError } from './usage';

interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
}
export interface Operation {
  method: string;
  path: string;
  /** `transfers.p2p`. */
  name: string;
  retry: 'key' | 'safe' | 'never';
  summary: string;
  query: { name: string; description?: string; schema: Schema }[];
  /** The fields of the body; null for an operation without one. */
  fields: Record<string, Schema> | null;
  isList: boolean;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        'x-sdk': string;
        'x-retry': Operation['retry'];
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
        const answer = one.responses['200']?.content?.['application/json']?.schema;
        return {
          method: verb.toUpperCase(),
          path,
          name: one['x-sdk'],
          retry: one['x-retry'],
          summary: one.summary,
          query: (one.parameters ?? []).filter((parameter) => parameter.in === 'query'),
          fields: body ? (resolved(body.schema).properties ?? {}) : null,
          isList: answer?.properties?.['meta']?.$ref?.endsWith('/PageMeta') ?? false,
        };
      }),
  );
}

/** Adds the commands. @param open gives the client; it refuses what a live key may not do unasked. */
export function addOperations(
  program: Command,
  operations: readonly Operation[],
  open: (operation: Operation) => Wallet,
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
      command.option(`--${dashed(parameter)} <value>`, description);
    }
    for (const [field, { description }] of Object.entries(operation.fields ?? {})) {
      if (operation.query.some((one) => one.name === field)) continue;
      if (isAmount(field)) {
        command.option('--amount <naira>', 'in naira, as 1500.00').option('--amount-kobo <kobo>', 'in kobo');
      } else command.option(`--${dashed(field)} <value>`, description);
    }
    if (operation.fields) command.option('-d, --data <json>', 'the body as JSON, or @file');
    command.action(async () => {
      const values = command.opts<Record<string, string>>();
      const wallet = open(operation);
      await run(wallet, operation, { args: command.args, values }, isJson());
    });
  }
}

async function run(
  wallet: Wallet,
  operation: Operation,
  { args, values }: { args: readonly string[]; values: Record<string, string> },
  asJson: boolean,
): Promise<void> {
  const { method, retry, isList } = operation;
  const rest = [...args];
  const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''));
  const query = Object.fromEntries(operation.query.map(({ name }) => [name, values[camel(name)]]));
  if (isList) {
    const pages = wallet.pages(path, { query });
    const items: unknown[] = [];
    // A limit asks for one page.
    if (values['limit'] !== undefined) items.push(...(await pages.page()).items);
    else for await (const item of pages) items.push(item);
    printItems(items, asJson);
  } else {
    const body = operation.fields ? bodyOf(operation.fields, values) : undefined;
    printOne(await wallet.call(retry, method, path, { query, ...(body && { body }) }), asJson);
  }
}

/** @throws UsageError for what is not JSON, and for an amount that is no amount. */
function bodyOf(fields: Record<string, Schema>, values: Record<string, string>): Record<string, unknown> {
  const body = values['data'] === undefined ? {} : readJson(values['data']);
  for (const [field, { type }] of Object.entries(fields)) {
    const text = values[camel(field)];
    if (isAmount(field)) {
      if (values['amountKobo'] !== undefined) body[field] = Number(values['amountKobo']);
      else if (values['amount'] !== undefined) body[field] = koboOf(values['amount']);
    } else if (text !== undefined) body[field] = type === 'string' ? text : valueOf(text);
  }
  return body;
}

const isAmount = (field: string): boolean => field === 'amount' || field === 'amount_kobo';

function koboOf(text: string): number {
  try {
    return kobo(text);
  } catch (error) {
    throw new UsageError(`--amount: ${(error as Error).message}`);
  }
}

function readJson(text: string): Record<string, unknown> {
  try {
    const json = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text;
    return JSON.parse(json) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`--data is not JSON: ${(error as Error).message}`);
  }
}

/** Numbers, true, lists and objects are written as JSON; everything else is a text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A name as it is typed: `source-wallet`. */
export const dashed = (name: string): string =>
  name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
