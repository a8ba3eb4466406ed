/**
 * The document that clients are made from, served at /openapi.reference.json: the OpenAPI document in the reference
 * form alone, with one path for each operation, and without what other machines call. Generators stumble over the
 * rest: two forms of an answer become a union that every caller has to cast.
 */
import type { oas31 } from 'zod-openapi';
import { DIALECTS } from '../../wire/forms';
import { OPEN_ROUTES, ROUTES } from '../routes';
import { buildDocument } from './document';
import { found } from './examples';
import { templateOf } from './operations';
import { samplesOf } from './samples';

type Json = Record<string, unknown>;

const { reference: _reference, ...OTHER_FORMS } = DIALECTS;
/** The names of schemas of the other forms begin with the form, as `GuideTransaction` does. */
const OTHER_FORM = new RegExp(
  `^(?:${Object.keys(OTHER_FORMS)
    .map((form) => form.charAt(0).toUpperCase() + form.slice(1))
    .join('|')})[A-Z]`,
);
const EVENTS = 'Events';

let madeText: string | undefined;
/** The document as it is served and kept in the repository; it is made once. */
export const referenceText = (): string =>
  (madeText ??= `${JSON.stringify(referenceOf(buildDocument()), null, 1)}\n`);

/** @returns a document of its own; `document` stays as it is. */
function referenceOf(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const whole = structuredClone(document) as unknown as Json & { paths: Record<string, Json> };
  const named = new Map(
    [...OPEN_ROUTES, ...ROUTES]
      .filter(({ doc, path }) => doc.sdk !== null && path.startsWith('/v1/'))
      .map((row) => [`${row.method.toLowerCase()} ${templateOf(row.path)}`, row.doc.sdk]),
  );
  const paths: Record<string, Json> = {};
  for (const [path, methods] of Object.entries(whole.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const sdk = named.get(`${method} ${path}`);
      if (sdk !== undefined)
        paths[path] = { ...paths[path], [method]: { ...(operation as Json), 'x-sdk': sdk } };
    }
  }
  const reduced = inReferenceForm({ ...whole, paths }) as Json;
  for (const [path, methods] of Object.entries(reduced.paths as Record<string, Record<string, Json>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      operation['x-codeSamples'] = samplesOf(method, path, operation);
    }
  }
  for (const item of Object.values(reduced.webhooks as Record<string, { post: Json }>))
    item.post.tags = [EVENTS];
  // Under the tag of the endpoints, generators that make a class of each tag would lose its own operations.
  reduced.tags = [...(whole.tags as Json[]).filter(({ name }) => name !== 'Health'), { name: EVENTS }];
  return withoutStrays(reduced) as unknown as oas31.OpenAPIObject;
}

/** Drops what belongs to another form from a part of the document. */
function inReferenceForm(part: unknown): unknown {
  if (Array.isArray(part)) return part.filter((one) => !isLeftOut(one)).map(inReferenceForm);
  if (typeof part !== 'object' || part === null) return part;
  const { anyOf, ...rest } = part as Json;
  if (Array.isArray(anyOf)) {
    const kept = anyOf.filter((one) => !namesOtherForm(one)).map(inReferenceForm);
    return kept.length === 1 ? { ...(kept[0] as Json), ...withoutMeta(rest) } : { ...rest, anyOf: kept };
  }
  const entries = Object.entries(part).filter(([, value]) => !isOnlyOfOtherForm(value));
  const read = Object.fromEntries(entries.map(([key, value]) => [key, inReferenceForm(value)]));
  return forGenerators(withOneRefusal(withCodesOfReference(read)));
}

/** What stands beside the alternatives describes them, and not the one that is left. */
const withoutMeta = ({ description }: Json): Json => (typeof description === 'string' ? { description } : {});

/** Headers that a method of a client does not take: it has one form, and no faults unless somebody adds them. */
const isLeftOut = (one: unknown): boolean =>
  LEFT_OUT.includes((one as { $ref?: string } | null)?.$ref?.split('/').at(-1) ?? '');
const LEFT_OUT = ['ResponseForm', 'SandboxFault'];

/** Whether a schema is of another form or holds one that is. */
const namesOtherForm = (schema: unknown): boolean =>
  [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)].some(([, name = '']) =>
    OTHER_FORM.test(name),
  );

/** A refusal that the reference form answers with another status. */
function isOnlyOfOtherForm(value: unknown): boolean {
  const content = (value as { content?: Record<string, { schema?: { anyOf?: unknown[] } }> } | null)?.content;
  return (
    content !== undefined &&
    Object.values(content).some(({ schema }) => schema?.anyOf?.every(namesOtherForm) ?? false)
  );
}

/** A status has other codes in another form: their examples stand here whole, and not by reference. */
function withCodesOfReference(part: Json): Json {
  const content = (part.content as Record<string, Json> | undefined)?.['application/json'];
  const examples = content?.examples as Record<string, Json> | undefined;
  if (!content || !examples || typeof part.description !== 'string') return part;
  const codes = Object.keys(examples).filter((code) => '$ref' in (examples[code] ?? {}));
  const lines = part.description
    .split('\n\n')
    .filter((line) => codes.some((code) => line.startsWith(`\`${code}\``)));
  const kept = Object.fromEntries(codes.map((code) => [code, examples[code]]));
  return {
    ...part,
    description: lines.join('\n\n'),
    content: { 'application/json': { ...content, examples: kept } },
  };
}

/**
 * A refusal has the same type in every answer. With codes and headers of its own it would be a type for each operation and
 * status, which is two thirds of a client in Go. The codes of an operation stand in the description and in the examples, and
 * its headers in the whole document.
 */
function withOneRefusal(part: Json): Json {
  const { content, headers: _headers, ...rest } = part as { content?: Record<string, Json> } & Json;
  const json = content?.['application/json'];
  const [base] = (json?.schema as { allOf?: { $ref?: string }[] } | undefined)?.allOf ?? [];
  if (base?.$ref !== ERROR) return part;
  return { ...rest, content: { 'application/json': { ...json, schema: base } } };
}
const ERROR = '#/components/schemas/Error';

/**
 * - An id that came in an answer is sent again as it is. With `format: uuid` it would be another type than the plain
 *   text that requests take.
 * - A header that can only be `true` is a boolean: some generators leave out an operation with `const: "true"`.
 */
function forGenerators(part: Json): Json {
  if (part.format === 'uuid') {
    const { format: _format, ...rest } = part;
    return rest;
  }
  const schema = part.schema as Json | undefined;
  return part.in === 'header' && schema?.const === 'true' ? { ...part, schema: { type: 'boolean' } } : part;
}

/** Drops the components that nothing refers to any more. */
function withoutStrays(document: Json): Json {
  const { components, ...rest } = document as { components: Record<string, Record<string, Json>> };
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, reference = ''] of JSON.stringify(part).matchAll(/"\$ref":"(#\/components\/[^"]+)"/g)) {
      if (used.has(reference)) continue;
      used.add(reference);
      follow(found(reference, document));
    }
  };
  follow(rest);
  const isUsed = (kind: string, name: string): boolean =>
    kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`);
  const kept = Object.entries(components).map(([kind, parts]) => [
    kind,
    Object.fromEntries(Object.entries(parts).filter(([name]) => isUsed(kind, name))),
  ]);
  return { ...rest, components: Object.fromEntries(kept) as unknown };
}
