/**
 * What happens to fields of a body that an operation does not read (D117): of a call that moves money, or promises to, they are
 * named in its answer and in the log of requests; `X-Strict: true` has any operation refuse them.
 */
import { done, type Outcome, type Refused } from '../domain/outcome';
import type { FieldProblem } from '../domain/refusals';
import {
  ignoredFields,
  knownFields,
  refuseIgnored,
  type IgnoredField,
  type KnownFields,
} from '../wire/ignored-fields';
import type { Route } from './route';
import type { TakenBody } from './take-body';

/** Whether a call moves money out of a wallet or promises to. */
const isOfMoney = ({ needs }: Route): boolean => needs === 'pay';

/** What is wrong with the header; null without it. @param values as it came, once or more often. */
export const strictProblem = (values: readonly string[]): FieldProblem | null =>
  values.length === 0 || (values.length === 1 && ['true', 'false'].includes(values[0] ?? ''))
    ? null
    : { field: 'X-Strict', message: 'must be true or false' };

const knownOf = new Map<Route, KnownFields>();

function knownBy(route: Route): KnownFields {
  const known = knownOf.get(route) ?? (route.doc.body ? knownFields(route.doc.body) : null);
  knownOf.set(route, known);
  return known;
}

/**
 * Looks for fields that the operation does not read.
 * @param strict the values of the header `X-Strict`.
 * @param taken the body as it was parsed, or what was found where it was read.
 * @returns what the answer is to name; or VALIDATION_ERROR, where it is not to be ignored.
 */
export function readIgnored(
  route: Route,
  strict: readonly string[],
  { value, prepared }: Pick<TakenBody, 'value' | 'prepared'>,
): Outcome<readonly IgnoredField[]> {
  const isStrict = strict[0] === 'true' && !route.takesOtherFields;
  if (!isStrict && !isOfMoney(route)) return NONE;
  const ignored = prepared ? prepared.ignored : ignoredFields(knownBy(route), value);
  const refused: Refused | null = isStrict ? refuseIgnored(ignored) : null;
  return refused ?? done(ignored);
}

const NONE = done([]);
