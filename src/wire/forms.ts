/**
 * The interface is published in three forms, and a request is answered in the form that it asks for (D2, D133): by
 * its header, or else by the keys of its body. This table is the only place that chooses between the dialects.
 */
import { z } from 'zod';
import { present } from '../domain/assert';
import { refuseFields, type Refused } from '../domain/outcome';
import type { FieldProblem } from '../domain/refusals';
import type { Dialect } from './dialect';
import { GUIDE } from './guide';
import { QUICKSTART } from './quickstart';
import type { Alias } from './read';
import { REFERENCE } from './reference';

/** By the values of the header `X-Response-Form`. */
export const DIALECTS = {
  reference: REFERENCE,
  guide: GUIDE,
  quickstart: QUICKSTART,
} as const satisfies Record<string, Dialect>;
export type Form = keyof typeof DIALECTS;

export const FORMS = Object.keys(DIALECTS) as Form[];
/** The form of this name, which a row keeps. */
export const formNamed = (name: string): Form =>
  present(
    FORMS.find((form) => form === name),
    'a published form',
  );
const NAMES: readonly Alias[] = FORMS.flatMap((form) => DIALECTS[form].names);

/** The other names that dialects have for these fields. */
export const namesFor = (...fields: readonly string[]): readonly Alias[] =>
  NAMES.filter(([field]) => fields.includes(field));

/**
 * A schema as the reference page shows it: what any of the dialects may answer.
 * @param extended what every dialect adds to its own fields.
 */
export function inAnyForm(
  schemaOf: (dialect: Dialect) => z.ZodObject,
  extended = (schema: z.ZodObject): z.ZodObject => schema,
): z.ZodType {
  const schemas = [...new Set(FORMS.map((form) => schemaOf(DIALECTS[form])))].map(extended);
  return z.union(schemas as [z.ZodObject, ...z.ZodObject[]]);
}

/** The form that the header `X-Response-Form` asks for: null without one, 'unknown' for any other value. */
export function formOfHeader(header: string | undefined): Form | null | 'unknown' {
  if (header === undefined) return null;
  return FORMS.find((form) => form === header) ?? 'unknown';
}

const TELLING = FORMS.filter((form) => DIALECTS[form].isToldByNames).map(
  (form) => [form, DIALECTS[form].names.map(([, name]) => name)] as const,
);

/** The form of a body by its keys. */
export function formOfBody(body: unknown): Form {
  const keys = typeof body === 'object' && body !== null ? body : {};
  return TELLING.find(([, names]) => names.some((name) => name in keys))?.[0] ?? 'reference';
}

/**
 * The ledger names a field as the reference does. If the caller used another dialect's name for it, the refusal
 * names the field by that name (D169).
 */
export function inNamesOf(body: unknown, refused: Refused): Refused {
  const [first, ...others] = (refused.refusal.detail?.fields ?? []) as FieldProblem[];
  if (!first || typeof body !== 'object' || body === null) return refused;
  const written = (problem: FieldProblem): FieldProblem => {
    const other = NAMES.find(([own, alias]) => own === problem.field && alias in body && !(own in body));
    return other ? { ...problem, field: other[1] } : problem;
  };
  return refuseFields(written(first), ...others.map(written));
}
