/** What an outcome holds, for tests that need its value to go on. */
import type { Outcome } from '../../src/domain/outcome';

/** The value of a yes. @throws with the refusal where it was refused. */
export function valueOf<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
  return outcome.value;
}

/** The value of a yes with this tag. @throws with what it came to instead. */
export function valueAs<Value extends { kind: string }, Kind extends Value['kind']>(
  outcome: Outcome<Value>,
  kind: Kind,
): Extract<Value, { kind: Kind }> {
  const value = valueOf(outcome);
  if (value.kind !== kind) throw new Error(`${value.kind}: ${JSON.stringify(value)}`);
  return value as Extract<Value, { kind: Kind }>;
}
