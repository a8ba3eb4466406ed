/** The result of a reader, in a form that a row of a table can compare with. */
import type { Outcome } from '../../../src/domain/outcome';
import type { FieldProblem } from '../../../src/domain/refusals';

/** The value that was read. */
export function valueOf<T>(read: Outcome<T>): T {
  if (!read.ok) throw new Error(`refused: ${JSON.stringify(read.refusal)}`);
  return read.value;
}

/** The message of the refusal, which must be VALIDATION_ERROR; '' where the body was accepted. */
export function messageOf(read: Outcome<unknown>): string {
  if (read.ok) return '';
  if (read.refusal.code !== 'VALIDATION_ERROR') throw new Error(`refused with ${read.refusal.code}`);
  return read.refusal.message ?? '';
}

/** All fields that the refusal names; the first of them must be its message (D169). */
export function problemsOf(read: Outcome<unknown>): FieldProblem[] {
  const fields = read.ok ? undefined : (read.refusal.detail?.fields as FieldProblem[] | undefined);
  const [first] = fields ?? [];
  if (!first) throw new Error(`no fields: ${JSON.stringify(read)}`);
  expect(messageOf(read)).toBe(`${first.field}: ${first.message}`);
  return fields ?? [];
}
