/** The value of an outcome, for tests that need it in their next step. */
import type { Outcome } from '../../src/domain/outcome';

/** The value of an outcome. @throws Error with the refusal if it was refused. */
export function valueOf<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
  return outcome.value;
}

/** The value of an outcome of this kind. @throws Error with the outcome if it is another. */
export function valueAs<Value extends { kind: string }, Kind extends Value['kind']>(
  outcome: Outcome<Value>,
  kind: Kind,
): Extract<Value, { kind: Kind }> {
  const value = valueOf(outcome);
  if (value.kind !== kind) throw new Error(`${value.kind}: ${JSON.stringify(value)}`);
  return value as Extract<Value, { kind: Kind }>;
}
