/** What a reader answered, in a form that a row of a table can compare with. */
import type { Outcome } from '../../../src/domain/outcome';

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
