/** Reading a request: aliases are folded first, then the schema decides, and the first problem is the message. */
import { z } from 'zod';
import { done, refuse, type Outcome, type Refused } from '../domain/outcome';
import { canonicalId } from './fields';

export const invalid = (message: string): Refused => refuse('VALIDATION_ERROR', { message });

/** A published field and the other name that one of the guides uses for it. */
export type Alias = readonly [field: string, alias: string];

/**
 * Reads a JSON body.
 * @param aliases both names at once must agree, else the body contradicts itself (D2, D49).
 */
export function readBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  aliases: readonly Alias[] = [],
): Outcome<z.infer<Schema>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return invalid('the body must be a JSON object');
  const folded: Record<string, unknown> = { ...body };
  for (const [field, alias] of aliases) {
    const other = folded[alias] ?? undefined;
    if (other === undefined) continue;
    const own = folded[field] ?? undefined;
    if (own !== undefined && spelt(own) !== spelt(other)) {
      return invalid(`${field} and ${alias} contradict each other`);
    }
    folded[field] = other;
  }
  const parsed = schema.safeParse(folded);
  if (parsed.success) return done(parsed.data);
  // Without its input an issue cannot tell a missing field from one of another type; asked for, it costs everybody.
  const { error } = schema.safeParse(folded, { reportInput: true });
  return invalid(messageOf(error ?? parsed.error, aliases, body));
}

/**
 * A body as the reference page shows it: by the schema that reads it, in the reference's names, and with the
 * names of another form where it has some.
 */
export function publishedBody(
  name: string,
  schema: z.ZodObject | z.ZodPipe<z.ZodObject>,
  other?: { form: 'Guide' | 'Quickstart'; aliases: readonly Alias[] },
): z.ZodType {
  const { shape } = schema instanceof z.ZodPipe ? schema.in : schema;
  const reference = z.object(shape).meta({ id: name });
  if (!other) return reference;
  const nameOf = (field: string): string => other.aliases.find(([own]) => own === field)?.[1] ?? field;
  const renamed = Object.entries(shape).map(([field, value]) => [nameOf(field), value] as const);
  return z.union([reference, z.object(Object.fromEntries(renamed)).meta({ id: other.form + name })]);
}

/** One spelling of a value: an id in another case or with a guide's prefix is the same id (D2, D4). */
const spelt = (value: unknown): string =>
  (typeof value === 'string' && canonicalId(value)) || JSON.stringify(value);

/** Names the field as the caller wrote it. */
function messageOf(error: z.ZodError, aliases: readonly Alias[], body: object): string {
  const issue = error.issues[0];
  if (!issue) return 'the body is not valid';
  const [first, ...rest] = issue.path.map(String);
  const alias = aliases.find(([field, other]) => field === first && other in body)?.[1];
  const path = [alias ?? first, ...rest].filter((part) => part !== undefined).join('.');
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return `${path}: ${missing ? 'is required' : issue.message}`;
}
