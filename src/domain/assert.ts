/** A broken promise of our own code stops loudly; it is never answered as a refusal. */
export function assert(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new Error(`bug: ${promise}`);
}

/** The value, where its absence would be our own mistake. */
export function present<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `${what} is missing`);
  return value;
}
