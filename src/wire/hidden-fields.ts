/**
 * What of a body the log of requests may keep (D209), by the schema that reads or documents the body. A field that is marked
 * `x-sensitive` is hidden. So is every field that no schema knows, with its name, and every value that is not of the type
 * that its schema has: nothing is guessed to be harmless.
 */
import { z } from 'zod';

/** Stands in the place of what is not shown. */
export const HIDDEN = '[hidden]';

/** What of a value may be shown. A value of a kind that has no place here is hidden. */
export interface Shown {
  /** Whether a schema marks the value, which then stays hidden whatever other schemas say. */
  isMarked: boolean;
  /** The types of plain values, as `typeof` names them. */
  types: ReadonlySet<string>;
  /** Of a list: its items. */
  items: Shown | null;
  /** Of an object: the fields that a schema knows. */
  fields: ReadonlyMap<string, Shown> | null;
}

const NOTHING: Shown = { isMarked: false, types: new Set(), items: null, fields: null };
const plain = (...types: readonly string[]): Shown => ({ ...NOTHING, types: new Set(types) });

/** What a schema lets be shown. A kind of schema that is not listed here shows nothing. */
export function shownBy(schema: z.core.$ZodType): Shown {
  if (z.globalRegistry.get(schema)?.['x-sensitive'] === true) return { ...NOTHING, isMarked: true };
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'string' || def.type === 'number' || def.type === 'boolean') return plain(def.type);
  if (def.type === 'enum') return plain(...Object.values(def.entries).map((value) => typeof value));
  if (def.type === 'literal') return plain(...def.values.map((value) => typeof value));
  if (def.type === 'array') return { ...NOTHING, items: shownBy(def.element) };
  if (def.type === 'union') return shownByAll(def.options.map(shownBy));
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default')
    return shownBy(def.innerType);
  // A preparation comes before the schema, and our own names come behind it.
  if (def.type === 'pipe') return shownBy(def.in._zod.def.type === 'transform' ? def.out : def.in);
  if (def.type !== 'object') return NOTHING;
  const fields = Object.entries(def.shape).map(([name, field]) => [name, shownBy(field)] as const);
  return { ...NOTHING, fields: new Map(fields) };
}

/** What may be shown of a value that has one of several shapes: what one of them knows and none of them marks. */
export const shownByAll = (shapes: readonly Shown[]): Shown => shapes.reduce(merged, NOTHING);

function merged(one: Shown, other: Shown): Shown {
  const fields = new Map(one.fields);
  for (const [name, field] of other.fields ?? []) {
    const known = fields.get(name);
    fields.set(name, known ? merged(known, field) : field);
  }
  return {
    isMarked: one.isMarked || other.isMarked,
    types: new Set([...one.types, ...other.types]),
    items: one.items && other.items ? merged(one.items, other.items) : (one.items ?? other.items),
    fields: (one.fields ?? other.fields) ? fields : null,
  };
}

/** Who is let in, what is asked, and where in the page: each may hold a token of the receiver. */
const URL_IN_TEXT =
  /\b((?:https?:|[a-z][a-z0-9+.-]*:(?=\/\/))[\\/]*)([^\s/\\?#"'<>]*@)?([^\s?#"'<>]*)([?#][^\s"'<>]*)?/gi;
/** A text that should be an address as a whole, also one that is none: it may lack its scheme. */
const URL_ALONE = /^(https?:[\\/]*|[a-z][a-z0-9+.-]*:[\\/]+)?([^/\\?#]*@)?([^?#]*)([?#].*)?$/is;

/** A text in which every address keeps its scheme, host and path alone: a query, a fragment and a user are hidden. */
export const withoutSecretsOfUrls = (text: string, isUrl = false): string =>
  isUrl || text.includes(':')
    ? text.replace(
        isUrl ? URL_ALONE : URL_IN_TEXT,
        (_all, scheme: string = '', user: string = '', place: string = '', rest: string = '') =>
          [scheme, user && `${HIDDEN}@`, place, rest && `${rest.charAt(0)}${HIDDEN}`].join(''),
      )
    : text;

/** A text is copied so far, and of a value so many parts: whoever keeps the beginning alone needs no more. */
const TEXT_MAX_LENGTH = 4_096;
const PARTS_MAX = 2_048;

/**
 * A copy of a value with everything hidden that may not be shown. What is absent says nothing, so it stays as it is. Of a large
 * value only the beginning is copied, which as JSON is longer than 4,096 bytes.
 */
export const withHidden = (shown: Shown, value: unknown): unknown =>
  copied(shown, value, { parts: PARTS_MAX });

/** @param name of the field that has the value. */
function copied(shown: Shown, value: unknown, left: { parts: number }, name?: string): unknown {
  left.parts--;
  if (value === null || value === undefined) return value;
  if (shown.isMarked) return HIDDEN;
  if (typeof value === 'string') {
    return shown.types.has('string')
      ? withoutSecretsOfUrls(value.slice(0, TEXT_MAX_LENGTH), name === 'url')
      : HIDDEN;
  }
  if (typeof value !== 'object') return shown.types.has(typeof value) ? value : HIDDEN;
  if (Array.isArray(value)) {
    if (!shown.items) return HIDDEN;
    const copy: unknown[] = [];
    for (const item of value) {
      if (left.parts <= 0) break;
      copy.push(copied(shown.items, item, left));
    }
    return copy;
  }
  if (!shown.fields) return HIDDEN;
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const field = shown.fields.get(name);
    if (field) copy[name] = copied(field, (value as Record<string, unknown>)[name], left, name);
    else copy[HIDDEN] = HIDDEN;
  }
  return copy;
}
