/**
 * Reads requests. Aliases are folded first, and then the schema decides. One answer names everything that is wrong
 * (D169).
 */
import { z } from 'zod';
import { done, refuse, refuseFields, type Outcome, type Refused } from '../domain/outcome';
import type { FieldProblem } from '../domain/refusals';
import { canonicalId } from './ids';
import { isName } from './text';

/** A request that is wrong as a whole, not in one of its fields. */
export const invalid = (message: string): Refused => refuse('VALIDATION_ERROR', { message });

/** A published field and the other name that one of the guides uses for it. */
export type Alias = readonly [field: string, alias: string];

/** The schema of a body or a query: its fields, and perhaps a transform into our own names. */
export type ReadSchema = z.ZodObject | z.ZodPipe<z.ZodObject>;

/**
 * Reads a JSON body.
 * @param aliases if a body has both names of a field, their values must agree (D2, D49).
 */
export function readBody<Schema extends ReadSchema>(
  schema: Schema,
  body: unknown,
  aliases: readonly Alias[] = [],
): Outcome<z.infer<Schema>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return invalid('the body must be a JSON object');
  const folded: Record<string, unknown> = { ...body };
  const contradictions: FieldProblem[] = [];
  for (const [field, alias] of aliases) {
    const other = folded[alias] ?? undefined;
    if (other === undefined) continue;
    const own = folded[field] ?? undefined;
    if (own === undefined) folded[field] = other;
    else if (spelt(own) !== spelt(other))
      contradictions.push({ field: alias, message: `contradicts ${field}` });
  }
  const parsed = schema.safeParse(folded);
  if (parsed.success && contradictions.length === 0) return done(parsed.data as z.infer<Schema>);

  const aliasOf = (field: string): string =>
    aliases.find(([own, alias]) => own === field && alias in body)?.[1] ?? field;
  const problems = parsed.success ? [] : problemsOf(parsed.error, folded, aliasOf);
  return refused(schema, [...contradictions, ...problems], aliases);
}

/** Said of a name that the caller made up; the log of requests shows neither. */
export const NOT_A_PARAMETER = 'is not a parameter of this operation';

export type Query = Record<string, string | string[] | undefined>;

/**
 * Reads the query of a GET. A parameter that the operation does not know is refused, because to answer as if a
 * filter had been applied would be worse (D170); so is one that is given twice or with brackets (D152).
 */
export function readQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: Query,
): Outcome<z.infer<Schema>> {
  const names = Object.keys(query);
  const isKnown = (name: string): boolean => Object.hasOwn(schema.shape, name);
  const unknown: FieldProblem[] = [];
  const repeated = new Set<string>();
  for (const name of names) {
    const bare = name.replace(/\[.*$/s, '');
    if (!isKnown(bare)) unknown.push({ field: name, message: NOT_A_PARAMETER });
    else if (bare !== name || Array.isArray(query[name])) repeated.add(bare);
  }
  const typed = Object.fromEntries(
    Object.entries(schema.shape).map(([name, type]) => [name, typedBy(type, query[name])]),
  );
  const parsed = schema.safeParse(typed);
  if (parsed.success && unknown.length === 0 && repeated.size === 0) return done(parsed.data);

  const twice = [...repeated].map((field) => ({ field, message: 'must be given once' }));
  const others = parsed.success ? [] : problemsOf(parsed.error, typed, (field) => field);
  const problems = [...twice, ...others.filter(({ field }) => !repeated.has(field)), ...unknown];
  return refused(schema, problems, []);
}

/** The reference in a body that nobody has read yet; every form calls it the same. null where there is none. */
export function referenceOf(body: unknown): string | null {
  const { reference } = (body ?? {}) as { reference?: unknown };
  return typeof reference === 'string' && isName(reference) ? reference.normalize('NFC') : null;
}

/** Turns the text of a number parameter into a number. Only digits are accepted. */
function typedBy(type: unknown, value: Query[string]): unknown {
  const inner = type instanceof z.ZodDefault || type instanceof z.ZodOptional ? type.unwrap() : type;
  if (!(inner instanceof z.ZodNumber) || typeof value !== 'string') return value;
  return /^[0-9]{1,15}$/.test(value) ? Number(value) : NaN;
}

/**
 * A body as the reference page shows it: by the schema that reads it, in the reference's names, and with the
 * names of another form where it has some.
 */
export function publishedBody(
  name: string,
  schema: ReadSchema,
  other?: { form: 'Guide' | 'Quickstart'; aliases: readonly Alias[] },
): z.ZodType {
  const { shape } = fieldsOf(schema);
  const reference = z.object(shape).meta({ id: name });
  if (!other) return reference;
  const nameOf = (field: string): string => other.aliases.find(([own]) => own === field)?.[1] ?? field;
  const renamed = Object.entries(shape).map(([field, value]) => [nameOf(field), value] as const);
  return z.union([reference, z.object(Object.fromEntries(renamed)).meta({ id: other.form + name })]);
}

const fieldsOf = (schema: ReadSchema): z.ZodObject => (schema instanceof z.ZodPipe ? schema.in : schema);

/** One spelling of a value: an id in another case or with a guide's prefix is the same id (D2, D4). */
const spelt = (value: unknown): string =>
  (typeof value === 'string' && canonicalId(value, 'wallet')) || JSON.stringify(value);

/** Everything that the schema has found, each under the name that the caller wrote. */
function problemsOf(error: z.ZodError, value: unknown, nameOf: (field: string) => string): FieldProblem[] {
  return error.issues.map((issue) => {
    // Whether a field is missing or has another type is looked up in the body: a second parse that reports what it reads
    // would cost several times the first.
    const missing = issue.code === 'invalid_type' && valueAt(value, issue.path) === undefined;
    return { field: placeOf(issue.path, nameOf), message: missing ? 'is required' : issue.message };
  });
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (part, key) => (part as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );

/** The path of a field as text, as in `splits[1].amount`. */
const placeOf = (path: readonly PropertyKey[], nameOf: (field: string) => string): string =>
  path
    .map((part, depth) => {
      if (typeof part === 'number') return `[${String(part)}]`;
      return depth === 0 ? nameOf(String(part)) : `.${String(part)}`;
    })
    .join('');

/**
 * Names the problems in the order of the schema. Fields that it does not have come last, as the request has them.
 */
function refused(schema: ReadSchema, problems: readonly FieldProblem[], aliases: readonly Alias[]): Refused {
  const order = Object.keys(fieldsOf(schema).shape);
  const rank = ({ field }: FieldProblem): number => {
    const written = field.split(/[.[]/, 1)[0] ?? '';
    const own = aliases.find(([, alias]) => alias === written)?.[0] ?? written;
    return order.includes(own) ? order.indexOf(own) : order.length;
  };
  const [first, ...others] = [...problems].sort((one, other) => rank(one) - rank(other));
  if (!first) throw new Error('bug: nothing is wrong with a request that is refused');
  return refuseFields(first, ...others);
}
