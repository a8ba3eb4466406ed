/**
 * The answer of everything that may be refused: yes with a value, or no with a refusal. No other type in the code
 * stands for a refusal. An outage or a bug is not an outcome: it is thrown.
 *
 * Two related forms use the same types. A check that changes nothing gives `Refused | null`: the refusal, or
 * nothing. An operation that can succeed in several ways (posted now, or the same as before) names the way in the
 * `kind` of its value.
 */
import type { FieldProblem, Refusal, RefusalCode } from './refusals';

export interface Done<Value> {
  readonly ok: true;
  readonly value: Value;
}

export interface Refused<Code extends string = RefusalCode> {
  readonly ok: false;
  readonly refusal: Refusal<Code>;
}

export type Outcome<Value, Code extends string = RefusalCode> = Done<Value> | Refused<Code>;

export const done = <Value>(value: Value): Done<Value> => ({ ok: true, value });

/** @param more the message where the code's own does not say enough, and the published context of the code. */
export const refuse = <Code extends string = RefusalCode>(
  code: Code,
  more: Omit<Refusal, 'code'> = {},
): Refused<Code> => ({ ok: false, refusal: { code, ...more } });

/** VALIDATION_ERROR with every problem in `detail.fields`; the first one is the message (D169). */
export const refuseFields = (first: FieldProblem, ...others: readonly FieldProblem[]): Refused =>
  refuse('VALIDATION_ERROR', {
    message: `${first.field}: ${first.message}`,
    detail: { fields: [first, ...others] },
  });

/** Changes the value of a yes. A refusal stays as it is. */
export const map = <Value, Other, Code extends string>(
  outcome: Outcome<Value, Code>,
  into: (value: Value) => Other,
): Outcome<Other, Code> => (outcome.ok ? done(into(outcome.value)) : outcome);

/** The outcome in one word: the `kind` of the value, or the code of the refusal. */
export const nameOf = (outcome: Outcome<{ kind: string }>): string =>
  outcome.ok ? outcome.value.kind : outcome.refusal.code;
