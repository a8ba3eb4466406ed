/** An example of each body that partners send, in the reference form, which works as it stands. */
import type { oas31 } from 'zod-openapi';
import { OPEN_ROUTES, ROUTES } from '../routes';
import { templateOf } from './operations';

type Json = Record<string, unknown>;

/** Adds them to the document where a route has none of its own. @returns the same document. */
export function withExamples(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const whole = document as unknown as Json & { paths: Record<string, Record<string, Json>> };
  for (const { method, path, doc } of [...OPEN_ROUTES, ...ROUTES]) {
    const operation = whole.paths[templateOf(path)]?.[method.toLowerCase()];
    if (doc.sdk === null || !operation) continue;
    const body = operation['requestBody'] as { content: Record<string, Json> } | undefined;
    for (const content of Object.values(body?.content ?? {})) {
      content['example'] ??= exampleOf(content['schema'] as Json, whole);
    }
  }
  return document;
}

/** Made of the examples of the fields that are required. */
function exampleOf(schema: Json, document: Json): unknown {
  if (typeof schema['$ref'] === 'string') return exampleOf(found(schema['$ref'], document), document);
  const [example] = (schema['examples'] ?? []) as unknown[];
  if (example !== undefined) return example;
  // The reference form comes first.
  const [first] = (schema['anyOf'] ?? []) as Json[];
  if (first) return exampleOf(first, document);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (schema['type'] === 'array') {
    return Array.from({ length: Math.max(1, Number(schema['minItems'] ?? 1)) }, () =>
      exampleOf(schema['items'] as Json, document),
    );
  }
  if (schema['type'] !== 'object') return schema['type'] === 'string' ? 'text' : 1;
  const required = (schema['required'] ?? []) as string[];
  const properties = schema['properties'] as Record<string, Json>;
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, document)]));
}

/** What a reference such as `#/components/schemas/Wallet` leads to. */
export const found = (reference: string, document: Json): Json =>
  reference
    .split('/')
    .slice(1)
    .reduce((part, name) => part[name] as Json, document);
