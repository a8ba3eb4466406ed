/**
 * Fields of a body that no operation reads. Bodies may have them (D117), but of a call that moves money its caller learns which
 * ones had no effect: a misspelt field is silent otherwise. What a body may have follows from the schema that documents it.
 */
import type { z } from 'zod';
import { refuseFields, type Refused } from '../domain/outcome';
import { nearestTo } from './nearest';

/** What a schema knows of a value. null: everything within it is somebody's own, as metadata is. */
export type KnownFields = { fields: ReadonlyMap<string, KnownFields>; items: KnownFields } | null;

/** So many are named; whoever sends more has sent another body altogether. */
const NAMED_MAX = 100;
const NAME_MAX = 64;

/** What a schema of a body knows, in all its published forms. */
export function knownFields(schema: z.core.$ZodType): KnownFields {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'array') return { fields: new Map(), items: knownFields(def.element) };
  if (def.type === 'union') return def.options.map(knownFields).reduce(merged, null);
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default')
    return knownFields(def.innerType);
  // A preparation comes before the schema, and our own names come behind it.
  if (def.type === 'pipe') return knownFields(def.in._zod.def.type === 'transform' ? def.out : def.in);
  if (def.type !== 'object') return null;
  const fields = Object.entries(def.shape).map(([name, field]) => [name, knownFields(field)] as const);
  return { fields: new Map(fields), items: null };
}

function merged(one: KnownFields, other: KnownFields): KnownFields {
  if (!one || !other) return one ?? other;
  const fields = new Map(one.fields);
  for (const [name, field] of other.fields) fields.set(name, merged(fields.get(name) ?? null, field));
  return { fields, items: merged(one.items, other.items) };
}

/** A field that is not read: where it is, as refusals write it, and the names that are known there. */
export interface IgnoredField {
  path: string;
  /** The same for answers and logs, which are kept: without names that may say something about a person. */
  shown: string;
  name: string;
  known: readonly string[];
}

/** The fields of a body that are not read, in the order of the body; a hundred at most. */
export function ignoredFields(known: KnownFields, body: unknown): IgnoredField[] {
  const found: IgnoredField[] = [];
  collect(known, body, '', found);
  return found;
}

function collect(known: KnownFields, value: unknown, path: string, found: IgnoredField[]): void {
  if (!known || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && found.length < NAMED_MAX; at++) {
      collect(known.items, value[at], `${path}[${String(at)}]`, found);
    }
    return;
  }
  if (known.fields.size === 0) return;
  const within = path === '' ? '' : `${path}.`;
  for (const name in value) {
    if (found.length >= NAMED_MAX) return;
    const inner = known.fields.get(name);
    if (inner !== undefined) {
      collect(inner, (value as Record<string, unknown>)[name], within + name, found);
      continue;
    }
    const cut = name.slice(0, NAME_MAX).toWellFormed();
    const shown = saysNothing(name) ? cut : '[hidden]';
    found.push({ path: within + cut, shown: within + shown, name, known: [...known.fields.keys()] });
  }
}

/** Whether it is a name that a programmer gives a field. Another one may be a text or a number about a person (D209). */
const saysNothing = (name: string): boolean =>
  /^[A-Za-z_$][\w$-]{0,63}$/.test(name) && !/[0-9]{5}/.test(name);

/** Said of a name that the caller made up; the log of requests shows neither. */
export const NOT_A_FIELD = 'is not a field of this operation';

/** VALIDATION_ERROR that names each of them, with the known name that was probably meant; null without any. */
export function refuseIgnored(ignored: readonly IgnoredField[]): Refused | null {
  const [first, ...others] = ignored.map(({ path, name, known }) => {
    const meant = nearestTo(name, known)?.name;
    return { field: path, message: NOT_A_FIELD + (meant === undefined ? '' : `; did you mean ${meant}?`) };
  });
  return first ? refuseFields(first, ...others) : null;
}

/**
 * An answer that also names what was ignored, in `meta.ignored_fields`.
 * @param body JSON text of an object.
 * @param ignored the paths.
 */
export function namingIgnored(body: string, ignored: readonly string[]): string {
  if (ignored.length === 0) return body;
  const answer = JSON.parse(body) as { meta?: object };
  const meta = { ...answer.meta, ignored_fields: ignored };
  return JSON.stringify({ ...answer, meta });
}
