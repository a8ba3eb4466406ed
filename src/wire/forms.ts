/**
 * The interface is published in three forms; a request is answered in the form it was asked (D2, D133).
 * The header says so openly, else the keys of the body do.
 */
import { refuseFields, type Refused } from '../domain/outcome';
import type { FieldProblem } from '../domain/refusals';
import type { Alias } from './read';

const FORMS = ['reference', 'guide', 'quickstart'] as const;
export type Form = (typeof FORMS)[number];

/** What the guide calls a field by another name (D2). */
export const AMOUNT: Alias = ['amount', 'amount_kobo'];
export const SOURCE: Alias = ['source_wallet', 'source_wallet_id'];
export const DEST: Alias = ['dest_wallet', 'dest_wallet_id'];
export const PAYER: Alias = ['wallet_id', 'payer_wallet_id'];

const ALIASES: readonly Alias[] = [SOURCE, DEST, AMOUNT, PAYER];

/** Any of these keys makes a body a guide's. */
const GUIDE_KEYS = ALIASES.map(([, name]) => name);

/** The form that the header `X-Response-Form` asks for: null without one, 'unknown' for any other value. */
export function formOfHeader(header: string | undefined): Form | null | 'unknown' {
  if (header === undefined) return null;
  return FORMS.find((form) => form === header) ?? 'unknown';
}

/** The form of a body by its keys. */
export function formOfBody(body: unknown): Form {
  const keys = typeof body === 'object' && body !== null ? body : {};
  return GUIDE_KEYS.some((key) => key in keys) ? 'guide' : 'reference';
}

/** The ledger names a field as the reference does: whoever wrote the guide's name for it is told of that one (D169). */
export function inNamesOf(body: unknown, refused: Refused): Refused {
  const [first, ...others] = (refused.refusal.detail?.fields ?? []) as FieldProblem[];
  if (!first || typeof body !== 'object' || body === null) return refused;
  const written = (problem: FieldProblem): FieldProblem => {
    const guides = ALIASES.find(([own, alias]) => own === problem.field && alias in body && !(own in body));
    return guides ? { ...problem, field: guides[1] } : problem;
  };
  return refuseFields(written(first), ...others.map(written));
}
